// Texts kept in this browser: those of strangers, and what the server did not get.

const KEPT = "wiki-draft:";

/** The browser may refuse storage (private mode, full): then nothing is kept.
 * @param {() => string | null | void} use @returns {{done: boolean, value: string | null}} */
function withStorage(use) {
  try {
    return { done: true, value: use() ?? null };
  } catch (error) {
    if (error instanceof DOMException) return { done: false, value: null };
    throw error;
  }
}

/** @typedef {{text: string, base: string, at: number}} Kept */

/** @param {string} name @returns {Kept | null} */
export function read(name) {
  const said = withStorage(() => localStorage.getItem(KEPT + name)).value;
  return said ? JSON.parse(said) : null;
}

/** @param {string} name @param {Kept} kept @returns {boolean} whether it is kept now */
export function write(name, kept) {
  return withStorage(() => localStorage.setItem(KEPT + name, JSON.stringify(kept))).done;
}

/** @param {string} name */
export function remove(name) {
  withStorage(() => localStorage.removeItem(KEPT + name));
}

/** Remove all of a page, whole or by section. @param {string} slug */
export function removeAll(slug) {
  withStorage(() => {
    for (const key of Object.keys(localStorage)) {
      if (key === KEPT + slug || key.startsWith(`${KEPT + slug}#`)) localStorage.removeItem(key);
    }
  });
}
