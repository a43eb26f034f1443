// Who else is writing this page now, and whether it was saved meanwhile: a notice, no lock.

import { linkAside, showNote } from "./notes.js";

const SIGN_EVERY = 20_000; // milliseconds; without a sign for 60 seconds one is taken for gone
const AGAIN = [1_000, 3_000, 10_000, 30_000];
const NOT_AGAIN = [4401, 4404, 4429]; // close codes

/** @typedef {{name: string | null, you: boolean, sections: string[]}} Other */

/** "Ada (section Goal) and a guest are editing this page too." @param {Other[]} others @param {number} more */
function sentence(others, more) {
  const all = others.map(({ name, you, sections }) => {
    const who = you ? "you, in another window" : (name ?? "a guest");
    return sections.length ? `${who} (${sections.map((one) => `section ${one}`).join(", ")})` : who;
  });
  if (more) all.push(`${more} more`);
  const last = all.pop() ?? "";
  return `Also editing now: ${all.length ? `${all.join("; ")} and ${last}` : last}.`;
}

/** The number of the section the caret is in: headings above it. @param {HTMLTextAreaElement} field */
function sectionOf(field) {
  let number = 0;
  let fence = "";
  for (const line of field.value.slice(0, field.selectionStart).split("\n")) {
    const found = line.match(/^(?:~{3,}|`{3,})/)?.[0] ?? "";
    if (found && (!fence || fence === line.trim())) fence = fence ? "" : found;
    else if (!fence && /^#{1,6}[ \t]*[^#\s]/.test(line)) number += 1;
  }
  return number;
}

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement} field */
export function watchOthers(form, field) {
  const place = form.querySelector("[data-others]");
  const path = form.dataset.othersUrl;
  if (!(place instanceof HTMLElement) || !path) return;
  const words = /** @type {HTMLElement} */ (place.querySelector("[data-words]"));
  const section = Number(/** @type {HTMLInputElement} */ (form.elements.namedItem("section")).value);
  const base = /** @type {HTMLInputElement} */ (form.elements.namedItem("base"));
  let failures = 0;
  let gone = false; // left, and perhaps to come back with the browser's button
  let told = 0; // the newest revision one has been told of
  /** @type {WebSocket | null} */ let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;

  const sign = () => {
    clearTimeout(timer);
    timer = setTimeout(sign, SIGN_EVERY);
    if (socket?.readyState !== WebSocket.OPEN || document.visibilityState === "hidden") return;
    const frame = { do: "here", section: section || sectionOf(field), base: Number(base.value) || 0 };
    socket.send(JSON.stringify(frame));
  };

  const open = () => {
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      failures = 0;
      sign();
    });
    socket.addEventListener("message", (event) => {
      const frame = JSON.parse(event.data);
      if (frame.on === "editors") {
        place.hidden = !frame.others.length;
        const said = frame.others.length ? sentence(frame.others, frame.more) : "";
        if (words.textContent !== said) words.textContent = said;
      } else if (frame.on === "saved" && frame.revision > told) {
        told = frame.revision;
        tellSaved(form, frame);
      }
    });
    socket.addEventListener("close", (event) => {
      place.hidden = true;
      if (gone || NOT_AGAIN.includes(event.code)) return;
      setTimeout(open, AGAIN[Math.min(failures, AGAIN.length - 1)] * (0.8 + Math.random() * 0.4));
      failures += 1;
    });
  };

  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && sign());
  window.addEventListener("pagehide", () => {
    gone = true;
    socket?.close();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) open();
    gone = false;
  });
  open();
}

/** @type {HTMLElement | null} */
let savedNote = null;

/** @param {HTMLFormElement} form @param {{by: string | null, clock: string, changes: string}} saved */
function tellSaved(form, { by, clock, changes }) {
  savedNote?.remove();
  savedNote = showNote(form, {
    icon: "warn",
    kind: "note-turn",
    words: `${by ?? "You, in another window,"} saved a newer revision at ${clock}, while you were writing. When you save, both are brought together. `,
    ways: [linkAside("Look at what changed", changes)],
  });
}
