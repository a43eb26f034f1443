/**
 * One tab stop for each hand, board and list; arrows, Home and End inside.
 *
 * A group is an element with `data-roving`; its items are what it holds with a `data-key`. In a
 * group with `data-roving="grid"` items have `data-row` and `data-col` and arrows move by cell, with "turned"
 * also where rows are shown as columns; with
 * "rows" only up and down go through the items; in others left and right do, and up and down go to the
 * nearest item of another row.
 */

const ITEM = "[data-key]";

/** @param {Element} group @returns {HTMLElement[]} */
function itemsOf(group) {
  return /** @type {HTMLElement[]} */ (
    [...group.querySelectorAll(ITEM)].filter(
      (item) =>
        item.closest("[data-roving]") === group &&
        !item.hasAttribute("data-still") &&
        !item.hasAttribute("hidden"),
    )
  );
}

/** Keeps the tab stops of all groups inside `root`. */
export class Roving {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, string>} key of the last focused item, by group */
    this.last = new Map();
    /** @type {{group: string, index: number} | null} where the focus was before a redraw */
    this.held = null;
    root.addEventListener("keydown", (event) => this.#onKey(event));
    root.addEventListener("focusin", (event) => this.#onFocus(event));
  }

  /** Before a redraw: remember where the focus is. */
  hold() {
    this.held = null;
    const item = /** @type {HTMLElement | null} */ (document.activeElement);
    const group = item?.closest("[data-roving]");
    if (!item || !group || !this.root.contains(item)) return;
    const items = itemsOf(group);
    if (items.includes(item)) this.held = { group: nameOf(group), index: items.indexOf(item) };
  }

  /**
   * After a redraw: one tab stop in each group, and the focus back. When the focused item is gone
   * the one that took its place has the focus; false when the whole group is gone.
   *
   * @returns {boolean}
   */
  restore() {
    let found = this.held === null;
    for (const group of this.root.querySelectorAll("[data-roving]")) {
      const items = itemsOf(group);
      const name = nameOf(group);
      if (this.held?.group === name && items.length > 0) {
        found = true;
        if (!items.some((item) => item === document.activeElement)) {
          this.last.set(name, keyOf(items[Math.min(this.held.index, items.length - 1)]));
          this.#stop(group, items);
          items[Math.min(this.held.index, items.length - 1)].focus();
          continue;
        }
      }
      this.#stop(group, items);
    }
    this.held = null;
    return found;
  }

  /** @param {Element} group @param {HTMLElement[]} items */
  #stop(group, items) {
    const last = this.last.get(nameOf(group));
    const stop =
      items.find((item) => keyOf(item) === last) ??
      items.find((item) => item.hasAttribute("aria-current")) ??
      items.find(
        (item) => !item.hasAttribute("data-idle") && item.getAttribute("aria-disabled") !== "true",
      ) ??
      items[0];
    for (const item of items) {
      const value = item === stop ? "0" : "-1";
      if (item.getAttribute("tabindex") !== value) item.setAttribute("tabindex", value);
    }
  }

  /** @param {FocusEvent} event */
  #onFocus(event) {
    const item = /** @type {HTMLElement} */ (event.target).closest?.(ITEM);
    const group = item?.closest("[data-roving]");
    if (!item || !group) return;
    const items = itemsOf(group);
    if (!items.includes(/** @type {HTMLElement} */ (item))) return;
    this.last.set(nameOf(group), keyOf(item));
    this.#stop(group, items);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const group = target.closest("[data-roving]");
    if (!group) return;
    const items = itemsOf(group);
    const at = items.indexOf(target);
    if (at < 0) return;
    const to = (WAYS[group.getAttribute("data-roving") ?? ""] ?? inRow)(items, at, event);
    if (to === undefined) return;
    event.preventDefault();
    to?.focus();
  }
}

/** @param {Element} group */
function nameOf(group) {
  return group.getAttribute("data-key") ?? group.getAttribute("aria-label") ?? "";
}

/** @param {Element} item */
function keyOf(item) {
  return item.getAttribute("data-key") ?? "";
}

