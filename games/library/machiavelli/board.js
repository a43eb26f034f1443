/**
 * The board of Machiavelli: one table of sets and runs for all, one's own hand below it.
 *
 * A turn is built here as a draft and sent whole. Cards are chosen, then placed: a click on a card chooses it,
 * one on a card of another group places what is chosen there. Dragging does both at once. What is wrong
 * with a group is said while one builds; whether the whole may be played says the server.
 */

import { GameBoard } from "../kit/board.js";
import { cardButton, cardChip, cardImage, cardName, hand, parseCard, suitName } from "../kit/cards.js";
import { el, icon, render } from "../kit/dom.js";
import { Drag } from "../kit/drag.js";
import { HandOrder } from "../kit/hand.js";
import { keep, kept } from "../kit/keep.js";
import { counted, inWords } from "../kit/messages.js";

const STORE = "sessionStorage"; // a draft outlives a reload
const STEPS = 60; // that can be taken back
const PAUSE = 250; // ms without a change before the server is asked
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = "CDHS";
const WORDS = /** @type {Record<string, string>} */ ({ A: "ace", J: "jack", Q: "queen", K: "king" });
const SYMBOLS = /** @type {Record<string, string>} */ ({ C: "♣", D: "♦", H: "♥", S: "♠" });
const STRICT = "strict-take";
const BOUND = "Cards of the table are taken up.";
const SHOWN = 6; // cards of a hand in the result
const MANY = 48; // cards on the table from which they are drawn smaller
const VERY_MANY = 78;
const CROWDED = 104;
const IN_ONE_ROW = 10; // cards of a hand on a phone; more take rows of eight

/** @typedef {{key: string, cards: string[]}} Group in a draft; one without cards is a place that was left */
/**
 * @typedef {object} MachiavelliView
 * @property {number | null} turn
 * @property {number} turn_number
 * @property {string[][]} table
 * @property {string[]} hand
 * @property {string | null} drawn the card that came last into one's own hand
 * @property {number[]} hand_sizes by seat
 * @property {number} stock
 * @property {{seat: number, played: string[], moved: string[]} | null} last
 * @property {"low_or_high" | "low" | "both_ends"} ace_mode
 * @property {number} limit 0: none
 * @property {string[][]} [hands] by seat, when all is open
 */

class MachiavelliBoard extends GameBoard {
  constructor() {
    super();
    /** @type {Group[]} the table as it lies, or as one has rearranged it */
    this.groups = [];
    /** @type {Group[][]} the drafts before this one, the newest last */
    this.steps = [];
    /** @type {Set<string>} cards that are to be placed */
    this.selected = new Set();
    /** @type {{draft: string, ok: boolean, reason: string} | null} what the server says of a draft */
    this.verdict = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      (dropped) => this.dropped(dropped),
      (piece, place) => place !== "hand" || this.isMine(piece),
    );
    this.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @returns {MachiavelliView} */
  get view() {
    return this.now.view;
  }

