/** The board of Ninjan: the order of claims beside the three piles, what everybody has captured, the hand below. */

import { GameBoard } from "../kit/board.js";
import { hand } from "../kit/cards.js";
import { el, icon, render } from "../kit/dom.js";
import { Drag } from "../kit/drag.js";
import { fold, pastTable } from "../kit/folds.js";
import { HandOrder } from "../kit/hand.js";
import { capital, counted, figure, inWords } from "../kit/messages.js";

const NAMES = /** @type {Record<string, string>} */ ({ r: "rock", s: "scissors", p: "paper" });
const BEATEN_BY = /** @type {Record<string, string>} */ ({ s: "r", p: "s", r: "p" });
const BEST_PILE = "best-pile";
const SUITS = ["r", "s", "p"]; // each beats the next one
const DRAWN = /** @type {Record<string, string>} */ ({
  r: "M8 3.4 15.4 3 21 8.6 22 16 17.6 21H6.2L2 15.4 3.4 8zM4.2 9.2 3.8 10.6 9.8 13.4 11.6 19.8 13.1 19.4 11.5 13.1 16.2 5.2 14.9 4.5 10.2 12z",
  s: "M4.6 1.8C3.8 4.4 4.2 6.6 5.6 8.8L10.4 16A3.9 3.9 0 1 0 11.6 19.6L12 17.6 12.4 19.6A3.9 3.9 0 1 0 13.6 16L18.4 8.8C19.8 6.6 20.2 4.4 19.4 1.8L12 12.6zM7.8 17.9a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM16.2 17.9a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
  p: "M4.5 2H14l5.5 5.5V22h-15zM13.2 3.8V8.4h4.6zM7.2 11.4h9.6v1.7H7.2zM7.2 14.6h9.6v1.7H7.2zM7.2 17.8h6.4v1.7H7.2z",
});

/** @typedef {{seat: number, card: string, pile: number | null, taken: string[]}} Played */
/**
 * @typedef {object} NinjanView
 * @property {"select_card" | "resolve" | "over"} phase
 * @property {number} round
 * @property {number | null} turn whose card is the next to claim
 * @property {number[]} legal the piles it may go to
 * @property {boolean} claims whether it takes what lies there
 * @property {string[][]} piles from bottom to top
 * @property {number[]} sums points of each pile
 * @property {Played[]} queue in the order of claims
 * @property {number} queue_round the round it belongs to
 * @property {number} resolved how many of the queue are done
 * @property {boolean[]} has_selected by seat
 * @property {number[]} hand_sizes by seat
 * @property {string[][]} captured by seat
 * @property {number[]} scores by seat
 * @property {number[][]} gains by round that is over, by seat
 * @property {number} out_count
 * @property {string[]} hand
 * @property {string | null} selected one's own card, while others still choose
 * @property {string[]} [out] when all is open
 */

