/** The board of dnup: a place with a set for everybody, the piles, and a hand of two-way cards. */

import { GameBoard } from "../kit/board.js";
import { hand } from "../kit/cards.js";
import { el, icon, render } from "../kit/dom.js";
import { Drag } from "../kit/drag.js";
import { fold, pastTable } from "../kit/folds.js";
import { HandOrder } from "../kit/hand.js";
import { counted, inWords } from "../kit/messages.js";
import { turnRound } from "../kit/motion.js";

const IN_ONE_ROW = 9; // cards of a hand on a phone where five play; more take two rows
const COUNTS = ["no", "a single", "a pair of", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const UNCLEAR = new Set([6, 9]); // read either way up: underlined

/** @typedef {{id: string, up: number, down: number}} Card the value it shows, and the one it hides */
/** @typedef {{owner: number, area: number, value: number, cards: Card[]}} Laid */
/**
 * @typedef {object} Did
 * @property {number} seat
 * @property {"play" | "add" | "take" | "rotate"} kind
 * @property {string[]} cards
 * @property {number | null} owner
 * @property {number} area
 * @property {number[]} beaten seats
 */
/**
 * @typedef {object} DnupView
 * @property {"action" | "over"} phase
 * @property {boolean} duel
 * @property {number} target
 * @property {number | null} hand_limit
 * @property {number} round
 * @property {number} actions
 * @property {number | null} turn
 * @property {number} area
 * @property {number} starter
 * @property {string} starred
 * @property {number[]} points
 * @property {number[]} out
 * @property {number[]} hand_sizes
 * @property {Card[]} hand
 * @property {string[]} came own cards that came since the turn before
 * @property {Laid[]} sets
 * @property {Card[]} discard
 * @property {number} aside
 * @property {Did | null} last
 * @property {(Did | null)[]} did by seat
 * @property {{gains: number[], void: boolean}[]} rounds that are over
 * @property {Card[][]} [hands] by seat, when all is open
 * @property {Card[]} [aside_cards] when all is open
 */

class DnupBoard extends GameBoard {
  constructor() {
    super();
    /** @type {string[]} own cards that are chosen; all show one value */
    this.picked = [];
    /** @type {Laid | null} the set that is to be taken */
    this.aim = null;
    /** @type {Map<string, number>} by card: the value it showed when it was drawn last */
    this.showed = new Map();
    this.order = new HandOrder(() => this.redraw());
    new Drag(
      this,
      ({ piece, place, before }) => this.dropped(piece, place, before),
      (_piece, place) => place === "hand" || this.now.moves !== null,
    );
    this.addEventListener("keydown", (event) => this.now.past || this.order.onKey(this, event));
  }

  /** @returns {DnupView} */
  get view() {
    return this.now.view;
  }

  forget() {
    super.forget();
    this.picked = [];
    this.aim = null;
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.round, now.view.actions];
  }

  redraw() {
    super.redraw();
    if (!this.now) return;
    const turned = [];
    const cards = /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-piece][data-up]"));
    for (const node of cards) {
      const piece = node.dataset.piece ?? "";
      const up = Number(node.dataset.up);
      if ((this.showed.get(piece) ?? up) !== up) turned.push(node.firstElementChild);
      this.showed.set(piece, up);
    }
    turnRound(this, /** @type {Element[]} */ (turned.filter(Boolean)));
  }

  draw() {
    const { seats, you } = this.now;
    const first = you ?? -1;
    const others = seats.map((_, n) => (first + 1 + n) % seats.length).filter((seat) => seat !== you);
    render(
      this,
      el(
        "div",
        { class: "felt dnup", "data-open": this.view.hands !== undefined },
        el(
          "div",
          {
            class: "table",
            role: "group",
            "aria-label": "On the table",
            "data-key": "table",
            "data-roving": true,
          },
          el(
            "div",
            { class: "zones", "data-key": "zones", "data-still": true, vars: { "--zones": others.length } },
            others.map((seat) => this.zone(seat)),
          ),
          this.middle(),
        ),
        you !== null && this.ownHand(),
        this.below(),
      ),
    );
  }

  // -- everybody's place ---------------------------------------------------------------------------

  /** @param {number} seat */
  name(seat) {
    return this.now.seats[seat].name;
  }

  /** @param {number} seat */
  who(seat) {
    return seat === this.now.you ? "You" : this.name(seat);
  }

  /** @returns {number[]} the areas of everybody */
  get areas() {
    return this.view.duel ? [1, 2] : [1];
  }

  /** @param {number} seat @param {number} area @returns {Laid | undefined} */
  setOf(seat, area) {
    return this.view.sets.find((laid) => laid.owner === seat && laid.area === area);
  }

  /** The place of another: who it is, the set, and what it did. @param {number} seat */
  zone(seat) {
    const open = [...(this.view.hands?.[seat] ?? [])].sort(byValue);
    return el(
      "div",
      {
        class: "zone",
        role: "group",
        "aria-label": this.name(seat),
        "data-key": `zone-${seat}`,
        "data-still": true,
      },
      this.plate(seat),
      el(
        "div",
        { class: "spots", "data-key": "spots", "data-still": true },
        this.areas.map((area) => this.spot(seat, area)),
      ),
      open.length > 0 &&
        el(
          "div",
          { class: "open", role: "group", "data-key": "open", "data-still": true, "aria-label": `Hand of ${this.name(seat)}` },
          open.map((card) =>
            el(
              "span",
              { class: "card two", role: "img", "aria-label": cardWords(card), "data-piece": card.id },
              this.face(card),
            ),
          ),
        ),
    );
  }

  /** @param {number} seat */
  plate(seat) {
    const { view } = this;
    const place = view.out.indexOf(seat);
    const points = view.duel ? counted(view.points[seat], "win") : counted(view.points[seat], "point");
    return el(
      "div",
      {
        class: "place",
        "data-key": "plate",
        "data-still": true,
        "data-place": seat,
        "data-turn": this.now.seats[seat].pending,
      },
      el("b", {}, icon(`seat-${seat}`, { class: "solid" }), el("span", { class: "name" }, this.name(seat))),
      el(
        "span",
        { class: "facts" },
        el(
          "span",
          {},
          place < 0
            ? counted(view.hand_sizes[seat], "card")
            : view.duel
              ? "out"
              : ["out first", "out second"][place],
        ),
        el("span", {}, points),
      ),
      el(
        "span",
        { class: "did", "data-last": view.last?.seat === seat || this.lostSet(seat) },
        this.deed(seat),
      ),
    );
  }

  /** Whether the last action of another has beaten the set of a seat. @param {number} seat */
  lostSet(seat) {
    const { last } = this.view;
    return last !== null && last.seat !== seat && last.beaten.includes(seat);
  }

  /** What a seat did last in this round, in few words. @param {number} seat */
  deed(seat) {
    const did = this.view.did[seat];
    if (this.lostSet(seat)) return this.view.out.includes(seat) ? "lost the set" : "took the set back";
    if (!did) return seat === this.view.starter ? "begins" : "";
    if (did.kind === "rotate") return "turned the hand";
    const whose = did.owner === this.now.you ? "your set" : this.name(did.owner ?? seat);
    if (did.kind === "take") return did.owner === this.now.you ? "took your set" : `took the set of ${whose}`;
    if (did.kind === "add") return `added to ${whose}`;
    return `played ${counted(did.cards.length, "card")}`;
  }

  /** Where the set of a seat lies, or may lie. @param {number} seat @param {number} area */
  spot(seat, area) {
    const laid = this.setOf(seat, area);
    const key = `set-${seat}-${area}`;
    if (!laid)
      return el(
        "div",
        { class: "spot empty", "data-key": `empty-${seat}-${area}`, "data-still": true },
        el("span", { class: "gap" }, this.view.duel ? `area ${area}` : "no set"),
      );
    const mine = seat === this.now.you;
    const asked = this.now.moves !== null && !mine;
    const state = asked ? this.offer(laid) : { word: "", can: false, why: "" };
    const aimed = this.aim !== null && this.aim.owner === seat && this.aim.area === area;
    const adds = state.can && this.picked.length > 0;
    const tag = this.now.you === null || this.now.past || mine ? "div" : "button";
    return el(
      tag,
      {
        class: ["spot", state.can && "can", adds && "adds", aimed && "aimed"].filter(Boolean).join(" "),
        "data-key": key,
        "data-drop": asked ? key : null,
        "data-still": tag === "div",
        type: tag === "button" ? "button" : null,
        role: tag === "button" ? null : "img",
        "aria-label": [
          `${mine ? "Your set" : `Set of ${this.name(seat)}`}: ${setWords(laid.cards.length, laid.value)}`,
          laid.cards.map(cardWords).join("; "),
          state.word || lowerFirst(state.why),
        ]
          .filter(Boolean)
          .join(", "),
        "aria-pressed": tag === "button" && asked && this.picked.length === 0 ? String(aimed) : null,
        "aria-disabled": tag === "button" && !state.can ? "true" : null,
        title: state.why || null,
      },
      el(
        "span",
        { class: "cards", vars: { "--in-set": laid.cards.length } },
        laid.cards.map((card) => this.lying(card, laid)),
      ),
      el("span", { class: "word" }, aimed ? "chosen" : state.word),
    );
  }

  /** A card of a set. @param {Card} card @param {Laid} laid */
  lying(card, laid) {
    const { last } = this.view;
    const fresh = last !== null && last.kind !== "take" && last.cards.includes(card.id);
    return el(
      "span",
      {
        class: ["card", "two", fresh && "fresh"].filter(Boolean).join(" "),
        "data-piece": card.id,
        "data-up": card.up,
        "data-travels": true,
        "data-from": fresh ? last.seat : laid.owner,
      },
      this.face(card),
    );
  }

  /** What can be done now with the set of another. @param {Laid} laid @returns {{word: string, can: boolean, why: string}} */
  offer(laid) {
    const place = `${laid.owner}:${laid.area}`;
    if (this.picked.length > 1) return { word: "", can: false, why: "Cards are added one at a time." };
    const [card] = this.chosenCards();
    if (card) {
      if (card.up !== laid.value)
        return { word: "", can: false, why: `Only a card that shows ${laid.value} can be added here.` };
      const why = this.whyNot(`add:${place}`);
      return why === null ? { word: "add here", can: true, why: "" } : { word: "", can: false, why };
    }
    const why = this.whyNot(`take:${place}`);
    return why === null ? { word: "take", can: true, why: "" } : { word: "", can: false, why };
  }

  // -- the middle: the piles, and one's own set ----------------------------------------------------

  middle() {
    const { view } = this;
    const top = view.discard[view.discard.length - 1];
    return el(
      "div",
      { class: "middle", "data-key": "middle", "data-still": true },
      el(
        "div",
        { class: "pile", "data-key": "discard", "data-still": true },
        top
          ? el(
              "span",
              {
                class: "card two off",
                role: "img",
                "aria-label": `Discard pile, ${counted(view.discard.length, "card")}; on top: ${cardWords(top)}`,
                "data-key": top.id,
                "data-still": true,
                "data-piece": top.id,
                "data-up": top.up,
                "data-travels": true,
              },
              this.face(top),
            )
          : el("span", { class: "gap", "data-key": "none", "data-still": true }),
        el("span", { class: "caption" }, el("b", {}, view.discard.length), " discarded"),
      ),
      this.now.you === null ? null : this.ownPlace(this.now.you),
      el(
        "div",
        { class: "pile", "data-key": "aside", "data-still": true },
        view.aside > 0 && [
          el("span", {
            class: "card back",
            role: "img",
            "aria-label": `${counted(view.aside, "card")} out of this round, face down`,
          }),
          el("span", { class: "caption" }, el("b", {}, view.aside), " left out"),
        ],
      ),
    );
  }

  /** @param {number} you */
  ownPlace(you) {
    return el(
      "div",
      { class: "own", "data-key": "own", "data-still": true, "data-place": you },
      el(
        "div",
        { class: "spots", "data-key": "spots", "data-still": true },
        this.areas.map((area) => (this.setOf(you, area) ? this.spot(you, area) : this.ownSlot(you, area))),
      ),
    );
  }

  /** Where one's own set would go. @param {number} you @param {number} area */
  ownSlot(you, area) {
    const { view } = this;
    const open = this.now.moves !== null && !this.now.past && view.area === area;
    const name = view.duel ? `area ${area}` : "your set";
    if (!open)
      return el(
        "div",
        { class: "spot empty", "data-key": `empty-${you}-${area}`, "data-still": true },
        el("span", { class: "gap" }, name),
      );
    const play = this.playNow();
    const can = play !== null && play.why === null;
    return el(
      "button",
      {
        type: "button",
        class: ["spot empty", can ? "can" : ""].join(" ").trim(),
        "data-key": "own-slot",
        "data-drop": "own-slot",
        "aria-label": can
          ? `Play ${play?.words} here`
          : `Place of your set${view.duel ? `, area ${area}` : ""}: choose cards first`,
        "aria-disabled": can ? null : "true",
      },
      el("span", { class: "slot" }, can ? "play here" : name),
    );
  }

  // -- one's own hand ------------------------------------------------------------------------------

  ownHand() {
    const { view } = this;
    const { moves, past } = this.now;
    const held = view.hands?.[this.now.you ?? 0] ?? view.hand;
    const sorted = [...held].sort(byValue);
    const ids = sorted.map(({ id }) => id);
    const inOrder = past ? ids : this.order.arrange(ids, this.now.table, view.round);
    const cards = new Map(held.map((card) => [card.id, card]));
    const usable = this.usable();
    const fresh = new Set(view.came);
    const node = hand(
      `Your hand, ${counted(ids.length, "card")}`,
      inOrder.map((id) => {
        const card = /** @type {Card} */ (cards.get(id));
        const legal = usable.has(card.up);
        const why = moves && !legal ? this.whyNot(`play:1:${card.up}`) : null;
        const picked = this.picked.includes(id);
        return el(
          "button",
          {
            type: "button",
            class: [
              "card two",
              legal && "on",
              why !== null && "off",
              picked && "picked",
              fresh.has(id) && "fresh",
            ]
              .filter(Boolean)
              .join(" "),
            "data-key": id,
            "data-piece": id,
            "data-up": card.up,
            "data-travels": true,
            "data-drag": past ? null : id,
            "aria-label": [
              cardWords(card),
              card.id === view.starred && "the starred card",
              fresh.has(id) && "new",
              legal && "playable",
              why !== null && lowerFirst(why),
            ]
              .filter(Boolean)
              .join(", "),
            "aria-pressed": moves ? String(picked) : null,
            "aria-disabled": moves && why === null ? null : "true",
            title: why,
          },
          this.face(card),
        );
      }),
      { "data-drop": "hand" },
    );
    if (this.now.seats.length === 5 && ids.length > 7) // two rows of sets stand above it on a phone
      node.style.setProperty("--row", String(ids.length <= IN_ONE_ROW ? ids.length : Math.ceil(ids.length / 2)));
    return node;
  }

  /** The values that can be played or added now: by what is refused, since of many moves not all are listed. @returns {Set<number>} */
  usable() {
    if (!this.now.moves) return new Set();
    const held = this.view.hand.map(({ up }) => up);
    const others = this.view.sets.filter(({ owner }) => owner !== this.now.you);
    const plays = (/** @type {number} */ value) =>
      held.filter((other) => other === value).some((_, n) => this.whyNot(`play:${n + 1}:${value}`) === null);
    const adds = (/** @type {number} */ value) =>
      others.some((laid) => laid.value === value && this.whyNot(`add:${laid.owner}:${laid.area}`) === null);
    return new Set(held.filter((value) => plays(value) || adds(value)));
  }

  /** The face of a card: the value it shows large, the other one upside down. @param {Card} card */
  face({ id, up, down }) {
    return el(
      "span",
      { class: "face", "aria-hidden": "true" },
      el("span", { class: "up", "data-wide": up > 9, "data-unclear": UNCLEAR.has(up) }, up),
      id === this.view.starred && icon("seat-4", { class: "star" }),
      el("span", { class: "down", "data-unclear": UNCLEAR.has(down) }, down),
    );
  }

  // -- choosing ------------------------------------------------------------------------------------

  /** @returns {Card[]} */
  chosenCards() {
    return this.view.hand.filter(({ id }) => this.picked.includes(id));
  }

  /** The set of the chosen cards, and why it cannot be played. @returns {{words: string, why: string | null, action: any} | null} */
  playNow() {
    const cards = this.chosenCards();
    if (cards.length === 0) return null;
    return {
      words: setWords(cards.length, cards[0].up),
      why: this.whyNot(`play:${cards.length}:${cards[0].up}`),
      action: { type: "play", cards: cards.map(({ id }) => id) },
    };
  }

  /** @param {string} key */
  pick(key) {
    if (!this.now.moves) return this.refuse(this.waiting());
    if (key === "own-slot") return this.playPicked();
    const [kind, seat, area] = key.split("-");
    if (kind === "set") return this.pickSet(Number(seat), Number(area));
    return this.pickCard(key);
  }

  /** @param {string} id */
  pickCard(id) {
    const card = this.view.hand.find((other) => other.id === id);
    if (!card) return;
    this.aim = null;
    this.chosen = null;
    if (this.picked.includes(id)) {
      this.picked = this.picked.filter((other) => other !== id);
    } else {
      const same = this.chosenCards().every(({ up }) => up === card.up);
      const why = this.usable().has(card.up) ? null : this.whyNot(`play:1:${card.up}`);
      if (why !== null) {
        this.refuse(why);
        return;
      }
      this.picked = same ? [...this.picked, id] : [id];
    }
    this.redraw();
  }

  /** Add the chosen card to the set of another, or choose to take the set. @param {number} seat @param {number} area */
  pickSet(seat, area) {
    const laid = this.setOf(seat, area);
    if (!laid) return;
    const { can, why } = this.offer(laid);
    if (!can) {
      this.refuse(why);
      return;
    }
    if (this.picked.length > 0) {
      this.choose({ type: "add", card: this.picked[0], seat, area });
      return;
    }
    const again = this.aim !== null && this.aim.owner === seat && this.aim.area === area;
    this.aim = again ? null : laid;
    this.redraw();
  }

  playPicked() {
    const play = this.playNow();
    if (play === null) return this.refuse("Choose cards that show one value first.");
    return play.why === null ? this.choose(play.action) : this.refuse(play.why);
  }

  /** @param {string} piece @param {string} place @param {string | null} before */
  dropped(piece, place, before) {
    if (place === "hand") {
      this.order.move(piece, before);
      return;
    }
    if (!this.now.moves) {
      this.refuse(this.waiting());
      return;
    }
    this.aim = null;
    if (place !== "own-slot" || !this.picked.includes(piece)) this.picked = [piece];
    const [, seat, area] = place.split("-");
    if (place === "own-slot") this.playPicked();
    else this.pickSet(Number(seat), Number(area));
    this.redraw();
  }

  /** @param {string} key */
  press(key) {
    if (key === "sort") this.order.set([...this.view.hand].sort(byValue).map(({ id }) => id));
    else super.press(key);
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    const asked = this.now.seats.filter(({ pending }) => pending).map(({ name }) => name);
    return `It is not your turn: ${inWords(asked)} to act.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { moves } = this.now;
    if (!moves) return {};
    const more = [
      { key: "rotate", label: "Turn hand", icon: "swap", action: { type: "rotate" } },
      { key: "sort", label: "Sort", icon: "options" },
    ];
    if (this.chosen !== null) {
      const { card, seat } = this.chosen;
      if (this.chosen.type === "add") {
        const face = this.view.hand.find(({ id }) => id === card);
        const label = `Add ${face?.up} to the set of ${this.name(seat)}`;
        return { label, action: this.chosen, clear: "Put back" };
      }
    }
    if (this.aim !== null) {
      const { owner, area, cards, value } = this.aim;
      return {
        label: `Take ${setWords(cards.length, value)} from ${this.name(owner)}`,
        action: { type: "take", seat: owner, area },
        clear: "Leave it",
        hint: `Turned round you get ${inWords(cards.map(({ up, down }) => `${down}/${up}`))}.`,
      };
    }
    const play = this.playNow();
    if (play !== null) {
      const open = this.view.sets.filter((laid) => laid.owner !== this.now.you && this.offer(laid).can);
      if (play.why !== null && open.length === 1) {
        const { owner, area, value } = open[0];
        return {
          label: `Add ${value} to the set of ${this.name(owner)}`,
          action: { type: "add", card: this.picked[0], seat: owner, area },
          clear: "Put back",
        };
      }
      const names = [...new Set(open.map(({ owner }) => this.name(owner)))].join(" or ");
      return {
        label: `Play ${play.words}`,
        action: play.why === null ? play.action : null,
        clear: "Put back",
        hint: [play.why, names && `${play.why ? "Choose" : "Or choose"} the set of ${names} to add it there.`]
          .filter(Boolean)
          .join(" "),
      };
    }
    return { label: "Play", action: null, more, hint: "Choose cards that show one value." };
  }

  // -- below ---------------------------------------------------------------------------------------

  /** What was discarded, and the rounds that are over. */
  below() {
    const { view } = this;
    const limit = view.hand_limit === null ? "No hand limit" : `Hand limit ${view.hand_limit}`;
    const goal = view.duel ? "two rounds win" : `${counted(view.target, "point")} win`;
    return el(
      "div",
      { class: "below", "data-key": "below" },
      el("p", { "data-key": "terms" }, `${limit}; ${goal}.`),
      view.discard.length > 0 &&
        fold(
          "discarded",
          "Discard pile",
          el(
            "p",
            { class: "chips" },
            [...view.discard].sort(byValue).map((card) => chip(card)),
          ),
        ),
      view.aside_cards &&
        view.aside_cards.length > 0 &&
        fold(
          "left-out",
          "Cards left out",
          el(
            "p",
            { class: "chips" },
            view.aside_cards.map((card) => chip(card)),
          ),
        ),
      view.rounds.length > 0 && fold("scores", "Past rounds", this.pastRounds()),
    );
  }

  pastRounds() {
    return pastTable(
      "Round",
      this.now.seats.map(({ name }) => name),
      this.view.rounds.map((round, n) => ({
        title: [n + 1, round.void && " (void)"],
        cells: round.gains.map(gained),
      })),
    );
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    return now.view.rounds
      .map((/** @type {{gains: number[]}} */ round, /** @type {number} */ n) => ({
        title: `Round ${n + 1}`,
        cells: round.gains.map(gained),
      }))
      .slice(-2);
  }
}

/** @param {Card} card */
function cardWords({ up, down }) {
  return `${up}, ${down} when turned`;
}

/** @param {Card} card a card inside a line */
function chip({ up, down }) {
  return el("span", { class: "in-card" }, `${up}/${down}`);
}

/** @param {number} size @param {number} value "a pair of 6s" */
function setWords(size, value) {
  return `${COUNTS[size]} ${value}${size > 1 ? "s" : ""}`;
}

/** @param {Card} a @param {Card} b */
function byValue(a, b) {
  return a.up - b.up || a.down - b.down || a.id.localeCompare(b.id);
}

/** @param {number} gain */
function gained(gain) {
  return gain > 0 ? `+${gain}` : "0";
}

/** @param {string} text "You must follow clubs." -> "you must follow clubs" */
function lowerFirst(text) {
  const bare = text.replace(/\.$/, "");
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

customElements.define("dnup-board", DnupBoard);
