/**
 * Texts of the engine on the page. A text has parameters in braces; the name of a parameter tells
 * how it is shown: `seat...` is a person, `card...` a small card, a text inside a text likewise.
 */

import { cardChip, cardFigure, cardName } from "./cards.js";
import { el } from "./dom.js";
import { ENGLISH, remember, told, tongue } from "./tongue.js";

/** @typedef {{text: string, you?: string, to_you?: string, params?: Record<string, any>, lang?: string}} Msg `lang` where it is not in the language of the game's texts */
/** @typedef {{names: string[], you: number | null}} People names by seat, and the viewer's own seat */

const FIELD = /\{(\w+)\}/;

/** @param {Msg} msg @param {People} people @returns {string} */
function wording(msg, people) {
  const { you } = people;
  if (you !== null && msg.you !== undefined && msg.params?.seat === you) return msg.you;
  if (you !== null && msg.to_you !== undefined && msg.params?.seat_to === you) return msg.to_you;
  return msg.text;
}

/** @param {Msg} msg @returns {string | null} the code of its language; null where that is the page's */
function languageOf(msg) {
  const code = msg.lang ?? tongue();
  return code === ENGLISH ? null : code;
}

/**
 * A line that `messageText` made, or one of the page's own: with its language where that is not the page's.
 *
 * @param {string | undefined} text
 * @returns {Node | string}
 */
export function inItsLanguage(text = "") {
  const lang = told(text);
  return lang === null ? text : el("span", { lang }, text);
}

/**
 * The text as nodes and strings, for `el`; what is not in the page's language says in which it is.
 *
 * @param {Msg} msg
 * @param {People} people
 * @returns {(Node | string)[]}
 */
export function messageParts(msg, people) {
  if (tongue() === null) return pieces(msg, people, (card) => cardChip(card));
  const lang = languageOf(msg);
  const chip = (/** @type {string} */ card) => cardChip(card, lang === null ? {} : { lang: ENGLISH }); // its name is ours
  return [el("span", { lang: lang ?? ENGLISH }, pieces(msg, people, chip))];
}

/**
 * The text as one line, for names and the live region; see `inItsLanguage`.
 *
 * @param {Msg} msg
 * @param {People} people
 * @returns {string}
 */
export function messageText(msg, people) {
  const lang = languageOf(msg);
  if (lang === null) return pieces(msg, people, cardName).join("");
  return remember(pieces(msg, people, cardFigure).join(""), lang); // the names of cards are English
}

/**
 * @template T
 * @param {Msg} msg
 * @param {People} people
 * @param {(card: string) => T} card
 * @returns {(T | string)[]}
 */
function pieces(msg, people, card) {
  // split with a group: texts at even places, names of parameters at odd ones
  return wording(msg, people)
    .split(FIELD)
    .flatMap((piece, i) => {
      if (i % 2 === 0) return piece === "" ? [] : [piece];
      const value = msg.params?.[piece];
      if (value === undefined) return [`{${piece}}`];
      const values = Array.isArray(value) ? value : [value];
      const gap = piece.startsWith("card") ? " " : ", ";
      return values.flatMap((one, n) => [...(n > 0 ? [gap] : []), ...shown(piece, one, people, card)]);
    });
}

/**
 * @template T
 * @param {string} name
 * @param {any} value
 * @param {People} people
 * @param {(card: string) => T} card
 * @returns {(T | string)[]}
 */
function shown(name, value, people, card) {
  if (value !== null && typeof value === "object") return pieces(value, people, card);
  if (name.startsWith("seat") && typeof value === "number")
    return [people.names[value] ?? `Seat ${value + 1}`];
  if (name.startsWith("card") && typeof value === "string") return [card(value)];
  return [typeof value === "number" ? figure(value) : String(value)];
}

/** @param {number} value in figures, with a real minus */
export function figure(value) {
  return String(value).replace("-", "−");
}

/**
 * The seat a line is about: that of its first seat parameter.
 *
 * @param {Msg} msg
 * @returns {number | null}
 */
export function subject(msg) {
  const seat = msg.params?.seat;
  return typeof seat === "number" ? seat : null;
}

/**
 * A list in words: "Bob", "Bob and Cy", "Bob, Cy and Dunya".
 *
 * @param {string[]} items
 */
export function inWords(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
