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

// A form that is sent once more while it is under way does everything twice on a slow line. And a part of the page
// that is drawn anew meanwhile would bring another form, or open the page anew: then the answer never comes, and
// with it the cookie of a new guest, who has lost what was just taken.
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
/** @param {Event} event of htmx, which it may cancel */
function wait(event) {
  if ([...sent.values()].some((at) => Date.now() - at < UNDER_WAY)) event.preventDefault();
}
document.addEventListener("htmx:beforeRequest", wait);
document.addEventListener("htmx:beforeOnLoad", wait);
addEventListener("pageshow", () => {
  for (const form of sent.keys()) form.removeAttribute("aria-busy");
  sent.clear();
});

// Back to a page that the browser has kept: it may say that something waits which does no longer, or name
// somebody who has logged out since. What is typed on it stays.
const PERSON = "parlour:person"; // whom the page that was opened last knew
const person = document.documentElement.dataset.person ?? "";
try {
  localStorage.setItem(PERSON, person);
} catch (error) {
  console.warn("Who was here last is not kept.", error);
}

function knownToBeAnother() {
  try {
    return (localStorage.getItem(PERSON) ?? person) !== person;
  } catch {
    return false; // said above
  }
}

function somethingTyped() {
  const fields = document.querySelectorAll("textarea, input:is([type=text], [type=search], :not([type]))");
  return [...fields].some((field) => {
    const { value, defaultValue } = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field);
    return value !== defaultValue;
  });
}

addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  const listing = document.querySelector("[data-title], #open-tables, .table-list");
  if (listing || (knownToBeAnother() && !somethingTyped())) location.reload();
});
