/** The action bar: exactly what can be done now; and the list of legal moves. */

import { el, icon, render } from "../kit/dom.js";
import { inItsLanguage, messageParts } from "../kit/messages.js";

/** @typedef {import("../table.js").TablePage} TablePage */

/** @param {TablePage} page */
export function drawBar(page) {
  page.parts.bar.classList.remove("idle");
  if (page.past.on) {
    drawReplay(page);
    return;
  }
  const over = page.payload.status !== "playing";
  page.parts.bar.hidden = false;
  const buttons = over ? afterwards(page) : orders(page);
  const left = page.payload.seats[page.payload.you ?? -1]?.zombie; // what one may choose is not theirs
  const { line } = page;
  const stuck = line.unsent !== null && (line.late || !line.up);
  const hint = stuck
    ? "You may close the page once this line is gone."
    : over || left
      ? ""
      : page.draft.hint;
  render(
    page.parts.bar,
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
    hint && el("span", { class: "hint", "data-key": "hint", "aria-live": "polite" }, inItsLanguage(hint)),
    page.board && page.myTurn && !page.busy && folded(page),
  );
  const idle = buttons.length === 0 && !hint && !page.parts.bar.querySelector("details");
  page.parts.bar.classList.toggle("idle", idle); // keeps its room, so that the board stays where it is
  page.parts.bar.hidden = idle && (over || page.payload.you === null);
}

/** The buttons of the action bar; the nth answers to the key n. @param {TablePage} page */
function orders(page) {
  const { line, draft, payload, under } = page;
  if (under) {
    const stuck = line.late || (line.unsent !== null && !line.up);
    return [
      el(
        "button",
        {
          type: "button",
          class: "button button-primary grow",
          "aria-disabled": "true",
          "aria-busy": "true",
          "data-key": "main",
          "data-do": "act",
        },
        inItsLanguage(under.label),
        stuck && ", not sent",
      ),
      stuck &&
        el(
          "button",
          { type: "button", class: "button", "data-key": "retry", "data-do": "retry" },
          icon("swap"),
          "Try now",
        ),
    ].filter(Boolean);
  }
  const ready = page.choosing ?? (draft.action ? { action: draft.action, label: draft.label } : null);
  const buttons = [];
  if (page.myTurn && (draft.label || page.choosing)) {
    const can = ready !== null && !line.away;
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
        icon(page.choosing ? "check" : (draft.icon ?? "check")),
        inItsLanguage(ready?.label ?? draft.label),
      ),
    );
  }
  if (page.choosing)
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
        withIcon(draft.clear, draft.clearIcon),
      ),
    );
  if (page.myTurn && !page.choosing) {
    for (const order of draft.more ?? []) buttons.push(further(order, !line.away));
  }
  if (page.myTurn && page.doors.hint && !page.choosing)
    buttons.push(
      el(
        "button",
        {
          type: "button",
          class: "button",
          "data-key": "hint",
          "data-do": "hint",
          "aria-disabled": page.advising || line.away ? "true" : null,
          title: "What can be done now?",
        },
        withIcon("Hint", "help"),
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
          "aria-disabled": line.away ? "true" : null,
        },
        icon("undo"),
        "Take back",
      ),
    );
  if (!page.myTurn) buttons.push(onward(page));
  return buttons.filter(Boolean);
}

/** A button that the board asked for. @param {import("../kit/board.js").Order} order @param {boolean} up */
function further(order, up) {
  const off = order.off || (order.action !== undefined && !up);
  return el(
    "button",
    {
      type: "button",
      class: "button",
      "data-key": `more-${order.key}`,
      "data-do": "more",
      "data-order": order.key,
      "aria-disabled": off ? "true" : null,
    },
    order.action === undefined
      ? withIcon(order.label, order.icon)
      : [order.icon && icon(order.icon), inItsLanguage(order.label)],
  );
}

/** Words, and a picture that stands alone on a phone. @param {string} words @param {string} [name] */
function withIcon(words, name) {
  return name ? [icon(name), el("span", { class: "sr-narrow" }, words)] : words;
}