/**
 * @param {HTMLElement[]} items
 * @param {number} at
 * @param {KeyboardEvent} event
 * @returns {HTMLElement | null | undefined} undefined: not our key; null: nothing there
 */
function inRow(items, at, event) {
  if (event.ctrlKey) return undefined;
  switch (event.key) {
    case "ArrowRight":
      return items[at + 1] ?? null;
    case "ArrowLeft":
      return items[at - 1] ?? null;
    case "Home":
      return items[0];
    case "End":
      return items[items.length - 1];
    case "ArrowUp":
    case "ArrowDown":
      return nearest(items, items[at], event.key === "ArrowDown" ? 1 : -1);
    default:
      return undefined;
  }
}

/** @param {HTMLElement[]} items @param {HTMLElement} from @param {1 | -1} way */
function nearest(items, from, way) {
  const here = from.getBoundingClientRect();
  const rows = items
    .map((item) => ({ item, box: item.getBoundingClientRect() }))
    .filter(({ box }) => (box.top - here.top) * way > here.height / 2)
    .map(({ item, box }) => ({
      item,
      up: Math.abs(box.top - here.top),
      aside: Math.abs(box.left + box.width / 2 - here.left - here.width / 2),
    }));
  // a chosen card stands a little higher than its row: up to half a card is the same row
  const row = Math.min(...rows.map(({ up }) => up));
  const near = rows.filter(({ up }) => up <= row + here.height / 2);
  near.sort((a, b) => a.aside - b.aside);
  return near[0]?.item ?? null;
}

/** @typedef {(items: HTMLElement[], at: number, event: {key: string, ctrlKey: boolean}) => HTMLElement | null | undefined} Way */

/** @type {Way} */
function inLines(items, at, event) {
  const step = event.ctrlKey ? 0 : { ArrowDown: 1, ArrowUp: -1 }[event.key];
  return step ? (items[at + step] ?? null) : undefined;
}

/** @type {Way} */
function inGrid(items, at, event) {
  const from = items[at];
  const row = Number(from.dataset.row);
  const col = Number(from.dataset.col);
  const inSame = items.filter((item) => Number(item.dataset.row) === row);
  switch (event.key) {
    case "ArrowRight":
      return event.ctrlKey ? undefined : (inSame.find((item) => Number(item.dataset.col) > col) ?? null);
    case "ArrowLeft":
      return event.ctrlKey
        ? undefined
        : (inSame.reverse().find((item) => Number(item.dataset.col) < col) ?? null);
    case "ArrowDown":
      return event.ctrlKey ? undefined : cellIn(items, row + 1, col);
    case "ArrowUp":
      return event.ctrlKey ? undefined : cellIn(items, row - 1, col);
    case "Home":
      return event.ctrlKey ? items[0] : inSame[0];
    case "End":
      return event.ctrlKey ? items[items.length - 1] : inSame[inSame.length - 1];
    default:
      return undefined;
  }
}

/** @type {Record<string, string>} */
const TURNED = { ArrowRight: "ArrowDown", ArrowDown: "ArrowRight", ArrowLeft: "ArrowUp", ArrowUp: "ArrowLeft" };

/** A grid whose rows stand upright where it is narrow: arrows go as one sees it. @type {Way} */
function asSeen(items, at, event) {
  const [one, next] = items.filter((item) => item.dataset.row === items[at].dataset.row);
  const upright = next && one.getBoundingClientRect().left === next.getBoundingClientRect().left;
  const { key, ctrlKey } = event;
  return inGrid(items, at, { key: (upright && TURNED[key]) || key, ctrlKey });
}

/** @param {HTMLElement[]} items @param {number} row @param {number} col */
function cellIn(items, row, col) {
  const there = items.filter((item) => Number(item.dataset.row) === row);
  there.sort((a, b) => Math.abs(Number(a.dataset.col) - col) - Math.abs(Number(b.dataset.col) - col));
  return there[0] ?? null;
}

/** How arrows go in groups that are no simple row, by the value of `data-roving`. @type {Record<string, Way>} */
const WAYS = { grid: inGrid, turned: asSeen, rows: inLines };
