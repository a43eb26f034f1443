"""``manage.py restore FILE``: puts a backup back into an empty place."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.backup import BackupFailed, put_back


class Command(BaseCommand):
    help = (
        "Puts the site of FILE, which `backup` wrote, into this data folder and its database. "
        "Both must be empty; start the site afterwards."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` wrote")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            about = put_back(file)
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The site of {about['made']} is back; `manage.py serve` opens it.")
