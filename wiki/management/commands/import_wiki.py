"""``manage.py import_wiki FILE...``: bring pages of another wiki in, with their history."""

import json
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from wiki.interchange.importer import Report, read_file, store_all
from wiki.interchange.records import ImportRefused, ReadFile

QUIET_SECONDS = 2  # that an import may take without a word about how far it is


class Command(BaseCommand):
    help = (
        "Import XML exports of MediaWiki (also .gz, .bz2, .xz), Atom feeds of contributions, "
        "text renderings of such feeds, and what export_wiki wrote. What a file is, is seen by its content. All files are read "
        "before any is stored: one that cannot be read imports nothing. A second import adds "
        "nothing; one that was stopped goes on where it was."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would be added")
        parser.add_argument("--json", action="store_true", help="print the figures as one object")
        parser.add_argument("--quiet", action="store_true", help="say nothing while it runs")
        parser.add_argument("--title", default="", help="the page that a text without feed is of")
        parser.add_argument(
            "--language", default="", help="language of the pages that the import makes, as en"
        )
        parser.add_argument(
            "--site",
            default="",
            help="what to call the wiki the files are from, where they do not all say the same",
        )
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="let the newest imported text be current even where people wrote here",
        )

        parser.add_argument(
            "--accounts",
            action="store_true",
            help="in an export of Parlour, authors are the accounts that have the same name here",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        files: list[Path] = options["files"]
        if options["title"] and len(files) > 1:
            raise CommandError("--title names one page: give one file with it.")
        named = {name: options[name] for name in ("title", "language", "site")}
        told_by = Teller(self, quiet=options["quiet"])
        try:
            sources = [read_file(path, **named) for path in files]
            report = store_all(
                sources,
                take_over=options["take_over"],
                accounts=options["accounts"],
                dry_run=options["dry_run"],
                progress=told_by.tell,
            )
        except ImportRefused as error:
            raise CommandError(str(error)) from error
        except OperationalError as error:
            raise CommandError(
                f"The database could not go on: {str(error).splitlines()[0]}. What was stored stays; "
                "run it again to go on."
            ) from error
        except KeyboardInterrupt as error:
            raise CommandError("Stopped. What was stored stays; run it again to go on.") from error
        if options["json"]:
            figures = {**report.figures(), "dry_run": options["dry_run"]}
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            self.stdout.write(told(report, dry_run=options["dry_run"]))


class Teller:
    """Says on standard error how far a long import is, a line every two seconds."""

    def __init__(self, command: BaseCommand, *, quiet: bool) -> None:
        self.command = command
        self.quiet = quiet
        self.started = self.told = time.monotonic()

    def tell(self, report: Report, source: ReadFile) -> None:
        now = time.monotonic()
        if self.quiet or now - self.told < QUIET_SECONDS:
            return
        self.told = now
        rate = report.entries / (now - self.started)
        self.command.stderr.write(
            f"{source.name}: {report.entries:,} of {source.count:,} revisions on "
            f"{len(report.pages):,} pages, {100 * report.entries // max(source.count, 1)} %, "
            f"{rate:,.0f} a second"
        )


def told(report: Report, *, dry_run: bool) -> str:
    """The report for people: figures, then a line for each warning."""
    added = "would be added" if dry_run else "added"
    lines = [
        f"{counted(report.entries, 'entry', 'entries')} on {counted(len(report.pages), 'page')}: "
        f"{report.texts} with text, {report.blank} blanked, "
        f"{counted(report.files, 'file page')}, {report.missing} without text.",
        f"{report.added} {added}, {report.unchanged} known already"
        + (f", {report.completed} completed" if report.completed else "")
        + (f", {report.upgraded} made better" if report.upgraded else "")
        + (f", {report.refused} texts refused." if report.refused else "."),
    ]
    if report.warnings:
        number = len(report.warnings) + report.unlisted
        lines += ["", f"{counted(number, 'warning')}:", *report.warnings]
    if report.unlisted:
        lines.append(f"and {report.unlisted:,} more; each revision keeps its own.")
    return "\n".join(lines)


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
