/** Small ways of saying things on the table page. */

/** @param {number} milliseconds since 1970 */
export function when(milliseconds) {
  return new Date(milliseconds).toLocaleString(document.documentElement.lang || undefined, {
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The first letter small, as it follows "Your turn:". @param {(Node | string)[]} parts */
export function lowerFirst(parts) {
  const [first, ...rest] = parts;
  if (typeof first !== "string" || /^[A-Z]{2}/.test(first)) return parts;
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest];
}
