// Notes above the editor that come and go while one writes.

/** @param {string} icon of the sprite, as the page's own icons have it */
function iconOf(icon) {
  const model = document.querySelector("svg use");
  const address = model?.getAttribute("href")?.split("#")[0] ?? "";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${address}#${icon}`);
  svg.append(use);
  return svg;
}

/** A note at the top of `form`, said to those who cannot see it. @param {HTMLFormElement} form
 * @param {{icon?: string, kind?: string, words: string, ways?: (HTMLElement)[]}} note */
export function showNote(form, { icon = "info", kind = "", words, ways = [] }) {
  const note = document.createElement("div");
  note.className = `note wide ${kind}`;
  note.setAttribute("role", "status");
  const inner = document.createElement("div");
  const row = document.createElement("span");
  row.className = "row";
  row.append(...ways);
  inner.append(words);
  if (ways.length) inner.append(row);
  note.append(iconOf(icon), inner);
  form.prepend(note);
  return note;
}

/** @param {string} words @param {() => void} act @param {string} [kind] */
export function button(words, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `button button-small ${kind}`;
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

/** A link that leaves the editor open. @param {string} words @param {string} address */
export function linkAside(words, address) {
  const made = document.createElement("a");
  made.href = address;
  made.target = "_blank";
  made.rel = "noopener";
  made.textContent = words;
  return made;
}
