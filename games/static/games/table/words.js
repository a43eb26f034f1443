/** Small ways of saying things on the table page. */

import { lowerFirst as lowered } from "../kit/tongue.js";

/** The first letter small, as it follows "Your turn:". @param {(Node | string)[]} parts */
export function lowerFirst(parts) {
  const [first, ...rest] = parts;
  return typeof first === "string" ? [lowered(first), ...rest] : parts;
}
