/**
 * Looking back: the table as this person saw it after a row of the log. The row stands in the address,
 * so that it can be shared and the browser's back button leads to now; what was fetched is kept, and the
 * rows beside it are fetched ahead.
 */

const SLOW = 250; // ms without an answer before the page says that it waits
const KEPT = 300; // positions; the oldest go first

/**
 * @typedef {object} Position as the server tells it
 * @property {number} ply
 * @property {number | null} you whose view it is; null: a spectator's
 * @property {any} view
 * @property {number[]} pending
 * @property {(number | null)[]} standings by seat
 * @property {import("../kit/messages.js").Msg | null} summary
 * @property {any} outcome
 * @property {boolean} open everything lies open
 */

export class Past {
  /**
   * @param {(ply: number, open: boolean) => Promise<any>} fetch answers a position or a refusal, or null where
   *   the server was not reached
   * @param {() => void} changed told whenever there is something else to draw
   */
  constructor(fetch, changed) {
    this.fetch = fetch;
    this.changed = changed;
    /** @type {number | null} the row that is looked at; null: now */
    this.ply = null;
    /** @type {Position | null} what is shown, until what was asked for is there */
    this.shown = null;
    this.open = false; // everything open: a game that is over
    this.last = 0; // ply of the table when looking back began
    this.slow = false;
    /** @type {string | null} why the row cannot be shown */
    this.failed = null;
    this.fetching = false;
    /** @type {Map<string, Position>} */
    this.kept = new Map();
    addEventListener("popstate", () => this.#follow());
  }

  get on() {
    return this.ply !== null;
  }

  /** What is shown is not what was asked for yet. */
  get waits() {
    return this.on && this.failed === null && this.#here() === null;
  }

  /** A position that came with the page. @param {Position} position @param {number} last */
  begin(position, last) {
    this.last = last;
    this.open = new URL(location.href).searchParams.get("open") === "1";
    this.kept.set(keyOf(position.ply, this.open), position);
    this.#look(position.ply);
  }

  /** @param {number} ply @param {number} last the table's last row now */
  show(ply, last) {
    if (!this.on) this.last = last;
    this.#address(ply, this.on);
    this.#look(ply);
  }

  /** @param {boolean} open */
  showOpen(open) {
    if (this.ply === null || open === this.open) return;
    this.open = open;
    this.#address(this.ply, true);
    this.#look(this.ply);
  }

  /** Ask once more for what could not be fetched. */
  again() {
    if (this.ply !== null) this.#look(this.ply);
  }

  /** Back to now. */
  leave() {
    if (!this.on) return;
    this.#end();
    if (history.state?.looksBack) history.back();
    else history.replaceState(null, "", address(null, false));
  }

  /** Forget what was fetched: it was another person's view. */
  forget() {
    this.kept.clear();
    if (this.ply !== null) this.#look(this.ply);
  }

  // -- inside --------------------------------------------------------------------------------------

  /** @param {number} ply */
  #look(ply) {
    this.ply = ply;
    this.failed = null;
    this.shown = this.#here() ?? this.shown;
    this.changed();
    void this.#load();
  }

  #end() {
    this.ply = this.shown = this.failed = null;
    this.open = this.slow = false;
    this.changed();
  }

  #here() {
    return this.ply === null ? null : (this.kept.get(keyOf(this.ply, this.open)) ?? null);
  }

  /** The browser's back and forward: the address says what is looked at. */
  #follow() {
    const { searchParams } = new URL(location.href);
    const ply = searchParams.get("ply");
    if (ply === null || !/^\d{1,9}$/.test(ply)) {
      if (this.on) this.#end();
      return;
    }
    this.open = searchParams.get("open") === "1";
    this.#look(Number(ply));
  }

  /** @param {number} ply @param {boolean} replace the entry of the history, or add one */
  #address(ply, replace) {
    if (replace) history.replaceState(history.state, "", address(ply, this.open));
    else history.pushState({ looksBack: true }, "", address(ply, this.open));
  }

  /** Fetch what is looked at, one at a time, until it is there; then its neighbours. */
  async #load() {
    if (this.fetching) return;
    this.fetching = true;
    const timer = setTimeout(() => this.#late(), SLOW);
    while (this.waits) await this.#fetchOne(/** @type {number} */ (this.ply), true);
    clearTimeout(timer);
    this.slow = false;
    for (const step of [-1, 1]) {
      if (this.ply === null || this.waits || this.failed !== null) break;
      const ply = this.ply + step;
      if (ply >= 0 && ply <= this.last && !this.kept.has(keyOf(ply, this.open)))
        await this.#fetchOne(ply, false);
    }
    this.fetching = false;
    if (this.waits) void this.#load();
  }

  #late() {
    this.slow = this.waits;
    if (this.slow) this.changed();
  }

  /** @param {number} ply @param {boolean} wanted somebody looks at it: say so when it cannot be had */
  async #fetchOne(ply, wanted) {
    const { open, kept } = this;
    const answer = await this.fetch(ply, open);
    if (answer?.on === "past") {
      kept.set(keyOf(ply, open), answer);
      if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    }
    if (this.ply !== ply || this.open !== open || !wanted) return;
    if (answer?.on === "past") this.shown = answer;
    else this.failed = answer?.reason ?? "The server was not reached.";
    this.slow = false;
    this.changed();
  }
}

/** @param {number} ply @param {boolean} open */
function keyOf(ply, open) {
  return `${ply} ${open}`;
}

/** The page's address at a row, or at now. @param {number | null} ply @param {boolean} open */
function address(ply, open) {
  const url = new URL(location.href);
  url.searchParams.delete("ply");
  url.searchParams.delete("open");
  if (ply !== null) url.searchParams.set("ply", String(ply));
  if (open) url.searchParams.set("open", "1");
  return url;
}
