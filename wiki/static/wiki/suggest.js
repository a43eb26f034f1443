// Names of pages while one types into a search box: a list below it that the arrow keys walk. Without this
// script the box is a form like any other, and Enter without a choice is that always.

const WAIT = 150; // ms without a key before the server is asked

/** @typedef {{title: string, page: string, language: string, url: string}} Suggestion */

/** @param {HTMLInputElement} box */
function suggestFor(box) {
  const form = /** @type {HTMLFormElement} */ (box.form);
  const list = document.createElement("ul");
  list.id = `${box.id}-suggestions`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Pages");
  list.hidden = true;
  const count = document.createElement("span");
  count.className = "sr";
  count.setAttribute("role", "status");
  form.append(list, count);
  form.classList.add("suggesting");
  for (const [name, value] of Object.entries({
    role: "combobox",
    autocomplete: "off",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
  }))
    box.setAttribute(name, value);

  /** @type {Map<string, Suggestion[]>} */
  const known = new Map();
  let chosen = -1;
  let waiting = 0;
  let asked = new AbortController();

  /** @param {number} index of the option that the keys are at; -1: none */
  const choose = (index) => {
    chosen = index;
    [...list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    const option = /** @type {HTMLElement | undefined} */ (list.children[index]);
    if (option) {
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else box.removeAttribute("aria-activedescendant");
  };

  const close = () => {
    clearTimeout(waiting);
    asked.abort();
    list.hidden = true;
    count.textContent = "";
    box.setAttribute("aria-expanded", "false");
    choose(-1);
  };

  /** @param {Suggestion[]} found */
  const show = (found) => {
    list.replaceChildren(
      ...found.map(({ title, page, language, url }, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${index}`;
        option.setAttribute("role", "option");
        option.dataset.url = url;
        const name = document.createElement("span");
        name.lang = language;
        name.textContent = title;
        option.append(name);
        if (title !== page) {
          const other = document.createElement("span");
          other.className = "small muted";
          other.textContent = ` leads to ${page}`;
          option.append(other);
        }
        return option;
      }),
    );
    choose(-1);
    list.hidden = !found.length;
    box.setAttribute("aria-expanded", String(Boolean(found.length)));
    count.textContent = found.length ? `${found.length} ${found.length === 1 ? "page" : "pages"}` : "";
    list.style.setProperty("--box-start", `${box.offsetLeft}px`);
    list.style.setProperty("--box-end", `${box.offsetTop + box.offsetHeight}px`);
    list.style.setProperty("--box-size", `${box.offsetWidth}px`);
  };

  const ask = async () => {
    const typed = box.value.trim().replace(/\s+/g, " ");
    asked.abort();
    if (!typed) return close();
    const before = known.get(typed);
    if (before) return show(before);
    asked = new AbortController();
    try {
      const answer = await fetch(`${box.dataset.suggest}?q=${encodeURIComponent(typed)}`, { signal: asked.signal });
      if (!answer.ok) return close();
      /** @type {{suggestions: Suggestion[]}} */
      const { suggestions } = await answer.json();
      known.set(typed, suggestions);
      if (document.activeElement === box && box.value.trim().replace(/\s+/g, " ") === typed) show(suggestions);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) close(); // offline: the form remains
    }
  };

  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(ask, WAIT);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const options = list.children.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else if (event.key === "ArrowDown") choose(chosen + 1 < options ? chosen + 1 : -1);
      else choose(chosen < 0 ? options - 1 : chosen - 1);
    } else if (event.key === "Enter" && !list.hidden && chosen >= 0) {
      event.preventDefault();
      location.assign(/** @type {string} */ (/** @type {HTMLElement} */ (list.children[chosen]).dataset.url));
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault(); // the first one closes the list, the next one empties the box
      close();
    }
  });
  box.addEventListener("blur", close);
  form.addEventListener("submit", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
  list.addEventListener("click", (event) => {
    const option = /** @type {HTMLElement} */ (event.target).closest("li");
    if (option?.dataset.url) location.assign(option.dataset.url);
  });
}

for (const box of document.querySelectorAll("input[data-suggest]"))
  suggestFor(/** @type {HTMLInputElement} */ (box));
