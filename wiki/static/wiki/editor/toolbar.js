// The toolbar: buttons that work on what is chosen in the text. One tab stop, arrows inside.

import { changeLines, insertBlock, insertText, wrap } from "./insert.js";

const ITEM = /^(\s*)(?:[-*+]|\d+\.)\s+/;

/** @param {number} level @returns {(lines: string[]) => string[]} */
function heading(level) {
  const mark = `${"#".repeat(level)} `;
  return (lines) =>
    lines.map((line) => {
      const words = line.replace(/^#{1,6}\s*/, "");
      return line.startsWith(mark) ? words : mark + (words || "Heading");
    });
}

/** @param {(number: number) => string} mark @param {RegExp} is @returns {(lines: string[]) => string[]} */
function list(mark, is) {
  return (lines) => {
    const all = lines.every((line) => is.test(line) || !line.trim()) && lines.some((line) => line.trim());
    let number = 0;
    return lines.map((line) => {
      if (!line.trim() && lines.length > 1) return line;
      const words = line.replace(ITEM, "$1");
      return all ? words : mark((number += 1)) + (words || "item");
    });
  };
}

const TABLE = "| Column | Column |\n| ------ | ------ |\n| cell   | cell   |";

/** What each button does with the text. @type {Record<string, (field: HTMLTextAreaElement) => void>} */
export const MARKS = {
  heading: (field) => changeLines(field, heading(2)),
  subheading: (field) => changeLines(field, heading(3)),
  bold: (field) => wrap(field, "**", "**", "bold"),
  italic: (field) => wrap(field, "*", "*", "italic"),
  link,
  list: (field) => changeLines(field, list(() => "- ", /^\s*[-*+]\s/)),
  numbers: (field) => changeLines(field, list((number) => `${number}. `, /^\s*\d+\.\s/)),
  table: (field) => insertBlock(field, TABLE, "Column"),
  sign: (field) => insertText(field, "~~~~"),
};

/** A page's name becomes a link to it, an address asks for its words. @param {HTMLTextAreaElement} field */
function link(field) {
  const chosen = field.value.slice(field.selectionStart, field.selectionEnd).trim();
  if (!/^https?:\/\/\S+$/.test(chosen)) {
    wrap(field, "[[", "]]", "Page");
    return;
  }
  const start = field.selectionStart;
  insertText(field, `[words](${chosen})`);
  field.setSelectionRange(start + 1, start + 6);
}

/** The mark of a picture. A name holds no space and no mark of ours there, as in `link_path`.
 * @param {string} name @param {string} shows @param {string} caption */
function pictureMark(name, shows, caption) {
  const path = name.trim().replace(/^file:\s*/i, "").replace(/[%\\`|{}()<>[\]"']/g, (mark) =>
    `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const words = (/** @type {string} */ text) =>
    text.trim().replaceAll("[", "(").replaceAll("]", ")").replaceAll('"', "'");
  const below = words(caption) ? ` "${words(caption)}"` : "";
  return `![${words(shows)}](file:${path.replace(/\s+/g, "_")}${below})`;
}

/** A dialog that writes something where the caret was. @param {HTMLTextAreaElement} field
 * @param {string} id @param {(button: HTMLElement | null) => string} made what to write, by the button pressed
 * @param {(chosen: string) => void} [prepare] @returns {() => void} opens it */
function dialogOf(field, id, made, prepare = () => undefined) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(id));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  let text = "";
  form.addEventListener("submit", (event) => {
    text = made(event.submitter);
  });
  dialog.addEventListener("close", () => {
    if (text) insertText(field, text);
    else field.focus();
    text = "";
    form.reset();
  });
  form.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  return () => {
    prepare(field.value.slice(field.selectionStart, field.selectionEnd));
    dialog.showModal();
  };
}

/** @param {string} part */
const input = (part) => /** @type {HTMLInputElement} */ (document.getElementById(`picture-${part}`));

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement} field */
export function equipToolbar(form, field) {
  const bar = form.querySelector(".edit-tools");
  if (!(bar instanceof HTMLElement)) return;
  bar.hidden = false;
  const buttons = [...bar.querySelectorAll("button")];
  /** @type {Record<string, () => void>} */
  const dialogs = {
    picture: dialogOf(
      field,
      "picture-dialog",
      () => pictureMark(input("name").value, input("shows").value, input("caption").value),
      (chosen) => {
        input("shows").value = chosen;
      },
    ),
    shortcode: dialogOf(field, "shortcode-dialog", (button) => button?.dataset.insert ?? ""),
  };
  buttons.forEach((button, index) => {
    button.tabIndex = index ? -1 : 0;
    const mark = button.dataset.mark ?? "";
    button.addEventListener("click", dialogs[mark] ?? (() => MARKS[mark](field)));
    button.addEventListener("focus", () => {
      for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    });
  });
  bar.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const last = buttons.length - 1;
    const next = {
      ArrowRight: here === last ? 0 : here + 1,
      ArrowLeft: here ? here - 1 : last,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Escape") field.focus();
    if (here < 0 || next === undefined) return;
    event.preventDefault();
    buttons[next].focus();
  });
}
