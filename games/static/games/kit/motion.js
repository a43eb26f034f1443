/** A piece travels once, for `--move-time`; with reduced motion that is 0 and nothing moves. */

/** @param {Element} root @returns {number} milliseconds */
function moveTime(root) {
  const value = getComputedStyle(root).getPropertyValue("--move-time").trim();
  return value.endsWith("ms") ? parseFloat(value) : parseFloat(value) * 1000 || 0;
}

/**
 * Where the pieces are: elements with `data-piece` (the same piece keeps its name when it moves),
 * and places pieces come from, with `data-place`.
 *
 * @param {Element} root
 * @returns {Map<string, DOMRect>}
 */
export function whereabouts(root) {
  const boxes = new Map();
  for (const node of root.querySelectorAll("[data-place]"))
    boxes.set(`place ${node.getAttribute("data-place")}`, node.getBoundingClientRect());
  // of a piece that is shown twice, the one that travels is the piece
  for (const node of [
    ...root.querySelectorAll("[data-piece]:not([data-travels])"),
    ...root.querySelectorAll("[data-piece][data-travels]"),
  ]) {
    boxes.set(/** @type {string} */ (node.getAttribute("data-piece")), node.getBoundingClientRect());
  }
  return boxes;
}

/**
 * Let the pieces that have moved since `before` travel to where they are now. A piece that was not
 * there comes from the place its `data-from` names.
 *
 * @param {Element} root
 * @param {Map<string, DOMRect>} before
 */
export function travel(root, before) {
  const duration = moveTime(root);
  if (duration === 0 || before.size === 0) return;
  const ways = [];
  for (const node of root.querySelectorAll("[data-travels]")) {
    const piece = /** @type {string} */ (node.getAttribute("data-piece"));
    const from = before.get(piece) ?? before.get(`place ${node.getAttribute("data-from")}`);
    if (!from) continue;
    const to = node.getBoundingClientRect();
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.abs(x) >= 2 || Math.abs(y) >= 2) ways.push({ node, x, y });
  }
  // only when all are measured: a piece that travels already makes the browser lay out the page for the next
  for (const { node, x, y } of ways)
    node.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, zIndex: 2 },
        { transform: "none", zIndex: 2 },
      ],
      { duration, easing: "ease-out" },
    );
}

/**
 * Let pieces that were turned round by half turn into how they stand now, once.
 *
 * @param {Element} root
 * @param {Iterable<Element>} nodes
 */
export function turnRound(root, nodes) {
  const duration = 2 * moveTime(root);
  if (duration === 0) return;
  for (const node of nodes)
    node.animate([{ rotate: "-180deg" }, { rotate: "0deg" }], { duration, easing: "ease-in-out" });
}
