/** What this browser keeps as JSON. Storage may be full or forbidden: then nothing is kept, and that is all. */

/** @param {"localStorage" | "sessionStorage"} where @param {string} key @param {any} value null: no longer */
export function keep(where, key, value) {
  try {
    if (value === null) window[where].removeItem(key);
    else window[where].setItem(key, JSON.stringify(value));
  } catch (error) {
    console.warn(`${key} is not kept.`, error);
  }
}

/** @param {"localStorage" | "sessionStorage"} where @param {string} key @returns {any} null where there is nothing */
export function kept(where, key) {
  try {
    return JSON.parse(window[where].getItem(key) ?? "null");
  } catch (error) {
    console.warn(`${key} could not be read.`, error);
    return null;
  }
}
