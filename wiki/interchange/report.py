"""What an import did, in figures and sentences."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import ClassVar

from wiki.interchange.records import ReadFile

MOST_WARNINGS = 1_000  # that are listed; each revision keeps its own


@dataclass
class Report:
    """What an import did, or would do; counts are of entries, ``pages`` are row ids it touched."""

    entries: int = 0
    texts: int = 0
    blank: int = 0
    files: int = 0
    missing: int = 0
    added: int = 0
    completed: int = 0  # their text was missing and came now
    upgraded: int = 0  # a better source replaced or filled in what a worse one had brought
    unchanged: int = 0
    refused: int = 0  # their text was damaged, and is not stored
    pages: set[int] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    unlisted: int = 0  # warnings beyond ``MOST_WARNINGS``

    NUMBERS: ClassVar[tuple[str, ...]] = (
        *("entries", "texts", "blank", "files", "missing", "added", "completed", "upgraded"),
        *("unchanged", "refused", "unlisted"),
    )

    def add(self, other: "Report") -> None:
        for name in self.NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.pages |= other.pages
        self.warn(other.warnings)

    def warn(self, warnings: Iterable[str]) -> None:
        for warning in warnings:
            if len(self.warnings) < MOST_WARNINGS:
                self.warnings.append(warning)
            else:
                self.unlisted += 1

    def figures(self) -> dict[str, int | list[str]]:
        """All of it as plain values: numbers, and ``warnings`` as sentences."""
        return {**asdict(self), "pages": len(self.pages)}


# Told after each batch what was done so far.
Progress = Callable[[Report, ReadFile], None]
