// Keys of the editor. They work in the text and in the fields around it.

import { MARKS } from "./toolbar.js";

/** With Ctrl, or Command. @type {Record<string, string>} */
const WRITING = { b: "bold", i: "italic", k: "link" };
/** With Alt and Shift, by the place of the key: layouts and systems write other letters there.
 * @type {Record<string, string>} */
const ACTIONS = { KeyP: "preview", KeyV: "changes", KeyS: "save" };

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement | null} field @param {() => void} saveDraft */
export function listen(form, field, saveDraft) {
  form.addEventListener("keydown", (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const key = event.key.toLowerCase();
    const act = () => {
      if (command && key === "s") return saveDraft;
      if (command && field && event.target === field && WRITING[key]) return () => MARKS[WRITING[key]](field);
      const action = event.altKey && event.shiftKey && !event.ctrlKey && ACTIONS[event.code];
      const button = action && buttonOf(form, action);
      return button ? () => button.click() : null;
    };
    const found = act();
    if (!found) return;
    event.preventDefault();
    found();
  });
}

/** @param {HTMLFormElement} form @param {string} action @returns {HTMLButtonElement | null} */
function buttonOf(form, action) {
  return action === "save"
    ? form.querySelector(".save .button-primary")
    : form.querySelector(`.save button[value="${action}"]`);
}
