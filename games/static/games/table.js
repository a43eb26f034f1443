/**
 * The table page: `<parlour-table>` owns the line to the server, status, seats, actions, log, chat,
 * help and keys; the game owns the board. What it shows is the last payload, and nothing else.
 */

import { Connection } from "./connection.js";
import { Clocks } from "./kit/clock.js";
import { el } from "./kit/dom.js";
import { messageText } from "./kit/messages.js";
import { chime } from "./kit/sound.js";
import { Roving } from "./kit/roving.js";
import { drawArea } from "./table/area.js";
import { drawBar } from "./table/bar.js";
import { Chat } from "./table/chat.js";
import { csrf, post } from "./table/door.js";
import { Help } from "./table/help.js";
import { onKey } from "./table/keys.js";
import { TABS, layout } from "./table/layout.js";
import { Log } from "./table/log.js";
import { Notes } from "./table/notes.js";
import { Panel } from "./table/panel.js";
import { Past } from "./table/past.js";
import { Preferences } from "./table/preferences.js";
import { drawSeats } from "./table/seats.js";
import { drawStatus, drawTitle } from "./table/status.js";
import { Waiting } from "./table/waiting.js";
import { lowerFirst } from "./table/words.js";

/** @typedef {import("./kit/board.js").Draft} Draft */

const HINT_PAUSE = 700; // ms before a hint is asked for again
const HINT_TRIES = 20;
const PATIENCE = 300; // ms that one who clicks again waits without a word
const DOUBLE_TAP = 300; // ms in which a second tap is the other half of the first
const UNSEEN = 150; // ms in which nobody has seen what came under a thumb
const THUMB = 24; // px between two taps of one thumb that means one place

export class TablePage {
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
    /** @type {{lead: string, text: string, mood?: string, icon?: string} | null} a refusal, or a hint, until the next choice or change */
    this.notice = null;
    this.advising = false; // a hint was asked for and is not there yet
    /** @type {string[]} what happened last, for the live region */
    this.news = [];
    /** @type {any[] | null} the whole list of moves, when it was asked for */
    this.allMoves = null;
    this.listed = false; // the list of moves is open, and stays so for the next turn
    /** @type {{action: any, label: string} | null} chosen from the list, to be confirmed */
    this.choosing = null;
    /** @type {import("./table/seats.js").Decision | null} about somebody who does not answer */
    this.deciding = null;
    this.here = /** @type {number[]} */ ([]); // seats whose people look at the table now
    this.loggedOut = false; // one sat here and is nobody now, though nobody else has taken the seat
    /** @type {{index: number, name: string} | null} the last seat that was one's own on this page */
    this.mine = null;
    this.putBack = false; // what was half chosen was dropped since the game went on, until the next choice
    this.impatient = false; // one clicked while nothing could be done, and it takes its time
    this.patience = 0; // the timer until then
    this.acted = false; // this page has sent a move since the state last changed
    this.again = false; // the last press is the second of a double click, of a double tap, or of a key that is held
    this.spent = false; // an earlier one of these has sent a move
    this.touched = false; // the pointer that was put down last is a finger
    /** @type {{x: number, y: number, at: number} | null} the last tap; null: it was no tap */
    this.tap = null;
    /** @type {{x: number, y: number, at: number, label: string} | null} the last tap that sent something, and what */
    this.sentByTap = null;
    this.changedAt = 0; // when the page showed the last change of the table, as `performance.now()`
    this.undoneAt = -Infinity; // when "Take back" was pressed last, likewise
    this.refusing = false; // a refusal of the server stays on the page when the state after it comes
    this.drawing = false;
    /** @type {import("./kit/board.js").GameBoard | null} */
    this.board = null;
    /** @type {import("./kit/board.js").GameBoard | null} shows the table as it was */
    this.pastBoard = null;
    this.boardless = false; // it has a board, which cannot be laid
    /** @type {string | null} key of the last order that nobody gave, but somebody wished once for all */
    this.granted = null;
    this.tab = "log";
    this.preferences = new Preferences({ switch: this.doors.switch, account: this.doors.account });
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
    this.notes = new Notes(this.parts.panels.notes, {
      table: this.payload.id,
      send: (note) => this.line.ask({ do: "note", ...note }),
      read: async () => (await this.line.read(this.doors.state))?.notes ?? null,
      words: (refusal) => this.#reason(refusal),
    });
    this.waiting = new Waiting(
      document.querySelector("a[data-next]"),
      () => this.line.read(this.doors.waiting),
      () => this.draw(),
    );
    this.panel = new Panel(this.parts.dialog, {
      leave: () => post(this.doors.leave),
      changed: () => this.draw(),
      board: () => this.board ?? null,
      preferences: this.preferences,
    });
    this.roving = new Roving(root);
    this.clocks = new Clocks(root, (words) => this.#speak(words));
    this.line = this.#connect();
    this.past = new Past(
      (ply, open) => this.line.read(this.doors.past.replace(/0$/, String(ply)) + (open ? "?open=1" : "")), // door: row 0
      () => this.#onPast(),
    );
    this.#hear();
    this.#take(this.payload);
    this.#begin(this.payload.past);
    void this.#loadBoard();
    this.line.start();
    void this.waiting.look();
  }

