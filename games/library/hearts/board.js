/** The board of Hearts: four places round a trick, the hand below. */

import { GameBoard } from "../kit/board.js";
import { Drag } from "../kit/drag.js";
import { fold, pastTable } from "../kit/folds.js";
import { HandOrder } from "../kit/hand.js";
import { keep, kept } from "../kit/keep.js";
import { cardButton, cardChip, cardImage, cardName, hand } from "../kit/cards.js";
import { el, icon, render } from "../kit/dom.js";
import { counted, figure, inItsLanguage, inWords } from "../kit/messages.js";

const SIDES = ["south", "west", "north", "east"]; // clockwise, as seen by who sits in the south
const PASS_SIZE = 3;
const ONLY_CARD = "only-card";
const STORE = "sessionStorage"; // a pass that is being chosen outlives a reload

/** @typedef {{seat: number, card: string}} Played */
/**
 * @typedef {object} HeartsView
 * @property {"pass" | "play" | "choose_moon" | "over"} phase
 * @property {number} hand_number
 * @property {boolean[]} has_passed by seat
 * @property {number | null} turn
 * @property {number} trick_number
 * @property {Played[]} trick in order of play
 * @property {{cards: Played[], winner: number, points: number} | null} last_trick
 * @property {number[]} points by seat, taken in this hand
 * @property {number[]} hand_sizes
 * @property {{changes: number[], shooter: number | null}[]} results of the hands that are over
 * @property {string[]} hand
 * @property {number | null} passes_to
 * @property {string[]} chosen the three one has laid aside
 * @property {string[]} received
 * @property {number | null} received_from
 * @property {string[][]} [taken] by seat
 * @property {string[][]} [hands] by seat, when all is open
 */