  /** Whether one may build now. */
  get building() {
    return this.now.moves !== null && !this.now.past;
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.turn_number, now.view.turn, now.you];
  }

  forget() {
    super.forget();
    this.selected.clear();
    this.verdict = null;
    this.steps = [];
    this.groups = this.laid();
    if (!this.building) {
      if (!this.now.past) keep(STORE, this.store, null);
      return;
    }
    const before = kept(STORE, this.store);
    if (before?.turn !== this.view.turn_number || before.table !== JSON.stringify(this.view.table)) return;
    this.groups = before.groups;
    this.steps = before.steps;
    this.askSoon();
  }

  /** The groups of the table as drafts name them. @returns {Group[]} */
  laid() {
    return this.view.table.map((cards, place) => ({ key: `g${place}`, cards }));
  }

  get store() {
    return `parlour:${this.now.table}:draft`;
  }

  /** Start over; what is only chosen goes back alone. */
  clear() {
    if (this.chosen !== null) this.chosen = null;
    else if (this.changed && !this.bound) this.change(this.laid());
    this.selected.clear();
    this.redraw();
  }

  redraw() {
    const had = /** @type {HTMLElement | null} */ (document.activeElement);
    const key = had && this.contains(had) ? had.dataset.key : undefined;
    super.redraw();
    if (key && !this.contains(document.activeElement))
      /** @type {HTMLElement | null} */ (
        this.querySelector(`button[data-key="${CSS.escape(key)}"]`) ?? this.querySelector("button[data-key]")
      )?.focus({ preventScroll: true });
  }

  // -- what a draft is ---------------------------------------------------------------------------

  /** @param {string} card whether it comes from one's own hand */
  isMine(card) {
    return this.view.hand.includes(card);
  }

  /** The cards of one's hand that lie on the table now. */
  get placed() {
    return this.groups.flatMap(({ cards }) => cards.filter((card) => this.isMine(card)));
  }

  /** The table that would be played. */
  get table() {
    return this.groups.map(({ cards }) => cards).filter((cards) => cards.length > 0);
  }

  get changed() {
    return JSON.stringify(this.table) !== JSON.stringify(this.view.table);
  }

  /** Whether cards of the table were taken up, in this draft or one before it, where somebody wishes that to bind. */
  get bound() {
    return this.wished(STRICT) && [...this.steps, this.groups].some((groups) => this.takesUp(groups));
  }

  /** Whether some group misses a card that lay in it. @param {Group[]} groups */
  takesUp(groups) {
    const now = new Map(groups.map(({ key, cards }) => [key, cards]));
    return this.laid().some(({ key, cards }) => cards.some((card) => !now.get(key)?.includes(card)));
  }

  /** The groups that are none yet. */
  get unfinished() {
    return this.table.filter((cards) => faultOf(cards, this.view.ace_mode) !== null).length;
  }

  /** @param {string} card @returns {Group | null} null: it is in the hand */
  groupOf(card) {
    return this.groups.find(({ cards }) => cards.includes(card)) ?? null;
  }

  /** Another draft, one step on. @param {Group[]} groups */
  change(groups) {
    this.steps = [...this.steps, this.groups].slice(-STEPS);
    this.become(groups);
  }

  /** @param {Group[]} groups */
  become(groups) {
    this.groups = groups;
    this.selected.clear();
    this.verdict = null;
    const { turn_number: turn, table } = this.view;
    keep(STORE, this.store, { turn, table: JSON.stringify(table), groups, steps: this.steps });
    this.redraw();
    this.askSoon();
  }

  /**
   * Put cards into a group, a new one, or back into the hand.
   *
   * @param {string[]} cards
   * @param {string} place key of a group, "new" or "hand"
   */
  place(cards, place) {
    if (place === "hand" && !cards.every((card) => this.isMine(card))) {
      this.refuse("Cards of the table stay on the table.");
      return;
    }
    const groups = this.groups.map(({ key, cards: old }) => ({
      key,
      cards: old.filter((card) => !cards.includes(card)),
    }));
    let to = place;
    if (place === "new") {
      const free = groups.reduce((most, { key }) => Math.max(most, Number(key.slice(1))), -1) + 1;
      to = `g${free}`;
      groups.push({ key: to, cards: arranged(cards) });
    } else if (place !== "hand") {
      const group = /** @type {Group} */ (groups.find(({ key }) => key === place));
      group.cards = arranged([...group.cards, ...cards]);
    }
    while (groups.length > this.view.table.length && groups[groups.length - 1].cards.length === 0) groups.pop();
    this.change(groups);
    const shown = to === "hand" ? "" : place === "new" ? '[data-key="new"]' : `.group[data-drop="${to}"]`;
    if (shown) this.querySelector(shown)?.scrollIntoView({ block: "nearest" }); // the next place lies beside the newest group
  }

  askSoon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), PAUSE);
  }

  /** Ask the server how the draft stands. */
  async ask() {
    if (!this.building || this.placed.length === 0 || this.unfinished > 0) return;
    const { table } = this;
    const draft = JSON.stringify(table);
    const { ok, reason } = await this.check({ type: "commit", groups: table });
    if (draft !== JSON.stringify(this.table)) return;
    this.verdict = { draft, ok, reason };
    this.redraw();
  }

  // -- what people do ------------------------------------------------------------------------------

  /** @param {string} key */
  pick(key) {
    if (key.startsWith("sort-")) return this.sort(key.slice("sort-".length));
    if (!this.building) return this.refuse(this.waiting());
    if (key === "new" || key === "hand-back" || key.startsWith("place-")) {
      const place = key === "hand-back" ? "hand" : key.replace("place-", "");
      if (this.selected.size === 0) return this.refuse("First choose the cards that go there.");
      return this.place([...this.selected], place);
    }
    return this.pickCard(key);
  }

  /** Choose a card, or place what is chosen in its group. @param {string} card */
  pickCard(card) {
    const group = this.groupOf(card);
    this.chosen = null;
    if (this.selected.has(card)) this.selected.delete(card);
    else if (group && this.selected.size > 0 && !group.cards.some((other) => this.selected.has(other)))
      return this.place([...this.selected], group.key);
    else this.selected.add(card);
    return this.redraw();
  }

  /** @param {import("../kit/drag.js").Dropped} dropped */
  dropped({ piece, from, place, before }) {
    if (place === "hand" && from === "hand") return this.order.move(piece, before);
    if (!this.building) return this.refuse(this.waiting());
    if (place === from) return undefined;
    const cards = this.selected.has(piece) ? [...this.selected] : [piece];
    return this.place(cards, place);
  }

  /** @param {string} key */
  press(key) {
    const before = this.steps.at(-1);
    if (key === "draw") {
      this.chosen = { type: "draw" };
      this.redraw();
    } else if (key === "back" && before && !this.bound) {
      this.steps = this.steps.slice(0, -1);
      this.become(before);
    }
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (this.now.past) return;
    this.order.onKey(this, event);
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && this.building) {
      event.preventDefault();
      this.heed("", () => this.press("back"));
    }
    if (event.key === "Escape" && (this.selected.size > 0 || this.changed)) {
      event.preventDefault(); // a draft is not lost to a key
      this.selected.clear();
      this.redraw();
    }
  }

  /** @param {string} way "suit" or "rank" */
  sort(way) {
    const cards = [...this.view.hand].sort(way === "suit" ? bySuit : byRank);
    this.order.set(cards);
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    const asked = this.now.seats.filter(({ pending }) => pending).map(({ name }) => name);
    return `It is not your turn: ${inWords(asked)} to play.`;
  }

  // -- what the action bar shows --------------------------------------------------------------------

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    if (!this.building) return {};
    if (this.chosen !== null)
      return {
        label: this.inWords(this.chosen),
        action: this.chosen,
        clear: "Keep building",
        hint: "Then your draft goes back.",
        built: true,
      };
    const count = this.placed.length;
    const { changed, bound } = this;
    const draw = { key: "draw", label: "Draw", ...(changed ? {} : { action: { type: "draw" } }) };
    return {
      label: count > 0 ? `Play ${counted(count, "card")}` : "Play",
      action: this.verdict?.ok ? { type: "commit", groups: this.table } : null,
      hint: this.hint(count),
      ...(changed && !bound ? { clear: "Start over", clearIcon: "first" } : {}),
      built: changed,
      more: [
        ...(changed && !bound ? [] : [{ key: "over", label: "Start over", icon: "first", off: true }]),
        { key: "back", label: "Step back", icon: "undo", off: this.steps.length === 0 || bound },
        draw,
      ],
    };
  }

  /** "Draw", "Play 5♣ 6♣ 7♣". @param {any} action */
  inWords({ groups }) {
    if (!groups) return "Draw";
    return `Play ${inShort(groups.flat().filter((/** @type {string} */ card) => this.isMine(card)))}`;
  }

  /** What to do next. @param {number} count cards of the hand that are placed */
  hint(count) {
    const { limit } = this.view;
    if (this.selected.size > 0)
      return `${counted(this.selected.size, "card")} chosen. Now choose a group.`;
    if (!this.changed) return "Choose cards, then where they go.";
    if (count === 0) return this.bound ? `${BOUND} Play a card too, or draw.` : "Play a card of your hand, or draw.";
    const placed = limit > 0 ? `${count} of ${counted(limit, "card")} placed` : `${counted(count, "card")} placed`;
    const { unfinished } = this;
    if (unfinished > 0)
      return `${placed}, ${counted(unfinished, "group")} unfinished.`;
    if (this.verdict && !this.verdict.ok) return this.verdict.reason;
    return `${placed}.`;
  }

  get wishes() {
    return [
      {
        key: STRICT,
        title: "What is taken up must be played",
        hint: "Once you have moved a card of the table, you finish a valid table or draw: no step back, no starting over.",
      },
    ];
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    const hands = /** @type {string[][]} */ (now.view.hands ?? []);
    if (hands.length === 0) return [];
    return [{ title: "In hand", cells: hands.map(inShort) }];
  }

  // -- drawing ---------------------------------------------------------------------------------------

  draw() {
    const { you, past } = this.now;
    const { view } = this;
    const lying = this.table.flat().length;
    const held = Math.max(view.hand.length, 1);
    const size = lying >= CROWDED ? "crowded" : lying >= VERY_MANY ? "very-many" : lying >= MANY ? "many" : null;
    render(
      this,
      el(
        "div",
        {
          class: "felt machiavelli",
          "data-size": size,
          vars: { "--held": held, "--in-row": held > 8 && held <= IN_ONE_ROW ? held : 8 },
        },
        this.others(),
        this.common(),
        you !== null && !view.hands && this.ownHand(past),
      ),
    );
  }

  /** Everybody else and the stock. */
  others() {
    const { seats, you } = this.now;
    const { view } = this;
    const first = you ?? -1;
    const shown = seats.map((_, n) => (first + 1 + n + seats.length) % seats.length);
    return el(
      "div",
      { class: "others", "data-key": "others" },
      shown.filter((seat) => seat !== you || view.hands).map((seat) => this.plate(seat)),
      el(
        "span",
        { class: "place push stock", "data-place": "stock", "data-key": "stock" },
        el("span", { class: "card back", "aria-hidden": "true" }),
        `Stock ${view.stock}`,
      ),
    );
  }

  /** @param {number} seat */
  plate(seat) {
    const { view } = this;
    const open = view.hands?.[seat] ?? [];
    return el(
      "span",
      {
        class: view.last?.seat === seat ? "place recent" : "place",
        "data-place": seat,
        "data-key": `seat-${seat}`,
        "data-turn": this.now.seats[seat].pending,
      },
      icon(`seat-${seat}`, { class: "solid" }),
      el("span", { class: "name" }, this.now.seats[seat].name),
      el("span", {}, counted(view.hand_sizes[seat], "card")),
      this.didLast(seat),
      open.length > 0 &&
        el(
          "span",
          { class: "open" },
          open.map((card) => cardChip(card)),
        ),
    );
  }

  /** What this seat did, where it was the last to move. @param {number} seat */
  didLast(seat) {
    const { last } = this.view;
    if (last?.seat !== seat) return null;
    return el("i", {}, last.played.length > 0 ? `played ${last.played.length}` : "drew");
  }

  /** The table that belongs to all. */
  common() {
    const { groups } = this;
    const count = this.table.length;
    return el(
      "div",
      {
        class: "groups",
        role: "group",
        "aria-label": `Table, ${counted(count, "group")}`,
        "data-key": "table",
        "data-roving": true,
        "data-drop": this.building ? "new" : null, // wherever nothing lies
      },
      groups.map((group) => (group.cards.length > 0 ? this.group(group) : this.left(group))),
      this.building &&
        el(
          "button",
          {
            type: "button",
            class: ["drop", this.selected.size > 0 && "ready"].filter(Boolean).join(" "),
            "data-key": "new",
            "data-drop": "new",
          },
          count === 0 ? "lay the first group here" : "new group",
        ),
      count === 0 && this.bare(),
    );
  }

  /** What may come to lie on a table where nothing does. */
  bare() {
    return el(
      "div",
      { class: "bare", "data-key": "bare", "data-still": true },
      el("p", {}, "Nothing lies on the table yet."),
      el("p", {}, "Sets: three or four cards of one rank, each of another suit."),
      el("p", {}, "Runs: three cards or more of one suit, one rank after the other."),
    );
  }

  /** A place from which all cards were taken: it keeps the others where they are. @param {Group} group */
  left({ key }) {
    return el(
      "button",
      {
        type: "button",
        class: ["drop", "left", this.selected.size > 0 && "ready"].filter(Boolean).join(" "),
        "data-key": `place-${key}`,
        "data-drop": key,
        "aria-label": "New group here",
      },
      "taken",
    );
  }

  /** @param {Group} group */
  group({ key, cards }) {
    const { view } = this;
    const fault = this.changed ? faultOf(cards, view.ace_mode) : null;
    const marks = this.marks(key);
    const touched = this.building && cards.some((card) => marks(card) !== "");
    return el(
      "div",
      {
        class: ["group", touched && "touched", fault && "bad"].filter(Boolean).join(" "),
        role: "group",
        "aria-label": fault ? `Unfinished, ${fault}` : groupName(cards),
        "data-key": `group-${key}`,
        "data-still": true,
        "data-drop": this.building ? key : null,
        vars: { "--n": cards.length },
      },
      cards.map((card) => this.tableCard(card, cards, marks(card))),
      fault && el("span", { class: "why", "data-still": true }, icon("warn"), fault),
    );
  }

  /** What marks the cards of a group: in a draft one's own changes, else the last move. @param {string} key @returns {(card: string) => string} */
  marks(key) {
    const { view } = this;
    if (!this.building || !this.changed) {
      const { played = [], moved = [] } = view.last ?? {};
      return (card) => (played.includes(card) ? "last" : moved.includes(card) ? "shifted" : "");
    }
    const before = new Set(view.table[Number(key.slice(1))] ?? []);
    return (card) => (this.isMine(card) ? "new" : before.has(card) ? "" : "moved");
  }

  /** @param {string} card @param {string[]} group @param {string} mark */
  tableCard(card, group, mark) {
    const said = /** @type {Record<string, string>} */ ({
      new: "from your hand",
      moved: "moved",
      last: "just played",
      shifted: "just moved",
    });
    const shared = {
      class: mark,
      title: said[mark],
      "data-travels": true,
      "data-from": mark === "last" ? this.view.last?.seat : null,
    };
    if (this.now.you === null || this.now.past || this.view.hands)
      return cardImage(card, {
        ...shared,
        label: [cardName(card), said[mark]].filter(Boolean).join(", "),
        "data-key": card,
      });
    const waits = this.selected.size > 0 && !group.some((other) => this.selected.has(other));
    return cardButton(card, {
      ...shared,
      picked: this.building ? this.selected.has(card) : undefined,
      note: [
        said[mark],
        waits ? `places ${counted(this.selected.size, "chosen card")} here` : `in ${lower(groupName(group))}`,
      ]
        .filter(Boolean)
        .join(", "),
      "data-drag": this.building ? card : null,
      ...(this.building ? {} : { "aria-disabled": "true" }),
    });
  }

  /** @param {boolean} past */
  ownHand(past) {
    const { view } = this;
    const placed = new Set(this.placed);
    const inOrder = past ? view.hand : this.order.arrange(view.hand, this.now.table, "one");
    const cards = inOrder
      .filter((card) => !placed.has(card))
      .map((card) =>
        cardButton(card, {
          picked: this.building ? this.selected.has(card) : undefined,
          note: card === view.drawn ? "the card you drew" : "",
          class: card === view.drawn ? "fresh" : "",
          title: card === view.drawn ? "the card you drew" : null,
          "data-drag": past ? null : card,
          "data-travels": true,
          "data-from": card === view.drawn ? "stock" : null,
          ...(this.building ? {} : { "aria-disabled": "true" }),
        }),
      );
    const back = this.building && [...this.selected].some((card) => placed.has(card));
    const name = `Your hand, ${counted(cards.length, "card")}`;
    return el(
      "div",
      { class: "own", "data-key": "own", "data-place": this.now.you },
      el(
        "div",
        { class: "own-head", "data-key": "own-head" },
        el("span", { "data-key": "own-name" }, name),
        !past && [
          el("button", { type: "button", class: "link", "data-key": "sort-suit" }, "by suit"),
          el("button", { type: "button", class: "link", "data-key": "sort-rank" }, "by rank"),
        ],
      ),
      hand(
        name,
        [
          ...cards,
          back &&
            el("button", { type: "button", class: "drop ready", "data-key": "hand-back" }, "back to hand"),
        ].filter(Boolean),
        { "data-drop": "hand" },
      ),
    );
  }
}

