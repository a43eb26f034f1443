"""``manage.py reindex_wiki``: make anew what the search of the wiki looks things up in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection, transaction

from wiki.models import Page, SearchEntry, SearchName, SearchWord
from wiki.search.index import VERSION, reindex
from wiki.search.postgresql import make_trigram_index

AT_ONCE = 50  # pages in one transaction


class Command(BaseCommand):
    help = (
        "Rebuild the index of the search from the current texts of all pages. The wiki can be read "
        "and edited meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--missing",
            action="store_true",
            help="only pages that are not in the index, or as an older version made it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        pages = Page.objects.order_by("pk")
        if options["missing"]:
            pages = pages.exclude(search_entry__version=VERSION)
        else:
            SearchWord.objects.all().delete()
        ids = list(pages.values_list("pk", flat=True))
        whole = connection.vendor == "postgresql" and not options["missing"]
        if whole and (why := make_trigram_index()):
            self.stderr.write(why)
        for start in range(0, len(ids), AT_ONCE):
            with transaction.atomic():
                locked = Page.objects.select_for_update(no_key=True).order_by("pk")
                for page in locked.filter(pk__in=ids[start : start + AT_ONCE]):
                    reindex(page)
            done = min(start + AT_ONCE, len(ids))
            if options["verbosity"] and done < len(ids):
                self.stdout.write(f"{done} of {len(ids)} pages")
        SearchEntry.objects.exclude(page__deleted_at=None).delete()
        SearchName.objects.exclude(origin__deleted_at=None).delete()
        if options["verbosity"]:
            self.stdout.write(f"{len(ids)} page{'' if len(ids) == 1 else 's'} indexed.")
