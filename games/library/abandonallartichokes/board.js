/** The board of Abandon All Artichokes: the others, the garden, what is being played, one's own hand and piles. */

import { GameBoard } from "../kit/board.js";
import { Drag } from "../kit/drag.js";
import { HandOrder } from "../kit/hand.js";
import { drawing, el, icon, render } from "../kit/dom.js";
import { capital, counted, inWords } from "../kit/messages.js";
import { rowLength } from "../kit/cards.js";

/**
 * @typedef {object} Words of one type of card
 * @property {string} name
 * @property {string} short as printed on a card
 * @property {string} long when it may be played, what it does, where it goes
 */
const CARDS = /** @type {Record<string, Words>} */ ({
  artichoke: {
    name: "Artichoke",
    short: "Does nothing. Get rid of it.",
    long: "Does nothing and cannot be played. Draw a hand without artichokes and you win.",
  },
  beet: {
    name: "Beet",
    short: "Swap blind cards; two artichokes are composted.",
    long: "A card of your hand and one of an opponent’s are drawn blindly and shown. Two artichokes are composted, other cards change hands. Needs another card in your hand.",
  },
  broccoli: {
    name: "Broccoli",
    short: "With 3 artichokes in hand: compost one.",
    long: "Compost an artichoke of your hand. Needs 3 artichokes in your hand.",
  },
  carrot: {
    name: "Carrot",
    short: "As your only card: compost 2 artichokes.",
    long: "Compost 2 artichokes of your hand, and the carrot. It must be the only card you play: then your turn ends.",
  },
  corn: {
    name: "Corn",
    short: "Discard an artichoke: a row card goes on your deck.",
    long: "Discard an artichoke of your hand. Put a card of the garden row on top of your deck: you draw it next.",
  },
  eggplant: {
    name: "Eggplant",
    short: "Compost an artichoke. All pass 2 cards to the left.",
    long: "Compost an artichoke of your hand, and the eggplant. Then everybody passes 2 cards to the left, all at once.",
  },
  leek: {
    name: "Leek",
    short: "See an opponent’s top card: take it or leave it.",
    long: "The top card of an opponent’s deck is shown. Take it into your hand, or leave it for that discard pile.",
  },
  onion: {
    name: "Onion",
    short: "Compost an artichoke. The onion goes to an opponent.",
    long: "Compost an artichoke of your hand. The onion goes on an opponent’s discard pile.",
  },
  peas: {
    name: "Peas",
    short: "Reveal 2: one for your discards, one for another’s.",
    long: "Reveal 2 cards of the garden stack. One goes on your discard pile, the other on an opponent’s.",
  },
  pepper: {
    name: "Pepper",
    short: "A card of your discards goes on your deck.",
    long: "Put a card of your discard pile on top of your deck: you draw it next.",
  },
  potato: {
    name: "Potato",
    short: "Reveal your top card: an artichoke is composted.",
    long: "The top card of your deck is shown. An artichoke is composted, any other card is discarded.",
  },
  rhubarb: {
    name: "Rhubarb",
    short: "A new garden row: harvest once more.",
    long: "The garden row goes under the stack and a new one is revealed. Harvest a card from it. The rhubarb is composted.",
  },
});

/** What a click on a card of the row means. */
const ROW = /** @type {Record<string, string>} */ ({
  harvest: "harvest",
  rhubarb_harvest: "harvest",
  corn_card: "pick",
});
const HINTS = /** @type {Record<string, string>} */ ({
  harvest: "Choose a card of the garden row.",
  rhubarb_harvest: "Choose a card of the new garden row.",
  play: "Choose a raised card to play it.",
  corn_card: "Choose a card of the garden row.",
  pepper_card: "Choose a card of your discard pile.",
  peas_keep: "Choose the card you keep.",
  beet_target: "Choose a player.",
  leek_target: "Choose a player.",
  leek_take: "Take this card or leave it.",
  onion_target: "Choose a player.",
  peas_target: "Choose a player.",
  eggplant_pass: "Choose cards of your hand.",
});
const PASS_SIZE = 2;

