/** The board of Verso: the other tableaus, the pile between, one's own tableau with a place for every card. */

import { GameBoard } from "../kit/board.js";
import { el, icon, render } from "../kit/dom.js";
import { capital, counted, inWords } from "../kit/messages.js";

const COLOURS = /** @type {const} */ (["B", "G", "O"]);
const NAMES = /** @type {Record<string, string>} */ ({ B: "blue", G: "green", O: "orange" });
const PLACES = ["1", "2", "3", "4", "5", "6", "J"];
const SQUARE_SIDE = 3;

/** Drawn at 24 by 24: a drop, a leaf, a sun; the joker's cap; an arrow that turns over. */
const DRAWN = /** @type {Record<string, string>} */ ({
  B: "M12 2c4.5 6 7 9.300 7 12.700a7 7 0 0 1-14 0C5 11.300 7.500 8 12 2z",
  G: "M20.500 3.500C9 3 3.500 8 3.500 14.500c0 1.400.300 2.600.800 3.600L2.500 20l1.500 1.500 2.200-2.100c1 .500 2 .700 3.300.700C16 20.100 21 15 20.500 3.500z",
  O: "M12 1l2.300 4.600 4.900-1.700-1.700 4.900L22.500 11l-5 2.300 1.700 4.900-4.900-1.700L12 21.500l-2.300-5-4.900 1.700 1.700-4.900L1.500 11l5-2.200-1.700-4.900 4.900 1.700z",
  J: "M3 19.500h18V22H3zM3.200 17.500 1.500 7a2 2 0 1 1 2.700-.400l3.800 3.200L11 4.700a2 2 0 1 1 2 0l3 5.100 3.800-3.200a2 2 0 1 1 2.700.400l-1.700 10.500z",
  turn: "M12 5a7 7 0 0 1 6.700 5H21.500l-4 5-4-5h2.900A4.800 4.800 0 0 0 8 9.400L6.300 7.700A7 7 0 0 1 12 5zM6.500 9l4 5H7.600a4.800 4.800 0 0 0 8.400.600l1.700 1.700A7 7 0 0 1 5.300 14H2.500z",
});

/** @typedef {{face: string, points: number, id: number, back: [string, number] | null}} Face a card as it lies there */
/**
 * @typedef {object} VersoView
 * @property {"turn" | "final" | "over"} phase
 * @property {number | null} active
 * @property {number} turn
 * @property {number} pile cards in it
 * @property {Face | null} top
 * @property {Face[][]} tableaus by seat
 * @property {boolean[]} squares by seat
 * @property {number[]} scores by seat
 * @property {Face[]} discards
 * @property {boolean[]} answered by seat, the final series
 * @property {({cards: string[], joker_as: number | null} | null)[]} answers by seat, as far as one may see them
 * @property {{seat: number, kind: string, ids: number[], gained: number[], opponent: string[]}} last
 * @property {[number, number][]} levels alone: points and the level they reach, the highest first
 * @property {number | null} level alone
 * @property {Face[]} left_out when all is open
 */

class VersoBoard extends GameBoard {
  constructor() {
    super();
    /** @type {string[]} faces of the own cards chosen for a series */
    this.picked = [];
    /** @type {number | null} */
    this.jokerAs = null;
    /** Why what is chosen is no series, once the server has said so. */
    this.reason = "";
  }

  /** @returns {VersoView} */
  get view() {
    return this.now.view;
  }

  forget() {
    super.forget();
    this.drop();
  }

  drop() {
    this.picked = [];
    this.jokerAs = null;
    this.reason = "";
  }

  /** @param {import("../kit/board.js").Situation} now */
  questionOf(now) {
    return [now.view.turn, now.view.phase, now.moves === null];
  }

  draw() {
    const { you, seats } = this.now;
    const count = seats.length;
    const first = you === null ? 0 : you + 1;
    const others = Array.from({ length: count - (you === null ? 0 : 1) }, (_, n) => (first + n) % count);
    render(
      this,
      el(
        "div",
        { class: "felt verso", "data-others": others.length, "data-watching": you === null },
        others.length > 0 &&
          el(
            "ul",
            { class: "others", "aria-label": you === null ? "Tableaus" : "Other tableaus" },
            others.map((seat) => this.other(seat)),
          ),
        this.middle(),
        you !== null && this.own(you),
        this.folds(others),
      ),
    );
  }

  // -- the others --------------------------------------------------------------------------------