/** Ways through the log in place of the actions. @param {TablePage} page */
function drawReplay(page) {
  const { past, payload } = page;
  const at = past.ply ?? 0;
  const last = payload.ply;
  const over = payload.status !== "playing";
  const step = (/** @type {string} */ does, /** @type {string} */ name, /** @type {boolean} */ can) =>
    el(
      "button",
      {
        type: "button",
        class: "button button-icon",
        "aria-label": name,
        title: name,
        "aria-disabled": can ? null : "true",
        "data-key": does,
        "data-do": `step-${does}`,
      },
      icon(does),
    );
  const slider = el("input", {
    type: "range",
    min: 0,
    max: last,
    "aria-label": "Move",
    "aria-valuetext": `Move ${at} of ${last}`,
    "data-does": "seek",
  });
  page.parts.bar.hidden = false;
  render(
    page.parts.bar,
    el(
      "div",
      {
        class: "bar replay",
        role: "toolbar",
        "aria-label": "Replay",
        "data-roving": true,
        "data-key": "replay",
      },
      step("first", "First move", at > 0),
      step("back", "One move back", at > 0),
      slider,
      step("fwd", "One move forward", at < last),
      step("last", "Last move", at < last),
      el(
        "button",
        { type: "button", class: "button", "data-key": "now", "data-do": "now" },
        over ? "Result" : "Now",
      ),
    ),
    over &&
      payload.status === "finished" &&
      page.doors.hides !== undefined &&
      el(
        "label",
        { class: "check", "data-key": "open" },
        el("input", { type: "checkbox", checked: past.open, "data-does": "open" }),
        "Everything open",
      ),
  );
  const drawn = /** @type {HTMLInputElement} */ (page.parts.bar.querySelector("[data-does=seek]"));
  drawn.value = String(at); // the attribute counts only until somebody has moved it
}

/** The way to the next table that waits. @param {TablePage} page */
function onward(page) {
  const { next, words } = page.waiting;
  if (next === null) return null;
  return el("a", { class: "button", href: next, "data-key": "next" }, icon("arrow"), words);
}

/** What can be done when it is over. @param {TablePage} page */
function afterwards(page) {
  const { payload } = page;
  return [
    payload.may.rematch
      ? el(
          "button",
          { type: "button", class: "button button-primary", "data-key": "rematch", "data-do": "rematch" },
          icon("play"),
          payload.rematch ? "Join the next game" : "Same table again",
        )
      : payload.rematch &&
        el(
          "a",
          { class: "button button-primary", href: payload.rematch, "data-key": "to-rematch" },
          icon("eye"),
          "To the next game",
        ),
    !payload.stopped &&
      el(
        "button",
        { type: "button", class: "button", "data-key": "look-back", "data-do": "look-back" },
        icon("history"),
        "Look back",
      ),
    el(
      "a",
      { class: "button button-quiet", href: payload.help.url, "data-key": "rules" },
      `Rules of ${payload.name}`,
    ),
    onward(page),
  ].filter(Boolean);
}

/** The list of legal moves beside a board; written only while it is open, since nothing on the page is longer. @param {TablePage} page */
function folded(page) {
  const { moves } = page.payload;
  const count = moves.total;
  return el(
    "details",
    { class: "moves push", "data-key": "moves", open: page.listed },
    el(
      "summary",
      {},
      icon("list"),
      el(
        "span",
        {},
        String(count),
        el("span", { class: "sr-narrow" }, moves.examples ? ` ${count === 1 ? "example" : "examples"}` : ""),
        el(
          "span",
          { class: moves.examples ? "sr" : "sr-narrow" },
          moves.examples ? " of legal moves" : count === 1 ? " legal move" : " legal moves",
        ),
      ),
    ),
    page.listed && moveList(page),
  );
}

/** Every legal move by its words: the plain way to play, and the board of a game without one. @param {TablePage} page */
export function moveList(page) {
  const { moves } = page.payload;
  if (!moves) return null;
  const items = page.allMoves ?? moves.items;
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
            {
              type: "button",
              class: "button button-small",
              "data-key": `move-${n}`,
              "data-do": "move",
            },
            messageParts(move.label, page.people),
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
