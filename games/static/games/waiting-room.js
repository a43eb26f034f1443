/**
 * The waiting room: hears over the table's line that somebody sat down or got up, or that the game has
 * begun, and asks the server for what it shows. Without a line it asks every few seconds, as htmx does
 * by itself.
 */

import { Connection } from "./connection.js";

const ROOM = "waiting-room";
const SELDOM = 10_000; // ms between two questions nobody prompted, while sockets tell what changes

const room = () => /** @type {HTMLElement} */ (document.getElementById(ROOM));
const { table = "", socket = "", state = "" } = room().dataset;
const none = { act: "", undo: "", say: "", check: "", moves: "", note: "" };
const line = new Connection({ table, doors: { ...none, socket, state }, csrf: () => "", ply: () => 0 });
const told = () => line.socket?.readyState === WebSocket.OPEN;

/** Not by an event of the section: what is asked there while an answer is awaited goes with the section it replaces. */
function ask() {
  const address = room().getAttribute("hx-get"); // none once the table is closed
  if (address) globalThis.htmx.ajax("GET", address, { target: `#${ROOM}`, swap: "outerHTML" });
}

line.addEventListener("state", ask);
setInterval(() => told() && ask(), SELDOM);
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt } = /** @type {CustomEvent} */ (event).detail;
  if (elt.id === ROOM && told()) event.preventDefault();
});

// A button that is replaced while it is held down is never clicked: what comes meanwhile is asked for again.
let pressed = false,
  missed = false;
document.addEventListener("pointerdown", (event) => (pressed = room().contains(/** @type {Node} */ (event.target))));
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () =>
    setTimeout(() => {
      pressed = false; // after the click
      if (missed) ask();
      missed = false;
    }),
  );
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (!pressed) return;
  missed = true;
  event.preventDefault();
});
line.start();
