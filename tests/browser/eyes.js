/** What `test_eyes.py` asks of a page, brought into it beside axe: each form of the page in one question. */

globalThis.eyes = (() => {
  /** element -> what of its look may matter to a contrast; nothing where it is not seen */
  const looks = () =>
    new Map(
      [...document.querySelectorAll("body, body *")].map((node) => {
        const { color, backgroundColor, backgroundImage, opacity, fontSize } = getComputedStyle(node);
        const look = [color, backgroundColor, backgroundImage, opacity, parseFloat(fontSize) < 24];
        return [node, node.checkVisibility({ visibilityProperty: true }) ? look.join() : ""];
      }),
    );

  /** what is seen in the first of two such maps, and in the second not or otherwise */
  const otherwise = (seen, other) => {
    const found = new Set(
      [...seen.keys()].filter((node) => node.isConnected && seen.get(node) && seen.get(node) !== other.get(node)),
    );
    return [...found].filter((node) => !found.has(node.parentNode));
  };

  const tooWide = () => {
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over <= 0) return [];
    const guilty = [...document.querySelectorAll("body *")].find(
      (node) => node.getBoundingClientRect().right > innerWidth + 0.5 && !node.closest("[hidden], .sr"),
    );
    return [[`${over} px too wide: ${guilty?.tagName} ${guilty?.className}`]];
  };

  /** words that stick out of the box they stand on: the nearest one with a ground or an edge */
  const spilled = () => {
    const seen = (colour) => !/^(transparent|rgba\(.*, 0\))$/.test(colour);
    const boxed = (node, look) =>
      look.display !== "inline" &&
      look.display !== "contents" &&
      (seen(look.backgroundColor) || parseFloat(look.borderInlineEndWidth) > 0);
    const found = new Set(),
      walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      if (!text.data.trim() || !text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
      let box = text.parentElement,
        hidden = false;
      for (; box; box = box.parentElement) {
        const look = getComputedStyle(box);
        hidden ||= look.overflowX !== "visible" || look.clipPath !== "none";
        if (hidden || boxed(box, look)) break;
      }
      if (hidden || !box || box === document.body) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = box.getBoundingClientRect();
      for (const words of range.getClientRects())
        if (words.left < left - 1 || words.right > right + 1) found.add(`${box.className}: ${text.data.slice(0, 30)}`);
    }
    return [...found].map((words) => ["spilled", words]);
  };

  /** the share of the window that does not scroll away, in percent, where it is more than half */
  const stuck = () => {
    let height = 0;
    for (const node of document.querySelectorAll("body *")) {
      if (!["sticky", "fixed"].includes(getComputedStyle(node).position)) continue;
      if (node.closest("dialog, [hidden], .side-panel")) continue;
      height += node.getBoundingClientRect().height;
    }
    const share = Math.round((100 * height) / innerHeight);
    return share > 50 ? [[`${share} % never scrolls away`]] : [];
  };

  /** what a person may set who needs wide text (WCAG 1.4.12) */
  const space = () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important } p { margin-block-end: 2em !important }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };

  const moving = () => document.getAnimations().map((one) => ["moving", one.effect.target.className]);

  /**
   * What is called the same in the main part of a page and does something else: links, buttons that send a
   * form, and fields of one form. Lists of headings repeat what a text repeats.
   */
  const alike = () => {
    axe.setup(document);
    const forms = [...document.forms];
    const sends = (node) => {
      const data = new FormData(node.form, node);
      data.delete("csrfmiddlewaretoken");
      const to = node.getAttribute("formaction") ?? node.form.getAttribute("action");
      return `${to} ${new URLSearchParams(data)}`;
    };
    const told = (node) => {
      // kind, and what it does
      if (node.matches("a")) return ["link", node.href];
      if (node.matches("button")) return node.type === "submit" && node.form && ["button", sends(node)];
      const chosen = node.matches("[type=radio], [type=checkbox]");
      return [`field of ${forms.indexOf(node.form)}`, `${node.name} ${chosen && node.value}`];
    };
    const known = new Map(),
      found = new Set();
    const seen = "main :is(a[href], button, input:not([type=hidden]), select, textarea)";
    for (const node of document.querySelectorAll(seen)) {
      const said = node.checkVisibility() && !node.closest(".toc") && told(node);
      if (!said) continue;
      const name = `${said[0]}: ${axe.commons.text.accessibleText(node).trim()}`;
      if (known.has(name) && known.get(name) !== said[1]) found.add(name);
      known.set(name, said[1]);
    }
    axe.teardown();
    return [...found].map((name) => ["alike", name]);
  };

  const kept = {}; // size -> looks in light
  const named = (name, found) => found.map((one) => [name, ...one]);

  return {
    alike,
    /** Keep what the page looks like at this size, in light. */
    keep: (size) => void (kept[size] = looks()),
    /** Elements that are seen at `size` otherwise than at `other`; both have been kept. */
    otherwise: (size, other) => otherwise(kept[size], kept[other]),
    form: (size) => named(size, [...tooWide(), ...spilled()]),
    magnified: (size) => named(size, [...tooWide(), ...spilled(), ...stuck()]),
    spaced: () => {
      space();
      return [...named("spaced", tooWide()), ...moving()];
    },
  };
})();
