"""``manage.py backup FILE``: the whole site in one file, also while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.backup import BackupFailed, back_up


class Command(BaseCommand):
    help = (
        "Writes database, media and secret key to FILE, also while the site runs. "
        "The file holds everything: keep it where only you can read it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to; must not exist yet (.tar.gz)")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            about = back_up(file)
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        size = file.stat().st_size / 1e6
        self.stdout.write(f"{file}: the whole site, {size:.1f} MB.")
        if not about["secret_key"]:
            self.stdout.write("SECRET_KEY comes from the environment: keep it too.")
