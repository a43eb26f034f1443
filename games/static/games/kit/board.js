/**
 * What every board has in common. A game's `board.js` extends `GameBoard`, writes `draw()`, and
 * registers itself as `<slug>-board`. What is legal a board never decides: it is told.
 *
 * A board draws with `render(this, ...)`, marks what can be chosen by `data-key`, and hears of it in
 * `pick(key)`. What was chosen leaves by `choose` (whole in one click) or `draft` (half-made). While a
 * move is under way nothing is picked: it is kept, and picked when the answer is there (see `heed`).
 */

import { keep, kept } from "./keep.js";
import { messageText } from "./messages.js";
import { travel, whereabouts } from "./motion.js";

/** @typedef {import("./messages.js").Msg} Msg */
/** @typedef {{action: any, label: Msg}} Move */
/** @typedef {{items: Move[], complete: boolean, total: number, reasons: Msg[], refused: Record<string, number>, prompt: Msg | null}} Moves */
/** @typedef {{index: number, name: string, kind: string, zombie: boolean, you: boolean, pending: boolean, standing: number | null}} BoardSeat */
/**
 * @typedef {object} Situation what a board is given
 * @property {string} table its public id, for what the browser keeps
 * @property {any} view what `Game.view` (or `reveal`) says
 * @property {Moves | null} moves null when nothing is asked of this viewer
 * @property {number | null} you the viewer's seat; null for a spectator
 * @property {BoardSeat[]} seats
 * @property {string} status "playing", "finished" or "abandoned"
 * @property {boolean} direct whether one click acts, or chooses for the action bar
 * @property {boolean} locked whether nothing can be sent just now: one click only chooses
 * @property {boolean} past whether somebody looks back: nothing can be chosen, whatever the view says
 * @property {boolean} busy an action is under way, and the question it answers still stands here
 * @property {boolean} wishing whether a wish may answer: not what is asked again since one's move was taken back, nor while one chooses from the list
 */
/**
 * @typedef {object} Draft what the action bar shows
 * @property {string} [label] of the main button; without one there is no such button
 * @property {any} [action] what it sends; null: not yet
 * @property {string} [icon] of the main button
 * @property {string} [clear] words for taking the choice back; without them nothing is chosen
 * @property {string} [clearIcon] of that button: on a phone it stands alone
 * @property {Order[]} [more] further buttons
 * @property {string} [hint]
 * @property {string} [prompt] in place of the question in the status line
 * @property {boolean} [built] whether something is built that another move loses: such a move comes to `chosen`, for the board to ask
 */

/**
 * @typedef {object} Order a button of the action bar besides the main one
 * @property {string} key
 * @property {string} label
 * @property {string} [icon] on a phone it stands alone, where there is no action
 * @property {any} [action] what it sends; without one the board hears of it in `press(key)`
 * @property {boolean} [off] whether it can do nothing now
 */

/** @typedef {{key: string, title: string, hint: string}} Wish how one person likes a game to go, kept in this browser: a box under "Table and display" */

const WISHED_AFTER = 700; // ms in which one sees what is done by itself
/** @type {Pick<Moves, "reasons" | "refused">} */
const NO_MOVES = { reasons: [], refused: {} };

