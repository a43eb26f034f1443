/**
 * Elements without HTML strings: text enters the page as text nodes only, style only through
 * custom properties (the content security policy allows no style attribute).
 */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use", "g", "path", "circle", "rect", "polygon", "line", "text", "title"]);

/** @typedef {Node | string | number | null | undefined | false} Part what `el` takes as a child */
/** @typedef {Part | any[]} Parts lists may hold lists */

/**
 * An element. Attributes that are null, undefined or false are left out, true is "". `vars` sets
 * custom properties, `on` adds listeners (not in a part that `render` redraws: see there).
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Parts} children
 * @returns {any} HTMLElement or SVGElement
 */
export function el(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "vars") {
      for (const [property, set] of Object.entries(value)) node.style.setProperty(property, String(set));
    } else if (name === "on") {
      for (const [type, listener] of Object.entries(value))
        node.addEventListener(type, /** @type {any} */ (listener));
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...parts(children));
  return node;
}

/** @param {any[]} children @returns {(Node | string)[]} */
function parts(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** @type {Record<string, string>} addresses of sprites, by what they are for */
const sprites = {};

/**
 * The address of a sprite: the `data-icons` of an element of the page, or the `data-art` of the game's own.
 *
 * @param {"icons" | "art"} kind
 */
function spriteUrl(kind) {
  sprites[kind] ??=
    /** @type {HTMLElement | null} */ (document.querySelector(`[data-${kind}]`))?.dataset[kind] ?? "";
  return sprites[kind];
}

/**
 * A reference to a symbol of the site's sprite.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 */
export function use(name, attributes = {}) {
  return el("use", { href: `${spriteUrl("icons")}#${name}`, ...attributes });
}

/**
 * A decorative icon; what it means is said in words beside it.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 */
export function icon(name, attributes = {}) {
  return el("svg", { "aria-hidden": "true", ...attributes }, use(name));
}

/**
 * A drawing of the game's own: a symbol of its `art.svg`; what it means is said in words beside it.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 */
export function drawing(name, attributes = {}) {
  return el("svg", { "aria-hidden": "true", ...attributes }, el("use", { href: `${spriteUrl("art")}#${name}` }));
}

/**
 * Make the children of `parent` equal to `children`, keeping each old node that still fits: focus,
 * scrolling and what is open survive. Nodes are matched by `data-key`, others by place and tag.
 * Listeners of new nodes do not survive a match: listen on `parent` and look for the key.
 *
 * @param {Element} parent
 * @param {...Parts} children
 */
export function render(parent, ...children) {
  const fresh = parts(children).map((part) =>
    typeof part === "string" ? document.createTextNode(part) : part,
  );
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const plain = [];
  for (const node of parent.childNodes) {
    const key = keyOf(node);
    if (key === null) plain.push(node);
    else keyed.set(key, node);
  }
  let place = 0;
  const result = fresh.map((node) => {
    const key = keyOf(node);
    /** @type {ChildNode | undefined} */
    let old;
    if (key === null) {
      old = plain[place];
      if (old && old.nodeName === node.nodeName) place += 1;
      else old = undefined;
    } else {
      old = keyed.get(key);
      if (old && old.nodeName !== node.nodeName) old = undefined;
      else keyed.delete(key);
    }
    if (!old || old === node) return /** @type {ChildNode} */ (node);
    become(old, node);
    return old;
  });
  const kept = new Set(result);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  let next = parent.firstChild;
  for (const node of result) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/** @param {Node} node @returns {string | null} */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
}

/** @param {ChildNode} old @param {Node} node */
function become(old, node) {
  if (!(old instanceof Element) || !(node instanceof Element)) {
    if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
    return;
  }
  if (old.localName.includes("-")) return; // a custom element draws itself
  for (const { name } of [...old.attributes]) {
    // the roving tab stop and what a person opened belong to the page, not to the picture
    if (!node.hasAttribute(name) && name !== "tabindex" && name !== "open") {
      if (name === "style") /** @type {any} */ (old).style.cssText = "";
      else old.removeAttribute(name);
    }
  }
  for (const { name, value } of node.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") /** @type {any} */ (old).style.cssText = /** @type {any} */ (node).style.cssText;
    else old.setAttribute(name, value);
  }
  render(old, [...node.childNodes]);
}
