/** What stands on the table page once and for all; the rest is drawn into it. */

import { el, icon } from "../kit/dom.js";

export const TABS = [
  { key: "log", title: "Log", symbol: "log" },
  { key: "chat", title: "Chat", symbol: "talk" },
  { key: "help", title: "Help", symbol: "help" },
  { key: "notes", title: "Notes", symbol: "pencil" },
];

/** The parts of the page, in the order in which they are read. */
export function layout() {
  /** @type {HTMLElement} */
  const status = el("div", { class: "status", role: "status", tabindex: -1, "data-key": "status" });
  /** @type {HTMLElement} */
  const seats = el("ul", { class: "seats", "aria-label": "Seats and scores" });
  /** @type {HTMLElement} */
  const area = el("section", { class: "board", "aria-label": "Board" });
  /** @type {HTMLElement} */
  const bar = el("div", { class: "actions", role: "group", "aria-label": "Actions" });
  const side = sidePanel();
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { class: "panel", "aria-labelledby": "panel-title" });
  return { status, seats, area, bar, ...side, dialog, all: [status, seats, area, bar, side.side, dialog] };
}

function sidePanel() {
  /** @type {HTMLElement} */
  const badge = el("span", { class: "badge", hidden: true });
  /** @type {HTMLElement} */
  const tabs = el(
    "div",
    {
      class: "tabs",
      role: "tablist",
      "aria-label": "Log, chat, help and notes",
      "data-roving": true,
      "data-key": "tabs",
    },
    TABS.map(({ key, title, symbol }) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${key}`,
          "aria-controls": `panel-${key}`,
          "aria-selected": String(key === "log"),
          "data-key": key,
          hidden: key === "notes", // until it is known that one sits here
        },
        icon(symbol),
        title,
        key === "chat" && badge,
      ),
    ),
  );
  /** @type {HTMLElement} */
  const list = el("ol", { class: "log", "data-roving": "rows", "data-key": "log-lines" });
  /** @type {HTMLElement} */
  const said = el("div", { class: "said", role: "log", "aria-live": "polite", "aria-label": "Chat" });
  /** @type {HTMLInputElement} */
  const field = el("input", { class: "input", id: "say", maxlength: 500, autocomplete: "off" });
  /** @type {HTMLFormElement} */
  const form = el(
    "form",
    { class: "say" },
    el("label", { class: "sr", for: "say" }, "Message"),
    field,
    el("button", { type: "submit", class: "button button-icon", "aria-label": "Send" }, icon("send")),
  );
  /** @type {Record<string, HTMLElement>} */
  const panels = {
    log: panel("log", {}, el("div", { role: "log", "aria-live": "off", "aria-label": "Moves" }, list)),
    chat: panel("chat", { class: "chat", hidden: true }, said, form),
    help: panel("help", { hidden: true }),
    notes: panel("notes", { class: "notes", hidden: true }),
  };
  const side = el(
    "section",
    { class: "side-panel", "aria-label": "Log, chat, help and notes" },
    tabs,
    Object.values(panels),
  );
  return { side, tabs, badge, panels, list, said, form, field };
}

/** @param {string} key @param {Record<string, any>} attributes @param {...any} content */
function panel(key, attributes, ...content) {
  return el(
    "div",
    { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, tabindex: 0, ...attributes },
    content,
  );
}
