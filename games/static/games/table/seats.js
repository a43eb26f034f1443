/** Who sits where: marker, standing, clock; and what can be done about a seat whose person left. */

import { el, icon, render } from "../kit/dom.js";
import { figure } from "../kit/messages.js";
import { timeLeft } from "../kit/clock.js";

/** @param {number} rank 1 -> "1st" */
export function ordinal(rank) {
  const last = rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10;
  return `${rank}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** @param {{index: number, name: any}} seat a person's name, or its parts, with the seat's shape @param {...any} more after it */
export function seatName(seat, ...more) {
  return el(
    "span",
    { class: "seat", "data-seat": seat.index },
    icon(`seat-${seat.index}`),
    el("span", { class: "name" }, seat.name),
    ...more,
  );
}

/** @typedef {{seat: number, does: string}} Decision about a seat, to be confirmed: "set-aside" or "claim" */
/**
 * @param {Element} list
 * @param {any} payload
 * @param {{deciding: Decision | null, here: number[]}} page what is being decided; the seats whose people look
 *   at the table now
 */
export function drawSeats(list, payload, page) {
  const over = payload.status !== "playing";
  const seats = [...payload.seats];
  if (over) seats.sort((a, b) => (a.result?.rank ?? 99) - (b.result?.rank ?? 99) || a.index - b.index);
  render(
    list,
    seats.map((seat) => seatRow(seat, over, page)),
  );
}

/** @param {any} seat @param {boolean} over @param {{deciding: Decision | null, here: number[]}} page */
function seatRow(seat, over, { deciding, here }) {
  const present = here.includes(seat.index) && !seat.you;
  const turn = seat.pending && !over;
  return el(
    "li",
    { "data-key": `seat-${seat.index}`, "data-turn": turn },
    seatName(
      seat,
      seat.you && el("span", { class: "muted" }, "(you)"),
      seat.kind === "bot" && icon("bot", { class: "bot" }),
      seat.kind === "bot" && el("span", { class: "sr" }, "(bot)"),
      present && el("span", { class: "here", title: "At the table now" }),
      present && el("span", { class: "sr" }, ", at the table"),
      turn && el("span", { class: "sr" }, ", to move"),
    ),
    el("span", { class: "score" }, points(over ? (seat.result?.score ?? seat.standing) : seat.standing)),
    over ? el("span", { class: "clock" }, seat.result?.rank ? ordinal(seat.result.rank) : "") : clockOf(seat),
    seat.zombie && !over && absence(seat),
    (seat.overdue || seat.may_set_aside) &&
      !over &&
      lateness(seat, deciding !== null && deciding.seat === seat.index ? deciding.does : null),
  );
}

/** @param {number | null} count */
function points(count) {
  return count === null ? "" : figure(count);
}

/** @param {any} seat */
function clockOf(seat) {
  const clock = seat.clock;
  if (!clock) return el("span", { class: "clock" });
  if (clock.running && clock.expires_at !== null) {
    return el("span", { class: "clock", "data-deadline": clock.expires_at, "data-own": seat.you });
  }
  return el("span", { class: "clock" }, timeLeft(clock.bank / 1000));
}

/** @param {any} seat */
function absence(seat) {
  return el(
    "span",
    { class: "sub" },
    icon("chair"),
    el(
      "span",
      {},
      seat.you ? "You left; the game plays for you." : `${seat.name} left; the game plays for them.`,
      seat.may_return && [
        " ",
        el("button", { type: "button", class: "link", "data-do": "return" }, "Take your seat again"),
      ],
      seat.may_take_over && [
        " ",
        el(
          "button",
          { type: "button", class: "link", "data-do": "take-over", "data-seat": seat.index },
          "Take this seat",
        ),
      ],
    ),
  );
}

/**
 * Somebody does not answer: what the others may decide, each in two steps.
 *
 * @param {any} seat
 * @param {string | null} deciding what is to be confirmed: "set-aside" or "claim"
 */
function lateness(seat, deciding) {
  const button = (/** @type {string} */ does, /** @type {string} */ words) =>
    el("button", { type: "button", class: "link", "data-do": does, "data-seat": seat.index }, words);
  const ends = deciding === "claim";
  const goes = ends
    ? `${seat.name} loses, and the game is over. `
    : `The game plays until ${seat.name} comes back. `;
  const late = seat.overdue
    ? `${seat.name} has run out of time. `
    : `${seat.name} has not answered for a day. `;
  const own = "Your time ran out. You may still move, until the others let the game play for you.";
  const choices = deciding
    ? [
        goes,
        ends ? button("claim", "End the game") : button("set-aside", "Let the game play"),
        " ",
        button("wait", "Wait"),
      ]
    : [
        seat.you ? own : late,
        seat.may_set_aside && button("ask-set-aside", "Let the game play"),
        seat.may_claim && [" ", button("ask-claim", "End the game")],
      ];
  return el("span", { class: "sub" }, icon("clock"), el("span", {}, choices));
}