// -- groups, as one builds: the words are those of the rules, the verdict is the server's -------------

/** @param {string} card @returns {number} 1, the ace, to 13 */
function rankOf(card) {
  return RANKS.indexOf(parseCard(card).rank) + 1;
}

/** @param {string} card */
function suitOf(card) {
  return parseCard(card).suit;
}

/** @param {string} one @param {string} other */
function bySuit(one, other) {
  return SUITS.indexOf(suitOf(one)) - SUITS.indexOf(suitOf(other)) || rankOf(one) - rankOf(other);
}

/** @param {string} one @param {string} other */
function byRank(one, other) {
  return rankOf(one) - rankOf(other) || SUITS.indexOf(suitOf(one)) - SUITS.indexOf(suitOf(other));
}

/** Cards as they are laid, also while they are no group yet: an ace above the king where it fits there. @param {string[]} cards */
export function arranged(cards) {
  const sorted = [...cards].sort(byRank);
  const ranks = sorted.map(rankOf);
  const oneSuit = new Set(sorted.map(suitOf)).size === 1;
  if (!oneSuit || ranks[0] !== 1 || ranks[ranks.length - 1] < 12) return sorted;
  if (ranks[1] === 1) return [sorted[0], ...sorted.slice(2), sorted[1]];
  return ranks[1] === 2 ? sorted : [...sorted.slice(1), sorted[0]];
}

