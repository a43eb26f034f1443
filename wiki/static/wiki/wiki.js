// Conveniences of wiki pages. Everything works without them: contents that fold on narrow pages and
// follow the reader, buttons that insert marks, a draft kept on this device.

const NARROW = window.matchMedia("(max-width: 59.99rem)");

for (const fold of document.querySelectorAll('details[data-fold="narrow"]')) {
  if (NARROW.matches) fold.removeAttribute("open");
}

/** Closes a menu on Escape, on a click elsewhere and when the focus goes elsewhere.
 * @param {HTMLDetailsElement} menu */
function closesByItself(menu) {
  const elsewhere = (/** @type {Event} */ event) => {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  };
  document.addEventListener("click", elsewhere);
  document.addEventListener("focusin", elsewhere);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

for (const menu of document.querySelectorAll("details[data-menu]")) {
  if (menu instanceof HTMLDetailsElement) closesByItself(menu);
}

/** Marks the contents line of the section that is being read. */
function followContents() {
  const links = [...document.querySelectorAll(".toc a")];
  const headings = links
    .map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
    .filter((heading) => heading !== null);
  if (headings.length !== links.length || !links.length) return;
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120).length;
    links.forEach((link, index) => {
      if (index === Math.max(0, passed - 1)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  let waiting = false;
  document.addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** What each button of the toolbar puts around the selection, or in its place.
 * @type {Record<string, {before: string, after?: string, sample: string, line?: boolean}>} */
const MARKS = {
  heading: { before: "## ", sample: "Heading", line: true },
  bold: { before: "**", after: "**", sample: "bold" },
  italic: { before: "*", after: "*", sample: "italic" },
  link: { before: "[[", after: "]]", sample: "Page" },
  list: { before: "- ", sample: "item", line: true },
  table: { before: "| Column | Column |\n| ------ | ------ |\n| ", after: " |  |\n", sample: "cell", line: true },
  card: { before: "{{card|", after: "}}", sample: "QS" },
  die: { before: "{{die|", after: "}}", sample: "5" },
};

/** Puts `made` in place of the selection. @param {HTMLTextAreaElement} field @param {string} made */
function insertText(field, made) {
  const { selectionStart: start, selectionEnd: end } = field;
  field.focus();
  // execCommand keeps the browser's own undo; where it is gone the text is set directly
  if (!document.execCommand("insertText", false, made)) {
    field.setRangeText(made, start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
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

/** The dialog that asks for a picture and for what it shows, and writes it where the caret was.
 * @param {HTMLTextAreaElement} field @returns {() => void} opens it */
function pictureDialog(field) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("picture-dialog"));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const [name, shows, caption] = ["name", "shows", "caption"].map(
    (part) => /** @type {HTMLInputElement} */ (document.getElementById(`picture-${part}`)),
  );
  let made = "";
  form.addEventListener("submit", () => {
    made = pictureMark(name.value, shows.value, caption.value);
  });
  dialog.addEventListener("close", () => {
    if (made) insertText(field, made);
    else field.focus();
    made = "";
    form.reset();
  });
  form.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  return () => {
    shows.value = field.value.slice(field.selectionStart, field.selectionEnd);
    dialog.showModal();
  };
}

/** @param {HTMLTextAreaElement} field @param {string} name */
function insertMark(field, name) {
  const { before, after = "", sample, line } = MARKS[name];
  const { selectionStart: start, selectionEnd: end, value } = field;
  const apart = line && start > 0 && !value.slice(0, start).endsWith("\n\n");
  const lead = apart ? (value[start - 1] === "\n" ? "\n" : "\n\n") : "";
  const chosen = value.slice(start, end) || sample;
  insertText(field, lead + before + chosen + after);
  const first = start + lead.length + before.length;
  field.setSelectionRange(first, first + chosen.length);
}

/** @param {HTMLFormElement} form */
function equipToolbar(form) {
  const bar = form.querySelector(".edit-tools");
  const field = form.querySelector("textarea.source");
  if (!(bar instanceof HTMLElement) || !(field instanceof HTMLTextAreaElement)) return;
  bar.hidden = false;
  const buttons = [...bar.querySelectorAll("button")];
  buttons.forEach((button, index) => {
    button.tabIndex = index ? -1 : 0;
    const mark = button.dataset.mark ?? "";
    button.addEventListener("click", mark === "picture" ? pictureDialog(field) : () => insertMark(field, mark));
  });
  bar.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (here < 0 || !step) return;
    event.preventDefault();
    buttons[here].tabIndex = -1;
    const next = buttons[(here + step + buttons.length) % buttons.length];
    next.tabIndex = 0;
    next.focus();
  });
}

const KEPT = "wiki-draft:";

/** The browser may refuse storage (private mode, full): then there is no draft, and we say so.
 * @param {() => string | null | void} use @returns {{done: boolean, value: string | null}} */
function withStorage(use) {
  try {
    return { done: true, value: use() ?? null };
  } catch (error) {
    if (error instanceof DOMException) return { done: false, value: null };
    throw error;
  }
}

/** "17:45", as everywhere on the site. @param {Date} time */
function hourOf(time) {
  return time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** @param {HTMLFormElement} form */
function keepDraft(form) {
  const key = KEPT + form.dataset.draft;
  const field = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea.source"));
  const base = /** @type {HTMLInputElement} */ (form.elements.namedItem("base"));
  const state = form.querySelector("[data-draft-state]");
  const said = withStorage(() => localStorage.getItem(key)).value;
  const old = said ? JSON.parse(said) : null;
  if (old && old.text !== field.value) offerDraft(form, field, base, old);
  field.addEventListener("input", () => {
    const time = new Date();
    const kept = withStorage(() =>
      localStorage.setItem(key, JSON.stringify({ text: field.value, base: base.value, at: +time })),
    );
    if (state) state.textContent = kept.done ? `Draft kept on this device, ${hourOf(time)}.` : "";
  });
}

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement} field @param {HTMLInputElement} base
 * @param {{text: string, base: string, at: number}} draft */
function offerDraft(form, field, base, draft) {
  const note = document.createElement("div");
  note.className = "note wide";
  note.setAttribute("role", "status");
  const words = document.createElement("span");
  const at = new Date(draft.at);
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  words.textContent = `A draft of yours from ${day}, ${hourOf(at)} is kept on this device.`;
  const restore = document.createElement("button");
  restore.type = "button";
  restore.className = "button button-small";
  restore.textContent = "Restore it";
  restore.addEventListener("click", () => {
    field.value = draft.text;
    base.value = draft.base;
    note.remove();
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const discard = document.createElement("button");
  discard.type = "button";
  discard.className = "button button-small button-quiet";
  discard.textContent = "Discard it";
  discard.addEventListener("click", () => {
    withStorage(() => localStorage.removeItem(KEPT + form.dataset.draft));
    note.remove();
    field.focus();
  });
  note.append(words, restore, discard);
  form.prepend(note);
}

/** After a save the drafts of the page are of no use any more. */
function dropDrafts() {
  const saved = document.querySelector("[data-saved]");
  if (!(saved instanceof HTMLElement)) return;
  const key = KEPT + saved.dataset.slug;
  withStorage(() => {
    for (const name of Object.keys(localStorage)) {
      if (name === key || name.startsWith(`${key}#`)) localStorage.removeItem(name);
    }
  });
}

/** A section's preview counts on from the sections before it. @param {HTMLFormElement} form */
function numberPreview(form) {
  const preview = form.querySelector(".preview");
  if (!(preview instanceof HTMLElement)) return;
  preview.style.setProperty("--sections-before", preview.dataset.sectionsBefore ?? "0");
}

/** Says at once that a picture is too large, before it is sent in vain. @param {HTMLFormElement} form */
function weighPicture(form) {
  const field = form.querySelector('input[type="file"]');
  const said = form.querySelector("[data-file-state]");
  if (!(field instanceof HTMLInputElement)) return;
  const most = Number(form.dataset.maxBytes);
  field.addEventListener("change", () => {
    const size = field.files?.[0]?.size ?? 0;
    const words = size > most ? `That picture has ${(size / 2 ** 20).toFixed(1)} MB; at most ${most >> 20} MB are taken.` : "";
    field.setCustomValidity(words);
    if (said) said.textContent = words;
  });
}

const uploading = document.querySelector("form.upload");
if (uploading instanceof HTMLFormElement) weighPicture(uploading);
const editor = document.querySelector("form.editor");
if (editor instanceof HTMLFormElement) {
  equipToolbar(editor);
  numberPreview(editor);
  if (editor.dataset.draft !== undefined) keepDraft(editor);
}
followContents();
dropDrafts();
