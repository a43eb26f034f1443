/**
 * The table page: `<parlour-table>` owns the line to the server, status, seats, actions, log, chat,
 * help and keys; the game owns the board. What it shows is the last payload, and nothing else.
 */

import { Connection } from "./connection.js";
import { Clocks } from "./kit/clock.js";
import { el, icon, render } from "./kit/dom.js";
import { inWords, messageParts, messageText } from "./kit/messages.js";
import { Roving } from "./kit/roving.js";
import { Chat } from "./table/chat.js";
import { Help } from "./table/help.js";
import { TABS, layout } from "./table/layout.js";
import { Log } from "./table/log.js";
import { Panel, preference } from "./table/panel.js";
import { resultSheet } from "./table/result.js";
import { drawSeats } from "./table/seats.js";

/** @typedef {import("./kit/board.js").Draft} Draft */
/** @typedef {{mood: string, icon: string, lead: string, text: (Node | string)[], when: (Node | string)[]}} Status */

const NOT_SENT = "Trying again; nothing is lost.";

class TablePage {
  /** @param {HTMLElement} root the custom element, with the addresses and preferences as its data */
  constructor(root) {
    this.root = root;
    this.doors = /** @type {Record<string, string>} */ ({ ...root.dataset });
    /** @type {any} */
    this.payload = JSON.parse(document.getElementById("table-payload")?.textContent ?? "null");
    /** @type {import("./kit/messages.js").People} */
    this.people = { names: [], you: null };
    this.told = 0; // server time of the newest payload
    /** @type {Draft} */
    this.draft = {};
    /** @type {{lead: string, text: string} | null} a refusal, until the next choice or change */
    this.notice = null;
    /** @type {string[]} what happened last, for the live region */
    this.news = [];
    /** @type {any[] | null} the whole list of moves, when it was asked for */
    this.allMoves = null;
    /** @type {{action: any, label: string} | null} chosen from the list, to be confirmed */
    this.choosing = null;
    /** @type {import("./table/seats.js").Decision | null} about somebody who does not answer */
    this.deciding = null;
    this.here = /** @type {number[]} */ ([]); // seats whose people look at the table now
    this.refusing = false; // a refusal of the server stays on the page when the state after it comes
    this.drawing = false;
    this.showsBoard = false; // of a finished game, in place of the result
    /** @type {import("./kit/board.js").GameBoard | null} */
    this.board = null;
    this.tab = "log";
    this.account = {
      "confirm-moves": root.dataset.confirmMoves === "true",
      "letter-keys": root.dataset.letterKeys !== "false",
    };
    this.parts = layout();
    root.replaceChildren(...this.parts.all);
    this.log = new Log(this.parts.panels.log, this.parts.list);
    this.chat = this.#listen();
    this.help = new Help(this.parts.panels.help, {
      pinned: this.payload.help.pinned_url,
      current: this.payload.help.url,
      name: this.payload.name,
      newer: this.payload.help.newer,
    });
    this.panel = new Panel(this.parts.dialog, {
      leave: () => this.#post(this.doors.leave),
      changed: () => this.#draw(),
      account: this.account,
    });
    this.roving = new Roving(root);
    this.clocks = new Clocks(root, (words) => this.#speak(words));
    this.line = this.#connect();
    this.#hear();
    this.#take(this.payload);
    void this.#loadBoard();
    this.line.start();
  }

  // -- what happens on the page ------------------------------------------------------------------

  #hear() {
    const { root } = this;
    root.addEventListener("click", (event) => this.#onClick(event));
    document.addEventListener("keydown", (event) => this.#onKey(event));
    root.addEventListener("game-action", (event) => this.#act(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener("game-draft", (event) => this.#onDraft(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener("game-refusal", (event) => this.#refuse(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener(
      "game-check",
      (event) => void this.#check(/** @type {CustomEvent} */ (event).detail),
    );
    this.parts.tabs.addEventListener("click", (event) => this.#showTab(tabOf(event)));
    this.parts.tabs.addEventListener("focusin", (event) => this.#showTab(tabOf(event)));
    document.querySelector("[data-opens=panel]")?.addEventListener("click", () => this.panel.open());
  }

  #listen() {
    const { said, badge, form, field } = this.parts;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#say(field);
    });
    const open = () => this.tab === "chat" && document.visibilityState === "visible";
    return new Chat(said, open, (unread) => {
      badge.hidden = unread === 0;
      badge.replaceChildren(String(unread), el("span", { class: "sr" }, " unread"));
    });
  }

  #connect() {
    const line = new Connection({
      table: this.payload.id,
      doors: /** @type {any} */ (this.doors),
      csrf,
      ply: () => this.log.last,
    });
    line.addEventListener("state", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("chat", (event) =>
      this.chat.add([/** @type {CustomEvent} */ (event).detail.message], this.people.you),
    );
    line.addEventListener("presence", (event) => {
      this.here = /** @type {CustomEvent} */ (event).detail.seats;
      this.#draw();
    });
    line.addEventListener("accepted", () => this.#draw());
    line.addEventListener("refused", (event) => {
      this.#refuse(this.#reason(/** @type {CustomEvent} */ (event).detail));
      if (!(/** @type {CustomEvent} */ (event).detail.key)) return;
      this.refusing = true;
      line.sync();
    });
    line.addEventListener("gone", () => this.#refuse("This table is no longer here."));
    line.addEventListener("line", () => this.#draw());
    return line;
  }

  async #loadBoard() {
    if (!this.doors.board) return;
    await import(this.doors.board);
    this.board = /** @type {import("./kit/board.js").GameBoard} */ (
      document.createElement(`${this.payload.game}-board`)
    );
    this.#draw();
  }

  // -- payloads ------------------------------------------------------------------------------------

  /** Take a payload that is no older than the one shown. @param {any} payload */
  #take(payload) {
    const before = this.payload;
    if (payload.ply < before.ply || (payload.ply === before.ply && payload.now < this.told)) return;
    if (before.status === "open" && payload.status !== "open") {
      location.reload(); // the waiting room is another page
      return;
    }
    this.told = payload.now;
    this.payload = { ...before, ...payload };
    this.people = { names: payload.seats.map((/** @type {any} */ seat) => seat.name), you: payload.you };
    if (payload.log_from > this.log.last && payload.log_from > 0) this.line.sync(); // something between was missed
    const news = this.log.add(payload.log, this.people);
    this.log.strike(payload.undone ?? []);
    if (payload.ply !== before.ply) {
      const result = payload.outcome && messageText(payload.outcome.text, this.people);
      this.news = news.filter((words) => words !== result).slice(-6); // the status says that one
      if (!this.refusing) this.notice = null;
      this.allMoves = null;
      this.choosing = null;
      this.deciding = null;
    }
    this.refusing = false;
    if (payload.chat) this.chat.add(payload.chat, payload.you);
    this.parts.form.hidden = !payload.may.say;
    this.clocks.set(payload.now);
    this.#draw();
  }

  /** Whether one click acts. */
  get direct() {
    return this.payload.pace.kind !== "slow" && !preference("confirm-moves", this.account["confirm-moves"]);
  }

  get myTurn() {
    return this.payload.moves !== null && this.payload.status === "playing";
  }

  get busy() {
    return this.line.unsent !== null || !this.line.up;
  }

  // -- drawing -------------------------------------------------------------------------------------

  #draw() {
    this.drawing = true;
    this.roving.hold();
    const had = document.activeElement;
    this.#drawTitle();
    drawSeats(this.parts.seats, this.payload, this);
    this.clocks.draw();
    this.#drawBoard();
    this.#drawBar();
    this.#drawStatus();
    this.panel.update(this.payload);
    this.drawing = false;
    const found = this.roving.restore();
    const lost =
      had !== null && had !== document.body && !had.isConnected && document.activeElement === document.body;
    if (!found || lost) this.parts.status.focus({ preventScroll: true });
  }

  #drawTitle() {
    const { name, status } = this.payload;
    const turn = this.myTurn;
    document.title = turn
      ? `● Your turn – ${name}`
      : status === "playing"
        ? `${name} – Parlour`
        : `${name}, over – Parlour`;
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const favicon = turn ? this.doors.turnIcon : this.doors.calmIcon;
    if (link && favicon && link.getAttribute("href") !== favicon) link.href = favicon;
  }

