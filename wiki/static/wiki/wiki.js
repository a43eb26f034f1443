// Conveniences of wiki pages. Everything works without them: contents that fold on narrow pages and
// follow the reader, pictures weighed before they are sent. The editor's are in editor/.

const NARROW = window.matchMedia("(max-width: 59.99rem)");

for (const fold of document.querySelectorAll('details[data-fold="narrow"]')) {
  if (NARROW.matches) fold.removeAttribute("open");
}
NARROW.addEventListener("change", () => {
  if (NARROW.matches) return; // what was folded has no sign there that it can be opened
  for (const fold of document.querySelectorAll('details[data-fold="narrow"]')) fold.setAttribute("open", "");
});

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

/** Lets a table that is wider than its page scroll by itself, also by the keyboard.
 * @param {HTMLTableElement} table */
function scrollsSideways(table) {
  const frame = document.createElement("div");
  frame.className = "sideways";
  table.replaceWith(frame);
  frame.append(table);
  new ResizeObserver(() => {
    if (frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", "Table, wider than the page");
    } else for (const name of ["tabindex", "role", "aria-label"]) frame.removeAttribute(name);
  }).observe(frame);
}

for (const table of document.querySelectorAll(".prose > table, .topic table")) {
  if (table instanceof HTMLTableElement) scrollsSideways(table);
}

/** Marks the contents line of the section that is being read. */
function followContents() {
  const links = [...document.querySelectorAll(".toc a")];
  const headings = links
    .map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
    .filter((heading) => heading !== null);
  if (headings.length !== links.length || !links.length) return;
  const contents = links[0].closest(".toc"); // it scrolls by itself where it is longer than the window
  let shown = 0;
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120).length;
    const current = Math.max(0, passed - 1);
    links.forEach((link, index) => {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (contents && current !== shown) contents.scrollTop = links[current].offsetTop - contents.clientHeight / 2;
    shown = current;
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

/** Asks before words of a talk page are lost that were not sent: by a link, or by another of its forms.
 * @param {HTMLFormElement[]} forms */
function warnsOfWords(forms) {
  /** @type {EventTarget | null} */
  let sent = null;
  document.addEventListener("submit", (event) => (sent = event.target));
  window.addEventListener("beforeunload", (event) => {
    const fields = forms.filter((form) => form !== sent).flatMap((form) => [...form.elements]);
    const written = (/** @type {Element} */ field) =>
      (field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.name === "heading")) &&
      field.value.trim() !== "";
    if (fields.some(written)) event.preventDefault();
    sent = null; // one may stay
  });
}

const saying = [...document.querySelectorAll("form.say")].filter((form) => form instanceof HTMLFormElement);
if (saying.length) warnsOfWords(saying);
const uploading = document.querySelector("form.upload");
if (uploading instanceof HTMLFormElement) weighPicture(uploading);
followContents();
