"""A large export is read and stored in little memory."""

import tracemalloc
from collections.abc import Iterator

import pytest
from django.db import connection

from tests.wiki.interchange.exports import export, page, revision
from wiki.interchange import importer, mediawiki_xml
from wiki.interchange.importer import read_file, store_all
from wiki.models import Revision

MEGABYTE = 1 << 20


class Endless:
    """A file of ``pieces`` that is made as it is read."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self.pieces = pieces
        self.rest = b""
        self.length = 0

    def read(self, size: int) -> bytes:
        while len(self.rest) < size:
            piece = next(self.pieces, None)
            if piece is None:
                break
            self.rest += piece.encode()
        data, self.rest = self.rest[:size], self.rest[size:]
        self.length += len(data)
        return data


def pieces(count: int, size: int) -> Iterator[str]:
    """An export of one page with ``count`` revisions of ``size`` bytes."""
    whole = export(page("Go", "REVISIONS"))
    head, tail = whole.split("REVISIONS")
    yield head
    text = "word " * (size // 5)
    for number in range(1, count + 1):
        yield revision(number, f"2020-01-01T{number // 60:02}:{number % 60:02}:00Z", text=text)
    yield tail


def test_reader_holds_one_revision_at_a_time() -> None:
    file = Endless(pieces(400, 100_000))
    tracemalloc.start()
    count = sum(isinstance(item, mediawiki_xml.XmlRevision) for item in mediawiki_xml.read(file))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, file.length > 38 * MEGABYTE) == (400, True)
    assert most < 6 * MEGABYTE


@pytest.mark.django_db
def test_import_holds_one_batch_at_a_time(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(importer, "BATCH_CHARACTERS", 100_000)
    monkeypatch.setattr(importer, "BATCH_ROWS", 20)
    most = []
    for count in (15, 75):  # of 20 kB each
        path = tmp_path / f"{count}.xml"
        path.write_text("".join(pieces(count, 20_000)))
        source = read_file(path, site=str(count))
        tracemalloc.start()
        store_all([source])
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert Revision.objects.count() == 90
    assert most[1] < most[0] + 2 * MEGABYTE
    assert not connection.queries
