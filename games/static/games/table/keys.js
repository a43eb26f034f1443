/** Single keys of the table page. */

import { drawStatus } from "./status.js";

/** @typedef {import("../table.js").TablePage} TablePage */

/** @param {TablePage} page @param {KeyboardEvent} event */
export function onKey(page, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Escape") {
    escape(page, target);
    return;
  }
  if (target.closest("#panel-log") && replayKey(page, event.key)) {
    event.preventDefault();
    return;
  }
  if (
    target.closest(
      "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], dialog",
    )
  )
    return;
  if (/^[1-9]$/.test(event.key)) {
    /** @type {HTMLElement | undefined} */ (
      page.parts.bar.querySelectorAll(".bar > :is(button, a)")[Number(event.key) - 1]
    )?.click();
    return;
  }
  if (!page.preferences.get("letter-keys")) return;
  const tab = /** @type {Record<string, string>} */ ({ c: "chat", l: "log", h: "help", n: "notes" })[
    event.key
  ];
  if (tab && !tabNode(page, tab)?.hidden) {
    event.preventDefault();
    page.showTab(tab);
    const field = { chat: page.parts.form.hidden ? null : page.parts.field, notes: page.notes.field }[tab];
    (field ?? page.parts.panels[tab]).focus();
  } else if (event.key === "m") {
    event.preventDefault();
    page.nextTable();
  } else if (event.key === "?") {
    event.preventDefault();
    page.panel.open();
  }
}

/** @param {TablePage} page @param {string} key @returns {HTMLElement | null} */
function tabNode(page, key) {
  return page.parts.tabs.querySelector(`[data-key=${key}]`);
}

/** Arrows, Home and End in the log go through the game. @param {TablePage} page @param {string} key */
function replayKey(page, key) {
  const way = /** @type {Record<string, string>} */ ({
    ArrowLeft: "back",
    ArrowRight: "fwd",
    Home: "first",
    End: "last",
  })[key];
  if (way) page.step(way);
  return way !== undefined;
}

/** Take a half-made choice back, or leave a panel for the board. @param {TablePage} page @param {HTMLElement} target */
function escape(page, target) {
  if (page.panel.dialog.open) return; // it closes itself
  const folded = /** @type {HTMLDetailsElement | null} */ (target.closest("details[open]"));
  if (folded && page.root.contains(folded)) {
    folded.open = false;
    folded.querySelector("summary")?.focus();
  } else if (page.past.on) {
    page.past.leave();
  } else if (target.closest(".side-panel")) {
    /** @type {HTMLElement} */ (page.parts.area.querySelector("[tabindex='0']") ?? page.parts.status).focus();
  } else if (page.choosing) {
    page.choosing = null;
    page.draw();
  } else if (page.draft.clear || page.board?.held.length) {
    page.board?.clear();
  } else if (page.notice) {
    page.notice = null;
    drawStatus(page);
  }
}
