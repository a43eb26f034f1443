/** Small ways of saying things on the table page. */

/** The first letter small, as it follows "Your turn:". @param {(Node | string)[]} parts */
export function lowerFirst(parts) {
  const [first, ...rest] = parts;
  if (typeof first !== "string" || /^[A-Z]{2}/.test(first)) return parts;
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest];
}
