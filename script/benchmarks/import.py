"""Import of a large MediaWiki export, a second import of it, and export: time and largest memory.

Makes an export of ``--mb`` megabytes (pages with 20 revisions of about 5 kB of wikitext) and an empty database of its
own (SQLite; with DATABASE_URL that database, which must be empty), and runs the commands as processes of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

from wiki.interchange.mediawiki_xml import base36_sha1

ROOT = Path(__file__).resolve().parents[2]
REVISIONS, PARAGRAPHS = 20, 12
WORDS = [f"word{number}" for number in range(900)]
HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">'
    "<siteinfo><sitename>Large Wiki</sitename></siteinfo>\n"
)


def paragraph(chance: random.Random) -> str:
    words = [chance.choice(WORDS) for _ in range(60)]
    words[5] = f"'''{words[5]}'''"
    words[20] = f"[[Page {chance.randrange(1000)}|{words[20]}]]"
    words[40] = f"''{words[40]}''"
    return " ".join(words)


def page(number: int, chance: random.Random) -> Iterator[str]:
    """A page whose revisions each change one paragraph."""
    parts = [paragraph(chance) for _ in range(PARAGRAPHS)]
    yield f"<page><title>Page {number}</title><ns>0</ns><id>{number + 1}</id>"
    for at in range(REVISIONS):
        parts[chance.randrange(PARAGRAPHS)] = paragraph(chance)
        text = "\n\n".join(f"== Part {place} ==\n\n{part}" for place, part in enumerate(parts))
        text += "\n\n* one\n* two\n** three\n\n{| class=wikitable\n! a !! b\n|-\n| 1 || 2\n|}"
        row = number * REVISIONS + at + 1
        when = datetime(2010, 1, 1, tzinfo=UTC) + timedelta(minutes=row)
        yield (
            f"<revision><id>{row}</id><timestamp>{when:%Y-%m-%dT%H:%M:%SZ}</timestamp>"
            f"<contributor><username>Writer {row % 50}</username><id>1</id></contributor>"
            f"<comment>change {row}</comment><model>wikitext</model><format>text/x-wiki</format>"
            f'<text bytes="{len(text)}" xml:space="preserve">{escape(text)}</text>'
            f"<sha1>{base36_sha1(text)}</sha1></revision>\n"
        )
    yield "</page>\n"


def write_export(path: Path, size: int) -> int:
    """An export of about ``size`` bytes; how many revisions it has."""
    chance = random.Random(1)
    written = number = 0
    with path.open("w") as file:
        file.write(HEAD)
        while written < size:
            for piece in page(number, chance):
                written += file.write(piece)
            number += 1
        file.write("</mediawiki>\n")
    return number * REVISIONS


def run(data: Path, *command: str) -> tuple[float, float, str]:
    """Seconds, megabytes at most, and output of ``manage.py`` with ``command``."""
    code = (
        "import resource, runpy, sys; sys.argv = ['manage.py', *sys.argv[1:]]\n"
        "try:\n    runpy.run_path('manage.py', run_name='__main__')\n"
        "finally:\n    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=ROOT,
        env={**os.environ, "PARLOUR_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"import: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return time.monotonic() - started, int(done.stderr.split()[-1]) / 1024, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=20, help="size of the export in megabytes")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        data = Path(folder) / "data"
        export = Path(folder) / "export.xml"
        revisions = write_export(export, int(args.mb * 1e6))
        run(data, "migrate")
        figures: dict[str, float] = {
            "megabytes": export.stat().st_size / 1e6,
            "revisions": revisions,
        }
        _s, figures["idle_memory_mb"], _out = run(data, "import_wiki", "--help")
        steps = {
            "import": ("import_wiki", str(export), "--json", "--quiet"),
            "again": ("import_wiki", str(export), "--json", "--quiet"),
            "export": ("export_wiki", str(Path(folder) / "out.xml")),
        }
        for name, command in steps.items():
            seconds, memory, out = run(data, *command)
            figures[f"{name}_s"], figures[f"{name}_memory_mb"] = seconds, memory
            if name != "export":
                added = json.loads(out)["added"]
                assert added == (revisions if name == "import" else 0), out[:300]
        figures["import_per_s"] = revisions / figures["import_s"]
    if args.json:
        print(json.dumps(figures))  # noqa: T201
        return
    for name, value in figures.items():
        print(f"{name:20} {value:12,.1f}")  # noqa: T201


if __name__ == "__main__":
    main()
