/** What a person prefers: kept on the account, and for strangers in this browser. */

import { keep, kept } from "../kit/keep.js";
import { csrf } from "./door.js";

/** Each with what holds until it is set, and its name on the account. @type {Record<string, {usual: boolean | string, column: string}>} */
const KNOWN = {
  "confirm-moves": { usual: false, column: "confirm_moves" },
  "letter-keys": { usual: true, column: "letter_keys" },
  sound: { usual: false, column: "sound" },
  theme: { usual: "auto", column: "theme" },
  motion: { usual: true, column: "motion" },
};

export class Preferences {
  /** @param {{switch: string, account: string}} doors where a switch is set; the account's own as JSON, "" for strangers */
  constructor(doors) {
    this.door = doors.switch;
    /** @type {Record<string, boolean | string> | null} by column; null: nobody is logged in */
    this.account = doors.account ? JSON.parse(doors.account) : null;
    this.unsaved = false; // the account did not take it: it holds on this page only
  }

  /** @param {string} name @returns {boolean | string} */
  get(name) {
    const { usual, column } = KNOWN[name];
    return (this.account ? this.account[column] : kept("localStorage", `parlour:${name}`)) ?? usual;
  }

  /** @param {string} name @param {boolean | string} value */
  async set(name, value) {
    const { column } = KNOWN[name];
    if (name === "theme") showTheme(String(value));
    if (!this.account) {
      keep("localStorage", `parlour:${name}`, value);
      return;
    }
    this.account[column] = value;
    this.unsaved = !(await this.#send(column, value));
  }

  /** @param {string} name @param {boolean | string} value */
  async #send(name, value) {
    try {
      const answer = await fetch(this.door, {
        method: "POST",
        headers: { Accept: "application/json", "X-CSRFToken": csrf() },
        body: new URLSearchParams({ name, value: String(value) }),
        keepalive: true,
      });
      return answer.ok;
    } catch (error) {
      console.warn("The preference was not saved.", error);
      return false;
    }
  }
}

/** @param {string} theme "light", "dark", or "auto": as the device */
function showTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
