// After a page was published, what this browser kept of it is of no use any more.

import { removeAll } from "./kept.js";

const saved = document.querySelector("[data-saved]");
if (saved instanceof HTMLElement) {
  removeAll(saved.dataset.slug ?? "", saved.dataset.account ?? "");
  // "Saved." stays in view above the section until it has been read
  setTimeout(() => document.body.classList.add("saved-read"), 10_000);
}
