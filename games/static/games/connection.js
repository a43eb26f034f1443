/**
 * The line to the server: a socket, and plain HTTP while sockets fail. An action that was not
 * acknowledged is kept (over a reload too) and sent again with the same key, which the server takes
 * once. Frames may come twice or in another order; what was missed is asked for.
 */

import { keep, kept } from "./kit/keep.js";

const FIRST_WAIT = 500,
  LONGEST_WAIT = 15_000; // ms before the next try, jittered
const DEAF_AFTER = 2; // sockets that never opened, before HTTP takes over
const POLL = 3_000; // ms between two questions over HTTP
const PING = 25_000; // ms of silence before asking whether the socket still lives
const PATIENCE = 8_000; // ms to wait for the answer to that, or to an action, or for a socket to open
const AWAKE = 2_500; // ms to wait for a sound after waking up
const HIDDEN = 6; // times slower where nobody looks
const GONE = 4404; // code of a socket whose table does not exist
const TOO_MANY = 4429; // of one too many for this person
const TOO_LARGE = 1009; // of one that was sent more than the server reads
const AWAY_AFTER = 400; // ms without a line before actions are greyed: until then a click is kept and sent later
const UNSENT_AFTER = 1_500; // ms without an answer before "not sent" is said
const SEEN_AFTER = 1_500; // ms after an order was taken before what came of it is asked for
const PASSING = new Set(["unavailable", "disk_full"]); // codes of what the server cannot do just now

/**
 * @typedef {{do: "act" | "undo", key: string, ply: number, action?: object}} Order what changes the table
 * @typedef {{order: Order, label: string, since: number}} Unsent an order and how it reads
 * @typedef {{socket: string, act: string, state: string, undo: string, say: string, check: string, moves: string, note: string}} Doors addresses
 */

/**
 * Tells, as events with a `detail`: "state" (a payload), "accepted" ({key}), "refused" ({key, code,
 * reason}), "chat", "presence", "gone" (there is no such table), "line" (something about the line
 * itself has changed).
 */
export class Connection extends EventTarget {
  /**
   * @param {{table: string, doors: Doors, csrf: () => string, ply: () => number}} options `ply`: the last one the page knows
   */
  constructor({ table, doors, csrf, ply }) {
    super();
    this.doors = doors;
    this.csrf = csrf;
    this.ply = ply;
    this.store = `parlour:${table}:unsent`;
    /** @type {Unsent | null} */
    this.unsent = kept("sessionStorage", this.store);
    /** @type {(Unsent & {ply: number}) | null} the last order that was taken, and its row */
    this.taken = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.wasOpen = false;
    this.downSince = 0; // ms since 1970; 0 while a line is up
    this.heard = 0;
    this.stopped = false;
    /** @type {Map<string, (answer: any) => void>} questions by key, waiting for their answer */
    this.questions = new Map();
    /** @type {Record<string, number>} */
    this.timers = {};
  }

