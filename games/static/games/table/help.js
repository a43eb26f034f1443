/** The rules beside the game, at the revision the table was started with. */

import { el, icon } from "../kit/dom.js";

export class Help {
  /** @param {HTMLElement} panel @param {{pinned: string, current: string, name: string, newer: boolean}} pages addresses; `newer`: than the pinned one */
  constructor(panel, { pinned, current, name, newer }) {
    this.panel = panel;
    this.pinned = pinned;
    this.current = current;
    this.name = name;
    this.newer = newer;
    this.loaded = false;
  }

  /** Load the page when the panel is first looked at. */
  async show() {
    if (this.loaded) return;
    this.loaded = true;
    const where = this.pinned || this.current;
    const link = el("a", { href: where }, `Rules of ${this.name}`);
    this.panel.replaceChildren(el("p", { class: "muted" }, "Loading the rules."));
    try {
      const page = await this.#page(where);
      const article = page.querySelector("article");
      if (!article) throw new Error(`No text was found in ${where}.`);
      this.panel.replaceChildren(this.#note(), this.#text(article), el("p", {}, link));
    } catch (error) {
      console.warn("The rules could not be shown here.", error);
      this.loaded = false;
      this.panel.replaceChildren(
        el("p", {}, "The rules could not be loaded here. They are on their own page: ", link, "."),
      );
    }
  }

  /** @param {string} url @returns {Promise<Document>} */
  async #page(url) {
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    return new DOMParser().parseFromString(await response.text(), "text/html");
  }

  #note() {
    return el(
      "p",
      { class: "muted" },
      "The rules as they stood when this table began. ",
      this.newer
        ? el("a", { href: this.current }, "A newer revision exists.")
        : "They have not changed since.",
    );
  }

  /** The article with its ids kept apart from those of the table page. @param {Element} article */
  #text(article) {
    const copy = document.importNode(article, true);
    for (const node of copy.querySelectorAll("script, style, form, .edit, .colophon, .facts")) node.remove();
    for (const card of copy.querySelectorAll(".in-card[data-suit]"))
      card.append(icon(`s-${card.getAttribute("data-suit")}`));
    for (const node of [copy, ...copy.querySelectorAll("[id]")]) if (node.id) node.id = `help-${node.id}`;
    for (const link of copy.querySelectorAll("a[href^='#']"))
      link.setAttribute("href", `#help-${link.getAttribute("href")?.slice(1)}`);
    copy.classList.add("help-text");
    return copy;
  }
}
