/** The form for a new table: shows only the options that are asked, and counts the changed ones. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("new-table-form"));

/** @param {Element} control @returns {string} what it says now, as the server writes it */
function value(control) {
  return control instanceof HTMLInputElement ? String(control.checked) : /** @type {HTMLSelectElement} */ (control).value;
}

/** @param {string} name */
function control(name) {
  return form.querySelector(`[name="option-${name}"]`);
}

function update() {
  let changed = 0;
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-option]"))) {
    const asked = Object.entries(JSON.parse(field.dataset.showIf ?? "{}")).every(([name, wanted]) => {
      const other = control(name);
      return other !== null && value(other) === wanted;
    });
    field.hidden = !asked;
    const own = /** @type {HTMLElement} */ (control(field.dataset.option ?? ""));
    if (asked && value(own) !== own.dataset.default) changed += 1;
  }
  const chip = /** @type {HTMLElement} */ (form.querySelector("[data-changed]"));
  chip.hidden = changed === 0;
  chip.textContent = `${changed} changed`;
}

form.addEventListener("change", update);
update();
