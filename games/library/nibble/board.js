/** The board of Nibble: a wooden tray of blocks, and the ledger of takings. */

import { GameBoard } from "../kit/board.js";
import { el, icon, render } from "../kit/dom.js";
import { messageParts } from "../kit/messages.js";

/** Glyph of each colour: a symbol of the sprite. A block can be told without its colour. */
const GLYPHS = ["", "seat-0", "seat-2", "seat-1", "seat-3", "seat-4", "seat-6", "gl-7", "gl-8", "gl-9", "s-H", "moon", "s-C", "s-S"];
/** Their names: what the board says is English, whatever the language of the game's texts. */
const COLOURS = ["", "green", "purple", "red", "yellow", "orange", "blue", "white", "gray", "black", "pink", "cyan", "mint", "brown"];
const THREE = "three_neighbours";

/** @typedef {[number, number]} Cell */
/** @typedef {{seat: number | null, way: string, colours: number[], hot: boolean, msg: import("../kit/messages.js").Msg}} Threat */
/**
 * @typedef {object} NibbleView
 * @property {string} shape "square" or "hexagon", whose rows are of different lengths
 * @property {number[][]} board by row, the colour of each cell, 0 where there is no block
 * @property {Cell[][]} cells by row, the coordinates that actions name
 * @property {string[][]} names by row, "d8": column and row, on the hexagon row and place
 * @property {{id: number, name: import("../kit/messages.js").Msg}[]} colours
 * @property {number[]} table the colour table
 * @property {Record<string, number>[]} counts by seat, blocks taken of each colour
 * @property {number[][]} collections by seat, colours in the order they were taken
 * @property {number} turn
 * @property {number | null} active
 * @property {Cell[]} last cells of the turn before
 * @property {{all_of_colour: number, majority_blocks: number}} goals
 * @property {{majorities: number[]}[]} chances by seat
 * @property {Threat[]} threats
 */

class NibbleBoard extends GameBoard {
  constructor() {
    super();
    /** @type {string[]} names of the chosen cells, in order */
    this.picked = [];
    this.asking = false;
  }

  /** @returns {NibbleView} */
  get view() {
    return this.now.view;
  }

  forget() {
    super.forget();
    this.picked = [];
  }

