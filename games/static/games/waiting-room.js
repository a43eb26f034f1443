/**
 * The waiting room: hears over the table's line that somebody sat down or got up, or that the game has
 * begun, and asks the server for what it shows. Without a line it asks every few seconds, as htmx does
 * by itself.
 */

import { Connection } from "./connection.js";

const ROOM = "waiting-room";
const CHANGED = "table-changed"; // of the section, which htmx listens for
const SELDOM = 10_000; // ms between two questions nobody prompted, while sockets tell what changes

const { table = "", socket = "", state = "" } = /** @type {HTMLElement} */ (document.getElementById(ROOM)).dataset;
const none = { act: "", undo: "", say: "", check: "", moves: "", note: "" };
const line = new Connection({ table, doors: { ...none, socket, state }, csrf: () => "", ply: () => 0 });
let asked = performance.now();

line.addEventListener("state", () => document.getElementById(ROOM)?.dispatchEvent(new Event(CHANGED)));
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (elt.id !== ROOM) return;
  const prompted = requestConfig.triggeringEvent?.type === CHANGED;
  const told = line.socket?.readyState === WebSocket.OPEN;
  if (!prompted && told && performance.now() - asked < SELDOM) event.preventDefault();
  else asked = performance.now();
});
line.start();
