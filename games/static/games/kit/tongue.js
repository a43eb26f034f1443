/** The language of the texts of the game at this table; the page's own words are English. */

const ENGLISH = "en";

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