  get waits() {
    return this.asking || super.waits;
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.turn, now.view.active];
  }

  draw() {
    render(this, el("div", { class: "nibble" }, this.tray(), this.ledger()));
  }

  // -- the tray ------------------------------------------------------------------------------------

  tray() {
    const { view } = this;
    const columns = Math.max(...view.board.map((row) => row.length));
    const square = view.shape === "square";
    const can = this.takeable();
    const last = new Set(view.last.map(String));
    return el(
      "div",
      {
        class: "tray",
        role: "grid",
        "aria-label": square
          ? `Board, ${view.board.length} by ${columns}`
          : `Board, a hexagon of ${view.board.length} rows`,
        "aria-multiselectable": "true",
        "data-key": "tray",
        "data-roving": square ? "grid" : "turned",
        "data-many": columns > 9,
        "data-shape": view.shape,
        vars: { "--columns": columns },
      },
      view.board.map((row, r) =>
        el(
          "div",
          { role: "row", "data-row-of": r },
          row.map((colour, c) =>
            this.cell({
              colour,
              r,
              c,
              x: columns - row.length + 2 * c,
              name: view.names[r][c],
              can: can.has(view.names[r][c]),
              last: last.has(String(view.cells[r][c])),
            }),
          ),
        ),
      ),
    );
  }

  /** @param {{colour: number, r: number, c: number, x: number, name: string, can: boolean, last: boolean}} cell x: its place in half cells */
  cell({ colour, r, c, x, name, can, last }) {
    const square = this.view.shape === "square";
    const place = {
      role: "gridcell",
      "data-key": name,
      "data-row": r,
      "data-col": square ? c : Math.floor(x / 2),
      vars: square ? {} : { "--x": x + 1, "--y": r + 1 },
    };
    const spoken = square ? name : `row ${name[0]}, place ${name.slice(1)}`;
    if (colour === 0)
      return el("span", {
        class: last ? "well last" : "well",
        "data-idle": true,
        "aria-label": `${spoken}, empty${last ? ", just taken" : ""}`,
        ...place,
      });
    const picked = this.picked.includes(name);
    const words = [spoken, this.colour(colour), can && "can be taken", picked && "chosen"];
    return el(
      "button",
      {
        type: "button",
        class: ["block", can && "can", picked && "picked"].filter(Boolean).join(" "),
        "data-c": colour,
        "data-piece": `block-${name}`,
        "aria-label": words.filter(Boolean).join(", "),
        "aria-selected": String(picked),
        "aria-disabled": can ? null : "true",
        ...place,
      },
      icon(GLYPHS[colour]),
    );
  }

  /** Names of the cells whose block can be taken alone. @returns {Set<string>} */
  takeable() {
    const names = new Map(
      this.view.cells.flatMap((row, r) => row.map((cell, c) => [String(cell), this.view.names[r][c]])),
    );
    return new Set(
      (this.now.moves?.items ?? []).map(
        ({ action }) => /** @type {string} */ (names.get(String(action.cells[0]))),
      ),
    );
  }

  /** @param {number} colour @returns {string} */
  colour(colour) {
    return COLOURS[colour];
  }

  /** @param {string} name @returns {{colour: number, cell: Cell}} */
  at(name) {
    for (const [r, row] of this.view.names.entries()) {
      const c = row.indexOf(name);
      if (c >= 0) return { colour: this.view.board[r][c], cell: this.view.cells[r][c] };
    }
    throw new Error(`There is no cell ${name}.`);
  }

  // -- choosing ------------------------------------------------------------------------------------

  /** @param {string} name */
  async pick(name) {
    const { moves, seats, status } = this.now;
    const { colour } = this.at(name);
    if (status !== "playing") this.refuse("The game is over.");
    else if (!moves)
      this.refuse(
        `It is not your turn: ${seats.filter(({ pending }) => pending).map((seat) => seat.name)} to take.`,
      );
    else if (this.picked.includes(name)) this.take(this.picked.filter((other) => other !== name));
    else if (colour === 0) this.refuse(`There is no block at ${name}.`);
    else if (!this.takeable().has(name)) this.refuse(this.whyNot(name) ?? "This block cannot be taken now.");
    else if (this.picked.length === 0) this.take([name]);
    else if (this.at(this.picked[0]).colour !== colour)
      this.refuse("All blocks of a turn must have the same colour. Clear first to choose another.");
    else await this.add(name);
  }

  /** One block more, if the server says that they may go together. @param {string} name */
  async add(name) {
    const question = this.question;
    const together = [...this.picked, name];
    this.asking = true;
    const { ok, reason } = await this.check(this.action(together));
    this.asking = false;
    if (question === this.question) {
      if (ok) this.take(together);
      else this.refuse(reason);
    }
    void this.makeUp();
  }

  /** @param {string[]} names */
  take(names) {
    this.picked = names;
    this.redraw();
  }

  /** @param {string[]} names */
  action(names) {
    return { type: "take", cells: names.map((name) => this.at(name).cell) };
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    if (!this.now.moves) return {};
    if (this.picked.length === 0)
      return { label: "Take", action: null, hint: "Choose one or more raised blocks of one colour." };
    const what = `${this.picked.length} ${this.colour(this.at(this.picked[0]).colour)}`;
    return {
      label: `Take ${what}`,
      icon: "check",
      action: this.action(this.picked),
      clear: "Clear",
      hint: "The rest of the board stays in one piece.",
      prompt: `${what} chosen. Add more of the colour, or take.`,
    };
  }

  // -- the ledger ----------------------------------------------------------------------------------

  ledger() {
    const { view } = this;
    const below = this.now.you ?? 0;
    const above = 1 - below;
    const { all_of_colour: full, majority_blocks: half } = view.goals;
    const fresh = this.justTaken();
    /** @param {number} seat @param {number} colour */
    const newest = (seat, colour) => (fresh.seat === seat && fresh.colour === colour ? fresh.names : []);
    return el(
      "section",
      { class: "ledger", "aria-labelledby": "colour-table", "data-key": "ledger", "data-many": view.table.length > 9 },
      el("h2", { id: "colour-table" }, "Colour table"),
      el(
        "table",
        {},
        el("caption", { class: "sr" }, "Blocks taken by colour, in the order of the colour table"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("td", {}, el("span", { class: "sr" }, "Player")),
            view.table.map((colour) =>
              el(
                "th",
                { scope: "col" },
                el(
                  "span",
                  { class: "swatch", "data-c": colour, title: this.colour(colour) },
                  icon(GLYPHS[colour]),
                ),
                el("span", { class: "sr" }, this.colour(colour)),
              ),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          this.takings(above),
          el(
            "tr",
            { "aria-hidden": "true" },
            el("td"),
            view.table.map((colour) =>
              el(
                "td",
                {},
                tally(
                  full,
                  half,
                  { above, taken: view.counts[above][colour], newest: newest(above, colour) },
                  { below, taken: view.counts[below][colour], newest: newest(below, colour) },
                ),
              ),
            ),
          ),
          this.takings(below),
          this.bracket(below),
        ),
      ),
      el(
        "ul",
        { class: "threats" },
        view.threats.map((threat) => this.threat(threat)),
      ),
    );
  }

  /** What was taken in the turn before; nobody took anything yet, or the game is over: seat null. */
  justTaken() {
    const { active, last, cells, names, collections } = this.view;
    const seat = active === null || last.length === 0 ? null : 1 - active;
    const taken = new Set(last.map(String));
    return {
      seat,
      colour: seat === null ? 0 : (collections[seat].at(-1) ?? 0),
      names: cells.flatMap((row, r) => names[r].filter((_, c) => taken.has(String(row[c])))),
    };
  }

  /** @param {number} seat */
  takings(seat) {
    const name = seat === this.now.you ? "You" : this.now.seats[seat].name;
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el(
          "span",
          { class: "seat", "data-seat": seat },
          icon(`seat-${seat}`),
          el("span", { class: "name" }, name),
        ),
      ),
      this.view.table.map((colour) => el("td", {}, this.view.counts[seat][colour])),
    );
  }

  /** The three neighbours that the seat below is nearest to winning with. @param {number} seat */
  bracket(seat) {
    const { table, threats } = this.view;
    const near = threats.find((threat) => threat.way === THREE && threat.seat === seat);
    if (!near) return null;
    const first = Math.min(...near.colours.map((colour) => table.indexOf(colour)));
    const after = table.length - first - near.colours.length;
    return el(
      "tr",
      { "aria-hidden": "true" },
      el("td", { colspan: first + 1 }),
      el("td", { colspan: near.colours.length }, el("div", { class: "span-3" })),
      after > 0 && el("td", { colspan: after }),
    );
  }

  /** @param {Threat} threat */
  threat({ seat, hot, msg }) {
    const people = { names: this.now.seats.map(({ name }) => name), you: this.now.you };
    const hotForMe = hot && seat !== this.now.you;
    return el(
      "li",
      { class: hotForMe && "hot" },
      icon(hotForMe ? "warn" : seat === null ? "info" : "arrow"),
      el("span", {}, messageParts(msg, people)),
    );
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    return [
      {
        title: "Majorities",
        cells: now.view.chances.map((/** @type {any} */ chance) => String(chance.majorities.length)),
      },
      {
        title: "Blocks",
        cells: now.view.counts.map((/** @type {any} */ count) =>
          String(Object.values(count).reduce((sum, n) => sum + Number(n), 0)),
        ),
      },
    ];
  }
}

/**
 * A column of as many marks as there are blocks of a colour: one seat's from above, the other's from below.
 *
 * @param {number} full
 * @param {number} half the mark that makes a majority
 * The marks of blocks that were taken in the turn before travel here from where the blocks lay.
 *
 * @param {{above: number, taken: number, newest: string[]}} top newest: names of their cells
 * @param {{below: number, taken: number, newest: string[]}} bottom
 */
function tally(full, half, top, bottom) {
  return el(
    "span",
    { class: "tally" },
    Array.from({ length: full }, (_, n) => {
      const seat = n < top.taken ? top.above : n >= full - bottom.taken ? bottom.below : null;
      const cell = n < top.taken ? top.newest[top.taken - 1 - n] : bottom.newest[n - full + bottom.taken];
      return el("i", {
        class:
          [n < top.taken ? "theirs" : seat !== null && "own", n === half - 1 && "half"]
            .filter(Boolean)
            .join(" ") || null,
        "data-seat": seat,
        "data-piece": cell && `block-${cell}`,
        "data-travels": Boolean(cell),
      });
    }),
  );
}

customElements.define("nibble-board", NibbleBoard);
