/** The sheet with the result, on the board of a finished game. */

import { el } from "../kit/dom.js";
import { figure, messageParts } from "../kit/messages.js";
import { seatName } from "./seats.js";

const LONG_WORD = 8; // letters; a longer one may break
const LAST_LETTERS = 3; // of a name that stay together then

/**
 * @param {any} payload
 * @param {import("../kit/messages.js").People} people
 * @param {import("../kit/board.js").GameBoard | null} board may have columns of its own
 */
export function resultSheet(payload, people, board) {
  const { view, moves, you, seats, status } = payload;
  const situation = {
    table: payload.id,
    view,
    moves,
    you,
    seats,
    status,
    direct: false,
    locked: true,
    busy: false,
    past: false,
  };
  const columns = board && view ? board.resultColumns(situation) : [];
  const scored = seats.some((/** @type {any} */ seat) => seat.result && seat.result.score !== null);
  const ranked = [...seats].sort(
    (a, b) => (a.result?.rank ?? 99) - (b.result?.rank ?? 99) || a.index - b.index,
  );
  const text = payload.outcome ? messageParts(payload.outcome.text, people) : ["The game was abandoned."];
  return el(
    "div",
    { class: "sheet" },
    el(
      "div",
      {},
      payload.summary && el("p", { class: "aside" }, messageParts(payload.summary, people)),
      el("h2", {}, text),
    ),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "Result" },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Place"),
            el("th", { scope: "col" }, "Player"),
            columns.map(({ title }) => el("th", { scope: "col", class: "num" }, title)),
            scored && el("th", { scope: "col", class: "num" }, board?.scoreName() ?? "Score"),
          ),
        ),
        el(
          "tbody",
          {},
          ranked.map((seat) =>
            el(
              "tr",
              { class: seat.result?.rank === 1 && "first" },
              el("td", {}, seat.result?.rank ?? "–"),
              el("td", {}, seat.you ? ownName(seat) : seatName(seat)),
              columns.map(({ cells }) => el("td", { class: "num" }, cells[seat.index])),
              scored &&
                el(
                  "td",
                  { class: "num" },
                  typeof seat.result?.score === "number" ? figure(seat.result.score) : "",
                ),
            ),
          ),
        ),
      ),
    ),
    payload.seed &&
      el(
        "details",
        { "data-key": "seed" },
        el("summary", { class: "small muted" }, "Check the shuffle"),
        el(
          "p",
          { class: "hash" },
          `seed ${payload.seed}, published as hash ${payload.seed_hash} before the first deal`,
        ),
      ),
  );
}

/** One's own name, whose end stays beside "(you)" where the column is narrow. @param {{index: number, name: string}} seat */
function ownName({ index, name }) {
  const letters = [...name];
  const word = letters.length - 1 - letters.lastIndexOf(" ");
  const end = word <= LONG_WORD ? word : LAST_LETTERS;
  const kept = el("span", {}, letters.slice(-end).join(""), " ", el("span", { class: "muted" }, "(you)"));
  return seatName({ index, name: [letters.slice(0, -end).join(""), kept] });
}
