/** The area of the board: the game's own board, the result, or the plain list of moves. */

import { el, render } from "../kit/dom.js";
import { messageParts } from "../kit/messages.js";
import { moveList } from "./bar.js";
import { resultSheet } from "./result.js";

/** @typedef {import("../table.js").TablePage} TablePage */

/** @param {TablePage} page */
export function drawArea(page) {
  const { payload } = page;
  const over = payload.status !== "playing";
  if (over && !page.showsBoard) {
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
    const list = page.doors.board ? null : moveList(page);
    render(
      page.parts.area,
      el(
        "div",
        { class: "plain-board", "data-key": "plain" },
        list ?? el("p", { class: "muted" }, page.doors.board ? "Laying the board." : ""),
      ),
    );
    return;
  }
  if (page.board.parentElement !== page.parts.area) page.parts.area.replaceChildren(page.board);
  const { view, moves, you, seats, status } = payload;
  page.board.situation = {
    view,
    moves,
    you,
    seats,
    status,
    direct: page.direct,
    busy: page.line.unsent !== null,
  };
}
