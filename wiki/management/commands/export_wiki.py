"""``manage.py export_wiki FILE``: the wiki, or pages of it, as a file for other programs and for us."""

import bz2
import gzip
import os
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from wiki import selectors
from wiki.interchange import markdown_zip
from wiki.interchange.export import Wish, one_moment, pages_wanted, xml_of
from wiki.interchange.opening import EXPORT_IN_ZIP
from wiki.interchange.picture_zip import put_pictures
from wiki.services.identity import site_uuid
from wiki.titles import make_slug

PACKERS = {".gz": gzip.open, ".bz2": bz2.open}


class Command(BaseCommand):
    help = (
        "Write all pages with their whole history to FILE, as MediaWiki XML; packed where it ends "
        "in .gz or .bz2, to standard output where it is -. import_wiki takes it back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--page", action="append", default=[], metavar="TITLE", help="only this page; repeat it"
        )
        parser.add_argument("--current", action="store_true", help="only what is read now")
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument(
            "--zip", action="store_true", help="an archive of the XML and the pictures"
        )
        kind.add_argument(
            "--markdown",
            action="store_true",
            help="an archive of the current texts, one .md for each page, and the pictures",
        )
        parser.add_argument(
            "--all",
            action="store_true",
            help="also what was hidden or deleted: keep it to yourself",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        everything = options["all"]
        pages = pages_wanted(everything=everything)
        if options["page"]:
            pages = pages.filter(pk__in=[called(title) for title in options["page"]])
        wish = Wish(
            history=not options["current"],
            everything=everything,
            log=not options["page"] and not options["current"],
        )
        site_uuid()
        archive = options["zip"] or options["markdown"]
        if options["file"] == "-":
            if archive:
                raise CommandError("An archive cannot be written to standard output; name a file.")
            with one_moment():
                write_all(sys.stdout.buffer, xml_of(pages, wish))
            return
        target = Path(options["file"])
        if target.exists():
            raise CommandError(f"{target} exists already; name another file.")
        part = target.with_name(f"{target.name}.part")
        try:
            mode = 0o600 if everything else 0o666
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode))
            with one_moment():
                if options["markdown"]:
                    markdown_zip.write(part, pages)
                elif options["zip"]:
                    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as packed:
                        with packed.open(EXPORT_IN_ZIP, "w", force_zip64=True) as file:
                            write_all(file, xml_of(pages, wish))
                        put_pictures(packed, pages, everything=everything)
                else:
                    opener = PACKERS.get(target.suffix, open)
                    with opener(part, "wb") as file:
                        write_all(file, xml_of(pages, wish))
            os.replace(part, target)
        except OSError as error:
            raise CommandError(f"{target} could not be written: {error}") from error
        finally:
            part.unlink(missing_ok=True)
        count = pages.count()
        self.stdout.write(f"{count:,} {'page' if count == 1 else 'pages'} written to {target}.")


def called(title: str) -> int:
    """The row id of the page that ``title`` leads to."""
    found = selectors.find_page(make_slug(title), title)
    if found is None:
        raise CommandError(f"There is no page called “{title}”.")
    return found.page.pk


def write_all(file: BinaryIO, pieces: Iterable[str]) -> None:
    for piece in pieces:
        file.write(piece.encode())
