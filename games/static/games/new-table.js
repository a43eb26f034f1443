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

/** @param {string} conditions JSON, values of other options @returns {boolean} whether all of them are chosen */
function holds(conditions) {
  return Object.entries(JSON.parse(conditions)).every(([name, wanted]) => {
    const other = control(name);
    return other !== null && value(other) === wanted;
  });
}

function update() {
  let changed = 0;
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-option]"))) {
    const { showIf = "{}", hideIf } = field.dataset;
    const asked = holds(showIf) && !(hideIf && holds(hideIf));
    field.hidden = !asked;
    const own = /** @type {HTMLElement} */ (control(field.dataset.option ?? ""));
    if (asked && value(own) !== own.dataset.default) changed += 1;
  }
  const chip = /** @type {HTMLElement} */ (form.querySelector("[data-changed]"));
  chip.hidden = changed === 0;
  chip.textContent = `${changed} changed`;
  summarise();
}

/** @param {string} name of a box or a list, which may not be asked here */
function chosen(name) {
  const field = form.querySelector(`[name=${name}]`);
  return field instanceof HTMLInputElement ? field.checked : field instanceof HTMLSelectElement ? field.value : "";
}

/** How a table with free seats begins, where that is not by itself. */
function beginning() {
  const least = chosen("least") && `with ${chosen("least")} or more`;
  if (chosen("starts") === "host") return `begins when you start it ${least}`.trimEnd();
  return least && `may begin ${least}`;
}

/** For whom the free seats are. */
function audience() {
  const known = chosen("accounts_only") ? "people with an account" : "";
  if (chosen("unlisted")) return known ? `for ${known} and the link` : "for people with the link";
  return known ? `for ${known}` : "open to everybody";
}

/** The table in one line, as the server words it. */
function summarise() {
  const line = /** @type {HTMLElement} */ (form.querySelector("[data-summary]"));
  const seats = [.../** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll("select[name^=seat-]"))];
  const bots = seats.filter((seat) => seat.value === "bot").length;
  const pace = /** @type {HTMLElement} */ (form.querySelector("[name=pace]:checked"));
  const parts = [line.dataset.begins, bots > 0 && (bots === 1 ? "one bot" : `${bots} bots`), pace.dataset.words];
  if (bots === seats.length) parts.push("begins at once");
  else parts.push(beginning(), audience());
  line.textContent = `${parts.filter(Boolean).join(", ")}.`;
}

form.addEventListener("change", update);
update();
