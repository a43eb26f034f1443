// The editor and the conflict page. Both work without this: it keeps drafts, has a toolbar and keys,
// and tells who else is writing.

import { DraftKeeper } from "./drafts.js";
import { listen } from "./keys.js";
import { watchOthers } from "./others.js";
import { equipToolbar } from "./toolbar.js";

const form = document.querySelector("form.editor");
if (form instanceof HTMLFormElement) {
  const field = form.querySelector("textarea.source:not([readonly])");
  if (field instanceof HTMLTextAreaElement) {
    equipToolbar(form, field);
    numberPreview(form);
    const keeper = new DraftKeeper(form, field);
    listen(form, field, () => keeper.save());
    watchOthers(form, field);
  } else {
    warnOfDecisions(form);
    listen(form, null, () => undefined);
  }
}

/** A section's preview counts on from the sections before it. @param {HTMLFormElement} editor */
function numberPreview(editor) {
  const preview = editor.querySelector(".preview");
  if (!(preview instanceof HTMLElement)) return;
  preview.style.setProperty("--sections-before", preview.dataset.sectionsBefore ?? "0");
}

/** The draft keeps the whole text, not what one writes into a passage. @param {HTMLFormElement} conflict */
function warnOfDecisions(conflict) {
  let changed = conflict.dataset.decided !== undefined; // and shown again, not saved
  conflict.addEventListener("input", () => (changed = true));
  conflict.addEventListener("submit", () => (changed = false));
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
}
