// Drafts: after a pause the text goes to the server, or of a stranger into this browser. "Saved" is said
// only after the server has answered.

import * as kept from "./kept.js";
import { button, linkAside, showNote } from "./notes.js";

const PAUSE = 2_000; // milliseconds without a key
const LONGEST = 15_000; // after which a draft is saved although one goes on writing
const KEPT_ALIVE = 15_000; // characters that a browser still sends when the page is left
const RETRIES = [5_000, 10_000, 20_000, 30_000];
const MOST_OFFERED = 3; // drafts of closed windows
const WAIT_TO_LEAVE = 3_000; // for an answer that is under way while one publishes

/** "17:45", as everywhere on the site. @param {Date} time */
function hourOf(time) {
  return time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
}

export class DraftKeeper {
  /** @param {HTMLFormElement} form @param {HTMLTextAreaElement} field */
  constructor(form, field) {
    this.form = form;
    this.field = field;
    this.name = kept.nameFor(form.dataset.account ?? "", form.dataset.draft ?? "");
    this.address = form.dataset.draftUrl; // of people the server knows
    this.base = /** @type {HTMLInputElement} */ (form.elements.namedItem("base"));
    this.version = /** @type {HTMLInputElement} */ (form.elements.namedItem("draft"));
    this.state = form.querySelector("[data-draft-state]");
    /** The text that is saved somewhere, or was there at first. @type {string | null} */
    this.safe = field.value;
    this.leaving = false;
    this.failures = 0;
    this.waitsSince = 0; // when the oldest unsaved key was pressed
    this.here = false; // whether this browser keeps the text: its storage may be full or refused
    this.elsewhere = false; // another window has a draft: nothing is put over it unasked
    /** @type {Promise<void> | null} */ this.underway = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    this.offer();
    for (const part of [field, form.elements.namedItem("summary")]) {
      part?.addEventListener("input", () => this.changed());
    }
    if (form.dataset.unsaved !== undefined) {
      this.safe = null; // it came back from a preview, or refused
      this.changed();
    }
    form.addEventListener("submit", (event) => this.leave(event));
    window.addEventListener("pageshow", () => (this.leaving = false));
    window.addEventListener("online", () => this.save());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.save();
    });
    window.addEventListener("beforeunload", (event) => {
      if (!this.leaving && field.value !== this.safe) event.preventDefault();
    });
  }

  /** What became of the draft, below the text; only what went wrong is read aloud.
   * @param {string} words @param {boolean} [wrong] */
  say(words, wrong = false) {
    if (!this.state || this.state.textContent === words) return;
    this.state.setAttribute("aria-live", wrong ? "polite" : "off");
    this.state.classList.toggle("unsaved", wrong);
    this.state.textContent = words;
  }

  whereKept() {
    return this.here ? "Your text is kept on this device." : "Your text is in this window only: leave it open.";
  }

  changed() {
    const time = new Date();
    this.here = kept.write(this.name, { text: this.field.value, base: this.base.value, at: +time });
    if (!this.address) {
      this.say(this.here ? `Draft kept on this device, ${hourOf(time)}.` : "");
      return;
    }
    if (this.elsewhere) return;
    this.say("Draft not saved yet.");
    this.waitsSince ||= +time;
    clearTimeout(this.timer);
    const wait = Math.max(0, Math.min(PAUSE, this.waitsSince + LONGEST - +time));
    this.timer = setTimeout(() => this.save(), wait);
  }

  /** Save what is not saved, now. @param {boolean} [replace] the draft of another window goes */
  save(replace = false) {
    clearTimeout(this.timer);
    if (!this.address || this.leaving || (this.elsewhere && !replace)) return;
    if (this.underway) {
      this.timer = setTimeout(() => this.save(replace), 500);
      return;
    }
    if (!this.waitsSince && !replace) return;
    this.waitsSince = 0;
    this.underway = this.send(replace).finally(() => {
      this.underway = null;
    });
  }

  /** @param {boolean} replace */
  async send(replace) {
    const text = this.field.value;
    const body = new FormData(this.form);
    if (replace) body.set("replace", "1");
    let answer, said;
    try {
      const keepalive = text.length < KEPT_ALIVE;
      answer = await fetch(/** @type {string} */ (this.address), { method: "POST", body, keepalive });
      said = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    } catch {
      this.failed("no connection");
      return;
    }
    if (answer.ok && said?.id) {
      this.failures = 0;
      this.version.value = said.version;
      this.safe = text;
      if (this.field.value === text) {
        kept.remove(this.name);
        this.say(`Draft saved ${said.clock}.`);
      }
    } else if (said?.code === "draft_elsewhere") {
      this.askAboutOther(said.reason);
    } else if (answer.status >= 500) {
      this.failed("the server does not answer");
    } else {
      const why = said?.reason ?? "Your session had ended.";
      this.say(`Draft not saved: ${why} ${this.whereKept()}`, true);
    }
  }

  /** @param {string} why */
  failed(why) {
    this.say(`Not saved: ${why}. ${this.whereKept()}`, true);
    this.waitsSince ||= Date.now();
    const wait = RETRIES[Math.min(this.failures, RETRIES.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.save(), wait * (0.8 + Math.random() * 0.4));
  }

  /** @param {string} reason */
  askAboutOther(reason) {
    this.elsewhere = true;
    this.say(`Draft not saved: there is another one. ${this.whereKept()}`, true);
    const note = showNote(this.form, {
      icon: "warn",
      kind: "note-turn",
      words: reason,
      ways: [
        button("Replace it by this text", () => {
          this.elsewhere = false;
          note.remove();
          this.field.focus();
          this.save(true);
        }),
        linkAside("Look at your drafts", this.form.dataset.draftsUrl ?? ""),
      ],
    });
  }

  /** Publishing waits for a draft that is under way, so that the server knows which one to drop.
   * @param {SubmitEvent} event */
  leave(event) {
    clearTimeout(this.timer);
    if (!this.underway) {
      this.leaving = !event.defaultPrevented;
      return;
    }
    event.preventDefault();
    const { submitter } = event;
    const late = new Promise((done) => setTimeout(done, WAIT_TO_LEAVE));
    Promise.race([this.underway, late]).then(() => {
      this.underway = null;
      this.form.requestSubmit(submitter);
    });
  }

  /** What this browser kept of an earlier time is offered, never put in by itself. */
  async offer() {
    for (const old of (await kept.readAll(this.name)).slice(0, MOST_OFFERED).reverse()) {
      if (old.kept.text === this.field.value) kept.removeKey(old.key);
      else this.offerOne(old.key, old.kept, old.own);
    }
  }

  /** @param {string} key @param {kept.Kept} old @param {boolean} own */
  offerOne(key, old, own) {
    const at = new Date(old.at);
    const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
    const note = showNote(this.form, {
      icon: "pencil",
      words: `A draft${own ? " of yours" : ""} from ${day}, ${hourOf(at)} is kept on this device.`,
      ways: [
        button("Restore it", () => {
          this.field.value = old.text;
          this.base.value = old.base;
          kept.removeKey(key); // this window keeps it from now on
          note.remove();
          this.field.focus();
          this.field.dispatchEvent(new Event("input", { bubbles: true }));
        }),
        button(
          "Discard it",
          () => {
            kept.removeKey(key);
            note.remove();
            this.field.focus();
          },
          "button-quiet",
        ),
      ],
    });
  }
}
