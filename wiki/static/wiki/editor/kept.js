// Texts kept in this browser: those of strangers, and what the server did not get. Each window keeps its
// own: what one writes, or has published, takes nothing from another that edits the same page. What somebody
// wrote with an account is offered to that account alone; what a stranger or a guest wrote, to whoever is here.

const KEPT = "wiki-draft:";
const PATIENCE = 400; // milliseconds for the lock of the page before
const ID = "wiki-window"; // in the storage of a window, which a reload keeps

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

function random() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
}

/** The id of this window for as long as it is open. A window that is duplicated begins with the id of the
 * other, and takes one of its own where the browser can tell (locks: over https, or on this machine). */
async function idOfWindow() {
  const had = withStorage(() => sessionStorage.getItem(ID)).value;
  if (had && (await held(had))) return had;
  const id = random();
  withStorage(() => sessionStorage.setItem(ID, id));
  await held(id);
  return id;
}

/** Whether nobody else has the lock of `id`, or gives it up at once, as the page does that stood here
 * before; this window holds it from now on.
 * @param {string} id @returns {Promise<boolean>} */
function held(id) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((tell) => {
    navigator.locks
      .request(`${ID}:${id}`, { signal: AbortSignal.timeout(PATIENCE) }, () => {
        tell(true);
        return new Promise(() => undefined); // until the window closes
      })
      .catch((error) => tell(error.name !== "TimeoutError"));
  });
}

/** The ids of windows that are open. @returns {Promise<Set<string>>} */
async function openWindows() {
  const found = await navigator.locks?.query().catch(() => null);
  return new Set(found?.held?.map((lock) => lock.name?.replace(`${ID}:`, "") ?? ""));
}

const WINDOW = await idOfWindow();

/** What is kept of a page under, for an account or (without one) for whoever is here.
 * @param {string} account @param {string} page its slug, and "#" and the number of a section */
export function nameFor(account, page) {
  return account ? `${account}@${page}` : page;
}

/** Whose a name is and of which page: see `nameFor`. @param {string} name @returns {[string, string]} */
function parted(name) {
  const [, account, page] = /^(?:(\d+)@)?(.*)$/s.exec(name) ?? ["", "", ""];
  return [account ?? "", page];
}

/** @typedef {{text: string, base: string, at: number}} Kept */

/** What was kept of `name` by windows that are closed, and by this one before, which is put aside; and of the
 * same page by whoever had no account. The newest first; `own`: an account of this name wrote it.
 * @param {string} name @returns {Promise<{key: string, kept: Kept, own: boolean}[]>} */
export async function readAll(name) {
  withStorage(() => {
    const mine = localStorage.getItem(keyOf(name));
    if (mine === null) return;
    localStorage.removeItem(keyOf(name)); // first: there may be no room for both
    localStorage.setItem(`${KEPT}${name}~${random()}`, mine);
  });
  const others = await openWindows();
  others.delete(WINDOW);
  /** @type {{key: string, kept: Kept, own: boolean}[]} */ const found = [];
  withStorage(() => {
    for (const key of Object.keys(localStorage)) {
      const [whose, id] = taken(key);
      const said = (whose === name || whose === parted(name)[1]) && !others.has(id) && localStorage.getItem(key);
      if (said) found.push({ key, kept: JSON.parse(said), own: parted(whose)[0] !== "" });
    }
  });
  return found.sort((one, other) => other.kept.at - one.kept.at);
}

/** The name and the window of a key; neither for a key that is none of ours.
 * @param {string} key @returns {[string, string]} */
function taken(key) {
  if (!key.startsWith(KEPT)) return ["", ""];
  const mark = key.lastIndexOf("~");
  return mark < 0 ? [key.slice(KEPT.length), ""] : [key.slice(KEPT.length, mark), key.slice(mark + 1)];
}

/** @param {string} name */
function keyOf(name) {
  return `${KEPT}${name}~${WINDOW}`;
}

/** @param {string} name @param {Kept} kept @returns {boolean} whether it is kept now */
export function write(name, kept) {
  return withStorage(() => localStorage.setItem(keyOf(name), JSON.stringify(kept))).done;
}

/** What this window keeps. @param {string} name */
export function remove(name) {
  removeKey(keyOf(name));
}

/** @param {string} key */
export function removeKey(key) {
  withStorage(() => localStorage.removeItem(key));
}

/** Remove all that this window keeps of a page, whole or by section, for an account and from before there was
 * one. @param {string} slug @param {string} account */
export function removeAll(slug, account) {
  withStorage(() => {
    for (const key of Object.keys(localStorage)) {
      const [whose, id] = taken(key);
      const [writer, page] = parted(whose);
      const its = page === slug || page.startsWith(`${slug}#`);
      if (id === WINDOW && its && (!writer || writer === account)) localStorage.removeItem(key);
    }
  });
}
