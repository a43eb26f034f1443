"""Anybody can check a finished table: the seed against its hash, the log against the result."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import services
from games.engine import GameError, Match, get_game, read_options, seed_hash
from games.export import ExportError, check_export, play_again, read_export
from games.services.writing import log_rows


class Command(BaseCommand):
    help = "Plays a table again from its seed and its log, and compares."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("table", nargs="?", help="id of the table, as K7QM-2WXP")
        what.add_argument("--file", type=Path, help="an exported game, wherever it was played")

    def handle(self, **given: Any) -> None:
        if given["file"] is not None:
            self.check_file(given["file"])
        else:
            self.check_table(given["table"])

    def check_file(self, path: Path) -> None:
        """Hold an exported game to what it says; nothing else is asked."""
        try:
            export = read_export(path.read_bytes())
            match = check_export(export)
        except (OSError, ExportError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{path.name}: rows 0 to {match.ply} of {match.game.meta.name} hold. "
            f"Seed {export.seed}, hash {export.seed_hash}."
        )

    def check_table(self, table_id: str) -> None:
        """Hold a table of this site to its log."""
        try:
            table = services.find_table(table_id)
            seats = table.seats.count()
            now = services.match_of(table, seats)
        except GameError as error:
            raise CommandError(str(error)) from error
        game = get_game(table.game)
        if table.migrated:
            raise CommandError(
                "The rules changed while this table was played: it cannot be replayed."
            )
        if table.version != game.version:
            raise CommandError(
                f"The table was played by version {table.version} of the rules, these are {game.version}."
            )
        seed = bytes(table.seed or b"")
        if seed_hash(seed) != table.seed_hash:
            raise CommandError("The seed is not the one whose hash was published.")
        options = read_options(game.options_type, table.options)
        again = Match.start(game, seats, options, seed)
        try:
            play_again(again, log_rows(table))
        except ExportError as error:
            raise CommandError(str(error)) from error
        if again.digest() != now.digest():
            raise CommandError("The log does not lead to the position that is kept.")
        shown = (
            f"Seed {seed.hex()}, hash {table.seed_hash}." if table.is_over else "Seed secret yet."
        )
        self.stdout.write(
            f"{table.dashed_id}: rows 0 to {table.ply} of {game.meta.name} hold. {shown}"
        )
