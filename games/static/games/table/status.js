/** The status line: whose turn it is, what to do, what went wrong; and the title of the page. */

import { exactTime } from "../kit/clock.js";
import { el, icon, render } from "../kit/dom.js";
import { inItsLanguage, inWords, messageParts } from "../kit/messages.js";
import { lowerFirst } from "./words.js";

/** @typedef {import("../table.js").TablePage} TablePage */
/** @typedef {{mood: string, icon: string, lead: string, text: (Node | string)[], when: (Node | string)[]}} Status */

const PUT_BACK = " What you had chosen was put back, since the game has gone on.";
const NOT_SENT = "Trying again; nothing is lost.";

/** @param {TablePage} page */
export function drawTitle(page) {
  const { name, status } = page.payload;
  const turn = page.myTurn;
  document.title = turn
    ? `● Your turn – ${name}`
    : status === "playing"
      ? `${name} – Parlour`
      : `${name}, over – Parlour`;
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const favicon = turn ? page.doors.turnIcon : page.doors.calmIcon;
  if (link && favicon && link.getAttribute("href") !== favicon) link.href = favicon;
}

/** @param {TablePage} page */
export function drawStatus(page) {
  const { mood, icon: symbol, lead, text, when } = statusNow(page);
  page.parts.status.dataset.mood = mood;
  render(
    page.parts.status,
    icon(symbol),
    el("span", {}, lead && el("b", {}, lead), lead && text.length > 0 && " ", text),
    el("span", { class: "when" }, when),
    !page.past.on && el("span", { class: "sr", "data-key": "news" }, page.news.map((words) => [inItsLanguage(words), " "])),
  );
}

/** @param {TablePage} page @returns {Status} */
function statusNow(page) {
  const { payload, people, line, notice, draft } = page;
  const summary = payload.summary ? messageParts(payload.summary, people) : [];
  if (line.late || (line.unsent && !line.up)) {
    return {
      mood: "bad",
      icon: "unsent",
      lead: "Not sent:",
      text: [inItsLanguage(line.unsent?.label), `. ${NOT_SENT}`],
      when: [line.up ? "no answer yet" : "no connection"],
    };
  }
  if (line.away && payload.status === "playing") {
    return {
      mood: "bad",
      icon: "unsent",
      lead: "No connection.",
      text: ["Trying again; the game is kept."],
      when: summary,
    };
  }
  if (page.asksPatience) {
    const why = page.busy ? "your move is being sent." : "what you chose is being checked.";
    const kept = page.board && page.board.held.length > 0 ? " What you choose meanwhile comes after it." : "";
    return { mood: "wait", icon: "clock", lead: "Wait:", text: [why + kept], when: summary };
  }
  if (page.loggedOut) {
    return {
      mood: "bad",
      icon: "warn",
      lead: "You are no longer logged in.",
      text: [el("a", { href: page.doors.logIn }, "Log in"), " to take your seat again."],
      when: summary,
    };
  }
  if (notice) {
    const after = page.myTurn ? ["It is still your turn"] : summary;
    const { mood = "bad", icon = "warn", lead, text } = notice;
    return { mood, icon, lead, text: [inItsLanguage(text)], when: after };
  }
  if (page.past.on) return lookingBack(page);
  if (payload.status === "finished" || payload.status === "abandoned") {
    const said = payload.outcome ? messageParts(payload.outcome.text, people) : ["it was abandoned."];
    return {
      mood: "done",
      icon: doneIcon(payload),
      lead: "The game is over:",
      text: said,
      when: payload.finished_at ? [exactTime(payload.finished_at)] : [],
    };
  }
  if (payload.stopped) {
    const said = messageParts(payload.stopped, people);
    return { mood: "bad", icon: "warn", lead: "Stopped:", text: lowerFirst(said), when: [] };
  }
  if (page.myTurn) {
    const prompt = payload.moves.prompt ? messageParts(payload.moves.prompt, people) : ["make your move."];
    const text = [...(draft.prompt ? [inItsLanguage(draft.prompt)] : lowerFirst(prompt)), page.putBack ? PUT_BACK : ""];
    return { mood: "turn", icon: "turn", lead: "Your turn:", text, when: summary };
  }
  const waiting = payload.seats
    .filter((/** @type {any} */ seat) => seat.pending)
    .map((/** @type {any} */ seat) => seat.name);
  return {
    mood: "wait",
    icon: "clock",
    lead: "",
    text: [`Waiting for ${inWords(waiting)}.`, page.putBack ? PUT_BACK : ""],
    when: summary,
  };
}

/** @param {TablePage} page @returns {Status} */
function lookingBack(page) {
  const { past, payload, log } = page;
  const ply = past.ply ?? 0;
  const place = ply === 0 ? "at the beginning." : `after move ${ply} of ${payload.ply}.`;
  const back = el(
    "button",
    { type: "button", class: "link", "data-key": "to-now", "data-do": "now" },
    payload.status === "playing" ? "Back to now" : "Back to the result",
  );
  if (past.failed !== null) {
    const again = el(
      "button",
      { type: "button", class: "link", "data-key": "again", "data-do": "look-again" },
      "Try again",
    );
    return {
      mood: "bad",
      icon: "warn",
      lead: `Move ${ply} is not shown:`,
      text: [...lowerFirst([past.failed]), " ", again],
      when: [back],
    };
  }
  const said = [...log.words(ply), log.undone(ply) ? " It was taken back later." : ""];
  const since = page.myTurn
    ? [" ", el("b", {}, "It is your turn.")]
    : payload.ply > past.last
      ? [" ", el("b", {}, "The game has gone on.")]
      : [];
  return {
    mood: "past",
    icon: "history",
    lead: "Looking back:",
    text: past.slow ? [place, " Fetching it."] : [place, " ", ...said, ...since],
    when: [back],
  };
}

/** The cup for who has won; for those who look on, when somebody won by play. @param {any} payload */
function doneIcon({ outcome, you }) {
  if (!outcome) return "info";
  const alone = outcome.ranks.length === 1;
  const first = you === null ? outcome.reason !== "forfeit" : outcome.ranks[you] === 1;
  const won = alone ? outcome.won === true : first;
  return won ? "cup" : "check";
}