  /** @param {number} seat */
  who(seat) {
    return seat === this.now.you ? "You" : this.now.seats[seat].name;
  }

  /** Where `seat` sits, if it must turn a card over after one's own series. @param {number} seat */
  neighbour(seat) {
    const { you, seats } = this.now;
    if (you === null || seats.length < 3 || this.view.phase !== "turn") return "";
    if (seat === (you + 1) % seats.length) return "left of you";
    if (seat === (you - 1 + seats.length) % seats.length) return "right of you";
    return "";
  }

  /** Alone: the level reached and what the next one asks for. */
  level() {
    const { level, levels, scores } = this.view;
    if (level === null) return "";
    const next = [...levels].reverse().find(([least]) => least > scores[0]);
    return `level ${level}${next ? `; level ${next[1]} at ${next[0]}` : ""}`;
  }

  /** @param {number} seat */
  plate(seat) {
    const { view } = this;
    const gained = view.last.gained[seat] ?? 0;
    const facts = [
      this.neighbour(seat),
      view.squares[seat] && "square",
      view.phase === "final" && (view.answered[seat] ? "chosen" : "choosing"),
      this.level(),
    ].filter(Boolean);
    return el(
      "div",
      { class: "plate", "data-turn": this.now.seats[seat].pending },
      icon(`seat-${seat}`, { class: "solid" }),
      el("span", { class: "name" }, this.who(seat)),
      el("b", {}, view.scores[seat], el("span", { class: "sr" }, " points")),
      gained > 0 && el("span", { class: "gained" }, `+${gained}`),
      facts.length > 0 &&
        el(
          "span",
          {
            class: "facts",
            title: this.neighbour(seat) ? "Turns a card over when you have scored a series." : null,
          },
          facts.join(", "),
        ),
    );
  }

  /** @param {number} seat */
  other(seat) {
    const tableau = this.view.tableaus[seat];
    return el(
      "li",
      { class: "other", "data-key": `seat-${seat}` },
      this.plate(seat),
      el(
        "div",
        {
          class: "row",
          role: "img",
          "aria-label":
            `${this.who(seat)}: ${counted(tableau.length, "card")}. ` +
            tableau.map((card) => capital(this.named(card, seat))).join("; "),
        },
        COLOURS.map((colour) =>
          el(
            "span",
            { class: "few", "data-key": colour },
            tableau
              .filter(({ face }) => face[0] === colour)
              .map((card) => small(card, this.marks(card, seat))),
          ),
        ),
        tableau.length === 0 && el("span", { class: "none" }, "no cards yet"),
      ),
    );
  }

  /** Classes of a card of a tableau: touched by the last action, or in a final series one may see. @param {Face} card @param {number} seat */
  marks({ face, id }, seat) {
    const { last, answers, phase } = this.view;
    const answer = answers[seat];
    if (phase === "over" || answer) return answer?.cards.includes(face) ? "fresh" : "";
    return last.ids.includes(id) && id > 0 ? "fresh" : "";
  }

  /** @param {Face} card @param {number} seat "blue 3, 1 point, other side green 4, 3 points" */
  named(card, seat) {
    const { last, answers, phase } = this.view;
    const words = [faceName(card.face), counted(card.points, "point")];
    if (card.back) words.push(`other side ${faceName(card.back[0])}, ${counted(card.back[1], "point")}`);
    if (phase === "turn" && card.id > 0 && last.ids.includes(card.id)) words.push("just moved");
    if (answers[seat]?.cards.includes(card.face)) words.push("in the final series");
    return words.join(", ");
  }

  // -- the pile, what one can do with it, the discards ---------------------------------------------

  middle() {
    const { view } = this;
    return el(
      "div",
      { class: "middle", role: "group", "aria-label": "Pile", "data-key": "middle", "data-roving": true },
      view.phase === "turn" ? this.pile() : this.ended(),
      el("div", { class: "deeds", "data-key": "deeds", "data-still": true }, this.deeds()),
      this.discards(),
    );
  }

