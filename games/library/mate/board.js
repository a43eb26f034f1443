/** The board of Mate: the other hand lies open above, the trick between both, one's own hand below. */

import { GameBoard } from "../kit/board.js";
import { cardButton, cardChip, cardImage, cardName, hand, parseCard, suitName } from "../kit/cards.js";
import { el, icon, render } from "../kit/dom.js";
import { Drag } from "../kit/drag.js";
import { HandOrder } from "../kit/hand.js";
import { counted } from "../kit/messages.js";

const HANDS = ["dealt", "exchanged", "dealt", "exchanged"];
/** @type {[string, number][]} ranks from strong to weak, and what they weigh */
const WEIGHTS = [
  ["A", 11],
  ["10", 10],
  ["K", 4],
  ["Q", 3],
  ["7", 7],
];
const RANKS = WEIGHTS.map(([rank]) => rank);
const WEIGHT = /** @type {Record<string, number>} */ (Object.fromEntries(WEIGHTS));
const WALKS = /^(Arrow|Home|End|Tab)/; // keys that go from card to card
const SUITS = ["C", "S", "H", "D"]; // from strong to weak
const RANK_WORDS = /** @type {Record<string, string>} */ ({ A: "an ace", 10: "a ten", K: "a king", Q: "a queen", 7: "a seven" });

/** @typedef {{leader: number, led: string, reply: string | null, winner: number}} Trick */
/** @typedef {{seat: number, card: string, trick: number, points: number}} Mate */
/**
 * @typedef {object} MateView
 * @property {"lead" | "follow" | "over"} phase
 * @property {boolean | null} free_move whether it is left; null: this table has none
 * @property {number} hand_number 1 to 4
 * @property {number} trick_number
 * @property {number} leader
 * @property {number | null} turn
 * @property {string[][]} hands by seat
 * @property {{seat: number, card: string}[]} trick the card led, if there is one
 * @property {Trick[]} tricks of this hand
 * @property {Trick | null} last_trick be it of the hand before
 * @property {Record<string, string[]>} replies by the card that is led, or may be: what answers it
 * @property {(Mate | null)[]} results by hand
 * @property {number[]} scores
 */

