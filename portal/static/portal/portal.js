// The site frame. Pages work without it; it only spares a click or keeps a title true.

/** @param {Event} event */
function nameTitle(event) {
  const part = /** @type {HTMLElement} */ (event.target).closest("[data-title]");
  if (part instanceof HTMLElement && part.dataset.title) document.title = part.dataset.title;
}
document.addEventListener("htmx:afterSettle", nameTitle);

// Who is not logged in has the theme of this browser (a table's panel sets it); an account has its own.
try {
  const theme = JSON.parse(localStorage.getItem("parlour:theme") ?? "null");
  if (!document.querySelector(".person, [data-account*=theme]") && (theme === "light" || theme === "dark"))
    document.documentElement.dataset.theme = theme;
} catch (error) {
  console.warn("The theme of this browser could not be read.", error);
}

// A form that is sent once more while it is under way does everything twice on a slow line.
const UNDER_WAY = 10_000; // milliseconds; then one may try again
const sent = new Map();
addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  const before = sent.get(form);
  if (before && Date.now() - before < UNDER_WAY) return event.preventDefault();
  sent.set(form, Date.now());
  form.setAttribute("aria-busy", "true");
  setTimeout(() => form.removeAttribute("aria-busy"), UNDER_WAY);
});
addEventListener("pageshow", () => {
  for (const form of sent.keys()) form.removeAttribute("aria-busy");
  sent.clear();
});

// Back from a table: a page kept by the browser may say that something waits which does no longer.
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-title], #open-tables, .table-list")) location.reload();
});
