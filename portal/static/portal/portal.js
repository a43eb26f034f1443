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

// Back from a table: a page kept by the browser may say that something waits which does no longer.
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-title], #open-tables, .table-list")) location.reload();
});