  pile() {
    const { moves } = this.now;
    const { top, pile } = this.view;
    if (!top) return null;
    const why = moves ? this.whyNot("draw") : null;
    const words = [
      `Top of the pile: ${faceName(top.face)}`,
      counted(top.points, "point"),
      counted(pile, "card"),
      why !== null && lower(why),
    ];
    return el(
      "div",
      {
        class: "stack",
        "data-key": "pile",
        "data-still": true,
        "data-place": "pile",
        "data-deep": Math.min(3, pile - 1),
      },
      el(
        "button",
        {
          type: "button",
          class: ["card", "face", moves && why === null && "on", why !== null && "off"]
            .filter(Boolean)
            .join(" "),
          "data-key": "take",
          "data-c": top.face[0],
          "data-piece": `c${top.id}`,
          "aria-label": words.filter(Boolean).join(", "),
          "aria-pressed": this.chosen?.type === "draw" ? String(!this.chosen.flip) : null,
          "aria-disabled": moves && why === null ? null : "true",
        },
        inside(top),
      ),
      el("span", { class: "count" }, `${pile} left`),
    );
  }

  ended() {
    return el(
      "div",
      { class: "stack", "data-key": "pile", "data-still": true },
      el("span", { class: "hole" }),
      el("span", { class: "count" }, "pile empty"),
    );
  }

  deeds() {
    const { moves } = this.now;
    const { view } = this;
    const choices = moves ? this.readings() : [];
    if (choices.length > 1) return this.jokers(choices);
    const why = moves ? this.whyNot("draw") : null;
    return [
      el("p", { class: "news", "data-key": "news", "data-still": true }, this.news()),
      moves &&
        view.phase === "turn" && [
          this.deed("take-it", `Take ${faceName(view.top?.face ?? "")}`, "", why),
          this.deed("flip", "Turn it over first", "turn", null),
        ],
      moves && view.phase === "final" && this.deed("pass", "Score no series", "", null),
    ];
  }

  /** @param {string} key @param {string} words @param {string} sign @param {string | null} why */
  deed(key, words, sign, why) {
    const wanted = { "take-it": false, flip: true }[key];
    const pressed =
      this.chosen && (key === "pass" ? this.chosen.type === "pass" : this.chosen.flip === wanted);
    return el(
      "button",
      {
        type: "button",
        class: "button deed",
        "data-key": key,
        "aria-disabled": why === null ? null : "true",
        "aria-pressed": this.chosen === null ? null : String(Boolean(pressed)),
        title: why,
      },
      sign === "turn" && sketch("turn"),
      words,
    );
  }