export class GameBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Situation} */
    this.now = /** @type {any} */ (null);
    /** @type {any} an action chosen in one click that waits for its confirmation */
    this.chosen = null;
    this.question = "";
    /** @type {{key: string, does: (key: string) => any}[]} what was asked of the board while it waits */
    this.held = [];
    this.direct = false; // what the page says of one click
    this.making = false; // up for what was held
    /** @type {string | null} what is heeded just now */
    this.heeded = null;
    /** @type {string | null} what sent the move that is under way */
    this.sentBy = null;
    this.wishing = 0; // the timer of what is done by itself
    this.granting = false; // what is under way was sent by a wish
    /** @type {Set<string>} questions that were answered by a wish: once each, so that what is taken back stays so */
    this.granted = new Set();
    this.addEventListener("click", (event) => {
      if (this.now?.past) return;
      const node = /** @type {Element} */ (event.target).closest("[data-key]");
      const key = node?.getAttribute("data-key");
      if (!node || !key || !node.matches("button, [role=gridcell]")) return;
      const twice = event.detail > 1 && this.held[this.held.length - 1]?.key === key; // one wish, which a second would undo
      if (!twice) this.heed(key, (shown) => this.pick(shown));
    });
    this.addEventListener("keydown", (event) => {
      const node = /** @type {Element} */ (event.target);
      if (
        !this.now?.past &&
        (event.key === "Enter" || event.key === " ") &&
        node.matches("[role=gridcell]:not(button)")
      ) {
        event.preventDefault();
        const key = node.getAttribute("data-key") ?? "";
        this.heed(key, (shown) => this.pick(shown));
      }
    });
  }

  /** The situation now; a new question drops what was half chosen. */
  set situation(/** @type {Situation} */ now) {
    const question = JSON.stringify([
      now.moves?.prompt ?? null,
      now.moves?.items.length ?? null,
      this.questionOf(now),
    ]);
    this.direct = now.direct;
    this.now = this.making ? { ...now, direct: false } : now;
    if (!now.busy) {
      this.sentBy = null;
      this.granting = false;
    }
    if (question !== this.question) {
      this.question = question;
      this.forget();
    }
    this.redraw();
    void this.makeUp();
    this.#grant();
  }

  /** In a moment, do what somebody wishes to happen by itself, if the same is still asked then. */
  #grant() {
    clearTimeout(this.wishing);
    const { question } = this;
    if (this.#granting() === null) return;
    this.wishing = window.setTimeout(() => {
      if (this.querySelector(".dragged")) {
        this.#grant(); // somebody is choosing: see again in a moment
        return;
      }
      const action = this.#granting();
      if (action === null || question !== this.question) return;
      this.granted.add(question);
      this.granting = true;
      this.dispatchEvent(new CustomEvent("game-wished", { detail: action, bubbles: true }));
    }, WISHED_AFTER);
  }

  /** What is to be done by itself now; null: nothing, or somebody is choosing. */
  #granting() {
    const { moves, past, locked, wishing } = this.now;
    const free = moves !== null && wishing && !past && !locked && !this.waits;
    const open = free && this.isConnected && this.chosen === null && this.held.length === 0;
    return open && !this.granted.has(this.question) ? this.byItself() : null;
  }

  /** Whether the board can take no choice at this moment. */
  get waits() {
    return this.now?.busy ?? false; // none before it is laid
  }

  /**
   * Do what somebody asks of the board: at once, or when it no longer waits. Then it only chooses,
   * for the action bar, since one could not see yet what it would be chosen from.
   *
   * @param {string} key the piece or place that is meant; empty: the board as a whole
   * @param {(key: string) => any} does hears of what shows it then: itself, or an equal one
   */
  heed(key, does) {
    if (this.granting && this.waits) {
      this.refuse("What you wish was done by itself just now."); // what is clicked was about the same question
      return;
    }
    if (this.waits || this.making) {
      if (key !== this.sentBy) this.held.push({ key, does }); // a second click on the same is no other wish
      this.dispatchEvent(new CustomEvent("game-wait", { bubbles: true }));
      return;
    }
    this.heeded = key;
    if (this.now.locked) {
      this.now = { ...this.now, direct: false };
      this.dispatchEvent(new CustomEvent("game-wait", { bubbles: true }));
    }
    does(key);
    this.now = { ...this.now, direct: this.direct };
    this.heeded = null;
  }

  /** Do what was held, in its order, as far as the board still shows what was meant. */
  async makeUp() {
    if (this.waits || this.making || this.held.length === 0) return;
    this.making = true;
    this.now = { ...this.now, direct: false };
    /** @type {Map<string, string>} which key was meant by one that stands for it now */
    const meant = new Map();
    try {
      while (this.held.length > 0 && !this.waits) {
        const { key, does } = /** @type {{key: string, does: (key: string) => any}} */ (this.held.shift());
        const shown = [key, ...this.alike(key)].find(
          (other) => this.#shows(other) && (meant.get(other) ?? key) === key,
        );
        if (shown === undefined) {
          this.refuse("What you chose is no longer there.");
          continue;
        }
        meant.set(shown, key);
        const done = does(shown);
        if (done instanceof Promise) await done;
      }
    } finally {
      this.making = false;
    }
    this.now = { ...this.now, direct: this.direct };
    this.redraw();
  }

  /** Whether something with this key is on the board; the board itself has none. @param {string} key */
  #shows(key) {
    const name = CSS.escape(key);
    return key === "" || this.querySelector(`[data-key="${name}"], [data-drag="${name}"]`) !== null;
  }

  /** Draw again, let pieces travel, say what the action bar should show. */
  redraw() {
    if (!this.now) return;
    const before = whereabouts(this);
    this.draw();
    travel(this, before);
    this.dispatchEvent(new CustomEvent("game-draft", { detail: this.draftNow(), bubbles: true }));
  }

  /** Drop what is half chosen and draw without it. */
  clear() {
    if (!this.making) this.held = [];
    this.forget();
    this.redraw();
  }

  // -- for the game to write ---------------------------------------------------------------------

  /** Draw `this.now`. */
  draw() {
    throw new Error("A board draws itself.");
  }

  /** Somebody chose what has this key. @param {string} key */
  pick(key) {
    throw new Error(`Nothing was made to be chosen, but ${key} was.`);
  }

  /** A further button of the action bar was pressed. @param {string} key */
  press(key) {
    throw new Error(`No board asked for the button ${key}.`);
  }

  /** Keys of equal pieces, any of which is as good where this one has gone. @param {string} _key @returns {string[]} */
  alike(_key) {
    return [];
  }

  /** Drop what is half chosen. */
  forget() {
    this.chosen = null;
  }

  /** What tells one question from the next, besides the moves. @param {Situation} now @returns {any} */
  questionOf(now) {
    return now.view.turn ?? null;
  }

  /** What the action bar shows now. @returns {Draft} */
  draftNow() {
    return {};
  }

  /** More columns for the result: a title and a cell for each seat. @param {Situation} _now @returns {{title: any, cells: string[]}[]} */
  resultColumns(_now) {
    return [];
  }

  /** What people may wish of this board. @returns {Wish[]} */
  get wishes() {
    return [];
  }

  /** The action that somebody wishes to be taken by itself now. @returns {any} null: none */
  byItself() {
    return null;
  }

  /** What the scores of the result count. */
  scoreName() {
    return "Score";
  }

  // -- for the game to use -------------------------------------------------------------------------

  /** Act, or choose for the action bar where one click is not to be enough. @param {any} action */
  choose(action) {
    if (this.making && !this.mayBe(action)) {
      this.refuse("That can no longer be done.");
      return;
    }
    if (this.now.direct && !this.now.locked) {
      this.sentBy = this.heeded;
      this.dispatchEvent(new CustomEvent("game-action", { detail: action, bubbles: true }));
    } else {
      this.chosen = action;
      this.redraw();
    }
  }

  /** Whether an action may be taken now, as far as the moves tell. @param {any} action */
  mayBe(action) {
    const { moves } = this.now;
    if (moves === null || !moves.complete || moves.total > moves.items.length) return moves !== null;
    const wanted = JSON.stringify(action);
    return this.move((other) => JSON.stringify(other) === wanted) !== null;
  }

  /** Whether somebody wishes this here. @param {string} key */
  wished(key) {
    return kept("localStorage", this.#wish(key)) === true;
  }

  /** @param {string} key @param {boolean} on */
  setWish(key, on) {
    keep("localStorage", this.#wish(key), on || null);
  }

  /** @param {string} key */
  #wish(key) {
    return `parlour:${this.localName}:${key}`;
  }

  /** Say why something cannot be chosen. @param {string} reason */
  refuse(reason) {
    this.dispatchEvent(new CustomEvent("game-refusal", { detail: reason, bubbles: true }));
  }

  /**
   * Ask the server how an action stands, without taking it.
   *
   * @param {any} action
   * @returns {Promise<{ok: boolean, reason: string}>}
   */
  check(action) {
    return new Promise((answer) => {
      this.dispatchEvent(new CustomEvent("game-check", { detail: { action, answer }, bubbles: true }));
    });
  }

  /** The move that is this action, when it is among the moves. @param {(action: any) => boolean} is */
  move(is) {
    return this.now.moves?.items.find(({ action }) => is(action)) ?? null;
  }

  /** Why a thing cannot be used now, or null. @param {string} thing */
  whyNot(thing) {
    const { reasons, refused } = this.now.moves ?? NO_MOVES;
    return thing in refused ? this.words(reasons[refused[thing]]) : null;
  }

  /** @param {Msg} msg */
  words(msg) {
    return messageText(msg, { names: this.now.seats.map(({ name }) => name), you: this.now.you });
  }
}
