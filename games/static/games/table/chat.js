/** What is said at the table. */

import { el, icon } from "../kit/dom.js";

/** @typedef {{id: number, name: string, seat: number | null, text: string, at: number}} Said `at`: ms since 1970 */

export class Chat {
  /**
   * @param {HTMLElement} list
   * @param {() => boolean} open whether somebody looks at it
   * @param {(unread: number) => void} count told how many messages nobody has looked at
   */
  constructor(list, open, count) {
    this.list = list;
    this.open = open;
    this.count = count;
    this.known = 0;
    this.unread = 0;
    this.first = true;
  }

  /** @param {Said[]} messages those already known are passed over @param {number | null} you */
  add(messages, you) {
    for (const said of messages) {
      if (said.id <= this.known) continue;
      this.known = said.id;
      const own = you !== null && said.seat === you;
      if (!this.first && !own && !this.open()) this.unread += 1;
      this.list.append(this.#line(said));
    }
    this.first = false;
    this.list.scrollTop = this.list.scrollHeight;
    this.count(this.unread);
  }

  seen() {
    this.unread = 0;
    this.list.scrollTop = this.list.scrollHeight;
    this.count(0);
  }

  /** @param {Said} said */
  #line(said) {
    const at = new Date(said.at);
    const today = at.toDateString() === new Date().toDateString();
    const time = at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const shown = today ? time : `${at.toLocaleDateString(undefined, { weekday: "short" })} ${time}`;
    return el(
      "p",
      {},
      el(
        "span",
        { class: "seat", "data-seat": said.seat },
        said.seat === null ? icon("eye") : icon(`seat-${said.seat}`),
        said.name,
      ),
      ": ",
      said.text,
      el("time", { datetime: at.toISOString() }, shown),
    );
  }
}
