/** The area of the board: the game's own board, the result, or the plain list of moves. */

import { el, render } from "../kit/dom.js";
import { inWords, messageParts } from "../kit/messages.js";
import { moveList } from "./bar.js";
import { resultSheet } from "./result.js";

/** @typedef {import("../table.js").TablePage} TablePage */

/** @param {TablePage} page */
export function drawArea(page) {
  const { payload, past } = page;
  page.parts.area.toggleAttribute("data-past", past.on);
  page.parts.area.setAttribute("aria-busy", String(past.slow));
  if (past.shown) {
    drawPast(page);
    return;
  }
  if (payload.status !== "playing") {
    render(
      page.parts.area,
      el(
        "div",
        { class: "felt finish", "data-key": "result" },
        resultSheet(payload, page.people, page.board ?? null),
      ),
    );
    return;
  }
  if (payload.stopped) {
    const said = el("p", { class: "muted" }, messageParts(payload.stopped, page.people));
    render(page.parts.area, el("div", { class: "plain-board", "data-key": "stopped" }, said));
    return;
  }
  if (!page.board) {
    const plain = el(
      "div",
      { class: "plain-board", "data-key": "plain" },
      page.boardless && el("p", {}, "The board of this game cannot be laid. Its moves are listed here on your turn."),
      moveList(page),
    );
    render(page.parts.area, page.doors.board ? laying() : plain);
    return;
  }
  place(page, page.board);
  const { view, moves, you, seats, status } = payload;
  page.board.situation = {
    table: payload.id,
    view,
    moves,
    you,
    seats,
    status,
    direct: page.direct,
    locked: page.busy,
    busy: page.settling,
    past: past.on,
    wishing: page.choosing === null && !page.askedAgain,
  };
}

/** In place of the board until it is there, as in the page that the server sent. */
function laying() {
  return el(
    "div",
    { class: "felt laying", "data-key": "laying" },
    el("p", { class: "soon" }, "Laying the board."),
    el(
      "p",
      { class: "late" },
      "This takes long. ",
      el("a", { href: "" }, "Load the page again"),
      ", or read ",
      el("a", { href: "?plain" }, "how the game stands, and its log"),
      ".",
    ),
  );
}

/** The table as it was: on a second board, so that what is half chosen on the first one stays. @param {TablePage} page */
function drawPast(page) {
  const { view, you } = /** @type {import("./past.js").Position} */ (page.past.shown);
  const { seats, status, summary, pending } = page.scene;
  if (page.board && page.pastBoard) {
    place(page, page.pastBoard);
    page.pastBoard.situation = {
      table: page.payload.id,
      view,
      moves: null,
      you,
      seats,
      status,
      direct: false,
      locked: true,
      busy: false,
      past: true,
      wishing: false,
    };
    return;
  }
  const asked = seats.filter((/** @type {any} */ seat) => pending.includes(seat.index));
  const names = asked.map((/** @type {any} */ seat) => seat.name);
  render(
    page.parts.area,
    el(
      "div",
      { class: "plain-board", "data-key": "plain-past" },
      summary && el("p", {}, messageParts(summary, page.people)),
      el(
        "p",
        { class: "muted" },
        names.length > 0 ? `${inWords(names)} to move.` : "Nobody was asked anything.",
      ),
    ),
  );
}

/** @param {TablePage} page @param {HTMLElement} board */
function place(page, board) {
  if (board.parentElement !== page.parts.area) page.parts.area.replaceChildren(board);
}
