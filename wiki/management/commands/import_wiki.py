"""``manage.py import_wiki FILE...``: bring pages of another wiki in, with their history."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from wiki.interchange.importer import ImportRefused, Report, read_file, store_all


class Command(BaseCommand):
    help = (
        "Import text renderings of MediaWiki contribution feeds. All files are read before any is "
        "stored: one that cannot be read imports nothing. A second import adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would be added")
        parser.add_argument("--json", action="store_true", help="print the figures as one object")
        parser.add_argument("--title", default="", help="the page that a text without feed is of")
        parser.add_argument(
            "--language", default="", help="language of the pages that the import makes, as en"
        )
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="let the newest imported text be current even where people wrote here",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        files: list[Path] = options["files"]
        if options["title"] and len(files) > 1:
            raise CommandError("--title names one page: give one file with it.")
        try:
            sources = [
                read_file(path, title=options["title"], language=options["language"])
                for path in files
            ]
            report = store_all(sources, take_over=options["take_over"], dry_run=options["dry_run"])
        except ImportRefused as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            figures = {**report.figures(), "dry_run": options["dry_run"]}
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            self.stdout.write(told(report, dry_run=options["dry_run"]))


def told(report: Report, *, dry_run: bool) -> str:
    """The report for people: figures, then a line for each warning."""
    added = "would be added" if dry_run else "added"
    lines = [
        f"{counted(report.entries, 'entry', 'entries')} on {counted(len(report.pages), 'page')}: "
        f"{report.texts} with text, {report.blank} blanked, "
        f"{counted(report.files, 'file page')}, {report.missing} without text.",
        f"{report.added} {added}, {report.unchanged} known already"
        + (f", {report.completed} completed." if report.completed else "."),
    ]
    if report.warnings:
        lines += ["", f"{counted(len(report.warnings), 'warning')}:", *report.warnings]
    return "\n".join(lines)


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
