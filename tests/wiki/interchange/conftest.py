"""Made-up feeds, and the exports that some machines have beside the repository."""

from collections.abc import Callable
from pathlib import Path

import pytest

SEEDS = Path(__file__).resolve().parents[4] / "shared" / "seeds"
FEEDS = ("000", "002", "003", "004")


def feed(*entries: str, title: str = "Tiny Wiki - User contributions [en]") -> str:
    """A feed of entries as ``entry`` writes them."""
    return "\n\n".join([title, *entries]) + "\n"


def entry(title: str, time: str, byline: str = "Ann:", text: str = "") -> str:
    return "\n\n".join([title, time, byline, *([text] if text else [])])


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file and returns its path."""

    def write_file(text: str | bytes, name: str = "feed.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write_file


def seed(number: str) -> Path:
    """The export with this number; skips where the exports are not beside the repository."""
    found = sorted(SEEDS.glob(f"{number}_[0-9a-f]*.txt")) if SEEDS.is_dir() else []
    if not found:
        pytest.skip("the exports of real wikis are not on this machine")
    return found[0]


@pytest.fixture(scope="session")
def seeds() -> list[Path]:
    return [seed(number) for number in FEEDS]