/**
 * Why these cards are no group, in a few words; null where they are one.
 *
 * @param {string[]} cards
 * @param {string} aces the option
 * @returns {string | null}
 */
export function faultOf(cards, aces) {
  if (cards.length < 3) return cards.length === 2 ? "needs a third card" : "needs two more";
  const ranks = cards.map(rankOf).sort((one, other) => one - other);
  const suits = new Set(cards.map(suitOf));
  if (ranks[0] === ranks[ranks.length - 1])
    return suits.size === cards.length ? null : "the same card twice";
  if (suits.size > 1) return "neither set nor run";
  if (new Set(ranks).size < ranks.length) {
    const whole = ranks.length === 14 && ranks[1] === 1;
    return whole && aces === "both_ends" ? null : "the same card twice";
  }
  const follow = (/** @type {number[]} */ row) => row[row.length - 1] - row[0] === row.length - 1;
  if (follow(ranks)) return null;
  if (ranks[0] !== 1) return "has a gap";
  if (follow([...ranks.slice(1), 14])) return aces === "low" ? "aces are low here" : null;
  return ranks[1] === 2 && ranks[ranks.length - 1] === 13 ? "joins king, ace and two" : "has a gap";
}

/** "Run of clubs, 3 to 7", "Set of queens". @param {string[]} cards of a valid group, arranged */
function groupName(cards) {
  const [first, last] = [cards[0], cards[cards.length - 1]].map((card) => word(parseCard(card).rank));
  if (new Set(cards.map(suitOf)).size > 1) return `Set of ${first}s`;
  return `Run of ${suitName(suitOf(cards[0]))}, ${first} to ${last}`;
}

/** The first cards of a hand in a cell: "7♦ 2♥". @param {string[]} cards */
function inShort(cards) {
  const shown = cards.slice(0, SHOWN).map((card) => parseCard(card).rank + SYMBOLS[suitOf(card)]);
  return [...shown, ...(cards.length > SHOWN ? ["…"] : [])].join(" ");
}

/** @param {string} rank */
function word(rank) {
  return WORDS[rank] ?? rank;
}

/** @param {string} text */
function lower(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

customElements.define("machiavelli-board", MachiavelliBoard);
