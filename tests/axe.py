"""axe-core, the checker of accessible pages, in pages of browser tests."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Half of the work of axe is to read the same few colours again for every text: it remembers them.
REMEMBER_COLOURS = """
(() => {
  const { Color } = axe.commons.color;
  const { parseString } = Color.prototype;
  const known = new Map();
  Color.prototype.parseString = function (text) {
    if (!known.has(text)) {
      const { r, g, b, alpha } = parseString.call(this, text);
      known.set(text, { r, g, b, alpha });
    }
    return Object.assign(this, known.get(text));
  };
})();
"""
RUN = """async rules => {
  if (!globalThis.axe) return null;
  const parts = %s;
  if (parts && !parts.length) return [];
  const found = await axe.run(parts ? { include: parts } : document, {
    resultTypes: ["violations"], elementRef: false, ...rules,
  });
  return found.violations.map(rule => [rule.id, rule.nodes.map(node => node.target.join(" "))]);
}"""
ALL_RULES = {"rules": {"target-size": {"enabled": True}}}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


AXE = AXE_SCRIPT + REMEMBER_COLOURS  # as a script for a page, or for all pages of a context


def load_axe(page: Page) -> None:
    """Bring axe into the page."""
    page.evaluate(AXE)


def violations(
    page: Page, rules: dict[str, Any] = ALL_RULES, *, parts: str = "null"
) -> Sequence[Any]:
    """What axe finds on the page as it is now: pairs of a rule and the elements that break it, by selector.
    ``parts`` is JavaScript for an array of elements, the only ones looked at then (none, where it is empty)."""
    found: list[Any] | None = page.evaluate(RUN % parts, rules)
    if found is None:
        load_axe(page)
        found = page.evaluate(RUN % parts, rules)
    assert found is not None
    return found
