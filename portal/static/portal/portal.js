// The site frame. Pages work without it; it only spares a click or keeps a title true.

/** @param {Event} event */
function nameTitle(event) {
  const part = /** @type {HTMLElement} */ (event.target).closest("[data-title]");
  if (part instanceof HTMLElement && part.dataset.title) document.title = part.dataset.title;
}
document.addEventListener("htmx:afterSettle", nameTitle);

// Back from a table: a page kept by the browser may say that something waits which does no longer.
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-title], #open-tables, .table-list")) location.reload();
});
