/**
 * One's own notes beside the game: saved by themselves a moment after the last key. What is not saved yet
 * is kept in this browser; what another page of the same person wrote meanwhile is shown, never lost.
 */

import { el, render } from "../kit/dom.js";
import { keep, kept } from "../kit/keep.js";

const PAUSE = 800; // ms without a key before it is saved
const AGAIN = 5_000; // ms before the next try

/** @typedef {{text: string, version: number}} Note `version` counts the changes the server has taken */

export class Notes {
  /**
   * @param {HTMLElement} panel
   * @param {{
   *   table: string,
   *   send: (note: Note) => Promise<any>,
   *   read: () => Promise<Note | null>,
   *   words: (refusal: any) => string,
   * }} ways `send` answers an ack or a refusal and rejects when no answer comes; `read`: what the server has
   */
  constructor(panel, ways) {
    this.panel = panel;
    this.ways = ways;
    this.store = `parlour:${ways.table}:note`;
    /** @type {Note | null} what the server has, as far as we know; null: nobody's notes */
    this.saved = null;
    /** @type {HTMLTextAreaElement} */
    this.field = el("textarea", { class: "input", id: "notes-text", "aria-describedby": "notes-state" });
    /** @type {HTMLElement} */
    this.state = el("p", { class: "muted", id: "notes-state", role: "status" });
    /** @type {HTMLElement} */
    this.other = el("div", {});
    /** @type {Note | null} what another page has written meanwhile */
    this.theirs = null;
    this.saving = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    const label = el("label", { for: "notes-text" }, "Only you can read this.");
    panel.append(label, this.field, this.state, this.other);
    this.field.addEventListener("input", () => this.#changed());
    this.field.addEventListener("change", () => this.#later(0));
    this.other.addEventListener("click", (event) => this.#onClick(event));
  }

  /** What the server has. @param {Note | null} note */
  take(note) {
    if (note === null) return;
    const first = this.saved === null;
    const clean = !first && this.field.value === this.saved?.text;
    if (first || clean) {
      this.saved = note;
      this.field.value = note.text;
    }
    if (first) this.#restore(note);
  }

  /** The line is up again. */
  retry() {
    if (this.dirty && !this.saving && this.theirs === null) this.#later(0);
  }

  get dirty() {
    return this.saved !== null && this.field.value !== this.saved.text;
  }

  // -- inside --------------------------------------------------------------------------------------

  #changed() {
    if (this.dirty)
      keep("localStorage", this.store, { text: this.field.value, version: this.saved?.version ?? 0 });
    else keep("localStorage", this.store, null);
    if (this.theirs) return;
    this.#say(this.dirty ? "Not saved yet." : "Saved.");
    this.#later(PAUSE);
  }

  /** @param {number} wait ms */
  #later(wait) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.#save(), wait);
  }

  async #save() {
    if (!this.dirty || this.saving || this.theirs || !this.saved) return;
    const text = this.field.value;
    this.saving = true;
    try {
      const answer = await this.ways.send({ text, version: this.saved.version });
      if (answer.on !== "refused") this.#done({ text, version: answer.version });
      else if (answer.code === "note_changed") await this.#compare();
      else this.#say(`Not saved: ${this.ways.words(answer)}`);
    } catch (error) {
      console.warn("The notes were not saved.", error);
      this.#say("Not saved yet: no connection. They are kept here; trying again.");
      this.#later(AGAIN);
    }
    this.saving = false;
  }

  /** @param {Note} note now on the server */
  #done(note) {
    this.saved = note;
    if (this.dirty) {
      this.#changed();
    } else {
      keep("localStorage", this.store, null);
      this.#say("Saved.");
    }
  }

  /** Another page has written: show both, and let the person say what stays. */
  async #compare() {
    const theirs = await this.ways.read();
    if (theirs === null) throw new Error("The notes could not be read.");
    if (theirs.text === this.field.value) {
      this.#done(theirs);
      return;
    }
    this.theirs = theirs;
    this.#say("Not saved: you have changed these notes on another page meanwhile.");
    this.#drawOther();
  }

  #drawOther() {
    const button = (/** @type {string} */ does, /** @type {string} */ words) =>
      el("button", { type: "button", class: "button button-small", "data-does": does }, words);
    render(
      this.other,
      this.theirs &&
        el(
          "section",
          { class: "other-note", "aria-label": "On the other page" },
          el("h3", {}, "On the other page"),
          el("p", { class: "note-text" }, this.theirs.text || "(empty)"),
          el(
            "p",
            { class: "row" },
            button("both", "Keep both"),
            button("mine", "Keep mine"),
            button("theirs", "Keep the other"),
          ),
        ),
    );
  }

  /** @param {Event} event */
  #onClick(event) {
    const node = /** @type {Element} */ (event.target).closest("[data-does]");
    const { theirs, field } = this;
    if (!node || !theirs) return;
    const mine = field.value;
    const text = { both: `${mine}\n\n${theirs.text}`, mine, theirs: theirs.text }[
      node.getAttribute("data-does") ?? ""
    ];
    this.saved = theirs;
    this.theirs = null;
    field.value = text ?? mine;
    this.#drawOther();
    field.focus();
    this.#changed();
    this.#later(0);
  }

  /** What was written here and never saved, before a reload or a fall of the line. @param {Note} note */
  #restore(note) {
    /** @type {Note | null} */
    const before = kept("localStorage", this.store);
    if (!before || before.text === note.text) {
      keep("localStorage", this.store, null);
      return;
    }
    this.field.value = before.text;
    this.saved = { text: note.text, version: before.version }; // an older version: the server says so
    this.#say("Not saved yet.");
    this.#later(0);
  }

  /** @param {string} words */
  #say(words) {
    if (this.state.textContent !== words) this.state.textContent = words;
  }
}