  /** @param {{action: any}[]} choices */
  jokers(choices) {
    return [
      el("p", { class: "news", "data-key": "joker", "data-still": true }, "The joker stands for"),
      el(
        "div",
        {
          class: "numbers",
          role: "group",
          "aria-label": "The joker stands for",
          "data-key": "numbers",
          "data-still": true,
        },
        choices.map(({ action }) =>
          el(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `as-${action.joker_as}`,
              "aria-pressed": String(this.jokerAs === action.joker_as),
            },
            action.joker_as,
          ),
        ),
      ),
    ];
  }

  /** What happened last, in short; the log has it in full. */
  news() {
    const { view } = this;
    const { last } = view;
    if (view.phase === "over") return "The final series are framed.";
    if (view.phase === "final") return "One last series each; it costs no card.";
    if (last.seat < 0) return "The first card lies open.";
    const who = this.who(last.seat);
    const [before, after] = last.opponent;
    const did = { draw: "took the card", flip: "turned the card over", series: "scored a series" }[last.kind];
    const gained = last.gained[last.seat] > 0 ? `, +${last.gained[last.seat]}` : "";
    return [
      `${who} ${did}${gained}. `,
      before && `The opponent: ${faceName(before)}, then ${faceName(after)}.`,
    ];
  }

  discards() {
    const { discards } = this.view;
    const top = discards[discards.length - 1];
    return el(
      "div",
      { class: "stack discards", "data-key": "discards", "data-still": true, "data-place": "discards" },
      top
        ? el(
            "span",
            {
              class: "card face",
              role: "img",
              "data-key": `d${top.id}`,
              "data-still": true,
              "data-c": top.face[0],
              "data-piece": top.id > 0 ? `c${top.id}` : null,
              "data-travels": top.id > 0,
              "data-from": "pile",
              "aria-label": `Top of the discards: ${this.named(top, -1)}`,
            },
            inside(top),
          )
        : el("span", { class: "hole" }),
      el("span", { class: "count" }, `${discards.length} discarded`),
    );
  }

  /** The known sides of the others' cards, all that was discarded, and in the end what was left out. @param {number[]} others */
  folds(others) {
    const { discards, left_out: left } = this.view;
    return el(
      "div",
      { class: "folds", "data-key": "folds" },
      this.knownSides(others),
      this.fold("all-discards", "All discards", discards),
      this.fold("left-out", "Cards left out", left),
    );
  }

  /** Both sides of the cards of others, where everybody has seen them: a small card has no room for both. @param {number[]} others */
  knownSides(others) {
    const known = others.map((seat) => ({ seat, cards: this.view.tableaus[seat].filter(({ back }) => back) }));
    const count = known.reduce((sum, { cards }) => sum + cards.length, 0);
    if (count === 0) return null;
    return el(
      "details",
      { "data-key": "known-sides" },
      el("summary", {}, `Known other sides (${count})`),
      known
        .filter(({ cards }) => cards.length > 0)
        .map(({ seat, cards }) =>
          el(
            "div",
            { class: "known", "data-key": `known-${seat}` },
            el("span", { class: "name" }, this.who(seat)),
            el(
              "ul",
              { class: "row" },
              cards.map((card) =>
                el(
                  "li",
                  { class: "sides", "data-key": card.face },
                  el("span", { class: "sr" }, this.named(card, seat)),
                  small({ ...card, back: null }, "", false),
                  sketch("turn"),
                  card.back && small({ ...card, face: card.back[0], points: card.back[1], back: null }, "", false),
                ),
              ),
            ),
          ),
        ),
    );
  }

  /** @param {string} key @param {string} title @param {Face[]} cards */
  fold(key, title, cards) {
    if (cards.length === 0) return null;
    const places = (/** @type {Face} */ { face }) =>
      COLOURS.findIndex((colour) => colour === face[0]) * 10 + PLACES.indexOf(face[1]);
    return el(
      "details",
      { "data-key": key },
      el("summary", {}, `${title} (${cards.length})`),
      el(
        "ul",
        { class: "row" },
        [...cards]
          .sort((a, b) => places(a) - places(b) || b.points - a.points)
          .map((card, n) =>
            el(
              "li",
              { "data-key": `${key}-${n}` },
              el("span", { class: "sr" }, this.named(card, -1)),
              small(card, "", false),
            ),
          ),
      ),
    );
  }

  // -- one's own tableau -----------------------------------------------------------------------------

  /** @param {number} seat */
  own(seat) {
    const { view } = this;
    const tableau = view.tableaus[seat];
    const legal = this.useful();
    return el(
      "section",
      { class: "own", "data-key": "own", "aria-label": "You" },
      this.plate(seat),
      el(
        "div",
        {
          class: "grid",
          role: "group",
          "data-roving": "grid",
          "data-key": "tableau",
          "aria-label": `Your tableau, ${counted(tableau.length, "card")}`,
        },
        COLOURS.map((colour, row) => [
          this.rowHead(colour, row, tableau),
          PLACES.map((place, column) => {
            const card = tableau.find(({ face }) => face === colour + place);
            return card
              ? this.ownCard(card, seat, legal, row, column)
              : el("span", {
                  class: "place",
                  "data-key": `none-${colour}${place}`,
                  "data-still": true,
                  "data-v": place,
                  "aria-hidden": "true",
                });
          }),
        ]),
      ),
    );
  }

  /** The colour of a row, how many cards it has, and its best series. @param {string} colour @param {number} row @param {Face[]} tableau */
  rowHead(colour, row, tableau) {
    const count = tableau.filter(({ face }) => face[0] === colour).length;
    const best = this.best(colour);
    const full = count === SQUARE_SIDE;
    if (!best)
      return el(
        "span",
        {
          class: "head",
          "data-c": colour,
          "data-key": `head-${colour}`,
          "data-still": true,
          "data-full": full,
          role: "img",
          "aria-label": counted(count, `${NAMES[colour]} card`),
          title: "A square is three cards of each colour.",
        },
        sketch(colour),
        el("span", {}, count),
      );
    return el(
      "button",
      {
        type: "button",
        class: "head",
        "data-c": colour,
        "data-key": `row-${colour}`,
        "data-row": row,
        "data-col": -1,
        "data-full": full,
        "aria-label": `${counted(count, `${NAMES[colour]} card`)}; choose the best series: ${counted(pointsOf(best), "point")}`,
        title: `Choose the best ${NAMES[colour]} series`,
      },
      sketch(colour),
      el("span", {}, count),
      el("b", {}, `+${pointsOf(best)}`),
    );
  }

  /** @param {Face} card @param {number} seat @param {Set<string>} legal @param {number} row @param {number} column */
  ownCard(card, seat, legal, row, column) {
    const { moves } = this.now;
    const picked = this.picked.includes(card.face);
    const can = moves !== null && legal.has(card.face);
    const why = moves ? this.whyNot(card.face) : null;
    const words = [
      capital(this.named(card, seat)),
      can && !picked && "goes into a series",
      why !== null && lower(why),
    ];
    return el(
      "button",
      {
        type: "button",
        class: [
          "card",
          "face",
          can && "on",
          moves && !can && "off",
          picked && "picked",
          this.marks(card, seat),
        ]
          .filter(Boolean)
          .join(" "),
        "data-key": `own-${card.face}`,
        "data-row": row,
        "data-col": column,
        "data-c": card.face[0],
        "data-piece": card.id > 0 ? `c${card.id}` : null,
        "data-travels": card.id > 0,
        "data-from": "pile",
        "aria-label": words.filter(Boolean).join(", "),
        "aria-pressed": moves && can ? String(picked) : null,
        "aria-disabled": can ? null : "true",
      },
      inside(card),
    );
  }

  // -- choosing a series -------------------------------------------------------------------------------

  /** All series among the moves, whole. */
  get series() {
    return this.now.moves?.items.filter(({ action }) => action.type === "series") ?? [];
  }

  /** The series that what is chosen may grow to. */
  growing() {
    return this.series.filter(({ action }) => this.picked.every((face) => action.cards.includes(face)));
  }

  /** Faces that go into a series with what is chosen; of the other colours, into one at all. */
  useful() {
    const colour = this.picked[0]?.[0];
    const all = this.series.filter(({ action }) => action.cards[0][0] !== colour);
    return new Set([...this.growing(), ...all].flatMap(({ action }) => action.cards));
  }

  /** The series of exactly the chosen cards: several where the joker has a choice. */
  readings() {
    if (this.picked.length === 0) return [];
    return this.growing().filter(({ action }) => action.cards.length === this.picked.length);
  }

  /** @param {string} colour the series of it that brings most; of equals the one with the fewest cards */
  best(colour) {
    const own = this.series.filter(({ action }) => action.cards[0][0] === colour);
    return own.reduce(
      (best, one) => (best === null || pointsOf(one) > pointsOf(best) ? one : best),
      /** @type {import("../kit/board.js").Move | null} */ (null),
    );
  }

  /** @param {string} key */
  pick(key) {
    const { moves } = this.now;
    if (!moves) return this.refuse(this.waiting());
    const [kind, thing] = key.split("-");
    if (kind === "take") return this.fetch(false);
    if (kind === "flip") return this.fetch(true);
    if (kind === "pass") return this.alone({ type: "pass" });
    if (kind === "as") return this.read(Number(thing));
    if (kind === "row") return this.pickBest(thing);
    return this.toggle(thing);
  }

  /** @param {any} action one that is no series */
  alone(action) {
    const again = JSON.stringify(this.chosen) === JSON.stringify(action);
    this.drop();
    return again && !this.now.direct ? this.clear() : this.choose(action);
  }

  /** @param {boolean} flip */
  fetch(flip) {
    const why = flip ? null : this.whyNot("draw");
    return why === null ? this.alone({ type: "draw", flip }) : this.refuse(why);
  }

  /** @param {number} value */
  read(value) {
    this.jokerAs = value;
    this.redraw();
  }

  /** @param {string} colour */
  pickBest(colour) {
    const best = this.best(colour);
    if (!best) return;
    const { cards, joker_as: value } = best.action;
    const chosen =
      this.picked.length === cards.length &&
      cards.every((/** @type {string} */ face) => this.picked.includes(face));
    this.forget();
    if (!chosen) {
      this.picked = [...cards];
      this.jokerAs = value;
    }
    this.redraw();
  }

  /** @param {string} face */
  toggle(face) {
    const why = this.whyNot(face);
    if (why !== null) return this.refuse(why);
    const before = this.picked[0]?.[0] === face[0] ? this.picked : [];
    const after = before.includes(face) ? before.filter((other) => other !== face) : [...before, face];
    this.forget();
    this.picked = after;
    const readings = this.readings();
    if (readings.length === 1) this.jokerAs = readings[0].action.joker_as;
    this.redraw();
    if (readings.length === 0 && after.length > 1) this.askWhy(after);
    return undefined;
  }

  /** Let the server say why these cards are no series yet. @param {string[]} cards */
  async askWhy(cards) {
    const joker = cards.some((face) => face[1] === "J");
    const numbers = cards.map((face) => Number(face[1])).filter(Boolean);
    // below the lowest, or above the highest where that is 1
    const value = joker ? Math.min(...numbers) - 1 || Math.max(...numbers) + 1 : null;
    const { ok, reason } = await this.check({ type: "series", cards, joker_as: value });
    if (ok || this.picked.join() !== cards.join()) return;
    this.reason = reason;
    this.redraw();
  }

  waiting() {
    if (this.now.status !== "playing") return "The game is over.";
    if (this.view.phase === "final") return "You have chosen. Take it back to choose something else.";
    return `It is not your turn: ${inWords(this.now.seats.filter(({ pending }) => pending).map(({ name }) => name))} to play.`;
  }

  /** @returns {import("../kit/board.js").Draft} */
  draftNow() {
    const { moves } = this.now;
    if (!moves)
      return this.view.phase === "final" && this.now.you !== null
        ? { hint: "You may change your mind until everybody has chosen." }
        : {};
    if (this.chosen) {
      const move = this.move((action) => JSON.stringify(action) === JSON.stringify(this.chosen));
      return { label: move ? this.words(move.label) : "Do it", action: this.chosen, clear: "Put back" };
    }
    if (this.picked.length > 0) return this.seriesDraft();
    return this.series.length > 0 ? { hint: "Or choose the cards of a series." } : {};
  }

  /** @returns {import("../kit/board.js").Draft} */
  seriesDraft() {
    const readings = this.readings();
    const move = readings.find(({ action }) => action.joker_as === this.jokerAs);
    if (move)
      return {
        label: `Score ${counted(pointsOf(move), "point")}`,
        icon: "check",
        action: move.action,
        clear: "Put back",
      };
    const hint =
      readings.length > 1
        ? "Say what the joker stands for."
        : this.reason || "Choose the next card of the series.";
    return { label: "Score", action: null, clear: "Put back", hint };
  }

  /** @param {import("../kit/board.js").Situation} now */
  resultColumns(now) {
    const { view } = now;
    if (view.phase !== "over") return [];
    const columns = [
      {
        title: "Final series",
        cells: view.last.gained.map((/** @type {number} */ count) => (count ? `+${count}` : "none")),
      },
    ];
    if (view.level !== null) columns.push({ title: "Level", cells: [String(view.level)] });
    return columns;
  }
}

