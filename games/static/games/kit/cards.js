/** Playing cards: written rank then suit ("QS"), with a copy number in several packs ("10H.2"). */

import { el, icon, use } from "./dom.js";
import { lowerFirst, told } from "./tongue.js";

const RANKS = /** @type {Record<string, string>} */ ({ A: "Ace", K: "King", Q: "Queen", J: "Jack" });
const SIGNS = /** @type {Record<string, string>} */ ({ C: "♣", D: "♦", S: "♠", H: "♥" });
const SUITS = /** @type {Record<string, string>} */ ({ C: "clubs", D: "diamonds", S: "spades", H: "hearts" });

/** @param {string} card @returns {{rank: string, suit: string}} */
export function parseCard(card) {
  const [face] = card.split(".");
  return { rank: face.slice(0, -1), suit: face.slice(-1) };
}

/** @param {string} card "Queen of spades", "9 of clubs": with the digit one sees; a card of no standard pack is its own name */
export function cardName(card) {
  const { rank, suit } = parseCard(card);
  if (!isStandard(card)) return card;
  return `${RANKS[rank] ?? rank} of ${SUITS[suit]}`;
}

/** @param {string} card "Q♠": as it is written in any language */
export function cardFigure(card) {
  const { rank, suit } = parseCard(card);
  return isStandard(card) ? rank + SIGNS[suit] : card;
}

/** @param {string} card whether it is one of the standard pack */
function isStandard(card) {
  const { rank, suit } = parseCard(card);
  return suit in SUITS && (rank in RANKS || /^([2-9]|10)$/.test(rank));
}

/** @param {string} suit "C" -> "clubs" */
export function suitName(suit) {
  return SUITS[suit];
}

/** @param {string} card the parts of a card's face */
function face(card) {
  const { rank, suit } = parseCard(card);
  const court =
    rank in RANKS && rank !== "A"
      ? el(
          "svg",
          { class: "court", "aria-hidden": "true", viewBox: "0 0 24 34" },
          use(`court-${rank}`, { width: 24, height: 24, y: -1 }),
          use(`s-${suit}`, { x: 4, y: 19, width: 16, height: 15 }),
        )
      : icon(`s-${suit}`, { class: "pip" });
  return [el("span", { class: "rank", "aria-hidden": "true" }, rank), icon(`s-${suit}`), court];
}

/**
 * A card that lies there.
 *
 * @param {string} card
 * @param {{label?: string, class?: string} & Record<string, any>} [attributes]
 */
export function cardImage(card, { label = cardName(card), class: more = "", ...attributes } = {}) {
  const { suit } = parseCard(card);
  return el(
    "span",
    {
      class: `card ${more}`.trim(),
      "data-suit": suit,
      role: "img",
      "aria-label": label,
      "data-piece": card,
      ...attributes,
    },
    face(card),
  );
}

/**
 * A card one can choose. `why` says why it cannot be used now: it stays focusable and answers.
 *
 * @param {string} card
 * @param {{legal?: boolean, picked?: boolean, why?: string | null, note?: string} & Record<string, any>} [options]
 *   `legal`: lifted and dotted; `picked`: chosen (null: not that kind of choice); `note`: words added to the name
 */
export function cardButton(
  card,
  { legal = false, picked = undefined, why = null, note = "", class: more = "", ...attributes } = {},
) {
  const { suit } = parseCard(card);
  const reason = why !== null && told(why) ? "not playable" : why; // a name is in one language
  const words = [cardName(card), note, legal ? "playable" : "", reason === null ? "" : lowerFirst(reason.replace(/\.$/, ""))];
  return el(
    "button",
    {
      type: "button",
      class: ["card", legal && "on", why !== null && "off", picked && "picked", more]
        .filter(Boolean)
        .join(" "),
      "data-suit": suit,
      "data-key": card,
      "data-piece": card,
      "aria-label": words.filter(Boolean).join(", "),
      "aria-pressed": picked === undefined ? null : String(Boolean(picked)),
      "aria-disabled": why === null ? null : "true",
      ...attributes,
    },
    face(card),
  );
}

/**
 * A card inside a sentence.
 *
 * @param {string} card
 * @param {{lang?: string}} [language] of its name, where the sentence has another
 */
export function cardChip(card, language = {}) {
  const { rank, suit } = parseCard(card);
  if (!isStandard(card)) return el("span", { class: "in-card" }, card);
  return el(
    "span",
    { class: "in-card", "data-suit": suit },
    el("span", { class: "sr", ...language }, cardName(card)),
    el("span", { "aria-hidden": "true" }, rank),
    icon(`s-${suit}`),
  );
}

/**
 * How many cards of a hand of `count` stand in one row on a phone: equal rows of at most seven.
 *
 * @param {number} count
 */
export function rowLength(count) {
  return count === 0 ? 1 : Math.ceil(count / Math.ceil(count / 7));
}

/**
 * A hand: one tab stop, no card covered.
 *
 * @param {string} name "Your hand, 9 cards"
 * @param {Element[]} cards
 * @param {Record<string, any>} [attributes]
 */
export function hand(name, cards, attributes = {}) {
  const count = Math.max(cards.length, 1);
  return el(
    "div",
    {
      class: "hand",
      role: "group",
      "aria-label": name,
      "data-key": "hand",
      "data-roving": true,
      ...attributes,
      vars: { "--n": count, "--row": rowLength(count) },
    },
    cards,
  );
}