/** @typedef {{kind: "harvest" | "play" | "draw", card: string, seat_to: number | null, shown: string[], result: string, count: number}} Deed */
/** @typedef {{seat: number, deeds: Deed[]}} Turn */
/**
 * @typedef {object} View
 * @property {string} phase
 * @property {number | null} turn
 * @property {number} number of the turn
 * @property {boolean} rhubarb
 * @property {string[]} row
 * @property {number} stack
 * @property {{count: number, top: string | null}} compost
 * @property {string | null} in_play
 * @property {string[]} revealed
 * @property {number | null} seat_to
 * @property {number[]} hand_sizes
 * @property {number[]} deck_sizes
 * @property {number[]} discard_sizes
 * @property {(string | null)[]} discard_tops
 * @property {(string | null)[][]} deck_tops cards known to lie on each deck, the top one first
 * @property {boolean[]} has_passed
 * @property {number[]} artichokes by seat, or nothing
 * @property {string[]} hand
 * @property {string[]} discard one's own, the oldest first
 * @property {string[]} chosen to be passed
 * @property {Turn} now
 * @property {Turn[]} before
 * @property {string[][]} [hands] when all is open
 * @property {string[][]} [decks]
 * @property {string[][]} [discards]
 */

class ArtichokesBoard extends GameBoard {
  constructor() {
    super();
    /** Key of the card whose text is shown. */
    this.at = "";
    /** @type {string[]} keys of own cards laid aside to be passed, not sent yet */
    this.aside = [];
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      ({ piece, place, before }) =>
        zoneOf(piece) === "hand" && place === "hand" ? this.order.move(piece, before) : this.drop(piece),
      (piece, place) => this.accepts(piece, place),
    );
    this.addEventListener("keydown", (event) => this.now.past || this.order.onKey(this, event));
  }

  /** @returns {View} */
  get view() {
    return this.now.view;
  }

  forget() {
    super.forget();
    this.at = "";
    this.aside = [];
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    const { phase, number, now: turn, hand } = now.view;
    return [phase, number, turn.deeds.length, hand.length, now.moves === null];
  }

  draw() {
    const { you, seats } = this.now;
    const first = you === null ? 0 : you + 1;
    const others = Array.from(
      { length: seats.length - (you === null ? 0 : 1) },
      (_, n) => (first + n) % seats.length,
    );
    render(
      this,
      el(
        "div",
        { class: "felt artichokes", "data-others": others.length, "data-watching": you === null },
        el(
          "ul",
          {
            class: "others",
            "aria-label": you === null ? "Players" : "Opponents",
            "data-key": "others",
            "data-roving": this.aiming,
          },
          others.map((seat) => el("li", {}, this.plate(seat))),
        ),
        this.garden(),
        this.playZone(),
        you !== null && this.own(you),
        this.folds(),
      ),
    );
  }

  /** @param {number} seat */
  name(seat) {
    return this.now.seats[seat].name;
  }

  /** @param {number} seat */
  who(seat) {
    return seat === this.now.you ? "you" : this.name(seat);
  }

  /** Whether one is asked at whom a card is aimed. */
  get aiming() {
    return this.now.moves !== null && this.view.phase.endsWith("_target");
  }

  // -- the others ----------------------------------------------------------------------------------

  /** @param {number} seat what lies before another player; a button where a card can be aimed at them */
  plate(seat) {
    const { view } = this;
    const asked = this.aiming;
    const key = `seat:${seat}`;
    const legal = asked && this.legal({ type: "target", seat }) !== null;
    const facts = [
      view.phase === "eggplant_pass" && view.hand_sizes[seat] > 0
        ? view.has_passed[seat]
          ? "has chosen"
          : "choosing"
        : "",
    ].filter(Boolean);
    const attributes = asked
      ? {
          type: "button",
          "data-key": key,
          "aria-disabled": legal ? null : "true",
          "aria-pressed": this.chosen === null ? null : String(this.at === key),
        }
      : { "data-key": `plate-${seat}` };
    return el(
      asked ? "button" : "div",
      {
        class: ["plate", legal && "on", asked && this.at === key && "picked"].filter(Boolean).join(" "),
        "data-turn": this.now.seats[seat].pending,
        "data-place": `seat-${seat}`,
        ...attributes,
      },
      el(
        "span",
        { class: "who" },
        icon(`seat-${seat}`, { class: "solid" }),
        el("span", { class: "name" }, this.name(seat)),
        facts.length > 0 && el("i", {}, facts.join(", ")),
        view.artichokes.length > 0 && count("artichoke", view.artichokes[seat], "artichokes left"),
      ),
      el(
        "span",
        { class: "holds" },
        this.handOf(seat),
        el(
          "span",
          { class: "small-pile", title: `${counted(view.deck_sizes[seat], "card")} in the deck` },
          this.deckTop(seat),
          `${view.deck_sizes[seat]} `,
          label("deck"),
        ),
        el(
          "span",
          { class: "small-pile", title: `${counted(view.discard_sizes[seat], "card")} discarded` },
          view.discard_tops[seat] === null ? el("span", { class: "mini hole" }) : mini(view.discard_tops[seat]),
          `${view.discard_sizes[seat]} `,
          label("discarded"),
        ),
      ),
      this.trail(seat),
    );
  }

  /** @param {number} seat a hand: backs, or the cards when all is open */
  handOf(seat) {
    const { view } = this;
    const open = view.hands?.[seat];
    const size = open?.length ?? view.hand_sizes[seat];
    return el(
      "span",
      { class: "small-pile", title: `${counted(size, "card")} in hand` },
      open
        ? open.map((card) => mini(card))
        : el(
            "span",
            { class: "fan", "aria-hidden": "true" },
            Array.from({ length: Math.min(size, 7) }, () => el("span", { class: "mini back" })),
          ),
      `${size} `,
      label("in hand"),
    );
  }

  /** @param {number} seat the top of a deck: its back, or what is known to lie there */
  deckTop(seat) {
    const { view } = this;
    if (view.deck_sizes[seat] === 0) return el("span", { class: "mini hole" });
    const known = view.deck_tops[seat][0];
    return el(
      "span",
      { class: "mini back" },
      known &&
        el(
          "span",
          { class: "known", role: "img", "aria-label": `${CARDS[known].name} on top,`, title: `${CARDS[known].name} on top` },
          drawing(known),
        ),
    );
  }

  /** @param {number} seat what somebody did in their last turn, as a row of pictures */
  trail(seat) {
    const turn = this.turnOf(seat);
    const deeds = (turn?.deeds ?? []).filter(({ kind }) => kind !== "draw");
    if (!turn || deeds.length === 0) return null;
    return el(
      "span",
      { class: "trail" },
      el("span", { class: "sr" }, "last turn: "),
      deeds.map((deed, n) => [
        el(
          "span",
          {
            class: `deed ${deed.kind}`,
            title: this.sentence(turn.seat, deed)
              .flat(9)
              .map((part) => (part instanceof Element ? part.textContent : part))
              .join(""),
          },
          drawing(deed.card),
          el("span", { class: "sr" }, `${n > 0 ? ", " : ""}${deed.kind === "harvest" ? "harvested" : "played"} ${CARDS[deed.card].name}`),
        ),
      ]),
    );
  }

  /** The turn of `seat` that goes on, or its last one. @param {number} seat @returns {Turn | undefined} */
  turnOf(seat) {
    const { now, before } = this.view;
    return now.seat === seat ? now : before.find((turn) => turn.seat === seat);
  }

  // -- the garden ----------------------------------------------------------------------------------

  garden() {
    const { view } = this;
    if (view.phase === "pepper_card" && this.now.moves !== null) return this.discards();
    const does = this.now.moves !== null ? ROW[view.phase] : undefined;
    return el(
      "div",
      { class: "garden", "data-key": "garden" },
      el(
        "div",
        { class: "piles" },
        this.pile("Garden", view.stack, view.stack > 0 ? back() : hole(), { "data-place": "stack" }),
        this.pile("Compost", view.compost.count, view.compost.top === null ? hole() : image(view.compost.top, {
          "data-piece": `compost-${view.compost.count}`,
          "data-travels": true,
          "data-from": this.placeOf(view.now.seat),
        })),
      ),
      el(
        "div",
        {
          class: "row",
          role: "group",
          "aria-label": `Garden row, ${counted(view.row.length, "card")}`,
          "data-key": "row",
          "data-roving": true,
          "data-place": "row",
          "data-drop": "row",
        },
        keyed("row", view.row).map(([key, card]) =>
          this.card(key, card, {
            asked: does !== undefined,
            "data-drag": does === undefined ? null : key,
            "data-piece": key,
            "data-travels": true,
            "data-from": "stack",
          }),
        ),
        view.row.length === 0 && el("p", { class: "none" }, "The garden is empty."),
      ),
    );
  }

  /** One's discard pile in place of the garden, to choose from: each type once. */
  discards() {
    const { discard } = this.view;
    const kinds = [...new Set(discard)];
    return el(
      "div",
      { class: "garden own-pile", "data-key": "discards" },
      el("p", { class: "told" }, "Your discard pile"),
      el(
        "div",
        {
          class: "row",
          role: "group",
          "aria-label": `Your discard pile, ${counted(discard.length, "card")}`,
          "data-key": "pile",
          "data-roving": true,
        },
        kinds.map((card) => {
          const many = discard.filter((other) => other === card).length;
          return this.card(`pile:${card}`, card, { asked: true, note: many > 1 ? `${many} of it` : "", many });
        }),
      ),
    );
  }

  /** @param {string} name @param {number} many @param {Element} top @param {Record<string, any>} [attributes] @param {any} [more] */
  pile(name, many, top, attributes = {}, more = null) {
    return el(
      "div",
      { class: "pile", "data-key": `pile-${name}`, ...attributes },
      top,
      el("span", { class: "caption" }, `${name} `, el("b", {}, many)),
      more,
    );
  }

  // -- what is being played ------------------------------------------------------------------------

  playZone() {
    const { view } = this;
    return el(
      "div",
      { class: "stage", "data-key": "stage", "data-drop": this.now.moves && view.phase === "play" ? "play" : null },
      this.inPlay(),
      this.at !== "" && zoneOf(this.at) !== "seat" ? this.reader(cardOf(this.at)) : view.in_play ? null : [this.news(), this.tip()],
    );
  }

  /** @param {string} card its whole text */
  reader(card) {
    const { name, long } = CARDS[card];
    return el("p", { class: "reader", "data-key": "reader" }, el("b", {}, `${name}. `), long);
  }

  /** The card that is being resolved, and what it has laid open. */
  inPlay() {
    const { view } = this;
    if (!view.in_play) return null;
    const { seat } = view.now;
    return el(
      "div",
      { class: "resolving", "data-key": "resolving" },
      el(
        "p",
        { class: "told" },
        `${capital(this.who(seat))} ${seat === this.now.you ? "play" : "plays"} ${CARDS[view.in_play].name}.`,
        this.revealedWords(),
      ),
      el(
        "div",
        { class: "laid" },
        view.revealed.length < 2 && image(view.in_play, {
          class: "played",
          "data-piece": `played-${view.number}-${view.now.deeds.length}`,
          "data-travels": true,
          "data-from": this.placeOf(seat),
        }),
        view.phase === "eggplant_pass" ? this.tray() : this.revealed(),
      ),
    );
  }

  revealedWords() {
    const { view } = this;
    if (view.phase === "leek_take" && view.seat_to !== null)
      return ` ${view.seat_to === this.now.you ? "Your top card" : `The top card of ${this.name(view.seat_to)}`}:`;
    if (view.phase === "peas_keep") return " From the garden stack:";
    if (view.phase === "peas_target") return " To an opponent:";
    return "";
  }

  revealed() {
    const { view } = this;
    const from = view.phase === "leek_take" && view.seat_to !== null ? this.placeOf(view.seat_to) : "stack";
    const asked = this.now.moves !== null && ["peas_keep", "leek_take"].includes(view.phase);
    if (view.revealed.length === 0) return null;
    return el(
      "div",
      { class: "open", role: "group", "aria-label": "Revealed", "data-key": "revealed", "data-roving": true },
      keyed("shown", view.revealed).map(([key, card]) =>
        this.card(key, card, { asked, "data-piece": key, "data-travels": true, "data-from": from }),
      ),
    );
  }

  /** The cards one passes, and to whom. */
  tray() {
    const { view } = this;
    const { you, seats } = this.now;
    if (you === null) return null;
    const sent = view.chosen.length > 0;
    const cards = sent ? view.chosen : this.aside.map(cardOf);
    const empty = sent ? 0 : this.passSize - cards.length;
    return el(
      "div",
      { class: "tray", "data-key": "tray", "data-drop": this.now.moves ? "tray" : null },
      el("p", {}, view.hand.length === 0 ? "You have no card to pass." : `To ${this.name((you + 1) % seats.length)}`),
      el(
        "div",
        { class: "open" },
        cards.map((card, n) => image(card, { "data-key": `aside-${n}-${card}` })),
        Array.from({ length: empty }, (_, n) => el("span", { class: "slot", "data-key": `slot-${n}` })),
      ),
    );
  }

  get passSize() {
    return Math.min(PASS_SIZE, this.view.hand.length);
  }

  /** What was done in this turn, or else in the one before it. */
  news() {
    const { now, before } = this.view;
    const turn = now.deeds.length > 0 ? now : before[before.length - 1];
    if (!turn) return el("p", { class: "told", "data-key": "news" }, this.opening());
    return el(
      "div",
      { class: "lately", "data-key": "news" },
      el("p", { class: "told" }, turn.seat === this.now.you ? "Your turn" : `${this.name(turn.seat)}’s turn`),
      el(
        "ul",
        {},
        turn.deeds.map((deed) => el("li", {}, this.sentence(turn.seat, deed))),
      ),
    );
  }

  /** On a phone, where cards carry no text: how to read them, while one is new to it. */
  tip() {
    const { number } = this.view;
    if (!this.now.moves || number > 2 * this.now.seats.length) return null;
    return el("p", { class: "tip", "data-key": "tip" }, "Tap a card to read it, and again to use it.");
  }

  opening() {
    const { turn } = this.view;
    if (turn === null) return "";
    return turn === this.now.you
      ? "You begin. Take a card of the garden row into your hand; then play what you can."
      : `${this.name(turn)} begins.`;
  }

  /** @param {number} seat @param {Deed} deed @returns {any[]} */
  sentence(seat, deed) {
    if (deed.kind === "harvest") return ["Harvested ", chip(deed.card)];
    if (deed.kind === "draw") return [`Drew ${counted(deed.count, "card")}`];
    return [chip(deed.card), ...this.effect(seat, deed)];
  }

  /** What a card did, in words. @param {number} seat @param {Deed} deed @returns {any[]} */
  effect(seat, { card, seat_to: to, shown, result }) {
    const them = to === null ? "" : this.who(to);
    if (card === "beet" && shown.length > 0)
      return result === "compost"
        ? [` with ${them}: both show `, chip(shown[0]), ", composted"]
        : [` with ${them}: gave `, chip(shown[0]), ", got ", chip(shown[1])];
    if (card === "broccoli") return [": an artichoke composted"];
    if (card === "carrot") return [": 2 artichokes composted"];
    if (card === "eggplant") return [": an artichoke composted, cards passed to the left"];
    if (card === "onion") return to === null ? [": an artichoke composted"] : [`: an artichoke composted; the onion to ${them}`];
    if (card === "corn") return shown.length > 0 ? [": ", chip(shown[0]), " on the deck"] : [];
    if (card === "pepper") return result ? [": a discard on the deck"] : [];
    if (card === "potato") return [": ", chip(shown[0]), result === "compost" ? " composted" : " discarded"];
    if (card === "rhubarb") return shown.length > 0 ? [": a new row, harvested ", chip(shown[0])] : [": a new row"];
    if (card === "leek" && shown.length > 0)
      return result === "take" ? [": took ", chip(shown[0]), ` from ${them}`] : [": left ", chip(shown[0]), ` to ${them}`];
    if (card === "peas" && result) return [": kept ", chip(shown[0]), ", gave ", chip(shown[1]), ` to ${them}`];
    return [];
  }

  // -- one's own -----------------------------------------------------------------------------------

  /** @param {number} you */
  own(you) {
    const { view } = this;
    const hand = view.hands?.[you] ?? view.hand;
    const top = view.discard_tops[you];
    return el(
      "div",
      { class: "own", "data-key": "own" },
      this.pile(
        "Deck",
        view.deck_sizes[you],
        this.ownDeck(you),
        { "data-place": "deck" },
        view.artichokes.length > 0 && count("artichoke", view.artichokes[you], "artichokes left"),
      ),
      this.ownHand(hand),
      this.pile("Discards", view.discard_sizes[you], top === null ? hole() : image(top, {
        "data-piece": `discard-${view.discard_sizes[you]}`,
        "data-travels": true,
        "data-from": "hand",
      })),
    );
  }

  /** @param {number} you */
  ownDeck(you) {
    const { view } = this;
    if (view.deck_sizes[you] === 0) return hole();
    const known = view.deck_tops[you][0];
    if (!known) return back();
    return el(
      "span",
      { class: "card back", role: "img", "aria-label": `Your deck, ${CARDS[known].name} on top`, title: `${CARDS[known].name} lies on top` },
      el("span", { class: "known" }, drawing(known)),
    );
  }

  /** @param {string[]} hand */
  ownHand(hand) {
    const { view } = this;
    const { moves, past, table } = this.now;
    const pairs = new Map(keyed("hand", hand));
    const keys = [...pairs.keys()];
    const order = past ? keys : this.order.arrange(keys, table, this.deal);
    const fresh = this.fresh;
    const playing = moves !== null && view.phase === "play";
    const passing = moves !== null && view.phase === "eggplant_pass";
    return el(
      "div",
      {
        class: "hand",
        role: "group",
        "aria-label": `Your hand, ${counted(hand.length, "card")}`,
        "data-key": "hand",
        "data-roving": true,
        "data-drop": "hand",
        "data-place": "hand",
        vars: { "--n": Math.max(hand.length, 1), "--row": rowLength(hand.length) },
      },
      order.map((key) =>
        this.card(key, pairs.get(key) ?? "", {
          asked: playing,
          picked: passing ? this.aside.includes(key) : undefined,
          fresh: pairs.get(key) === fresh && !pairs.has(next(key)),
          "data-drag": past ? null : key,
          "data-piece": `${this.deal}-${key}`,
          "data-travels": true,
          "data-from": this.cameFrom(),
        }),
      ),
      hand.length === 0 && el("p", { class: "none" }, "Your hand is empty."),
    );
  }

  /** The type of the card that came into one's hand last in this turn, if all may know it. */
  get fresh() {
    const { now } = this.view;
    const deed = now.deeds[now.deeds.length - 1];
    if (!deed || now.seat !== this.now.you) return null;
    if (deed.kind === "harvest") return deed.card;
    if (deed.result === "take") return deed.shown[0];
    return deed.result === "swap" ? deed.shown[1] : null;
  }

  /** The turn after which one has drawn this hand: its order is kept until the next. */
  get deal() {
    const { number, now } = this.view;
    const count = this.now.seats.length;
    const ago = (now.seat - (this.now.you ?? 0) + count) % count || count;
    return Math.max(0, number - ago);
  }

  /** Where a card that is new in one's hand came from. */
  cameFrom() {
    const { now } = this.view;
    const deed = now.deeds[now.deeds.length - 1];
    if (!deed || (now.seat === this.now.you && deed.kind === "draw")) return "deck";
    if (deed.kind === "harvest" || deed.card === "rhubarb") return "row";
    if (deed.card === "eggplant") {
      const { you, seats } = this.now;
      return this.placeOf(((you ?? 0) - 1 + seats.length) % seats.length);
    }
    return this.placeOf(now.seat === this.now.you ? (deed.seat_to ?? now.seat) : now.seat);
  }

  /** @param {number} seat */
  placeOf(seat) {
    return seat === this.now.you ? "hand" : `seat-${seat}`;
  }

  // -- cards ---------------------------------------------------------------------------------------

  /**
   * A card one can choose, or read.
   *
   * @param {string} key
   * @param {string} card
   * @param {{asked?: boolean, picked?: boolean, note?: string, many?: number, fresh?: boolean} & Record<string, any>} [options]
   *   `asked`: whether such a card is what is asked for now; `many`: how many of it there are
   */
  card(key, card, { asked = false, picked = undefined, note = "", many = 1, fresh = false, ...attributes } = {}) {
    const action = asked ? this.actionOf(key) : null;
    const legal = action !== null && this.legal(action) !== null;
    const why = asked && !legal ? this.whyNot(card) : null;
    const chosen = picked ?? this.at === key;
    const { name, short, long } = CARDS[card];
    return el(
      "button",
      {
        type: "button",
        class: ["card", "veg", legal && "on", asked && !legal && "off", fresh && "fresh", chosen && "picked"].filter(Boolean).join(" "),
        "data-veg": card,
        "data-key": key,
        "aria-label": [name, note, fresh && "new", legal && "can be chosen", why && lower(why)].filter(Boolean).join(", "),
        "aria-pressed": picked === undefined && this.chosen === null ? null : String(chosen),
        "aria-disabled": legal || picked !== undefined ? null : "true",
        title: long,
        ...attributes,
      },
      face(name, card, short),
      many > 1 && el("span", { class: "many" }, `×${many}`),
    );
  }

  /** Whether the text of a card can be read on it. @param {string} key */
  readable(key) {
    const text = this.querySelector(`[data-key="${CSS.escape(key)}"] .text`);
    return text === null || getComputedStyle(text).display !== "none";
  }

  // -- choosing ------------------------------------------------------------------------------------

  /** What choosing this means now. @param {string} key @returns {any} an action, or null */
  actionOf(key) {
    const { phase } = this.view;
    const zone = zoneOf(key);
    if (zone === "row") return ROW[phase] ? { type: ROW[phase], card: cardOf(key) } : null;
    if (zone === "hand") return phase === "play" ? { type: "play", card: cardOf(key) } : null;
    if (zone === "pile") return { type: "pick", card: cardOf(key) };
    if (zone === "shown") return phase === "leek_take" ? { type: "take" } : { type: "pick", card: cardOf(key) };
    return { type: "target", seat: Number(key.split(":")[1]) };
  }

  /** @param {any} action */
  legal(action) {
    const wanted = JSON.stringify(action);
    return this.move((other) => JSON.stringify(other) === wanted);
  }

  /** Equal cards of a hand or row are counted: where there are fewer now, the others have the lower numbers. @param {string} key */
  alike(key) {
    const [type, number] = key.split(".");
    return Array.from({ length: Math.max(0, Number(number ?? 0) - 1) }, (_, n) => `${type}.${n + 1}`);
  }

  /** @param {string} key */
  pick(key) {
    const { moves, direct } = this.now;
    if (!moves) return this.read(key) ? undefined : this.refuse(this.waiting());
    if (this.view.phase === "eggplant_pass" && zoneOf(key) === "hand") return this.layAside(key);
    const action = this.actionOf(key);
    if (action === null || !this.legal(action)) {
      this.read(key);
      return this.refuse(this.reason(key) ?? this.hint());
    }
    if (this.chosen !== null && this.at === key) return direct ? this.choose(action) : this.clear();
    if (direct && this.readable(key)) return this.choose(action);
    this.at = key;
    this.chosen = action;
    return this.redraw();
  }

  /** Why it is not among the moves. A reason for a type is one for the hand, not for its like in the row. @param {string} key */
  reason(key) {
    if (zoneOf(key) === "hand") return this.whyNot(cardOf(key));
    return zoneOf(key) === "seat" ? this.whyNot(key) : null;
  }

  /** Show the text of a card that is too small to carry it. @param {string} key */
  read(key) {
    if (zoneOf(key) === "seat") return false;
    const small = !this.readable(key);
    this.at = small && this.at !== key ? key : "";
    this.chosen = null;
    this.redraw();
    return small;
  }

  /** @param {string} key */
  layAside(key) {
    const size = this.passSize;
    this.at = this.readable(key) ? "" : key;
    if (this.aside.includes(key)) this.aside = this.aside.filter((other) => other !== key);
    else if (this.aside.length < size) this.aside = [...this.aside, key];
    else {
      this.redraw();
      return this.refuse(`${capital(counted(size, "card is", "cards are"))} chosen already. Put one back first.`);
    }
    return this.redraw();
  }

  /** @param {string} piece @param {string} place */
  accepts(piece, place) {
    if (place === "hand" && zoneOf(piece) === "hand") return true;
    if (place === "tray") return !this.aside.includes(piece);
    const action = this.actionOf(piece);
    const wanted = zoneOf(piece) === "row" ? "hand" : "play";
    return this.now.moves !== null && place === wanted && action !== null && this.legal(action) !== null;
  }

  /** A card was dropped where it can be used. @param {string} piece */
  drop(piece) {
    if (!this.now.moves) return this.refuse(this.waiting());
    if (this.view.phase === "eggplant_pass") return this.layAside(piece);
    const action = this.actionOf(piece);
    if (action === null || !this.legal(action)) return this.refuse(this.reason(piece) ?? this.hint());
    this.at = this.now.direct ? "" : piece;
    return this.choose(action);
  }

  hint() {
    return HINTS[this.view.phase] ?? "";
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    if (this.view.chosen.length > 0) return "You have chosen. Take it back to choose other cards.";
    return `It is not your turn: ${inWords(this.now.seats.filter(({ pending }) => pending).map(({ name }) => name))} to play.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { view } = this;
    const { moves } = this.now;
    if (!moves)
      return view.chosen.length > 0 && view.phase === "eggplant_pass"
        ? { hint: "You may change your mind until all have chosen." }
        : {};
    if (this.chosen !== null) {
      const move = this.legal(this.chosen);
      return { label: move ? this.words(move.label) : "", action: this.chosen, clear: "Put back" };
    }
    if (view.phase === "eggplant_pass") return this.passDraft();
    if (view.phase === "play")
      return {
        label: "End your turn",
        action: { type: "done" },
        icon: "check",
        hint: moves.items.length > 1 ? this.hint() : "You can play no card.",
      };
    if (view.phase === "leek_take")
      return {
        label: `Take ${CARDS[view.revealed[0]].name}`,
        action: { type: "take" },
        more: [{ key: "leave", label: "Leave it", action: { type: "leave" } }],
      };
    if (view.phase.endsWith("_target"))
      return {
        hint: this.hint(),
        more: moves.items.map(({ action }) => ({ key: `seat-${action.seat}`, label: this.name(action.seat), action })),
      };
    return { hint: this.hint() };
  }

  passDraft() {
    const missing = this.passSize - this.aside.length;
    return {
      label: this.passSize === 1 ? "Pass this card" : "Pass these two",
      icon: "arrow",
      action: missing === 0 ? { type: "pass", cards: this.aside.map(cardOf) } : null,
      clear: this.aside.length > 0 ? "Clear" : undefined,
      hint: missing === 0 ? "You may change your mind until all have chosen." : `Choose ${counted(missing, this.aside.length > 0 ? "more card" : "card")}.`,
    };
  }

  // -- to look up ----------------------------------------------------------------------------------

  folds() {
    const { view } = this;
    const { you } = this.now;
    const open = view.discards;
    const pile = you === null ? [] : (open?.[you] ?? view.discard);
    return el(
      "div",
      { class: "folds", "data-key": "folds" },
      pile.length > 0 && fold("own-discards", "Your discard pile", chips([...pile].reverse())),
      open && fold("all-discards", "All piles", this.allPiles()),
      fold(
        "cards",
        "What the cards do",
        el(
          "dl",
          {},
          Object.entries(CARDS)
            .filter(([card]) => card !== "rhubarb" || view.rhubarb)
            .map(([card, { name, long }]) => el("div", {}, drawing(card), el("dt", {}, name), el("dd", {}, long))),
        ),
      ),
    );
  }

  /** All decks and discard piles, their top card first. */
  allPiles() {
    const { decks = [], discards = [] } = this.view;
    return this.now.seats.map(({ index, name }) => [
      el("p", {}, `${name}, deck`),
      chips([...decks[index]].reverse()),
      el("p", {}, `${name}, discard pile`),
      chips([...discards[index]].reverse()),
    ]);
  }

  scoreName() {
    return "Artichokes left";
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    const sizes = now.view.hand_sizes.map(
      (/** @type {number} */ size, /** @type {number} */ seat) =>
        size + now.view.deck_sizes[seat] + now.view.discard_sizes[seat],
    );
    return [{ title: "Cards", cells: sizes.map(String) }];
  }
}

// -- keys ------------------------------------------------------------------------------------------

/** Cards of one type have no names: a key counts them. @param {string} zone @param {string[]} cards @returns {[string, string][]} */
function keyed(zone, cards) {
  /** @type {Record<string, number>} */
  const seen = {};
  return cards.map((card) => {
    seen[card] = (seen[card] ?? 0) + 1;
    return [`${zone}:${card}.${seen[card]}`, card];
  });
}

/** @param {string} key "hand:beet.2" -> "hand" */
function zoneOf(key) {
  return key.split(":")[0];
}

/** @param {string} key "hand:beet.2" -> "beet" */
function cardOf(key) {
  return key.split(":")[1].split(".")[0];
}

/** @param {string} key "hand:beet.2" -> "hand:beet.3" */
function next(key) {
  const [type, number] = key.split(".");
  return `${type}.${Number(number) + 1}`;
}

// -- pictures --------------------------------------------------------------------------------------

/** @param {string} name @param {string} card @param {string} short */
function face(name, card, short) {
  return [
    el("span", { class: "title", "aria-hidden": "true" }, name),
    drawing(card, { class: "art" }),
    el("span", { class: "text", "aria-hidden": "true" }, short),
  ];
}

/** A card that lies there. @param {string} card @param {Record<string, any>} [attributes] */
function image(card, { class: more = "", ...attributes } = {}) {
  const { name, short, long } = CARDS[card];
  return el(
    "span",
    { class: `card veg ${more}`.trim(), "data-veg": card, role: "img", "aria-label": name, title: long, ...attributes },
    face(name, card, short),
  );
}

function back() {
  return el("span", { class: "card back", "aria-hidden": "true" });
}

function hole() {
  return el("span", { class: "card-hole", "aria-hidden": "true" });
}

/** @param {string | null} card a card in passing, no larger than a word */
function mini(card) {
  const name = CARDS[card ?? ""].name;
  return el("span", { class: "mini", role: "img", "aria-label": name, title: name }, drawing(card ?? ""));
}

/** @param {string} card a card inside a sentence */
function chip(card) {
  return el("span", { class: "in-veg" }, drawing(card), CARDS[card].name);
}

/** @param {string[]} cards */
function chips(cards) {
  return el("p", { class: "chips" }, cards.length > 0 ? cards.map((card) => [chip(card), " "]) : "none");
}

/** @param {string} card @param {number} many @param {string} words */
function count(card, many, words) {
  return el("span", { class: "count", title: `${many} ${words}` }, drawing(card), many, el("span", { class: "sr" }, ` ${words}`));
}

/** @param {string} text what a number counts; on a narrow board it is only heard */
function label(text) {
  return el("span", { class: "unit" }, text);
}

/** @param {string} key @param {string} title @param {any} content */
function fold(key, title, content) {
  return el("details", { "data-key": key }, el("summary", {}, title), content);
}

/** @param {string} text "You need it." -> "you need it" */
function lower(text) {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
}

customElements.define("abandonallartichokes-board", ArtichokesBoard);
