/**
 * Dragging pieces by mouse, pen or finger. It is an extra: what can be dragged can also be chosen and placed.
 *
 * A piece has `data-drag` (its name) and lies in a place with `data-drop` (its name too); what is drawn is
 * the board's. A mouse drags at once, a finger after it has rested a moment, so that the page still
 * scrolls. A click stays a click; Escape, or a piece that is gone, ends it with nothing done.
 */

const FAR = 8; // px before a mouse drags, or a finger scrolls
const REST = 300; // ms a finger rests before it drags
const EDGE = 56; // px from the edge of the window where it scrolls
const SCROLL = 14; // px a time

/**
 * @typedef {object} Dropped
 * @property {string} piece
 * @property {string} from the place it lay in
 * @property {string} place where it was dropped
 * @property {string | null} before the piece it goes before there; null: at the end
 */

/** @typedef {HTMLElement & {heed: (key: string, does: (key: string) => any) => void}} Board */

export class Drag {
  /**
   * @param {Board} root
   * @param {(dropped: Dropped) => void} drop
   * @param {(piece: string, place: string) => boolean} [takes] whether a place takes a piece
   */
  constructor(root, drop, takes = () => true) {
    this.root = root;
    this.drop = drop;
    this.takes = takes;
    /** @type {{node: HTMLElement, id: number, x: number, y: number} | null} what is held, not dragged yet */
    this.held = null;
    this.dragging = false;
    this.spent = false; // Escape has ended the drag, and the button is still down
    /** @type {{place: HTMLElement, before: HTMLElement | null} | null} */
    this.over = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    root.addEventListener("pointerdown", (event) => this.#onDown(event));
    root.addEventListener("pointermove", (event) => this.#onMove(event));
    root.addEventListener("pointerup", (event) => this.#onUp(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("touchmove", (event) => this.dragging && event.preventDefault(), {
      passive: false,
    });
    root.addEventListener("contextmenu", (event) => this.dragging && event.preventDefault());
    root.addEventListener("dragstart", (event) => event.preventDefault()); // the browser's own
    document.addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
  }

  /** Put back what is held. */
  cancel() {
    clearTimeout(this.timer);
    const node = this.held?.node;
    if (node) {
      node.style.translate = "";
      node.classList.remove("dragged");
    }
    this.#point(null);
    this.held = null;
    this.dragging = false;
  }

  // -- inside --------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #onDown(event) {
    if (this.held) this.cancel(); // a second finger
    this.spent = false;
    const node = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-drag]")
    );
    if (!node || event.button !== 0 || !event.isPrimary) return;
    this.held = { node, id: event.pointerId, x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch") this.timer = window.setTimeout(() => this.#begin(), REST);
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    if (!held.node.isConnected) {
      this.cancel();
      return;
    }
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!this.dragging) {
      if (Math.hypot(x, y) < FAR) return;
      if (event.pointerType === "touch") {
        this.cancel(); // it scrolls
        return;
      }
      this.#begin();
    }
    held.node.style.translate = `${x}px ${y}px`;
    held.node.classList.add("dragged"); // again, where the board was drawn anew meanwhile
    this.#point(this.#target(event.clientX, event.clientY));
    if (event.clientY < EDGE) held.y += scrolled(-SCROLL);
    else if (event.clientY > innerHeight - EDGE) held.y += scrolled(SCROLL);
  }

  #begin() {
    if (!this.held) return;
    this.dragging = true;
    this.held.node.setPointerCapture(this.held.id);
    this.held.node.classList.add("dragged");
  }

  /** @param {PointerEvent} event */
  #onUp(event) {
    const { held, over, dragging } = this;
    if (this.spent) this.#swallowClick();
    this.spent = false;
    if (!held || event.pointerId !== held.id) return;
    this.cancel();
    if (!dragging) return;
    this.#swallowClick();
    const from = /** @type {HTMLElement | null} */ (held.node.closest("[data-drop]"));
    if (!over || !from || !held.node.isConnected) return;
    const dropped = {
      piece: nameOf(held.node),
      from: from.dataset.drop ?? "",
      place: over.place.dataset.drop ?? "",
      before: over.before ? nameOf(over.before) : null,
    };
    if (dropped.from === dropped.place) this.drop(dropped); // one's own order is one's own at any time
    else this.root.heed(dropped.piece, (piece) => this.drop({ ...dropped, piece }));
  }

  /** The click that follows a drag is none. */
  #swallowClick() {
    const swallow = (/** @type {Event} */ event) => {
      event.stopPropagation();
      event.preventDefault();
    };
    this.root.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => this.root.removeEventListener("click", swallow, { capture: true }));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.dragging || event.key !== "Escape") return;
    event.stopPropagation();
    this.spent = true;
    this.cancel();
  }

  /** The place under a point that takes what is dragged, and the piece it would go before. @param {number} x @param {number} y */
  #target(x, y) {
    const piece = /** @type {HTMLElement} */ (this.held?.node);
    for (const node of document.elementsFromPoint(x, y)) {
      const place = /** @type {HTMLElement | null} */ (node.closest("[data-drop]"));
      if (!place || !this.root.contains(place) || piece.contains(node)) continue;
      if (!this.takes(nameOf(piece), place.dataset.drop ?? "")) continue;
      const others = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[data-drag]")]);
      return { place, before: others.find((other) => other !== piece && isAfter(other, x, y)) ?? null };
    }
    return null;
  }

  /** Show where it would go. @param {{place: HTMLElement, before: HTMLElement | null} | null} over */
  #point(over) {
    if (over?.place !== this.over?.place || over?.before !== this.over?.before) {
      this.over?.place.classList.remove("drop-here");
      this.over?.before?.classList.remove("drop-before");
      over?.place.classList.add("drop-here");
      over?.before?.classList.add("drop-before");
    }
    this.over = over;
  }
}

/** @param {HTMLElement} node */
function nameOf(node) {
  return node.dataset.drag ?? "";
}

/** Whether a piece comes after a point, as one reads. @param {HTMLElement} node @param {number} x @param {number} y */
function isAfter(node, x, y) {
  const box = node.getBoundingClientRect();
  if (y < box.top) return true;
  return y <= box.bottom && x < box.left + box.width / 2;
}

/** Scroll the page. @param {number} by px @returns {number} how far the start of the drag has moved on the screen, px */
function scrolled(by) {
  const before = scrollY;
  scrollBy(0, by);
  return before - scrollY;
}
