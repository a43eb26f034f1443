"""The Chromium of browser tests, and its contexts: none goes on beside the next test."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = (
    "chromium-headless-shell",  # without what only somebody at a screen needs
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

WAITS = """{
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (then, wait, ...more) =>
    wait !== %(usual)d ? later(then, wait, ...more) : %(instead)s === null ? 0 : later(then, %(instead)s, ...more);
}"""


def let_wait(where: BrowserContext | Page, usual: int, instead: int | None) -> None:
    """In pages that come from now on, what waits for ``usual`` ms waits for ``instead``; None: for ever. A test
    that needs what comes after a wait, and not its length, need not last as long."""
    number = "null" if instead is None else instead
    where.add_init_script(WAITS % {"usual": usual, "instead": number})


def find_chromium() -> str | None:
    """The path of a Chromium: ``CHROMIUM``, one on the PATH, or the one Playwright installed."""
    named = [os.environ.get("CHROMIUM", ""), *NAMES]
    if path := next((path for name in named if name and (path := shutil.which(name))), None):
        return path
    installed = Path.home() / ".cache/ms-playwright"
    return next((str(path) for path in sorted(installed.glob("chromium-*/*/chrome"))), None)


class Contexts:
    """The browser contexts of one test, closed at its end."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.opened: list[BrowserContext] = []

    def new_context(self, **options: Any) -> BrowserContext:
        """As Playwright's."""
        self.opened.append(self.browser.new_context(**options))
        return self.opened[-1]

    def close(self) -> None:
        """The test is over."""
        for context in self.opened:
            context.close()