  #drawStatus() {
    const { mood, icon: symbol, lead, text, when } = this.#statusNow();
    this.parts.status.dataset.mood = mood;
    render(
      this.parts.status,
      icon(symbol),
      el("span", {}, lead && el("b", {}, lead), lead && text.length > 0 && " ", text),
      el("span", { class: "when" }, when),
      el("span", { class: "sr", "data-key": "news" }, this.news.join(" ")),
    );
  }

  /** @returns {Status} */
  #statusNow() {
    const { payload, people, line, notice, draft } = this;
    const summary = payload.summary ? messageParts(payload.summary, people) : [];
    if (line.late || (line.unsent && !line.up)) {
      return {
        mood: "bad",
        icon: "unsent",
        lead: "Not sent:",
        text: [`${line.unsent?.label}. ${NOT_SENT}`],
        when: [line.up ? "no answer yet" : "no connection"],
      };
    }
    if (!line.up && payload.status === "playing") {
      return {
        mood: "bad",
        icon: "unsent",
        lead: "No connection.",
        text: ["Trying again; the game is kept."],
        when: summary,
      };
    }
    if (notice) {
      const after = this.myTurn ? ["It is still your turn"] : summary;
      return { mood: "bad", icon: "warn", lead: notice.lead, text: [notice.text], when: after };
    }
    if (payload.status === "finished" || payload.status === "abandoned") {
      const said = payload.outcome ? messageParts(payload.outcome.text, people) : ["it was abandoned."];
      return {
        mood: "done",
        icon: "cup",
        lead: "The game is over:",
        text: said,
        when: payload.finished_at ? [when(payload.finished_at)] : [],
      };
    }
    if (payload.stopped) {
      const said = messageParts(payload.stopped, people);
      return { mood: "bad", icon: "warn", lead: "Stopped:", text: lowerFirst(said), when: [] };
    }
    if (this.myTurn) {
      const prompt = payload.moves.prompt ? messageParts(payload.moves.prompt, people) : ["make your move."];
      const text = draft.prompt ? [draft.prompt] : lowerFirst(prompt);
      return { mood: "turn", icon: "turn", lead: "Your turn:", text, when: summary };
    }
    const waiting = payload.seats
      .filter((/** @type {any} */ seat) => seat.pending)
      .map((/** @type {any} */ seat) => seat.name);
    return {
      mood: "wait",
      icon: "clock",
      lead: "",
      text: [`Waiting for ${inWords(waiting)}.`],
      when: summary,
    };
  }

  #drawBoard() {
    const { payload } = this;
    const over = payload.status !== "playing";
    if (over && !this.showsBoard) {
      render(
        this.parts.area,
        el(
          "div",
          { class: "felt finish", "data-key": "result" },
          resultSheet(payload, this.people, this.board ?? null),
        ),
      );
      return;
    }
    if (payload.stopped) {
      const said = el("p", { class: "muted" }, messageParts(payload.stopped, this.people));
      render(this.parts.area, el("div", { class: "plain-board", "data-key": "stopped" }, said));
      return;
    }
    if (!this.board) {
      const list = this.doors.board ? null : this.#moveList();
      render(
        this.parts.area,
        el(
          "div",
          { class: "plain-board", "data-key": "plain" },
          list ?? el("p", { class: "muted" }, this.doors.board ? "Laying the board." : ""),
        ),
      );
      return;
    }
    if (this.board.parentElement !== this.parts.area) this.parts.area.replaceChildren(this.board);
    const { view, moves, you, seats, status } = payload;
    this.board.situation = {
      view,
      moves,
      you,
      seats,
      status,
      direct: this.direct,
      busy: this.line.unsent !== null,
    };
  }

  #drawBar() {
    const over = this.payload.status !== "playing";
    this.parts.bar.hidden = false;
    const buttons = over ? this.#afterwards() : this.#buttons();
    const hint = this.line.unsent
      ? "You may close the page once this line is gone."
      : over
        ? ""
        : this.draft.hint;
    render(
      this.parts.bar,
      el(
        "div",
        {
          class: "bar",
          role: "toolbar",
          "aria-label": "Actions",
          "data-roving": true,
          "data-key": "bar",
          hidden: buttons.length === 0,
        },
        buttons,
      ),
      hint && el("span", { class: "hint", "data-key": "hint" }, hint),
      this.board && this.myTurn && !this.busy && this.#folded(),
    );
    this.parts.bar.hidden = buttons.length === 0 && !hint && !this.parts.bar.querySelector("details");
  }

  /** The buttons of the action bar; the nth answers to the key n. */
  #buttons() {
    const { line, draft, payload } = this;
    if (line.unsent) {
      const label = line.late || !line.up ? `${line.unsent.label}, not sent` : line.unsent.label;
      return [
        el(
          "button",
          {
            type: "button",
            class: "button button-primary grow",
            "aria-disabled": "true",
            "aria-busy": "true",
            "data-key": "main",
          },
          label,
        ),
        (line.late || !line.up) &&
          el(
            "button",
            { type: "button", class: "button", "data-key": "retry", "data-do": "retry" },
            icon("swap"),
            "Try now",
          ),
      ].filter(Boolean);
    }
    const ready = this.choosing ?? (draft.action ? { action: draft.action, label: draft.label } : null);
    const buttons = [];
    if (this.myTurn && (draft.label || this.choosing)) {
      const can = ready !== null && line.up;
      buttons.push(
        el(
          "button",
          {
            type: "button",
            class: "button button-primary grow",
            "data-key": "main",
            "data-do": "act",
            "aria-disabled": can ? null : "true",
          },
          icon(this.choosing ? "check" : (draft.icon ?? "check")),
          ready?.label ?? draft.label,
        ),
      );
    }
    if (this.choosing)
      buttons.push(
        el(
          "button",
          { type: "button", class: "button", "data-key": "clear", "data-do": "unchoose" },
          "Put back",
        ),
      );
    else if (draft.clear)
      buttons.push(
        el(
          "button",
          { type: "button", class: "button", "data-key": "clear", "data-do": "clear" },
          draft.clear,
        ),
      );
    if (payload.undo)
      buttons.push(
        el(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": "undo",
            "data-do": "undo",
            "aria-disabled": line.up ? null : "true",
          },
          icon("undo"),
          "Take back",
        ),
      );
    return buttons;
  }

  /** What can be done when it is over. */
  #afterwards() {
    const { payload } = this;
    return [
      payload.rematch
        ? el(
            "a",
            { class: "button button-primary", href: payload.rematch, "data-key": "rematch" },
            icon("play"),
            "To the next game",
          )
        : payload.may.rematch &&
          el(
            "button",
            { type: "button", class: "button button-primary", "data-key": "rematch", "data-do": "rematch" },
            icon("play"),
            "Same table again",
          ),
      this.board &&
        el(
          "button",
          { type: "button", class: "button", "data-key": "swap", "data-do": "swap" },
          icon(this.showsBoard ? "cup" : "board"),
          this.showsBoard ? "Show the result" : "Show the board",
        ),
      el(
        "a",
        { class: "button button-quiet", href: payload.help.url, "data-key": "rules" },
        `Rules of ${payload.name}`,
      ),
    ].filter(Boolean);
  }

  #folded() {
    const { moves } = this.payload;
    const count = moves.total;
    return el(
      "details",
      { class: "moves push", "data-key": "moves" },
      el(
        "summary",
        {},
        icon("list"),
        el(
          "span",
          {},
          String(count),
          el(
            "span",
            { class: "sr-narrow" },
            ` ${moves.examples ? "examples of legal moves" : count === 1 ? "legal move" : "legal moves"}`,
          ),
        ),
      ),
      this.#moveList(),
    );
  }

  /** Every legal move by its words: the plain way to play, and the board of a game without one. */
  #moveList() {
    const { moves } = this.payload;
    if (!moves) return null;
    const items = this.allMoves ?? moves.items;
    return el(
      "div",
      { class: "move-list", "data-key": "move-list" },
      el(
        "ul",
        { "aria-label": "Legal moves", "data-roving": true, "data-key": "move-items" },
        items.map((/** @type {any} */ move, /** @type {number} */ n) =>
          el(
            "li",
            {},
            el(
              "button",
              { type: "button", class: "button button-small", "data-key": `move-${n}`, "data-do": "move" },
              messageParts(move.label, this.people),
            ),
          ),
        ),
      ),
      items.length < moves.total &&
        el(
          "button",
          { type: "button", class: "link", "data-key": "all-moves", "data-do": "all-moves" },
          `Show all ${moves.total}`,
        ),
    );
  }

  #showTab(/** @type {string | null} */ key) {
    if (!key || key === this.tab) return;
    this.tab = key;
    for (const { key: other } of TABS) {
      this.parts.tabs
        .querySelector(`[data-key=${other}]`)
        ?.setAttribute("aria-selected", String(other === key));
      this.parts.panels[other].hidden = other !== key;
    }
    if (key === "chat") this.chat.seen();
    if (key === "help") void this.help.show();
    if (key === "log") this.log.toEnd();
  }

  // -- doing -----------------------------------------------------------------------------------------

  /** @param {any} action @param {string} [label] */
  #act(action, label) {
    if (this.busy) return;
    this.notice = null;
    this.choosing = null;
    const known = this.payload.moves?.items.find(
      (/** @type {any} */ move) => JSON.stringify(move.action) === JSON.stringify(action),
    );
    this.line.send(
      "act",
      this.payload.ply,
      label ?? (known ? messageText(known.label, this.people) : (this.draft.label ?? "Your move")),
      action,
    );
    this.#draw();
  }

  /** @param {Draft} draft */
  #onDraft(draft) {
    const changed = JSON.stringify(draft) !== JSON.stringify(this.draft);
    this.draft = draft;
    if (changed && draft.action) this.choosing = null;
    if (this.drawing) return; // bar and status are drawn next
    if (changed) this.notice = null;
    this.#drawBar();
    this.#drawStatus();
    this.roving.restore();
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.notice = { lead: "Not allowed:", text: lowerFirst([reason]).join("") };
    this.#drawStatus();
  }

  /** What a refusal says, with people and cards by name. @param {{reason: string, msg?: import("./kit/messages.js").Msg}} refusal */
  #reason(refusal) {
    return refusal.msg ? messageText(refusal.msg, this.people) : refusal.reason;
  }

  /** @param {{action: any, answer: (verdict: {ok: boolean, reason: string}) => void}} question */
  async #check({ action, answer }) {
    try {
      const frame = await this.line.ask({ do: "check", ply: this.payload.ply, action });
      answer(frame.on === "refused" ? { ok: false, reason: this.#reason(frame) } : { ok: true, reason: "" });
    } catch (error) {
      answer({ ok: false, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  async #showAllMoves() {
    try {
      const frame = await this.line.ask({ do: "moves" });
      if (frame.ply !== this.payload.ply || !frame.moves) return;
      this.allMoves = frame.moves.items;
      this.#draw();
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {HTMLInputElement} field */
  async #say(field) {
    const text = field.value.trim();
    if (!text) return;
    try {
      const frame = await this.line.ask({ do: "say", text });
      if (frame.on === "refused") this.#refuse(this.#reason(frame));
      else field.value = "";
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  /** Send a form to one of the table's doors; the page that answers takes the place of this one. @param {string} address @param {Record<string, string>} [fields] */
  #post(address, fields = {}) {
    const inputs = Object.entries({ csrfmiddlewaretoken: csrf(), ...fields }).map(([name, value]) =>
      el("input", { type: "hidden", name, value }),
    );
    const form = el("form", { method: "post", action: address, hidden: true }, inputs);
    document.body.append(form);
    form.submit();
  }

  /** @param {Event} event */
  #onClick(event) {
    const node = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-do]")
    );
    if (!node || node.closest("dialog") || node.getAttribute("aria-disabled") === "true") return;
    switch (node.dataset.do) {
      case "act":
        if (this.choosing) this.#act(this.choosing.action, this.choosing.label);
        else if (this.draft.action) this.#act(this.draft.action, this.draft.label);
        break;
      case "clear":
        this.board?.clear();
        break;
      case "unchoose":
        this.choosing = null;
        this.#draw();
        break;
      case "undo":
        this.line.send("undo", this.payload.ply, "Take back");
        this.#draw();
        break;
      case "retry":
        this.line.retry();
        break;
      case "move":
        this.#chooseMove(Number(node.dataset.key?.slice("move-".length)));
        break;
      case "all-moves":
        void this.#showAllMoves();
        break;
      case "swap":
        this.showsBoard = !this.showsBoard;
        this.#draw();
        break;
      case "return":
      case "rematch":
        this.#post(this.doors[node.dataset.do]);
        break;
      case "take-over":
        this.#post(this.doors.takeOver, { seat: node.dataset.seat ?? "" });
        break;
      case "set-aside":
        this.#post(this.doors.setAside, { seat: node.dataset.seat ?? "" });
        break;
      case "claim":
        this.#post(this.doors.setAside, { seat: node.dataset.seat ?? "", claim: "1" });
        break;
      case "ask-set-aside":
      case "ask-claim":
        this.#decide({ seat: Number(node.dataset.seat), does: node.dataset.do.slice("ask-".length) });
        break;
      case "wait":
        this.#decide(null);
        break;
      default:
        throw new Error(`Nothing is known of ${node.dataset.do}.`);
    }
  }

  /** Ask once more about somebody who does not answer, or no longer; the focus stays there. @param {import("./table/seats.js").Decision | null} decision */
  #decide(decision) {
    this.deciding = decision;
    this.#draw();
    /** @type {HTMLElement | null} */ (this.parts.seats.querySelector(decision ? "[data-do=wait]" : "[data-do=ask-set-aside]"))?.focus();
  }

  /** @param {number} n */
  #chooseMove(n) {
    const { action, label } = (this.allMoves ?? this.payload.moves.items)[n];
    const words = messageText(label, this.people);
    if (this.direct) {
      this.#act(action, words);
      return;
    }
    this.choosing = { action, label: words };
    this.#draw();
  }

  /** Say something in the live region that stands nowhere else. @param {string} words */
  #speak(words) {
    this.news = [words];
    this.#drawStatus();
  }

  // -- keys ------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape") {
      this.#escape(target);
      return;
    }
    if (
      target.closest(
        "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], dialog",
      )
    )
      return;
    if (/^[1-9]$/.test(event.key)) {
      /** @type {HTMLElement | undefined} */ (
        this.parts.bar.querySelectorAll(".bar > *")[Number(event.key) - 1]
      )?.click();
      return;
    }
    if (!preference("letter-keys", this.account["letter-keys"])) return;
    const tab = /** @type {Record<string, string>} */ ({ c: "chat", l: "log", h: "help" })[event.key];
    if (tab) {
      event.preventDefault();
      this.#showTab(tab);
      (tab === "chat" && !this.parts.form.hidden ? this.parts.field : this.parts.panels[tab]).focus();
    } else if (event.key === "?") {
      event.preventDefault();
      this.panel.open();
    }
  }

  /** Take a half-made choice back, or leave a panel for the board. @param {HTMLElement} target */
  #escape(target) {
    if (this.panel.dialog.open) return; // it closes itself
    const folded = /** @type {HTMLDetailsElement | null} */ (target.closest("details[open]"));
    if (folded && this.root.contains(folded)) {
      folded.open = false;
      folded.querySelector("summary")?.focus();
    } else if (target.closest(".side-panel")) {
      /** @type {HTMLElement} */ (
        this.parts.area.querySelector("[tabindex='0']") ?? this.parts.status
      ).focus();
    } else if (this.choosing) {
      this.choosing = null;
      this.#draw();
    } else if (this.draft.clear) {
      this.board?.clear();
    } else if (this.notice) {
      this.notice = null;
      this.#drawStatus();
    }
  }
}

/** The token that Django wants with a post: the browser's present one, since logging in changes it. */
function csrf() {
  const kept = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return (
    kept?.[1] ??
    /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ??
    ""
  );
}

/** @param {Event} event */
function tabOf(event) {
  return /** @type {Element} */ (event.target).closest("[role=tab]")?.getAttribute("data-key") ?? null;
}

/** @param {number} milliseconds since 1970 */
function when(milliseconds) {
  return new Date(milliseconds).toLocaleString(document.documentElement.lang || undefined, {
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The first letter small, as it follows "Your turn:". @param {(Node | string)[]} parts */
function lowerFirst(parts) {
  const [first, ...rest] = parts;
  if (typeof first !== "string" || /^[A-Z]{2}/.test(first)) return parts;
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest];
}

class ParlourTable extends HTMLElement {
  connectedCallback() {
    this.page = new TablePage(this);
  }
}

customElements.define("parlour-table", ParlourTable);