class MateBoard extends GameBoard {
  constructor() {
    super();
    /** @type {string | null} the card pointed at: what answers it is shown */
    this.peeked = null;
    this.handShown = 0;
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      ({ piece, place, before }) => (place === "hand" ? this.order.move(piece, before) : this.pick(piece)),
      (_piece, place) => place === "hand" || this.now.moves !== null,
    );
    this.addEventListener("keydown", (event) => this.now.past || this.order.onKey(this, event));
    this.addEventListener("pointerover", (event) => this.peek(cardAt(event.target)));
    this.addEventListener("pointerleave", () => this.peek(null));
    this.addEventListener("focusout", () => this.peek(null));
    this.addEventListener("keyup", ({ key, target }) => WALKS.test(key) && this.peek(cardAt(target)));
  }

  /** @returns {MateView} */
  get view() {
    return this.now.view;
  }

  /** The seat shown in the south: one's own, or the first. */
  get south() {
    return this.now.you ?? 0;
  }

  /** Nobody has led yet: the last trick still lies there. */
  get between() {
    return this.view.trick.length === 0 && this.view.last_trick !== null;
  }

  /** The card whose answers are shown: the one led, chosen, or pointed at. @returns {string | null} */
  get asked() {
    const { view } = this;
    if (view.phase === "follow") return view.trick[0].card;
    const card = this.chosen?.card ?? this.peeked;
    return this.now.you === view.leader && card in view.replies ? card : null;
  }

  forget() {
    super.forget();
    this.peeked = null;
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.phase, now.view.hand_number, now.view.trick_number];
  }

  /** @param {string | null} card */
  peek(card) {
    if (card === this.peeked || !this.now || this.now.past) return;
    const before = this.asked;
    this.peeked = card;
    if (this.asked !== before) this.draw();
  }

  draw() {
    const north = 1 - this.south;
    const exchanged = this.handShown !== 0 && this.handShown !== this.view.hand_number;
    this.handShown = this.view.hand_number;
    render(
      this,
      el(
        "div",
        { class: "felt mate" },
        this.plate(north, "north"),
        this.openHand(north, "theirs", exchanged),
        this.tally(),
        this.middle(),
        this.values(),
        this.played(),
        this.now.you === null ? this.openHand(this.south, "ours", exchanged) : this.ownHand(exchanged),
        this.now.you === null && this.plate(this.south, "south"),
      ),
    );
  }

  // -- both players --------------------------------------------------------------------------------

  /** @param {number} seat */
  name(seat) {
    return this.now.seats[seat].name;
  }

  /** @param {number} seat */
  who(seat) {
    return seat === this.now.you ? "You" : this.name(seat);
  }

  /** @param {number} seat @param {string} side */
  plate(seat, side) {
    const { view } = this;
    const facts = [counted(view.hands[seat].length, "card"), view.leader === seat && view.turn !== null && "leads"];
    return el(
      "div",
      { class: `place ${side}`, "data-key": `place-${seat}`, "data-turn": this.now.seats[seat].pending },
      el("b", {}, icon(`seat-${seat}`, { class: "solid" }), el("span", { class: "name" }, this.name(seat))),
      facts.filter(Boolean).map((fact) => el("span", {}, fact)),
    );
  }

  /** A hand one cannot play from. @param {number} seat @param {string} side @param {boolean} exchanged */
  openHand(seat, side, exchanged) {
    const { view } = this;
    const cards = view.hands[seat];
    const answers = this.asked !== null && seat !== view.leader ? view.replies[this.asked] : [];
    return el(
      "div",
      {
        class: `${side} row`,
        role: "group",
        "aria-label": `${this.name(seat)}: ${counted(cards.length, "card")}`,
        "data-key": `hand-${seat}`,
        "data-place": seat,
      },
      cards.map((card) =>
        cardImage(card, {
          "data-key": card,
          class: answers.includes(card) ? "may" : "",
          label: answers.includes(card) ? `${cardName(card)}, can answer` : cardName(card),
          "data-travels": exchanged,
          "data-from": 1 - seat,
        }),
      ),
    );
  }

  // -- between the hands ---------------------------------------------------------------------------

  middle() {
    const { view } = this;
    const last = /** @type {Trick} */ (view.last_trick);
    const cards = this.between
      ? [
          { seat: last.leader, card: last.led },
          { seat: 1 - last.leader, card: last.reply },
        ].filter(({ card }) => card !== null)
      : view.trick;
    const leads = view.phase === "lead" && view.leader === this.south && this.now.moves !== null;
    const mine = this.now.moves !== null && (leads || view.phase === "follow");
    return el(
      "div",
      { class: "centre", "data-key": "centre", "data-drop": mine ? "trick" : null },
      view.phase !== "over" &&
        el(
          "p",
          { class: "times", "data-key": "times", title: "What a mate in this trick multiplies its weight by" },
          el("span", {}, `Trick ${view.trick_number}`),
          el("b", {}, el("span", { class: "sr" }, "a mate counts "), `× ${view.trick_number}`),
        ),
      el(
        "ol",
        { class: "trick", "data-key": "trick", "aria-label": this.between ? "Last trick" : "This trick", "data-between": this.between },
        [1 - this.south, this.south].map((seat) =>
          this.side(seat, cards.find((played) => played.seat === seat)?.card ?? null, cards[0]?.seat === seat),
        ),
      ),
      el("p", { class: "caption", "data-key": "caption" }, this.caption()),
    );
  }

  /** One player's part of the trick. @param {number} seat @param {string | null} card @param {boolean} led */
  side(seat, card, led) {
    const { view } = this;
    const won = this.between && view.last_trick?.winner === seat;
    if (card === null) {
      const own = seat === this.now.you;
      const waits = view.turn === seat && !this.between;
      const words = this.between || !waits ? "" : own ? ["your", el("br"), "card"] : "";
      return el("li", { "data-key": `slot-${seat}` }, el("span", { class: waits ? "slot waits" : "slot" }, words));
    }
    return el(
      "li",
      { class: [led && "led", won && "won"].filter(Boolean).join(" "), "data-key": `${seat}-${card}` },
      cardImage(card, {
        label: `${this.who(seat)}${led ? " led" : ":"} ${cardName(card)}${won ? ", takes the trick" : ""}`,
        class: this.between && !won ? "off" : "",
        "data-travels": true,
        "data-from": seat,
      }),
    );
  }

  /** What happened last, or what would answer the card one looks at. */
  caption() {
    const { view, asked } = this;
    if (asked !== null) return this.answers(asked);
    const last = view.last_trick;
    if (!this.between || last === null) return "A card that neither suit nor rank can answer is mate.";
    if (last.reply === null) return [this.mate(last), " ", this.begins()];
    if (view.tricks.length === 0 || view.phase === "over")
      return ["Every lead was answered: nobody scored. ", this.begins()];
    return `${this.who(last.winner)} took trick ${view.tricks.length}.`;
  }

  /** @param {Trick} last */
  mate(last) {
    const { rank, suit } = parseCard(last.led);
    const { points, trick } = /** @type {Mate} */ (this.view.results.at(-1));
    const loser = 1 - last.leader;
    return [
      el("b", {}, "Mate! "),
      `${this.who(loser)} had neither ${suitName(suit)} nor ${RANK_WORDS[rank]}: `,
      `${WEIGHT[rank]} × ${trick} = ${points}.`,
    ];
  }

  /** How this hand came about. */
  begins() {
    const { hand_number: number, phase } = this.view;
    if (phase === "over") return "";
    return number % 2 === 0 ? "The cards are exchanged." : "New cards are dealt.";
  }

  /** @param {string} card */
  answers(card) {
    const { view } = this;
    const other = 1 - view.leader;
    const cards = view.replies[card];
    const { rank } = parseCard(card);
    if (cards.length === 0)
      return [
        this.before(),
        el("b", {}, "Mate: "),
        `nothing answers `,
        cardChip(card),
        `. ${WEIGHT[rank]} × ${view.trick_number} = ${WEIGHT[rank] * view.trick_number}.`,
      ];
    if (other === this.now.you) return this.taking(card);
    return [this.before(), `${this.name(other)} can answer with `, cards.map((reply) => [cardChip(reply), " "])];
  }

  /** How the hand before ended, if this is the first answer since, and what would take the trick. @param {string} led */
  taking(led) {
    const { view, now } = this;
    const { rank, suit } = parseCard(led);
    const cards = now.moves ? now.moves.items.map(({ action }) => action.card) : view.replies[led];
    const strong = cards.filter((/** @type {string} */ card) => takes(card, led)).map(parseCard);
    const ways = [
      strong.some((card) => card.suit === suit) && `higher ${suitName(suit)}`,
      strong.some((card) => card.rank === rank) && `${RANK_WORDS[rank]} of a stronger suit`,
    ].filter(Boolean);
    const what = ways.length > 0 ? `${sentence(ways.join(", or "))} would take the trick.` : "You cannot take this trick.";
    return [this.before(), what];
  }

  /** In the first trick of a hand: how the one before ended, since what is told of a card hides it. */
  before() {
    const { results, tricks } = this.view;
    const mate = results.at(-1);
    if (mate === undefined || tricks.length > 0) return "";
    const score = mate === null ? "nobody scored" : `${mate.seat === this.now.you ? "you" : this.name(mate.seat)} scored ${mate.points}`;
    return `Hand ${results.length}: ${score}. `;
  }

  // -- beside the trick ------------------------------------------------------------------------------

  /** What each hand brought. */
  tally() {
    const { view } = this;
    const seats = [1 - this.south, this.south];
    return el(
      "table",
      { class: "tally", "data-key": "tally", "aria-label": "Score" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Hand"),
          seats.map((seat) =>
            el(
              "th",
              { scope: "col", title: this.name(seat) },
              icon(`seat-${seat}`, { class: "solid" }),
              el("span", { class: seat === this.now.you ? "name" : "sr" }, this.who(seat)),
            ),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        HANDS.map((kind, n) => {
          const now = n + 1 === view.hand_number && view.phase !== "over";
          return el(
            "tr",
            { class: now ? "now" : "", "aria-current": now ? "true" : null },
            el("th", { scope: "row" }, n + 1, el("span", { class: "kind" }, ` ${kind}`)),
            seats.map((seat) => el("td", {}, this.score(n, seat))),
          );
        }),
      ),
      el(
        "tfoot",
        {},
        el("tr", {}, el("th", { scope: "row" }, "All"), seats.map((seat) => el("td", {}, view.scores[seat]))),
      ),
    );
  }

  /** @param {number} n a hand, from 0 @param {number} seat */
  score(n, seat) {
    const { results } = this.view;
    if (n >= results.length) return "";
    const mate = results[n];
    return mate?.seat === seat ? mate.points : "–";
  }

  /** What the cards weigh, and which are strong. */
  values() {
    return el(
      "div",
      { class: "values", "data-key": "values" },
      el(
        "table",
        { "aria-label": "Cards from strong to weak" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Card"), el("th", { scope: "col" }, "Weight"))),
        el(
          "tbody",
          {},
          WEIGHTS.map(([rank, weight]) =>
            el("tr", {}, el("th", { scope: "row" }, rank), el("td", {}, weight)),
          ),
        ),
      ),
      el(
        "p",
        { title: "Suits from strong to weak" },
        el("span", { class: "sr" }, "Suits from strong to weak: clubs, spades, hearts, diamonds"),
        SUITS.map((suit, n) => [n > 0 && el("span", { "aria-hidden": "true" }, "›"), icon(`s-${suit}`, { class: "solid" })]),
      ),
      this.view.free_move !== null &&
        el("p", { class: "free" }, this.view.free_move ? "Free move left" : "Free move used"),
    );
  }

  /** The tricks of this hand. */
  played() {
    const { tricks } = this.view;
    return el(
      "ol",
      { class: "played", "data-key": "played", "aria-label": "Tricks of this hand" },
      tricks.map(({ led, reply, winner }, n) =>
        el(
          "li",
          { "data-key": `trick-${n}`, title: `${this.name(winner)} took trick ${n + 1}` },
          el("span", {}, n + 1),
          cardChip(led),
          reply !== null && cardChip(reply),
          icon(`seat-${winner}`, { class: "solid" }),
          el("span", { class: "sr" }, `${this.who(winner)} took it`),
        ),
      ),
    );
  }

  // -- one's own hand --------------------------------------------------------------------------------

  /** @param {boolean} exchanged */
  ownHand(exchanged) {
    const { view } = this;
    const { moves, past, table } = this.now;
    const held = view.hands[this.south];
    const cards = past ? held : this.order.arrange(held, table, view.hand_number);
    const choosing = this.chosen !== null;
    const buttons = cards.map((card) => {
      const move = this.move((action) => action.card === card);
      const spare = move?.action.free_move === true;
      return cardButton(card, {
        legal: move !== null && !spare,
        picked: choosing ? this.chosen.card === card : undefined,
        why: moves ? this.whyNot(card) : null,
        note: spare ? "only with the free move" : this.note(card),
        class: spare ? "spare" : "",
        "data-drag": past ? null : card,
        "data-travels": exchanged,
        "data-from": 1 - this.south,
        ...(moves ? {} : { "aria-disabled": "true" }),
      });
    });
    const node = hand(`Your hand, ${counted(cards.length, "card")}`, buttons, {
      "data-drop": "hand",
      "data-place": this.south,
    });
    node.style.setProperty("--row", String(cards.length > 5 ? Math.ceil(cards.length / 2) : 5));
    return node;
  }

  /** What leading a card of one's own would bring. @param {string} card */
  note(card) {
    const { view } = this;
    if (view.phase !== "lead" || !this.now.moves) return "";
    const count = view.replies[card]?.length;
    if (count === 0) return `mate for ${WEIGHT[parseCard(card).rank] * view.trick_number}`;
    return counted(count, "answer");
  }

  /** @param {string} key */
  pick(key) {
    const { moves } = this.now;
    if (!moves) return this.refuse(this.waiting());
    const why = this.whyNot(key);
    if (why !== null) return this.refuse(why);
    if (this.chosen?.card === key && (this.chosen.free_move || !this.now.direct)) return this.clear();
    const move = this.move((action) => action.card === key);
    if (move === null) return undefined;
    if (!move.action.free_move) return this.choose(move.action);
    this.chosen = move.action; // there is but one: never by one click
    return this.redraw();
  }

  waiting() {
    const { turn } = this.view;
    return turn === null ? "The game is over." : `It is not your turn: ${this.name(turn)} is to play.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { moves, direct } = this.now;
    if (!moves) return {};
    if (this.chosen !== null) {
      const move = this.move((action) => JSON.stringify(action) === JSON.stringify(this.chosen));
      const hint = this.chosen.free_move ? "It is then used for both of you in this hand." : "";
      return { label: move ? this.words(move.label) : "Play", action: this.chosen, clear: "Put back", hint };
    }
    const spare = moves.items.some(({ action }) => action.free_move) ? " A dashed one needs the free move." : "";
    const hint = (direct ? "Choose a raised card to play it." : "Choose a raised card.") + spare;
    return direct ? { hint } : { label: "Play", action: null, hint };
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    return now.view.results.map((/** @type {Mate | null} */ mate, /** @type {number} */ n) => ({
      title: n === 0 ? "Hand 1" : [el("span", { class: "sr" }, "Hand "), n + 1], // four fit a phone
      cells: now.seats.map(({ index }) => (mate?.seat === index ? String(mate.points) : "–")),
    }));
  }
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a card that matches the one led takes the trick. @param {string} card @param {string} led */
function takes(card, led) {
  const [own, other] = [parseCard(card), parseCard(led)];
  if (own.suit !== other.suit) return SUITS.indexOf(own.suit) < SUITS.indexOf(other.suit);
  return RANKS.indexOf(own.rank) < RANKS.indexOf(other.rank);
}

/** The card of one's own hand that is meant. @param {EventTarget | null} target @returns {string | null} */
function cardAt(target) {
  const node = /** @type {Element | null} */ (target)?.closest(".hand [data-key]");
  return node?.getAttribute("data-key") ?? null;
}

customElements.define("mate-board", MateBoard);
