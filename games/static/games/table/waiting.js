/** Other tables that wait for this person: how many, and the way to the next. */

import { el } from "../kit/dom.js";

const EVERY = 60_000; // ms between two questions, while somebody looks

export class Waiting {
  /**
   * @param {HTMLAnchorElement | null} link in the head of the page
   * @param {() => Promise<{count: number, next: string | null} | null>} ask null when the server was not reached
   * @param {() => void} changed told when there is another number
   */
  constructor(link, ask, changed) {
    this.link = link;
    this.ask = ask;
    this.changed = changed;
    this.count = 0;
    /** @type {string | null} */
    this.next = null;
    document.addEventListener("visibilitychange", () => void this.look());
    setInterval(() => void this.look(), EVERY);
  }

  /** Ask, unless nobody looks at the page. */
  async look() {
    if (document.visibilityState === "hidden") return;
    const answer = await this.ask();
    if (!answer || typeof answer.count !== "number") return;
    const other = answer.count !== this.count || answer.next !== this.next;
    this.count = answer.count;
    this.next = answer.next;
    if (!other) return;
    this.#draw();
    this.changed();
  }

  /** Words for the way there. */
  get words() {
    return this.count === 1 ? "Next table: 1 waits for you" : `Next table: ${this.count} wait for you`;
  }

  #draw() {
    const { link } = this;
    if (!link) return;
    link.hidden = this.next === null;
    link.href = this.next ?? "";
    link.title = this.words;
    link.setAttribute("aria-label", this.words);
    link.querySelector(".badge")?.replaceWith(el("span", { class: "badge" }, this.count));
  }
}