/** @param {import("../kit/board.js").Move} move points of a series, as its label has them */
function pointsOf(move) {
  return Number(move.label.params?.points);
}

/** @param {string} face "B3" -> "blue 3" */
function faceName(face) {
  return `${NAMES[face[0]]} ${face[1] === "J" ? "joker" : face[1]}`;
}

/** @param {string} text "You have it." -> "you have it" */
function lower(text) {
  const bare = text.replace(/\.$/, "");
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

/** @param {string} name a drawing of `DRAWN` */
function sketch(name) {
  return el(
    "svg",
    { viewBox: "0 0 24 24", class: "sketch", "aria-hidden": "true" },
    el("path", { d: DRAWN[name] }),
  );
}

/** @param {string} face its number, or the joker's cap */
function figureOf(face) {
  return face[1] === "J" ? sketch("J") : face[1];
}

/** @param {Face} card what one sees on it; its other side in the corner where that is known */
function inside({ face, points, back }) {
  return [
    el("span", { class: "panel", "aria-hidden": "true" }, sketch(face[0]), el("b", {}, figureOf(face))),
    el(
      "span",
      { class: "pips", "aria-hidden": "true" },
      Array.from({ length: points }, () => el("i")),
    ),
    back && el("span", { class: "reverse", "data-c": back[0][0], "aria-hidden": "true" }, figureOf(back[0])),
  ];
}

/** @param {Face} card @param {string} more @param {boolean} [travels] a card of another tableau, or of a fold */
function small(card, more, travels = true) {
  const { face, points, back, id } = card;
  return el(
    "span",
    {
      class: `small ${more}`.trim(),
      "data-key": face,
      "data-c": face[0],
      "data-piece": travels && id > 0 ? `c${id}` : null,
      "data-travels": travels && id > 0,
      "data-from": "pile",
      title:
        `${capital(faceName(face))}, ${counted(points, "point")}` +
        (back ? `; other side ${faceName(back[0])}, ${counted(back[1], "point")}` : ""),
    },
    el("b", {}, figureOf(face)),
    el(
      "span",
      { class: "pips" },
      Array.from({ length: points }, () => el("i")),
    ),
    back && el("span", { class: "reverse", "data-c": back[0][0] }),
  );
}

customElements.define("verso-board", VersoBoard);