class NinjanBoard extends GameBoard {
  constructor() {
    super();
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      ({ piece, place, before }) => {
        if (place === "hand") this.order.move(piece, before);
        else this.pick(place === "tray" ? piece : place);
      },
      (piece, place) => this.takes(piece, place),
    );
    this.addEventListener("keydown", (event) => this.now.past || this.order.onKey(this, event));
  }

  /** @returns {NinjanView} */
  get view() {
    return this.now.view;
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.phase, now.view.round, now.view.turn, now.view.resolved];
  }

  draw() {
    const { you, seats } = this.now;
    const holding = you !== null && this.view.phase !== "over";
    const others = seats.map(({ index }) => index).filter((seat) => seat !== you);
    const from = you === null ? 0 : others.findIndex((seat) => seat > you);
    const round = from > 0 ? [...others.slice(from), ...others.slice(0, from)] : others;
    render(
      this,
      el(
        "div",
        {
          class: "felt ninjan",
          "data-seats": seats.length,
          "data-watching": !holding,
          vars: { "--others": others.length },
        },
        el(
          "ul",
          { class: "others", "data-key": "others", "aria-label": you === null ? "Players" : "Other players" },
          round.map((seat) => el("li", { "data-key": `seat-${seat}` }, this.plate(seat))),
        ),
        this.claims(),
        this.middle(),
        you === null ? null : el("div", { class: "own", "data-key": "own" }, this.plate(you)),
        holding && this.ownHand(),
        this.below(),
      ),
    );
  }

  // -- the players -------------------------------------------------------------------------------

  /** @param {number} seat */
  name(seat) {
    return this.now.seats[seat].name;
  }

  /** Name, points, cards in hand, the card laid down in secret, and what was captured. @param {number} seat */
  plate(seat) {
    const { view } = this;
    const mine = seat === this.now.you;
    const fresh = new Set(view.queue.filter((one) => one.seat === seat).flatMap(({ taken }) => taken));
    const cards = view.captured[seat];
    return el(
      "div",
      {
        class: "plate",
        "data-key": `plate-${seat}`,
        "data-place": seat,
        "data-turn": this.now.seats[seat].pending,
        "data-drop": mine && view.phase === "select_card" && this.now.moves ? "tray" : null,
      },
      el(
        "p",
        { class: "who" },
        icon(`seat-${seat}`, { class: "solid" }),
        el("span", { class: "name" }, mine ? "You" : this.name(seat)),
        el("b", { class: "points" }, figure(view.scores[seat]), el("span", { class: "sr" }, " points")),
      ),
      el("p", { class: "facts" }, this.fact(seat)),
      view.phase !== "over" && this.laid(seat),
      el(
        "p",
        {
          class: "won",
          role: "img",
          "aria-label": cards.length > 0 ? `Captured: ${inWords(cards.map(nameOf))}` : "Nothing captured yet",
        },
        cards.map((card) =>
          mini(card, { fresh: fresh.has(card), "data-key": `won-${card}`, "data-travels": true }),
        ),
      ),
    );
  }

  /** What a player is doing, and how many cards it holds, or has captured in the end. @param {number} seat */
  fact(seat) {
    const { view } = this;
    if (view.phase === "over")
      return [counted(view.captured[seat].length, "card"), el("span", { class: "does" }, " captured")];
    const size = view.hand_sizes[seat];
    const held = [size, el("span", { class: "unit" }, size === 1 ? " card" : " cards")];
    const does =
      view.phase === "resolve"
        ? view.turn === seat && "chooses a pile"
        : view.has_selected[seat]
          ? "chosen"
          : "choosing";
    return does ? [...held, el("span", { class: "does" }, `, ${does}`)] : held;
  }

  /** The place where the card chosen in secret lies face down; one's own can be read. @param {number} seat */
  laid(seat) {
    const { view } = this;
    if (seat === this.now.you && view.selected !== null)
      return el("span", { class: "laid" }, mini(view.selected, { still: true }));
    return el(
      "span",
      { class: "laid", "aria-hidden": "true" },
      el("span", { class: view.has_selected[seat] ? "mini back" : "mini none" }),
    );
  }

  // -- the order of claims -----------------------------------------------------------------------

  claims() {
    const { view } = this;
    const open = view.phase === "resolve";
    const title = open || view.queue_round === 0 ? "Order of claims" : `Round ${view.queue_round} is over`;
    return el(
      "section",
      { class: "claims", "data-key": "claims", "aria-label": title },
      el("p", { class: "title", "aria-hidden": "true" }, title),
      view.queue.length > 0
        ? el(
            "ol",
            { "data-drop": open ? "queue" : null, "data-key": "queue" },
            view.queue.map((one, n) => this.claim(one, n)),
          )
        : el(
            "p",
            { class: "rule" },
            "The highest card claims first; of two equal ones, the suit that beats the other.",
          ),
    );
  }

  /** @param {Played} one @param {number} place in the queue */
  claim(one, place) {
    const { view } = this;
    const open = view.phase === "resolve";
    const current = open && place === view.resolved;
    const mine = current && this.now.moves !== null;
    return el(
      "li",
      {
        "data-key": `claim-${one.card}`,
        class: [one.pile !== null && "done", current && "current"].filter(Boolean).join(" "),
        "aria-current": current ? "step" : null,
      },
      mini(one.card, {
        still: one.pile !== null,
        role: "img",
        "aria-hidden": null,
        "aria-label": nameOf(one.card),
        "data-key": one.pile === null ? "waits" : "done",
        "data-travels": one.pile === null,
        "data-from": one.seat,
        "data-drag": mine ? one.card : null,
      }),
      el("span", { class: "name" }, one.seat === this.now.you ? "You" : this.name(one.seat)),
      el("span", { class: "fate" }, this.fate(one, current)),
    );
  }

  /** What became of a card. @param {Played} one @param {boolean} current */
  fate(one, current) {
    if (one.pile === null) return current ? el("b", {}, "now") : "waits";
    const pile = one.pile + 1;
    if (one.taken.length === 0) return ["laid", el("span", { class: "where" }, ` on pile ${pile}`)];
    return [
      el("b", {}, signed(total(one.taken))),
      el("span", { class: "where" }, ` with pile ${pile}`),
    ];
  }

  // -- the piles ---------------------------------------------------------------------------------

  middle() {
    return el(
      "div",
      { class: "middle", "data-key": "middle" },
      el(
        "div",
        { class: "piles", role: "group", "aria-label": "Piles", "data-key": "piles", "data-roving": true },
        this.view.piles.map((cards, pile) => this.pile(cards, pile)),
      ),
      el(
        "p",
        { class: "cycle", "data-key": "cycle" },
        el("span", { class: "sr" }, "Rock beats scissors, scissors beats paper, paper beats rock."),
        [...SUITS, SUITS[0]].map((suit, n) => [
          n > 0 && el("span", { "aria-hidden": "true" }, "beats"),
          el("span", { "aria-hidden": "true", class: "sign" }, glyph(suit), el("span", { class: "word" }, NAMES[suit])),
        ]),
      ),
    );
  }

  /** @param {string[]} cards from bottom to top @param {number} pile */
  pile(cards, pile) {
    const { view } = this;
    const { moves } = this.now;
    const asked = moves !== null && view.phase === "resolve";
    const legal = asked && view.legal.includes(pile);
    const why = asked ? this.whyNot(`pile:${pile}`) : null;
    const top = cards[cards.length - 1];
    const claimer = BEATEN_BY[top[0]];
    const last = view.queue.filter((one) => one.pile !== null);
    const fresh = new Set(last.map(({ card }) => card));
    const newest = last[last.length - 1]?.card;
    const picked = this.chosen?.type === "choose" ? this.chosen.pile === pile : undefined;
    const words = [
      `Pile ${pile + 1}: ${inWords(cards.map(nameOf))}${cards.length > 1 ? " on top" : ""}`,
      points(view.sums[pile]),
      `${NAMES[claimer]} claims it`,
      legal ? (view.claims ? "can be claimed" : "can be laid on") : "",
      why ?? "",
    ];
    return el(
      "button",
      {
        type: "button",
        class: ["pile", legal && "on", why !== null && "off", picked && "picked"].filter(Boolean).join(" "),
        "data-key": `pile:${pile}`,
        "data-drop": legal ? `pile:${pile}` : null,
        "aria-label": words.filter(Boolean).join(", "),
        "aria-pressed": picked === undefined ? null : String(picked),
        "aria-disabled": legal ? null : "true",
        vars: { "--under": cards.length - 1 },
      },
      el(
        "span",
        { class: "fan" },
        cards.map((card) =>
          cardFace(card, {
            class: [why !== null && "off", fresh.has(card) && (card === newest ? "newest" : "fresh")]
              .filter(Boolean)
              .join(" "),
            "aria-hidden": "true",
            role: null,
            "data-travels": true,
          }),
        ),
      ),
      el(
        "span",
        { class: "worth", title: `${capital(NAMES[claimer])} claims it` },
        glyph(claimer),
        el("span", { class: "word" }, "takes"),
        el("b", {}, figure(view.sums[pile])),
      ),
    );
  }

  // -- below -------------------------------------------------------------------------------------

  below() {
    const { view } = this;
    return el(
      "div",
      { class: "below", "data-key": "below" },
      view.out && view.out.length > 0
        ? fold(
            "out",
            `Out of the game: ${counted(view.out.length, "card")}`,
            el(
              "p",
              { class: "won", role: "img", "aria-label": inWords(view.out.map(nameOf)) },
              view.out.map((card) => mini(card)),
            ),
          )
        : view.out_count > 0 &&
            el("p", { "data-key": "aside" }, `${counted(view.out_count, "card")} out of the game, unseen.`),
      view.gains.length > 0 && fold("rounds", "Past rounds", this.pastRounds()),
    );
  }

  pastRounds() {
    return pastTable(
      "Round",
      this.now.seats.map(({ index, name }) => [icon(`seat-${index}`), el("span", { class: "name" }, name)]),
      this.view.gains.map((gains, n) => ({ title: n + 1, cells: gains.map(signed) })),
    );
  }

  // -- one's own hand ----------------------------------------------------------------------------

  ownHand() {
    const { view } = this;
    const { moves, past, table } = this.now;
    const choosing = moves !== null && view.phase === "select_card";
    const cards = past ? view.hand : this.order.arrange(view.hand, table, "hand");
    return hand(
      `Your hand, ${counted(cards.length, "card")}`,
      cards.map((card) => this.handCard(card, choosing)),
      { "data-drop": "hand" },
    );
  }

  /** @param {string} card @param {boolean} choosing */
  handCard(card, choosing) {
    const selected = this.view.selected === card;
    const picked = choosing && this.chosen !== null ? this.chosen.card === card : selected || undefined;
    const words = [nameOf(card), selected ? "chosen" : "", choosing ? "playable" : ""];
    return el(
      "button",
      {
        type: "button",
        class: ["card", choosing && "on", picked && "picked", !choosing && !selected && "off", under(card)]
          .filter(Boolean)
          .join(" "),
        "data-suit": card[0],
        "data-key": card,
        "data-piece": card,
        "data-travels": true,
        "data-drag": this.now.past ? null : card,
        "aria-label": words.filter(Boolean).join(", "),
        "aria-pressed": picked === undefined ? null : String(picked),
        "aria-disabled": choosing ? null : "true",
      },
      face(card),
    );
  }

  // -- choosing ----------------------------------------------------------------------------------

  /** Whether a place takes a piece that is dragged. @param {string} piece @param {string} place */
  takes(piece, place) {
    const held = this.view.hand.includes(piece);
    return place === "queue" ? false : held === (place === "hand" || place === "tray");
  }

  /** @param {string} key a card of the hand, or "pile:0" */
  pick(key) {
    const { moves } = this.now;
    if (!moves) return this.refuse(this.waiting());
    const why = this.whyNot(key);
    if (why !== null) return this.refuse(why);
    const action = key.startsWith("pile:")
      ? { type: "choose", pile: Number(key.slice("pile:".length)) }
      : { type: "play", card: key };
    if (JSON.stringify(this.chosen) === JSON.stringify(action) && !this.now.direct) return this.clear();
    return this.choose(action);
  }

  get wishes() {
    return [
      {
        key: BEST_PILE,
        title: "Claim the best pile by itself",
        hint: "Where you may claim several piles, the one with the most points is claimed after a moment, the first one of equals.",
      },
    ];
  }

  byItself() {
    const { phase, claims, legal, sums } = this.view;
    if (phase !== "resolve" || !claims || legal.length < 2 || !this.wished(BEST_PILE)) return null;
    const most = Math.max(...legal.map((pile) => sums[pile]));
    return { type: "choose", pile: legal.find((pile) => sums[pile] === most) };
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    if (this.now.you === null) return "You are looking on.";
    const { view } = this;
    if (view.selected !== null)
      return `You have chosen ${nameOf(view.selected)}. Take it back to choose another card.`;
    return `It is not your turn: ${inWords(this.now.seats.filter(({ pending }) => pending).map(({ name }) => name))} to choose.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { view } = this;
    const { moves, direct, past } = this.now;
    if (past || this.now.you === null || view.phase === "over") return {};
    const more = view.hand.length > 1 ? [this.sorting()] : [];
    if (!moves)
      return view.selected === null
        ? { more }
        : { more, hint: "You may change your mind until everybody has chosen." };
    if (this.chosen !== null) {
      const move = this.move((action) => JSON.stringify(action) === JSON.stringify(this.chosen));
      return {
        label: move ? this.words(move.label) : "Choose",
        action: this.chosen,
        clear: "Put back",
        more,
      };
    }
    return direct ? { more } : { label: "Choose", action: null, more };
  }

  /** The button that sorts the hand the other way. @returns {import("../kit/board.js").Order} */
  sorting() {
    const bySuit = this.sorted(true).join() === this.order.cards.join();
    return {
      key: bySuit ? "by-value" : "by-suit",
      label: bySuit ? "Sort by value" : "Sort by suit",
      icon: "swap",
    };
  }

  /** @param {boolean} bySuit */
  sorted(bySuit) {
    const place = (/** @type {string} */ card) =>
      bySuit ? SUITS.indexOf(card[0]) * 100 + valueOf(card) : valueOf(card) * 10 + SUITS.indexOf(card[0]);
    return [...this.view.hand].sort((a, b) => place(a) - place(b));
  }

  /** @param {string} key */
  press(key) {
    this.order.set(this.sorted(key === "by-suit"));
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    return [
      {
        title: "Cards",
        cells: now.view.captured.map((/** @type {string[]} */ cards) => String(cards.length)),
      },
    ];
  }
}

// -- cards -----------------------------------------------------------------------------------------

/** @param {string} card */
function valueOf(card) {
  return Number(card.slice(1));
}

/** @param {string} card "rock 8" */
function nameOf(card) {
  return `${NAMES[card[0]]} ${figure(valueOf(card))}`;
}

/** @param {string[]} cards */
function total(cards) {
  return cards.reduce((sum, card) => sum + valueOf(card), 0);
}

/** @param {number} count */
function points(count) {
  return `${figure(count)} ${Math.abs(count) === 1 ? "point" : "points"}`;
}

/** @param {number} change with its sign, a real minus */
function signed(change) {
  return change > 0 ? `+${change}` : figure(change);
}

/** The class of cards below zero: their foot is hatched. @param {string} card */
function under(card) {
  return valueOf(card) < 0 ? "under" : "";
}

/** @param {string} suit */
function glyph(suit) {
  return el(
    "svg",
    { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" },
    el("path", { d: DRAWN[suit], "fill-rule": "evenodd" }),
  );
}

/** The parts of a card's face. @param {string} card */
function face(card) {
  return [
    el(
      "span",
      { class: "index", "aria-hidden": "true" },
      el("b", {}, figure(valueOf(card))),
      glyph(card[0]),
    ),
    el("span", { class: "pip", "aria-hidden": "true" }, glyph(card[0])),
  ];
}

/**
 * A card that lies there.
 *
 * @param {string} card
 * @param {Record<string, any>} options
 */
function cardFace(card, { label = null, class: more = "", ...attributes }) {
  return el(
    "span",
    {
      class: ["card", more, under(card)].filter(Boolean).join(" "),
      "data-suit": card[0],
      role: "img",
      "aria-label": label,
      "data-piece": card,
      ...attributes,
    },
    face(card),
  );
}

/**
 * A small card of a row.
 *
 * @param {string} card
 * @param {{fresh?: boolean, still?: boolean} & Record<string, any>} [options] `still`: a picture of a card that lies elsewhere
 */
function mini(card, { fresh = false, still = false, ...attributes } = {}) {
  return el(
    "span",
    {
      class: ["mini", fresh && "fresh", under(card)].filter(Boolean).join(" "),
      "data-suit": card[0],
      "data-piece": still ? null : card,
      "aria-hidden": "true",
      ...attributes,
    },
    el("b", {}, figure(valueOf(card))),
    glyph(card[0]),
  );
}

customElements.define("ninjan-board", NinjanBoard);
