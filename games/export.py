"""A game that is over as one file, by which anybody can check it: seed, log and result.

``docs/protocol.md`` ("Export") describes the format. A file is read with nothing else at hand: no
database, and no trust in what it says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from games import services
from games.engine import (
    BadOptions,
    IllegalMove,
    Match,
    Row,
    UnknownGame,
    get_game,
    read_options,
    seed_hash,
)
from games.engine.match import ACT, UNDO, effect_of
from games.engine.playthrough import write_playthrough
from games.errors import CannotGoOn, NotFinished, NotPlaying
from games.models import Seat, Table
from games.services.clock import milliseconds
from games.services.writing import AnyMatch, log_rows


class ExportSeat(msgspec.Struct, kw_only=True):
    """Who sat there at the end."""

    name: str
    kind: str  # person, bot
    zombie: bool = False


class ExportRow(msgspec.Struct, kw_only=True):
    """A row of the log. Row 0 is the set-up."""

    ply: int
    kind: str
    seat: int | None = None
    origin: str
    action: Any = None  # act: the game's action; undo: {"row": n}; others: {"effect": ...} or null
    rng: int  # number of the next draw after this row
    at: int  # ms since 1970
    undone: bool = False


class Export(msgspec.Struct, kw_only=True):
    """A whole table."""

    format: Literal[1] = 1
    id: str
    game: str
    version: int
    migrated: bool = False  # the rules changed meanwhile: then it cannot be played again
    options: dict[str, Any]
    seats: list[ExportSeat]
    seed: str  # hexadecimal digits
    seed_hash: str
    rows: list[ExportRow]
    result: dict[str, Any]


class ExportError(Exception):
    """What the file claims is not so, or it cannot be read."""


def export_table(table: Table) -> Export:
    """``table``, which is over. Raises ``NotFinished``, ``NotPlaying``."""
    _must_be_over(table)
    rows = table.plies.order_by("number")
    return Export(
        id=table.public_id,
        game=table.game,
        version=table.version,
        migrated=table.migrated,
        options=table.options,
        seats=[
            ExportSeat(name=seat.name, kind=seat.kind, zombie=seat.zombie)
            for seat in services.seats_of(table)
        ],
        seed=bytes(table.seed or b"").hex(),
        seed_hash=table.seed_hash,
        rows=[
            ExportRow(
                ply=ply.number,
                kind=ply.kind,
                seat=ply.seat,
                origin=ply.origin,
                action=_public(ply.kind, ply.action),
                rng=ply.rng,
                at=milliseconds(ply.at) or 0,
                undone=ply.undone_by is not None,
            )
            for ply in rows
        ],
        result=table.outcome or {},
    )


def playthrough_of(table: Table) -> str:
    """``table``, which is over, as a playthrough. Raises as ``export_table``, and ``CannotGoOn``."""
    _must_be_over(table)
    match = services.match_of(table, Seat.objects.filter(table=table).count())
    if table.migrated or table.version != match.game.version:
        raise CannotGoOn("The rules have changed since: this game cannot be played again.")
    return write_playthrough(match, log_rows(table), source=f"table {table.dashed_id}")


def read_export(data: bytes) -> Export:
    """The export in a file. Raises ``ExportError``."""
    try:
        return msgspec.json.decode(data, type=Export)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExportError(f"This is no export of a table: {error}") from error


def check_export(export: Export) -> AnyMatch:
    """Play ``export`` again and hold it to what it says; the match at its end.

    Raises ``ExportError`` at the first thing that is not so.
    """
    try:
        game = get_game(export.game)
        options = read_options(game.options_type, export.options)
        seed = bytes.fromhex(export.seed)
    except (UnknownGame, BadOptions, ValueError) as error:
        raise ExportError(str(error)) from error
    if seed_hash(seed) != export.seed_hash:
        raise ExportError("The seed is not the one whose hash was published.")
    if export.migrated:
        raise ExportError("The rules changed while this table was played: it cannot be replayed.")
    if export.version != game.version:
        raise ExportError(
            f"The table was played by version {export.version} of the rules, these are {game.version}."
        )
    if len(export.seats) not in game.meta.seats:
        raise ExportError(f"{game.meta.name} is not played by {len(export.seats)}.")
    if [row.ply for row in export.rows] != list(range(len(export.rows))):
        raise ExportError("The rows are not numbered from 0.")
    match = Match.start(game, len(export.seats), options, seed)
    play_again(
        match,
        [
            Row(number=row.ply, kind=row.kind, seat=row.seat, action=row.action, rng=row.rng)
            for row in export.rows
        ],
    )
    if msgspec.json.decode(msgspec.json.encode(match.outcome)) != export.result:
        raise ExportError("The log does not lead to the result.")
    return match


def play_again(match: AnyMatch, rows: Iterable[Row]) -> None:
    """Play the log ``rows`` on a match that has just begun, each as if it were taken now; row 0 only tells
    where the draws begin. Raises ``ExportError`` at the first that is not so.
    """
    done: list[Row] = []
    for row in rows:
        if row.number:
            done.append(_replay(match, row, done))
        if row.rng != match.rng_position:
            raise ExportError(f"Row {row.number} does not draw as often as it says.")


def _replay(match: AnyMatch, row: Row, done: list[Row]) -> Row:
    seat = row.seat
    if seat is not None and not 0 <= seat < match.seats:
        raise ExportError(f"Row {row.number} has no seat of this table.")
    try:
        if row.kind == ACT and seat is not None:
            return match.act(seat, match.read_action(row.action))
        if row.kind == UNDO and seat is not None:
            made = match.undo(seat, done)
            if made.action != row.action:
                raise ExportError(f"Row {row.number} takes back another row than it says.")
            return made
        return match.note(row.kind, seat, row.action)
    except IllegalMove as error:
        raise ExportError(f"Row {row.number} is against the rules: {error}") from error


def _public(kind: str, action: Any) -> Any:
    """What a row's action tells of the game; accounts stay with us."""
    if kind in (ACT, UNDO):
        return action
    effect = effect_of(Row(number=0, kind=kind, action=action, rng=0))
    return None if effect is None else {"effect": effect}


def _must_be_over(table: Table) -> None:
    if table.seed is None:
        raise NotPlaying("This table has not begun.")
    if not table.is_over:
        raise NotFinished("A game can be taken away when it is over.")