  // -- what happens on the page ------------------------------------------------------------------

  #hear() {
    const { root } = this;
    // of a click Safari 17 does not tell what clicked
    root.addEventListener("pointerdown", (event) => (this.touched = event.pointerType === "touch"), { capture: true });
    root.addEventListener("click", (event) => this.#onPress(/** @type {PointerEvent} */ (event)), { capture: true });
    document.addEventListener("keydown", (event) => this.#onPress(event), { capture: true });
    document.addEventListener("keyup", () => (this.again = false), { capture: true });
    root.addEventListener("click", (event) => this.#onClick(event));
    document.addEventListener("keydown", (event) => onKey(this, event));
    root.addEventListener("change", (event) => this.#onChange(event));
    root.addEventListener("input", (event) => this.#onChange(event));
    root.addEventListener("toggle", (event) => this.#onToggle(event), { capture: true }); // it does not bubble
    root.addEventListener("game-action", (event) => this.#act(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener("game-wished", (event) => this.#grant(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener("game-wait", () => this.#wait());
    root.addEventListener("game-draft", (event) => {
      if (event.target === this.board) this.#onDraft(/** @type {CustomEvent} */ (event).detail);
    });
    root.addEventListener("game-refusal", (event) => this.#refuse(/** @type {CustomEvent} */ (event).detail));
    root.addEventListener(
      "game-check",
      (event) => void this.#check(/** @type {CustomEvent} */ (event).detail),
    );
    this.parts.tabs.addEventListener("click", (event) => this.showTab(tabOf(event)));
    this.parts.tabs.addEventListener("focusin", (event) => this.showTab(tabOf(event)));
    document.querySelector("[data-opens=panel]")?.addEventListener("click", () => this.panel.open());
  }

  /**
   * The second click of a double click, or a key that is held, sends nothing more where the first has sent
   * a move: what lies there now is another question. It only chooses, for the action bar. So does a tap on
   * the place of the one that sent, before anybody can have read that something else lies there now; thumbs
   * are that quick where they mean it, and what still says the same is sent.
   *
   * @param {PointerEvent | KeyboardEvent} event
   */
  #onPress(event) {
    const key = event instanceof KeyboardEvent;
    if (!key && event.detail === 0) return; // the click of a key
    const tapped = !key && this.touched;
    this.tap = tapped ? { x: event.clientX, y: event.clientY, at: performance.now() } : null;
    this.again = key ? event.repeat : tapped ? this.#tapsAgain() : event.detail > 1;
    if (!this.again) this.spent = false;
    if (!key) setTimeout(() => (this.again = false)); // the click of a key comes later, but before it is let go
  }

  /** Whether the last tap is where the one was that sent, and too soon to be about what lies there now. */
  #tapsAgain() {
    const { tap, sentByTap } = this;
    if (!tap || !sentByTap || Math.hypot(tap.x - sentByTap.x, tap.y - sentByTap.y) > THUMB) return false;
    if (tap.at - sentByTap.at > DOUBLE_TAP && tap.at - this.changedAt > UNSEEN) return false;
    sentByTap.at = tap.at; // three in a row are no more than two
    return true;
  }

  /** Whether the last press only repeats the one that sent, and is not meant. @param {string} label what it would send, in words */
  #repeats(label) {
    return this.again && this.spent && !(this.tap && this.sentByTap?.label === label);
  }

  /** Something is sent. @param {string} label */
  #spend(label) {
    this.spent = true;
    this.sentByTap = this.tap && { ...this.tap, label };
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
      ply: () => this.log.reach,
    });
    line.addEventListener("state", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("chat", (event) =>
      this.chat.add([/** @type {CustomEvent} */ (event).detail.message], this.people.you),
    );
    line.addEventListener("presence", (event) => {
      this.here = /** @type {CustomEvent} */ (event).detail.seats;
      this.draw();
    });
    line.addEventListener("accepted", () => {
      this.acted = false;
      this.draw();
    });
    line.addEventListener("refused", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      if (!detail.key || detail.key !== this.granted) this.#refuse(this.#reason(detail));
      if (!detail.key) return;
      this.refusing = true;
      line.sync();
    });
    line.addEventListener("gone", () => this.#refuse("This table is no longer here."));
    line.addEventListener("line", () => {
      if (line.up) this.notes.retry();
      this.draw();
    });
    return line;
  }

  async #loadBoard() {
    if (!this.doors.board) return;
    try {
      await import(this.doors.board);
    } catch (error) {
      console.error("The board cannot be laid.", error);
      this.doors.board = ""; // its moves are a list instead
      this.boardless = true;
      this.draw();
      return;
    }
    const make = () =>
      /** @type {import("./kit/board.js").GameBoard} */ (
        document.createElement(`${this.payload.game}-board`)
      );
    this.board = make();
    this.pastBoard = make();
    this.draw();
  }

  // -- payloads ------------------------------------------------------------------------------------

  /** Take a payload that is no older than the one shown. @param {any} payload */
  #take(payload) {
    const before = this.payload;
    if (payload.ply < before.ply || (payload.ply === before.ply && payload.now < this.told)) {
      if (payload.you === before.you) this.log.fill(payload.log);
      return;
    }
    const sent = this.under !== null; // what others do meanwhile puts nothing back
    const viewer = payload.you !== before.you;
    if (payload.you !== null) this.mine = { index: payload.you, name: payload.seats[payload.you].name };
    this.loggedOut =
      payload.you === null && this.mine !== null && payload.seats[this.mine.index].name === this.mine.name;
    this.told = payload.now;
    this.payload = { ...before, ...payload };
    this.people = { names: payload.seats.map((/** @type {any} */ seat) => seat.name), you: payload.you };
    if (payload.log_from > this.log.reach && payload.log_from > 0) this.line.sync(); // something between was missed
    const news = this.log.add(payload.log, this.people);
    this.log.strike(payload.undone ?? []);
    const again = this.#stillOpen(payload);
    const lost = this.choosing !== null && again === null;
    const chosen = payload.ply !== before.ply && !this.acted && !sent && Boolean(this.draft.clear || this.draft.built);
    if (payload.ply !== before.ply) {
      if (!sent) this.acted = false;
      const result = payload.outcome && messageText(payload.outcome.text, this.people);
      this.news = news.filter((words) => words !== result).slice(-6); // the status says that one
      if (!this.refusing) this.notice = null;
      if (!sameMoves(payload.moves, before.moves)) this.allMoves = null;
      this.choosing = again;
      this.deciding = null;
    }
    this.refusing = false;
    if (viewer) this.past.forget();
    if (before.moves && !payload.moves) void this.waiting.look(); // one has moved: where next?
    if (payload.notes !== undefined) {
      this.notes.take(payload.notes);
      this.#notesTab(payload.notes !== null);
    }
    if (payload.chat) this.chat.add(payload.chat, payload.you);
    this.parts.form.hidden = !payload.may.say;
    this.clocks.set(payload.now);
    if (this.myTurn && !before.moves && this.preferences.get("sound")) void chime();
    this.draw();
    if (payload.ply !== before.ply) this.changedAt = performance.now();
    if (payload.ply !== before.ply && (lost || (chosen && !this.draft.clear && !this.draft.built))) {
      this.putBack = true;
      drawStatus(this);
    }
  }

