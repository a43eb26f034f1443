/** The language of the texts of the game at this table; the page's own words are English. */

export const ENGLISH = "en";

/** @returns {string | null} its code, for the `lang` of what is in it; null where that is English */
export function tongue() {
  const code = document.querySelector("parlour-table")?.getAttribute("data-language") ?? ENGLISH;
  return code === ENGLISH ? null : code;
}

/** A sentence as it goes on after "Your turn:"; other languages have their own capitals. @param {string} text */
export function lowerFirst(text) {
  if (tongue() !== null || /^[A-Z]{2}/.test(text)) return text;
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const KEPT = 500; // texts

/** @type {Map<string, string>} lines in a language that is not the page's, and its code */
const lines = new Map();

/** Keep in mind in which language a line is. @param {string} text @param {string} lang @returns {string} the line */
export function remember(text, lang) {
  lines.delete(text);
  lines.set(text, lang);
  if (lines.size > KEPT) lines.delete(/** @type {string} */ (lines.keys().next().value));
  return text;
}

/** The language of a line, where it is not the page's, else null. @param {string} text */
export function told(text) {
  return lines.get(text) ?? null;
}