class HeartsBoard extends GameBoard {
  constructor() {
    super();
    /** @type {string[]} cards laid aside to be passed, not sent yet */
    this.aside = [];
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      ({ piece, place, before }) => (place === "hand" ? this.order.move(piece, before) : this.pick(piece)),
      (piece, place) => !(place === "tray" && this.aside.includes(piece)),
    );
    this.addEventListener("keydown", (event) => this.now.past || this.order.onKey(this, event));
  }

  /** @returns {HeartsView} */
  get view() {
    return this.now.view;
  }

  /** Nobody has led yet: the last trick still lies there. */
  get between() {
    const { phase, trick, last_trick: last, trick_number: number } = this.view;
    return phase === "play" && trick.length === 0 && last !== null && number > 1;
  }

  /** The seat shown in the south: one's own, or the first. */
  get south() {
    return this.now.you ?? 0;
  }

  forget() {
    super.forget();
    if (!this.now.past && !this.now.moves) keep(STORE, this.store, null); // it is sent, or over
    this.aside = this.prepared();
  }

  /** The cards laid aside before a reload, while they are still to be chosen. @returns {string[]} */
  prepared() {
    const { phase, hand, hand_number: number } = this.view;
    const before = this.now.past || phase !== "pass" || !this.now.moves ? null : kept(STORE, this.store);
    return before?.hand === number
      ? before.cards.filter((/** @type {string} */ card) => hand.includes(card))
      : [];
  }

  get store() {
    return `parlour:${this.now.table}:pass`;
  }

  clear() {
    keep(STORE, this.store, null);
    super.clear();
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.phase, now.view.hand_number, now.view.trick_number, now.view.turn];
  }

  draw() {
    const others = [1, 2, 3].map((step) => (this.south + step) % 4);
    render(
      this,
      el(
        "div",
        { class: "felt hearts" },
        others.map((seat) => this.place(seat)),
        this.middle(),
        this.below(),
        this.now.you === null ? this.place(this.south) : this.ownHand(),
      ),
    );
  }

  // -- who sits round the table ------------------------------------------------------------------

  /** @param {number} seat */
  side(seat) {
    return SIDES[(seat - this.south + 4) % 4];
  }

  /** @param {number} seat */
  name(seat) {
    return this.now.seats[seat].name;
  }

  /** @param {number} seat */
  place(seat) {
    const { view } = this;
    const open = view.hands?.[seat] ?? [];
    const facts =
      view.phase === "pass"
        ? [view.has_passed[seat] ? "has chosen" : "choosing"]
        : [counted(view.hand_sizes[seat], "card"), counted(view.points[seat], "point")];
    return el(
      "div",
      {
        class: `place ${this.side(seat)}`,
        "data-key": `place-${seat}`,
        "data-place": seat,
        "data-turn": this.now.seats[seat].pending,
      },
      el("b", {}, icon(`seat-${seat}`, { class: "solid" }), el("span", { class: "name" }, this.name(seat))),
      el(
        "span",
        {},
        facts.map((fact) => el("span", {}, fact)),
      ),
      open.length > 0 &&
        el(
          "span",
          { class: "open" },
          open.map((card) => cardChip(card)),
        ),
    );
  }

  // -- the middle --------------------------------------------------------------------------------

  middle() {
    const { view } = this;
    if (view.phase === "pass") return this.tray();
    if (view.phase === "choose_moon") return this.moon();
    return this.trick();
  }

  tray() {
    const { view } = this;
    if (view.passes_to === null)
      return el("div", { class: "pass-tray", "data-key": "tray" }, el("p", {}, "Three cards are passed."));
    const sent = view.chosen.length > 0;
    const cards = sent ? view.chosen : this.aside;
    const empty = Array.from({ length: PASS_SIZE - cards.length }, (_, n) =>
      el("span", { class: "slot", "data-key": `slot-${n}` }),
    );
    return el(
      "div",
      { class: "pass-tray", "data-key": "tray", "data-drop": sent ? null : "tray" },
      el("p", {}, `To ${this.name(view.passes_to)}`),
      el(
        "div",
        {},
        cards.map((card) => cardImage(card, { "data-key": `aside-${card}`, "data-travels": true })),
        empty,
      ),
    );
  }

  moon() {
    const { moves, seats } = this.now;
    const turn = this.view.turn ?? 0;
    if (!moves)
      return el(
        "div",
        { class: "pass-tray", "data-key": "moon" },
        el("p", {}, `${seats[turn].name} has shot the moon and chooses what it does.`),
      );
    return el(
      "div",
      { class: "pass-tray", "data-key": "moon" },
      el("p", {}, "You have shot the moon"),
      el(
        "div",
        { class: "choices-on-felt" },
        moves.items.map(({ action, label }) =>
          el(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `moon-${action.choice}`,
              "aria-pressed": this.chosen === null ? null : String(this.chosen.choice === action.choice),
            },
            inItsLanguage(this.words(label)),
          ),
        ),
      ),
    );
  }

  trick() {
    const { view } = this;
    const { between } = this;
    const cards = between ? (view.last_trick?.cards ?? []) : view.trick;
    const mine = this.now.moves !== null && !between;
    return el(
      "ol",
      {
        class: "trick",
        "data-drop": mine ? "trick" : null,
        "data-key": "trick",
        "aria-label": between ? "Last trick" : `Trick ${view.trick_number}`,
        "data-between": between,
      },
      cards.map(({ seat, card }, n) =>
        el(
          "li",
          {
            class: [this.side(seat), n === 0 && "led", between && seat === view.last_trick?.winner && "won"]
              .filter(Boolean)
              .join(" "),
            "data-key": `${this.side(seat)}-${card}`,
          },
          cardImage(card, {
            label:
              n === 0
                ? `${this.who(seat)} led the ${lower(cardName(card))}`
                : `${this.who(seat)}: ${lower(cardName(card))}`,
            class: between ? "off" : "",
            "data-travels": true,
            "data-from": seat,
          }),
        ),
      ),
      mine &&
        el(
          "li",
          { class: "south", "data-key": "slot" },
          el("span", { class: "slot" }, "your", el("br"), "card"),
        ),
    );
  }

  /** @param {number} seat */
  who(seat) {
    return seat === this.now.you ? "You" : this.name(seat);
  }

  // -- below the trick -----------------------------------------------------------------------------

  /** The last trick in a line, points of one's own, and the hands that are over. */
  below() {
    const { view } = this;
    const last = view.last_trick;
    const own = this.now.you;
    return el(
      "div",
      { class: "below", "data-key": "below" },
      last &&
        el(
          "p",
          { "data-key": "last" },
          this.between ? null : ["Last trick: ", last.cards.map(({ card }) => [cardChip(card), " "])],
          `${this.who(last.winner)} took ${this.between ? "the trick" : "it"}, ${counted(last.points, "point")}.`,
        ),
      own !== null &&
        view.phase === "play" &&
        el("p", { "data-key": "own" }, `You have ${counted(view.points[own], "point")} in this hand.`),
      view.received.length > 0 &&
        view.received_from !== null &&
        view.trick_number === 1 &&
        el(
          "p",
          { "data-key": "received" },
          `From ${this.name(view.received_from)}: `,
          view.received.map((card) => [cardChip(card), " "]),
        ),
      view.taken?.some((pile) => pile.length > 0) &&
        fold("taken", "Cards taken", this.piles(view.taken)),
      view.results.length > 0 && fold("scores", "Past hands", this.pastHands()),
    );
  }

  /** @param {string[][]} taken */
  piles(taken) {
    return el(
      "ul",
      { class: "piles" },
      taken.map((pile, seat) =>
        el(
          "li",
          {},
          `${this.who(seat)}: `,
          pile.length > 0 ? pile.map((card) => [cardChip(card), " "]) : "nothing",
        ),
      ),
    );
  }

  pastHands() {
    return pastTable(
      "Hand",
      this.now.seats.map(({ name }) => name),
      this.view.results.map(({ changes, shooter }, n) => ({
        title: n + 1,
        cells: changes.map((change, seat) => [
          signed(change),
          seat === shooter && icon("moon", { class: "moon" }),
          seat === shooter && el("span", { class: "sr" }, " shot the moon"),
        ]),
      })),
    );
  }

  // -- one's own hand ------------------------------------------------------------------------------

  ownHand() {
    const { view } = this;
    const { moves } = this.now;
    const passing = view.phase === "pass" && moves !== null;
    const legal = new Set(view.phase === "play" ? moves?.items.map(({ action }) => action.card) : []);
    const fresh = view.trick_number === 1 ? new Set(view.received) : new Set();
    const inOrder = this.now.past
      ? view.hand
      : this.order.arrange(view.hand, this.now.table, view.hand_number);
    const cards = inOrder.map((card) => {
      const picked = passing
        ? this.aside.includes(card)
        : this.chosen === null
          ? undefined
          : this.chosen.card === card;
      return cardButton(card, {
        legal: legal.has(card),
        picked,
        why: view.phase === "play" && moves ? this.whyNot(card) : null,
        note:
          fresh.has(card) && view.received_from !== null ? `new, from ${this.name(view.received_from)}` : "",
        class: fresh.has(card) ? "fresh" : "",
        "data-drag": this.now.past ? null : card,
        ...(moves ? {} : { "aria-disabled": "true" }),
      });
    });
    return hand(`Your hand, ${counted(cards.length, "card")}`, cards, { "data-drop": "hand" });
  }

  /** @param {string} key */
  pick(key) {
    const { moves } = this.now;
    const { view } = this;
    if (!moves) return this.refuse(this.waiting());
    if (key.startsWith("moon-")) return this.choose({ type: "choose", choice: key.slice("moon-".length) });
    if (view.phase === "pass") return this.layAside(key);
    const why = this.whyNot(key);
    if (why !== null) return this.refuse(why);
    if (this.chosen?.card === key && !this.now.direct) return this.clear();
    return this.choose({ type: "play", card: key });
  }

  /** @param {string} card */
  layAside(card) {
    if (this.aside.includes(card)) this.aside = this.aside.filter((other) => other !== card);
    else if (this.aside.length === PASS_SIZE)
      return this.refuse("Three cards are chosen already. Put one back first.");
    else this.aside = this.view.hand.filter((other) => other === card || this.aside.includes(other));
    keep(STORE, this.store, { hand: this.view.hand_number, cards: this.aside });
    return this.redraw();
  }

  get wishes() {
    return [
      {
        key: ONLY_CARD,
        title: "Play the only card by itself",
        hint: "Where the rules leave you one card, it is played after a moment. Others may notice how quick that is.",
      },
    ];
  }

  byItself() {
    const { moves } = this.now;
    const only = this.view.phase === "play" && moves?.total === 1;
    return only && this.wished(ONLY_CARD) ? moves.items[0].action : null;
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    if (this.view.chosen.length > 0 && this.view.phase === "pass")
      return "You have chosen. Take it back to choose other cards.";
    return `It is not your turn: ${inWords(this.now.seats.filter(({ pending }) => pending).map(({ name }) => name))} to play.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { view } = this;
    const { moves, direct } = this.now;
    if (!moves)
      return view.phase === "pass" && view.chosen.length > 0
        ? { hint: "You may change your mind until all four have chosen." }
        : {};
    if (view.phase === "pass") {
      const missing = PASS_SIZE - this.aside.length;
      return {
        label: "Pass these three",
        icon: "arrow",
        action: missing === 0 ? { type: "pass", cards: this.aside } : null,
        clear: this.aside.length > 0 ? "Clear" : undefined,
        hint:
          missing === 0
            ? "You may change your mind until all four have chosen."
            : `Choose ${counted(missing, this.aside.length > 0 ? "more card" : "card")}.`,
      };
    }
    if (this.chosen !== null) {
      const move = this.move((action) => JSON.stringify(action) === JSON.stringify(this.chosen));
      return { label: move ? this.words(move.label) : "Play", action: this.chosen, clear: "Put back" };
    }
    if (view.phase === "choose_moon") return {};
    return direct
      ? { hint: "Choose a raised card to play it." }
      : { label: "Play", action: null, hint: "Choose a raised card." };
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    const results = now.view.results.map((/** @type {any} */ result, /** @type {number} */ n) => ({
      title: `Hand ${n + 1}`,
      cells: result.changes.map(signed),
    }));
    return results.slice(-2);
  }
}

/** @param {number} change a change of score with its sign, a real minus */
function signed(change) {
  return change > 0 ? `+${change}` : figure(change);
}

/** @param {string} text */
function lower(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

customElements.define("hearts-board", HeartsBoard);
