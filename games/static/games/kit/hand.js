/** One's own order of one's own hand: kept in this browser, for each table, until the next deal. */

import { keep, kept } from "./keep.js";

const STORE = "localStorage";

export class HandOrder {
  /** @param {() => void} changed told when the order is another: draw again */
  constructor(changed) {
    this.changed = changed;
    this.key = "";
    this.deal = "";
    /** @type {string[]} the hand in one's own order */
    this.cards = [];
  }

  /**
   * The hand in one's own order. Cards that are new go where the server has them.
   *
   * @param {string[]} hand as the server sorts it
   * @param {string} table whose hand it is
   * @param {string | number} deal the order of one deal is not that of the next
   * @returns {string[]}
   */
  arrange(hand, table, deal) {
    const key = `parlour:${table}:hand`;
    if (key !== this.key || String(deal) !== this.deal) {
      this.key = key;
      this.deal = String(deal);
      const known = kept(STORE, key);
      this.cards = known?.deal === this.deal && Array.isArray(known.cards) ? known.cards : [...hand];
    }
    const present = this.cards.filter((card) => hand.includes(card));
    for (const [n, card] of hand.entries()) {
      if (!present.includes(card)) present.splice(n === 0 ? 0 : present.indexOf(hand[n - 1]) + 1, 0, card);
    }
    if (hand.length === 0) keep(STORE, key, null);
    this.cards = present;
    return present;
  }

  /** @param {string} card @param {string | null} before the card it goes before; null: at the end */
  move(card, before) {
    if (card === before || !this.cards.includes(card)) return;
    const others = this.cards.filter((other) => other !== card);
    others.splice(before === null ? others.length : others.indexOf(before), 0, card);
    this.set(others);
  }

  /** The whole hand in a new order. @param {string[]} cards */
  set(cards) {
    this.cards = cards;
    keep(STORE, this.key, { deal: this.deal, cards });
    this.changed();
  }

  /**
   * Shift with an arrow moves the card that has the focus; it keeps the focus.
   *
   * @param {HTMLElement} board
   * @param {KeyboardEvent} event
   */
  onKey(board, event) {
    const step = event.shiftKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    const card = /** @type {HTMLElement} */ (event.target).dataset.drag;
    if (!step || !card || !this.cards.includes(card)) return;
    event.preventDefault();
    const to = this.cards.indexOf(card) + step;
    if (to < 0 || to >= this.cards.length) return;
    this.move(card, this.cards[step > 0 ? to + 1 : to] ?? null);
    /** @type {HTMLElement | null} */ (board.querySelector(`[data-drag="${CSS.escape(card)}"]`))?.focus();
  }
}
