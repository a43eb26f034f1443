/** What lies folded below a board: opened by whoever wants to look, and left as it was when the board draws itself again. */

import { el } from "./dom.js";

/** @param {string} key @param {string} title @param {any} content */
export function fold(key, title, content) {
  return el("details", { "data-key": key }, el("summary", {}, title), content);
}

/**
 * What each seat got in the parts of a game that are over.
 * @param {string} part what a row is called: "Hand", "Round"
 * @param {any[]} heads a heading for each seat, by seat
 * @param {{title: any, cells: any[]}[]} rows
 */
export function pastTable(part, heads, rows) {
  const head = (/** @type {any} */ content) => el("th", { scope: "col" }, content);
  return el(
    "div",
    { class: "past-table" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, head(part), heads.map(head))),
      el(
        "tbody",
        {},
        rows.map(({ title, cells }) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, title),
            cells.map((cell) => el("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}