  /** What was chosen from the list, as the new state has it; null: nothing, or no longer to be done. @param {any} payload */
  #stillOpen(payload) {
    if (!this.choosing) return null;
    const wanted = JSON.stringify(this.choosing.action);
    const move = payload.moves?.items.find((/** @type {any} */ { action }) => JSON.stringify(action) === wanted);
    return move ? { action: move.action, label: messageText(move.label, this.people) } : null;
  }

  /** @param {boolean} shown whether one sits here */
  #notesTab(shown) {
    /** @type {HTMLElement} */ (this.parts.tabs.querySelector("[data-key=notes]")).hidden = !shown;
    if (!shown && this.tab === "notes") this.showTab("log");
  }

  /** Whether one click acts. */
  get direct() {
    return this.payload.pace.kind !== "slow" && !this.preferences.get("confirm-moves");
  }

  get myTurn() {
    return this.payload.moves !== null && this.payload.status === "playing";
  }

  /** The order that is under way: not answered yet, or taken and what came of it not seen yet. */
  get under() {
    const { unsent, taken } = this.line;
    return unsent ?? (taken !== null && this.payload.ply < taken.ply ? taken : null);
  }

  /** Whether no order can be sent now. */
  get busy() {
    return this.under !== null || this.line.away;
  }

  /** Whether what one clicks must wait: a move is being sent, or the board asks something. */
  get waits() {
    return this.busy || Boolean(this.board?.waits);
  }

  /** Whether the page says that one must wait. */
  get asksPatience() {
    return this.impatient && this.waits;
  }

  /** Whether the question that the page shows is still the one that the order under way answers. */
  get settling() {
    const { under, payload } = this;
    if (under === null) return false;
    return payload.ply <= under.order.ply || (payload.moves !== null && payload.asked_at <= under.order.ply);
  }

  /** Whether one is asked again what one has answered and taken back, on this page or another. */
  get askedAgain() {
    const { asked_at: asked, you } = this.payload;
    const row = this.log.rows.get(asked)?.row;
    return row !== undefined && row.kind === "undo" && row.seat === you;
  }

  /** What seats and board show: the table now, or as it was. @returns {any} */
  get scene() {
    const { payload } = this;
    const { shown } = this.past;
    if (!shown) return payload;
    const { view, pending, summary, outcome } = shown;
    const seats = payload.seats.map((/** @type {any} */ seat, /** @type {number} */ n) => ({
      ...seat,
      pending: pending.includes(n),
      standing: shown.standings[n],
      zombie: false,
      overdue: false,
      may_set_aside: false,
    }));
    const status = outcome ? payload.status : "playing";
    return { ...payload, view, pending, summary, outcome, seats, status, moves: null };
  }

  // -- looking back --------------------------------------------------------------------------------

  /** A position that came with the page, or why there is none. @param {any} past */
  #begin(past) {
    if (past?.on === "past") this.past.begin(past, this.payload.ply);
    else if (past) {
      this.notice = { lead: "Not shown:", text: lowerFirst([this.#reason(past)]).join("") };
      this.draw();
    }
  }

  /** To the next table that waits, or say that none does. */
  nextTable() {
    if (this.waiting.next) location.assign(this.waiting.next);
    else this.#speak("No other table waits for you.");
  }

  /** @param {number} ply */
  #look(ply) {
    this.notice = null;
    this.past.show(ply, this.payload.ply);
  }

  /** One step through the game: "first", "back", "fwd" or "last". @param {string} way */
  step(way) {
    const last = this.payload.ply;
    const at = this.past.ply ?? last;
    const to = { first: 0, back: at - 1, fwd: at + 1, last }[way] ?? at;
    if (to > last && this.payload.status === "playing") this.past.leave();
    else if (this.payload.stopped || (to > last && !this.past.on)) return;
    else this.#look(Math.min(Math.max(to, 0), last));
  }

  #onPast() {
    this.log.show(this.past.ply);
    this.draw();
  }

  /** @param {Event} event */
  #onChange(event) {
    const { dataset, value, checked } = /** @type {HTMLInputElement} */ (event.target);
    if (dataset.does === "seek" && Number(value) !== this.past.ply) this.#look(Number(value));
    else if (dataset.does === "open") this.past.showOpen(checked);
  }

  /** @param {Event} event */
  #onToggle(event) {
    const fold = /** @type {HTMLDetailsElement} */ (event.target);
    if (!fold.matches("details.moves") || fold.open === this.listed) return;
    this.listed = fold.open;
    this.draw();
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    this.drawing = true;
    if (!this.waits) this.impatient = false;
    this.root.toggleAttribute("data-still", !this.preferences.get("motion"));
    this.roving.hold();
    const had = document.activeElement;
    drawTitle(this);
    drawSeats(this.parts.seats, this.scene, this);
    this.clocks.draw();
    drawArea(this);
    drawBar(this);
    drawStatus(this);
    this.panel.update(this.payload);
    this.drawing = false;
    const found = this.roving.restore();
    const lost =
      had !== null && had !== document.body && !had.isConnected && document.activeElement === document.body;
    if (!found || lost) this.parts.status.focus({ preventScroll: true });
  }

  /** @param {string | null} key */
  showTab(key) {
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
    this.choosing = null;
    const words = label ?? this.#inWords(action);
    if (this.busy || this.#repeats(words)) {
      this.choosing = { action, label: words }; // it is sent by another click
      this.#wait();
      this.draw();
      return;
    }
    this.notice = null;
    this.acted = true;
    this.#spend(words);
    this.putBack = false;
    this.line.send("act", this.payload.ply, words, action);
    this.draw();
  }

  /** Whether "Take back" is pressed too soon after the last time to be about what is undone now, with whatever it is pressed. */
  #undoesAgain() {
    const now = performance.now();
    const again = now - this.undoneAt <= DOUBLE_TAP || (this.askedAgain && now - this.changedAt <= UNSEEN);
    this.undoneAt = now;
    return again;
  }

  #undo() {
    const label = "Take back";
    if (!this.busy && !this.#undoesAgain() && !this.#repeats(label)) {
      this.#spend(label);
      this.line.send("undo", this.payload.ply, label);
    }
    this.draw();
  }

  /** Send what somebody wishes to happen by itself. Where another page of theirs was first, nobody need hear of it. @param {any} action */
  #grant(action) {
    if (this.busy || !this.myTurn) return;
    this.#act(action);
    this.granted = this.line.unsent?.order.key ?? null;
  }

  /** @param {any} action @returns {string} */
  #inWords(action) {
    const known = this.payload.moves?.items.find(
      (/** @type {any} */ move) => JSON.stringify(move.action) === JSON.stringify(action),
    );
    return known ? messageText(known.label, this.people) : (this.draft.label ?? "Your move");
  }

  /** Somebody clicked while nothing can be done: say so, unless it is over in a moment. Who goes on clicking need not stop for it. */
  #wait() {
    this.patience ||= window.setTimeout(() => {
      this.patience = 0;
      this.impatient = this.waits;
      if (this.impatient) drawStatus(this);
    }, PATIENCE);
  }

  /** The main button cannot act: say what it waits for. */
  #notYet() {
    if (this.busy) this.#wait();
    else if (this.draft.hint) {
      this.notice = { lead: "Not yet:", text: lowerFirst([this.draft.hint]).join("") };
      drawStatus(this);
    }
  }

  /** @param {Draft} draft */
  #onDraft(draft) {
    const changed = JSON.stringify(draft) !== JSON.stringify(this.draft);
    this.draft = draft;
    if (changed && draft.action) this.choosing = null;
    if (this.drawing) return; // bar and status are drawn next
    if (changed) this.notice = null;
    if (changed) this.putBack = false;
    if (!this.waits) this.impatient = false;
    drawBar(this);
    drawStatus(this);
    this.roving.restore();
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.notice = { lead: "Not allowed:", text: lowerFirst([reason]).join("") };
    drawStatus(this);
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

  /** Ask for a hint until a worker has found one, or the table goes on. */
  async #hint() {
    const { ply } = this.payload;
    this.advising = true;
    this.draw();
    let text = "no hint was found. Try again in a moment.";
    for (let asked = 0; asked < HINT_TRIES && this.payload.ply === ply; asked += 1) {
      const frame = await this.line.read(this.doors.hint);
      if (frame?.on === "refused") text = this.#reason(frame);
      else if (frame?.ready) text = frame.text ? messageText(frame.text, this.people) : "there is nothing to say.";
      if (frame?.on !== "hint" || frame.ready) break;
      await new Promise((wake) => setTimeout(wake, HINT_PAUSE));
    }
    this.advising = false;
    if (this.payload.ply === ply)
      this.notice = { lead: "Hint:", text: lowerFirst([text]).join(""), mood: "turn", icon: "info" };
    this.draw();
  }

  async #showAllMoves() {
    try {
      const frame = await this.line.ask({ do: "moves" });
      if (sameMoves(frame.moves, this.payload.moves)) this.allMoves = frame.moves.items;
      else this.notice = { lead: "Not shown:", text: "the game has gone on. Ask for the list again." };
      this.draw();
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

  /** @param {Event} event */
  #onClick(event) {
    const node = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-do]")
    );
    if (!node || node.closest("dialog")) return;
    if (node.getAttribute("aria-disabled") === "true") {
      if (node.dataset.do === "act") this.#notYet();
      return;
    }
    switch (node.dataset.do) {
      case "act":
        if (this.choosing) this.#act(this.choosing.action, this.choosing.label);
        else if (this.draft.action) this.#act(this.draft.action, this.draft.label);
        break;
      case "clear":
        this.board?.clear();
        break;
      case "more":
        this.#order(node.dataset.order ?? "");
        break;
      case "hint":
        void this.#hint();
        break;
      case "unchoose":
        this.choosing = null;
        this.draw();
        break;
      case "undo":
        this.#undo();
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
      case "look":
        this.#look(Number(node.dataset.ply));
        break;
      case "look-back":
        this.step("last");
        // so that arrow keys go on from there
        /** @type {HTMLElement | null} */ (this.parts.bar.querySelector("[data-does=seek]"))?.focus();
        break;
      case "look-again":
        this.past.again();
        break;
      case "now":
        this.past.leave();
        break;
      case "step-first":
      case "step-back":
      case "step-fwd":
      case "step-last":
        this.step(node.dataset.do.slice("step-".length));
        break;
      case "return":
      case "rematch":
        post(this.doors[node.dataset.do]);
        break;
      case "take-over":
        post(this.doors.takeOver, { seat: node.dataset.seat ?? "" });
        break;
      case "set-aside":
        post(this.doors.setAside, { seat: node.dataset.seat ?? "" });
        break;
      case "claim":
        post(this.doors.setAside, { seat: node.dataset.seat ?? "", claim: "1" });
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
    this.draw();
    /** @type {HTMLElement | null} */ (
      this.parts.seats.querySelector(decision ? "[data-do=wait]" : "[data-do=ask-set-aside]")
    )?.focus();
  }

  /** A further button of the board: it sends its action, or is the board's. @param {string} key */
  #order(key) {
    const order = this.draft.more?.find((other) => other.key === key);
    if (order?.action === undefined) this.board?.press(key);
    else this.#chooseOrAct(order.action, order.label);
  }

  /** @param {number} n */
  #chooseMove(n) {
    const { action, label } = (this.allMoves ?? this.payload.moves.items)[n];
    this.#chooseOrAct(action, messageText(label, this.people));
  }

  /** @param {any} action @param {string} label */
  #chooseOrAct(action, label) {
    if (this.busy && this.again && this.spent) {
      this.#wait(); // it is sent already
      return;
    }
    if (this.draft.built && this.board) {
      this.board.chosen = action;
      this.board.redraw();
      return;
    }
    if (this.direct && !this.busy) {
      this.#act(action, label);
      return;
    }
    this.choosing = { action, label };
    if (this.busy) this.#wait();
    this.draw();
  }

  /** Say something in the live region that stands nowhere else. @param {string} words */
  #speak(words) {
    this.news = [words];
    drawStatus(this);
  }
}

/** Whether one list of moves, be it whole or the beginning of it, is that of another. @param {any} one @param {any} other */
function sameMoves(one, other) {
  if (!one || !other || one.total !== other.total) return false;
  const count = Math.min(one.items.length, other.items.length);
  return JSON.stringify(one.items.slice(0, count)) === JSON.stringify(other.items.slice(0, count));
}

/** @param {Event} event */
function tabOf(event) {
  return /** @type {Element} */ (event.target).closest("[role=tab]")?.getAttribute("data-key") ?? null;
}

class ParlourTable extends HTMLElement {
  connectedCallback() {
    this.page = new TablePage(this);
  }
}

customElements.define("parlour-table", ParlourTable);