  start() {
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.#lost());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("pagehide", () => this.socket?.close());
    document.addEventListener("resume", () => this.wake());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.wake(),
    );
    this.#open();
  }

  /** Whether orders reach the server now, by whichever way. */
  get up() {
    return this.downSince === 0;
  }

  /** Whether there has been no line for so long that actions are greyed. */
  get away() {
    return !this.up && Date.now() - this.downSince >= AWAY_AFTER;
  }

  /** Whether an order waits for its answer for so long that one says so. */
  get late() {
    return this.unsent !== null && Date.now() - this.unsent.since > UNSENT_AFTER;
  }

  /**
   * Send an order; it stays `unsent` until it is answered.
   *
   * @param {"act" | "undo"} kind
   * @param {number} ply where the player was looking
   * @param {string} label how it reads
   * @param {object} [action]
   */
  send(kind, ply, label, action) {
    const order = /** @type {Order} */ ({ do: kind, key: newKey(), ply, ...(action ? { action } : {}) });
    this.unsent = { order, label, since: Date.now() };
    this.#keep();
    this.#deliver();
    this.#tell("line");
    this.#timer("late", UNSENT_AFTER + 50, () => this.#tell("line"));
  }

  /**
   * Ask something that changes nothing in the game ("check", "moves", "say", "note"); rejects when no answer comes.
   *
   * @param {{do: "check" | "moves" | "say" | "note"} & Record<string, any>} frame
   * @returns {Promise<any>} the answering frame
   */
  async ask(frame) {
    const key = newKey();
    if (this.socket?.readyState !== WebSocket.OPEN) {
      const { do: kind, ...body } = frame;
      const answer = await this.#fetch(this.doors[kind], kind === "moves" ? undefined : { ...body, key });
      if (answer === null) throw new Error("No connection just now.");
      return answer;
    }
    return new Promise((resolve, reject) => {
      this.questions.set(key, resolve);
      setTimeout(() => this.questions.delete(key) && reject(new Error("No answer came.")), PATIENCE);
      this.#write({ ...frame, key });
    });
  }

  /**
   * Read something over HTTP.
   *
   * @param {string} url
   * @returns {Promise<any>} the answer, a refusal too; null when the server was not reached
   */
  read(url) {
    return this.#fetch(url);
  }

  /** After sleep, or when asked to: see that the line is up, and what was missed. */
  wake() {
    if (this.stopped) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.#write({ do: "sync" }); // everything: chat and notes have no plies to ask for
      this.#expectSound(AWAKE);
    } else {
      this.failures = Math.min(this.failures, DEAF_AFTER);
      this.#open();
    }
  }

  /** Ask for what happened after the last known ply. */
  sync() {
    if (this.socket?.readyState === WebSocket.OPEN) this.#write({ do: "sync", ply: this.ply() });
    else this.#poll();
  }

  // -- the socket ------------------------------------------------------------------------------

  #open() {
    clearTimeout(this.timers.again);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const url = new URL(this.doors.socket, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    this.#timer("ping", PATIENCE, () => this.#drop());
    let opened = false;
    socket.addEventListener("open", () => {
      const again = this.wasOpen;
      opened = this.wasOpen = true;
      this.failures = 0;
      clearTimeout(this.timers.poll);
      this.#found();
      if (again) this.#write({ do: "sync" });
      else this.sync();
      this.#deliver();
    });
    socket.addEventListener("message", (event) => this.#read(event.data));
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket || this.stopped) return;
      this.socket = null;
      clearTimeout(this.timers.ping);
      if (event.code === GONE) {
        this.stopped = true;
        this.#tell("gone");
        return;
      }
      if (event.code === TOO_LARGE) this.#takeBack();
      const crowded = event.code === TOO_MANY;
      if (crowded) this.failures = DEAF_AFTER;
      else if (!opened) this.failures += 1;
      if (this.failures >= DEAF_AFTER)
        this.#poll(); // HTTP tells whether the server can be reached
      else this.#lost();
      const pause = crowded ? LONGEST_WAIT : this.#pause();
      this.#openLater(pause);
    });
  }

  /** How long to wait before the next try, ms: the longer the more failed. */
  #pause() {
    return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures);
  }

  /** @param {number} pause ms, jittered here */
  #openLater(pause) {
    this.#timer("again", pause * (0.5 + Math.random()) * slowness(), () => this.#open());
  }

  /** @param {Record<string, any>} frame */
  #write(frame) {
    this.socket?.send(JSON.stringify(frame));
  }

  /** @param {string} text */
  #read(text) {
    this.#found();
    this.#timer("ping", PING * slowness(), () => {
      this.sync();
      this.#expectSound(PATIENCE);
    });
    const frame = JSON.parse(text);
    const question = frame.key && this.questions.get(frame.key);
    if (question) {
      this.questions.delete(frame.key);
      question(frame);
      return;
    }
    switch (frame.on) {
      case "ack":
        this.#answered(frame.key, "accepted", frame);
        break;
      case "refused":
        if (!frame.key || frame.key !== this.unsent?.order.key) this.#tell("refused", frame);
        else if (PASSING.has(frame.code)) this.#deliverLater();
        else this.#answered(frame.key, "refused", frame);
        break;
      default:
        this.#tell(frame.on, frame);
    }
  }

  /** A socket that looks open may be dead: without a sound it is closed and opened again. @param {number} wait ms */
  #expectSound(wait) {
    const asked = Date.now();
    this.#timer("ping", wait, () => {
      if (this.heard < asked) this.#drop();
    });
  }

  /** Give up a socket that says nothing; one that never opened counts as a failure. */
  #drop() {
    const dead = this.socket;
    this.socket = null;
    if (dead?.readyState === WebSocket.CONNECTING) this.failures += 1;
    dead?.close();
    this.#lost();
    if (this.failures >= DEAF_AFTER) this.#poll();
    if (this.failures > 0) this.#openLater(this.#pause());
    else this.#open();
  }

  #found() {
    this.heard = Date.now();
    if (this.downSince === 0) return;
    this.downSince = 0;
    this.#tell("line");
  }

  #lost() {
    if (this.downSince === 0) {
      this.downSince = Date.now();
      this.#timer("away", AWAY_AFTER + 50, () => this.#tell("line"));
    }
    this.#tell("line");
  }

  // -- orders ----------------------------------------------------------------------------------

  /** Send the unanswered order, again if need be: the server takes a key once. */
  #deliver() {
    if (!this.unsent) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.#write(this.unsent.order);
      this.#timer("answer", PATIENCE, () => this.unsent && this.#drop());
    } else if (this.failures >= DEAF_AFTER) {
      void this.#post(this.unsent.order);
    }
  }

  /** Send the unanswered order again in a while, since the server could not store it just now. */
  #deliverLater() {
    this.#timer("answer", POLL * (0.5 + Math.random()), () => this.#deliver());
  }

  /** What the server does not read is not sent again. */
  #takeBack() {
    if (!this.unsent) return;
    const { key } = this.unsent.order;
    this.#answered(key, "refused", { key, code: "malformed_frame", reason: "That is too long to be sent." });
  }

  /** Try again at once: the button beside "not sent". */
  retry() {
    if (this.socket?.readyState === WebSocket.OPEN) this.#deliver();
    else {
      this.#open();
      if (this.failures >= DEAF_AFTER) this.#deliver();
    }
  }

  /** @param {string} key @param {"accepted" | "refused"} how @param {any} frame */
  #answered(key, how, frame) {
    if (this.unsent?.order.key === key) {
      clearTimeout(this.timers.answer);
      clearTimeout(this.timers.late);
      if (how === "accepted") this.taken = { ...this.unsent, ply: frame.ply };
      this.unsent = null;
      this.#keep();
      this.#timer("seen", SEEN_AFTER, () => this.taken && this.ply() < this.taken.ply && this.sync());
    }
    this.#tell(how, frame);
  }

  #keep() {
    keep("sessionStorage", this.store, this.unsent);
  }

  // -- plain HTTP ------------------------------------------------------------------------------

  /** @param {Order} order */
  async #post(order) {
    const { do: kind, ...body } = order;
    const answer = await this.#fetch(kind === "undo" ? this.doors.undo : this.doors.act, body);
    if (answer === null) return;
    if (answer.on === "refused") this.#answered(order.key, "refused", { key: order.key, ...answer });
    else this.#answered(order.key, "accepted", { key: order.key, ...answer });
    this.#poll();
  }

  async #poll() {
    clearTimeout(this.timers.poll);
    if (document.visibilityState === "visible") {
      const answer = await this.#fetch(`${this.doors.state}?ply=${this.ply()}`);
      if (answer?.on === "state") {
        this.#tell("state", answer);
        if (this.unsent) this.#deliver();
      }
    }
    if (this.socket?.readyState !== WebSocket.OPEN && this.failures >= DEAF_AFTER) {
      this.#timer("poll", POLL, () => this.#poll());
    }
  }

  /**
   * @param {string} url
   * @param {object} [body] posted as JSON
   * @returns {Promise<any>} the answer, a refusal with its `code` too; null when the server was not reached
   */
  async #fetch(url, body) {
    try {
      const response = await fetch(url, {
        method: body ? "POST" : "GET",
        headers: {
          Accept: "application/json",
          ...(body ? { "Content-Type": "application/json", "X-CSRFToken": this.csrf() } : {}),
        },
        body: body ? JSON.stringify(body) : undefined,
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (response.status >= 500) throw new Error(`The server answered ${response.status}.`);
      const answer = await response.json();
      this.#found();
      return answer;
    } catch (error) {
      console.warn("The server was not reached.", error);
      if (this.socket?.readyState !== WebSocket.OPEN) this.#lost();
      return null;
    }
  }

  // -- small things ----------------------------------------------------------------------------

  /** @param {string} name @param {number} wait @param {() => void} then */
  #timer(name, wait, then) {
    clearTimeout(this.timers[name]);
    this.timers[name] = window.setTimeout(then, wait);
  }

  /** @param {string} type @param {any} [detail] */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** How much slower one asks where nobody looks. */
function slowness() {
  return document.visibilityState === "hidden" ? HIDDEN : 1;
}

/** A key that no other order has; `crypto.randomUUID` exists on secure origins only. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
