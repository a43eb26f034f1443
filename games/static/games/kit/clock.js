/**
 * Clocks: a deadline and the server's time make the time left. Live paces show digits, slow ones
 * words; colour and words change at 60 and 10 seconds. Clocks do not speak, except there.
 */

const MINUTE = 60,
  HOUR = 3600,
  DAY = 86400;
const WORDS_FROM = 20 * MINUTE; // from here on the time left is said in words

/**
 * @param {number} seconds left
 * @returns {string} "2 days", "5 hours", "50 min", "4:07", "0:09.4"
 */
export function timeLeft(seconds) {
  const left = Math.max(0, seconds);
  if (left >= 2 * DAY) return `${Math.floor(left / DAY)} days`;
  if (left >= 2 * HOUR) return `${Math.floor(left / HOUR)} hours`;
  if (left >= WORDS_FROM) return `${Math.floor(left / MINUTE)} min`;
  const tenths = Math.floor(left * 10) / 10;
  const minutes = Math.floor(tenths / MINUTE);
  const rest = tenths - minutes * MINUTE;
  const digits = left < 10 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0");
  return `${minutes}:${digits}`;
}

/** Date and time here, in the form of the site's pages: "30 November 2026, 17:45".
 * @param {number} milliseconds since 1970 */
export function exactTime(milliseconds) {
  const moment = new Date(milliseconds);
  const { lang } = document.documentElement;
  const language = !lang || lang === "en" ? "en-GB" : lang;
  const day = moment.toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric" });
  const time = moment.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return `${day}, ${time}`;
}

/** Draws every clock inside `root`: elements with `data-deadline`, milliseconds of the server. */
export class Clocks {
  /**
   * @param {HTMLElement} root
   * @param {(words: string) => void} warn told once when an own clock passes 60 and 10 seconds
   */
  constructor(root, warn) {
    this.root = root;
    this.warn = warn;
    this.ahead = 0; // how far the server's clock is ahead of ours, ms
    /** @type {Map<string, number>} last warning given (60 or 10), by deadline */
    this.warned = new Map();
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** @param {number} serverNow milliseconds since 1970, as the server counts */
  set(serverNow) {
    this.ahead = serverNow - Date.now();
    this.draw();
  }

  /** Show the time left, and come again when the shortest clock next changes. */
  draw() {
    clearTimeout(this.timer);
    let soon = Infinity;
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (
      this.root.querySelectorAll("[data-deadline]")
    )) {
      const deadline = Number(node.dataset.deadline);
      const left = (deadline - Date.now() - this.ahead) / 1000;
      const text = timeLeft(left);
      if (node.textContent !== text) node.textContent = text;
      node.toggleAttribute("data-low", left < 60);
      node.toggleAttribute("data-last", left < 10);
      node.title = `Until ${exactTime(deadline - this.ahead)}`;
      if (node.hasAttribute("data-own")) this.#warn(String(deadline), left);
      soon = Math.min(
        soon,
        left < 10 ? 0.1 : left < WORDS_FROM ? left % 1 || 1 : MINUTE,
        Math.max(left, 0.05),
      );
    }
    if (soon < Infinity) this.timer = window.setTimeout(() => this.draw(), Math.max(soon * 1000, 50));
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** @param {string} deadline @param {number} left seconds */
  #warn(deadline, left) {
    const mark = left <= 0 ? 0 : left <= 10 ? 10 : left <= 60 ? 60 : 0;
    if (mark === 0 || (this.warned.get(deadline) ?? Infinity) <= mark) return;
    this.warned.clear();
    this.warned.set(deadline, mark);
    this.warn(mark === 10 ? "Ten seconds left." : "One minute left.");
  }
}
