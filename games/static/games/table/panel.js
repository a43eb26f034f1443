/** The panel "Table and display": preferences, options of the table, keys, and the way out. */

import { el, icon, render } from "../kit/dom.js";
import { chime } from "../kit/sound.js";
import { tongue } from "../kit/tongue.js";

const KEYS = [
  ["Tab", "status, board, actions, tabs"],
  ["Arrows", "inside a board, a hand or a list"],
  ["← → Home End", "in the log: through the game, move by move"],
  ["Shift + ← →", "in your hand: move the card"],
  ["Enter, Space", "choose; in the log: show the table as it was then"],
  ["Escape", "take a half-made choice back, close a panel, stop looking back"],
  ["1 to 9", "nth action of the bar"],
  ["c, l, h, n", "chat, log, help, notes"],
  ["m", "the next table that waits for you"],
  ["?", "this list"],
];

const WISH = "wish-"; // begins the names of boxes that are a game's own

const THEMES = [
  ["auto", "As the device"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export class Panel {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {{leave: () => void, changed: () => void, board: () => import("../kit/board.js").GameBoard | null, preferences: import("./preferences.js").Preferences}} ways
   */
  constructor(dialog, ways) {
    this.dialog = dialog;
    this.ways = ways;
    this.leaving = false;
    /** @type {any} */
    this.payload = null;
    dialog.addEventListener("click", (event) => this.#onClick(event));
    dialog.addEventListener("change", (event) => this.#onChange(event));
  }

  /** @param {any} payload */
  update(payload) {
    this.payload = payload;
    if (this.dialog.open) this.draw();
  }

  open() {
    this.leaving = false;
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  draw() {
    const { payload } = this;
    render(
      this.dialog,
      el(
        "div",
        { class: "panel-head" },
        el("h2", { id: "panel-title" }, "Table and display"),
        el(
          "button",
          { type: "button", class: "tool", "data-do": "close", "aria-label": "Close" },
          icon("cross"),
        ),
      ),
      el(
        "div",
        { class: "panel-body" },
        el(
          "section",
          {},
          el("h3", {}, "Display"),
          this.#themes(),
          this.#box("confirm-moves", "Confirm each move", "Choose first, then confirm in the action bar."),
          this.#box("letter-keys", "Single-letter keys", "c, l, h, n, m and ? act at once."),
          this.#box("sound", "Sound on your turn", "A short quiet one."),
          this.#box("motion", "Moving pieces", "They travel to where they are put."),
          this.ways.preferences.unsaved &&
            el(
              "p",
              { class: "muted small" },
              "This could not be saved on your account; it holds on this page.",
            ),
        ),
        this.#wishes(),
        payload.options.length > 0 &&
          el(
            "section",
            {},
            el("h3", {}, "This table"),
            el(
              "dl",
              { class: "keys" },
              payload.options.map((/** @type {any} */ option) => [
                el("dt", { lang: tongue() }, option.title),
                el("dd", { lang: tongue() }, option.label),
              ]),
            ),
          ),
        el(
          "section",
          {},
          el("h3", {}, "Keys"),
          el(
            "dl",
            { class: "keys" },
            KEYS.map(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]),
          ),
        ),
        payload.seed_hash &&
          el(
            "section",
            {},
            el("h3", {}, "Shuffle"),
            el(
              "p",
              { class: "hash" },
              `Hash of the seed, published before the first deal: ${payload.seed_hash}`,
            ),
          ),
        this.#file(),
        this.#way(),
      ),
    );
  }

  #themes() {
    const now = this.ways.preferences.get("theme");
    return el(
      "fieldset",
      { class: "row plain" },
      el("legend", { class: "sr" }, "Light or dark"),
      THEMES.map(([value, title]) =>
        el(
          "label",
          { class: "check" },
          el("input", { type: "radio", name: "theme", value, checked: value === now }),
          title,
        ),
      ),
    );
  }

  /** What this game lets one wish. */
  #wishes() {
    const board = this.ways.board();
    if (!board || board.wishes.length === 0) return null;
    return el(
      "section",
      {},
      el("h3", {}, this.payload.name),
      board.wishes.map(({ key, title, hint }) => this.#box(WISH + key, title, hint, board.wished(key))),
    );
  }

  /** @param {string} name @param {string} title @param {string} hint @param {boolean | string} [checked] */
  #box(name, title, hint, checked = this.ways.preferences.get(name)) {
    return el(
      "p",
      {},
      el(
        "label",
        { class: "check" },
        el("input", {
          type: "checkbox",
          name,
          checked,
          "aria-describedby": `hint-${name}`,
        }),
        title,
      ),
      el("span", { class: "muted small", id: `hint-${name}` }, hint),
    );
  }

  /** A game that is over, as a file: to check its dice, or to play it again. */
  #file() {
    const { payload } = this;
    if (payload.status !== "finished") return null;
    const address = `/tables/${payload.id}/export`;
    return el(
      "section",
      {},
      el("h3", {}, "This game as a file"),
      el(
        "p",
        { class: "row" },
        el("a", { href: address, download: true }, "All moves and the seed"),
        el("a", { href: `${address}?as=playthrough`, download: true }, "Playthrough"),
      ),
    );
  }

  #way() {
    const { payload } = this;
    if (payload.status !== "playing" || !payload.may.leave) return null;
    const goes =
      payload.absence === "forfeit" ? "You lose this game." : "The game plays on for you; you may come back.";
    return el(
      "section",
      { "data-key": "leave" },
      el("h3", {}, "Leave the table"),
      this.leaving
        ? el(
            "p",
            { class: "row" },
            el("span", {}, goes),
            el(
              "button",
              {
                type: "button",
                class: "button button-danger",
                "data-key": "leave-now",
                "data-do": "leave-now",
              },
              "Leave now",
            ),
            el("button", { type: "button", class: "button", "data-key": "stay", "data-do": "stay" }, "Stay"),
          )
        : el(
            "p",
            {},
            el(
              "button",
              { type: "button", class: "button", "data-key": "leave-ask", "data-do": "leave" },
              "Leave the table",
            ),
          ),
    );
  }

  /** @param {Event} event */
  #onClick(event) {
    event.stopPropagation(); // the page must not look for a button that is drawn anew here
    const what = /** @type {Element} */ (event.target).closest("[data-do]")?.getAttribute("data-do");
    if (what === "close" || event.target === this.dialog) this.dialog.close();
    else if (what === "leave" || what === "stay") {
      this.leaving = what === "leave";
      this.draw();
      /** @type {HTMLElement | null} */ (
        this.dialog.querySelector(this.leaving ? "[data-do=stay]" : "[data-do=leave]")
      )?.focus();
    } else if (what === "leave-now") {
      this.dialog.close();
      this.ways.leave();
    }
  }

  /** @param {Event} event */
  #onChange(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (box.name.startsWith(WISH)) {
      this.ways.board()?.setWish(box.name.slice(WISH.length), box.checked);
      this.ways.changed();
      return;
    }
    const value = box.type === "radio" ? box.value : box.checked;
    void this.ways.preferences.set(box.name, value).then(() => this.ways.changed());
    if (box.name === "sound" && box.checked) void chime();
  }
}
