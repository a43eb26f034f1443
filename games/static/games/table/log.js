/** The log: every move as a sentence. Rows are kept by ply, so that frames may come twice. */

import { el, icon } from "../kit/dom.js";
import { messageParts, messageText, subject } from "../kit/messages.js";

/** @typedef {import("../kit/messages.js").Msg & {heading: boolean}} LogLine */
/** @typedef {{ply: number, kind: string, seat: number | null, lines: LogLine[], undone: boolean}} LogRow */

export class Log {
  /** @param {HTMLElement} panel which scrolls @param {HTMLElement} list */
  constructor(panel, list) {
    this.panel = panel;
    this.list = list;
    this.follows = true; // the newest line stays in sight, until somebody scrolls up
    panel.addEventListener("scroll", () => {
      this.follows = panel.hidden
        ? this.follows
        : panel.scrollHeight - panel.scrollTop - panel.clientHeight < 40;
    });
    new ResizeObserver(() => this.follows && this.toEnd()).observe(panel);
    /** @type {Map<number, {row: LogRow, nodes: HTMLElement[]}>} */
    this.rows = new Map();
    this.last = -1;
    this.reach = -1; // every row up to this one is known
    /** @type {Set<number>} rows that were taken back before they were known */
    this.struck = new Set();
    /** @type {number | null} the row that is looked back at; null: none */
    this.shown = null;
    /** @type {import("../kit/messages.js").People} */
    this.people = { names: [], you: null };
  }

  /**
   * Add what is new, strike what was taken back.
   *
   * @param {LogRow[]} rows
   * @param {import("../kit/messages.js").People} people
   * @returns {string[]} what others did and we did not know of, in words
   */
  add(rows, people) {
    this.people = people;
    /** @type {string[]} */
    const news = [];
    for (const said of [...rows].sort((a, b) => a.ply - b.ply)) {
      const row = this.struck.has(said.ply) ? { ...said, undone: true } : said;
      const old = this.rows.get(row.ply);
      if (old && old.row.undone === row.undone && old.row.lines.length === row.lines.length) continue;
      const nodes = row.lines.map((line, n) => this.#line(row, line, n, people));
      if (old) {
        old.nodes[0]?.before(...nodes);
        for (const node of old.nodes) node.remove();
      } else {
        this.#place(row.ply, nodes);
        // of one's own move only what came of it: what one did oneself one knows
        const told = row.lines.filter((line) => !line.heading).slice(row.seat === people.you ? 1 : 0);
        news.push(...told.map((line) => messageText(line, people)));
      }
      this.rows.set(row.ply, { row, nodes });
      this.last = Math.max(this.last, row.ply);
    }
    while (this.rows.has(this.reach + 1)) this.reach += 1;
    this.#mark();
    if (this.follows) this.toEnd();
    return news;
  }

  /** Add those rows of an old payload that no newer one has brought. @param {LogRow[]} rows */
  fill(rows) {
    this.add(
      rows.filter(({ ply }) => !this.rows.has(ply)),
      this.people,
    );
  }

  /** Strike rows that were taken back. @param {number[]} plies */
  strike(plies) {
    for (const ply of plies) {
      const known = this.rows.get(ply);
      this.struck.add(ply);
      if (known && !known.row.undone) this.add([{ ...known.row, undone: true }], this.people);
    }
  }

  /** Mark the row that is looked back at, and bring it into sight; null: the newest again. @param {number | null} ply */
  show(ply) {
    if (ply === this.shown) return;
    const ended = ply === null;
    this.shown = ply;
    const marked = this.#mark();
    if (ended) {
      this.follows = true;
      this.toEnd();
    } else if (marked) {
      this.follows = false;
      if (this.list.contains(document.activeElement)) marked.focus({ preventScroll: true });
      this.#reveal(marked);
    }
  }

  /** What a row says, without its headings. @param {number} ply @returns {(Node | string)[]} */
  words(ply) {
    const lines = this.rows.get(ply)?.row.lines.filter((line) => !line.heading) ?? [];
    return lines.flatMap((line, n) => [...(n > 0 ? [" "] : []), ...messageParts(line, this.people)]);
  }

  /** Whether a row was taken back later. @param {number} ply */
  undone(ply) {
    return this.rows.get(ply)?.row.undone ?? false;
  }

  toEnd() {
    this.panel.scrollTop = this.panel.scrollHeight;
  }

  /** @param {number} ply @param {HTMLElement[]} nodes */
  #place(ply, nodes) {
    if (ply > this.last) {
      this.list.append(...nodes);
      return;
    }
    const later = [...this.rows.keys()]
      .filter((other) => other > ply && this.rows.get(other)?.nodes.length)
      .sort((a, b) => a - b)[0];
    const next = this.rows.get(later)?.nodes[0];
    if (next) next.before(...nodes);
    else this.list.append(...nodes);
  }

  /** @param {LogRow} row @param {LogLine} line @param {number} n which line of the row @param {import("../kit/messages.js").People} people */
  #line(row, line, n, people) {
    const text = messageParts(line, people);
    if (line.heading) return el("li", { class: "part" }, row.undone ? el("s", {}, text) : text);
    const seat = subject(line);
    return el(
      "li",
      { "data-seat": seat },
      seat === null ? null : icon(`seat-${seat}`),
      el(
        "button",
        { type: "button", "data-do": "look", "data-key": `row-${row.ply}-${n}`, "data-ply": row.ply },
        row.undone ? el("s", {}, el("span", { class: "sr" }, "Taken back: "), text) : text,
      ),
    );
  }

  /** Mark the last line of what is shown: of the newest row, or of the one that is looked back at. */
  #mark() {
    for (const old of this.list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const lines = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("[data-ply]")]);
    const upTo = this.shown ?? Infinity; // a row may say nothing to this person: then the one before
    const marked = lines.findLast((line) => Number(line.dataset.ply) <= upTo) ?? null;
    marked?.setAttribute("aria-current", this.shown === null ? "true" : "step");
    return marked;
  }

  /** Scroll the panel, and never the page. @param {HTMLElement} line */
  #reveal(line) {
    const box = line.getBoundingClientRect();
    const view = this.panel.getBoundingClientRect();
    if (box.top < view.top || box.bottom > view.bottom)
      this.panel.scrollTop += box.top - view.top - (view.height - box.height) / 2;
  }
}
