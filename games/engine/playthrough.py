"""A game as text: a test, a bug report, a figure on a help page, a table one can open.

``key: value`` lines first (``source``, ``seed``, ``seats``, ``options``, ``state``), a blank line, then:

* ``> seat action``: is taken;
* ``! code seat action``: must be refused with this code;
* ``< seat``: takes back; ``< ! code seat``: may not take back;
* ``~ kind seat effect``: the platform ends the game (``~ leave 1 forfeit``, ``~ system - abandon``), see
  ``Match.note``;
* ``field: value``: this field of the spectator's view must equal the value (``sets.0.owner``: a part
  of it, by keys and places); ``pending``, ``outcome``
  (the fields given), ``moves.N`` (what seat N may do, in any order) and ``view.N.field`` (what seat N
  sees) are known besides;
* ``# remark``.

Actions and values are JSON. The seed is a whole number, or 64 hexadecimal digits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from games.engine.errors import IllegalMove
from games.engine.game import Game
from games.engine.match import ACT, UNDO, Match, Row, effect_of
from games.engine.options import read_options
from games.engine.rng import SEED_BYTES, seed_from_int

HEAD = ("source", "seed", "seats", "options", "state")


class PlaythroughError(Exception):
    """What the text claims is not so, or it cannot be read; the message begins with the line."""


class Playthrough(msgspec.Struct):
    """A parsed text: its head, and (line number, line) of the rest."""

    source: str = ""
    seed: bytes = seed_from_int(0)
    seats: int | None = None
    options: dict[str, Any] = {}
    state: Any = None
    lines: list[tuple[int, str]] = []


def read_playthrough(text: str) -> Playthrough:
    """Parse ``text``. Raises ``PlaythroughError``."""
    play, lines, in_head = Playthrough(), [], True
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            in_head = in_head and not (not line and number > 1)
            continue
        key, colon, value = line.partition(": ")
        if in_head and colon and key in HEAD:
            setattr(play, key, _head(key, value.strip(), number))
        else:
            in_head = False
            lines.append((number, line))
    play.lines = lines
    return play


def _head(key: str, value: str, number: int) -> Any:
    if key == "source":
        return value
    if key == "seed":
        hexadecimal = len(value) == 2 * SEED_BYTES
        return bytes.fromhex(value) if hexadecimal else seed_from_int(int(value))
    return _json(value, number)


def run_playthrough(game: Game[Any, Any, Any], text: str) -> tuple[Match[Any, Any, Any], list[Row]]:
    """Play ``text`` and hold it to what it claims; the match as it stands then, and its log.

    Raises ``PlaythroughError`` at the first line that is not so.
    """
    play = read_playthrough(text)
    seats = play.seats or game.meta.seats[0]
    options = read_options(game.options_type, play.options)
    state = None
    if play.state is None:
        match = Match.start(game, seats, options, play.seed)
    else:
        state = msgspec.convert(play.state, game.state_type)
        match = Match.at(
            game, seats, options, play.seed, msgspec.convert(play.state, game.state_type)
        )
    rows: list[Row] = []
    for number, line in play.lines:
        _run_line(match, rows, state, number, line)
    return match, rows


def _run_line(
    match: Match[Any, Any, Any], rows: list[Row], start: Any, number: int, line: str
) -> None:
    mark, _, rest = line.partition(" ")
    if mark == ">":
        seat, action = _seat_action(rest, number)
        try:
            rows.append(match.act(seat, match.read_action(action)))
        except IllegalMove as error:
            raise PlaythroughError(f"line {number}: refused ({error.code}): {error}") from error
    elif mark == "!":
        code, _, rest = rest.partition(" ")
        seat, action = _seat_action(rest, number)
        _refuses(number, code, lambda: match.act(seat, match.read_action(action)))
    elif mark == "<" and rest.startswith("! "):
        code, seat_text = rest[2:].split()
        _refuses(number, code, lambda: match.undo(int(seat_text), rows, start))
    elif mark == "<":
        rows.append(match.undo(int(rest), rows, start))
    elif mark == "~":
        rows.append(_end(match, rest, number))
    else:
        _expect(match, number, line)


def _end(match: Match[Any, Any, Any], text: str, number: int) -> Row:
    words = text.split()
    if len(words) != 3 or not (words[1].isdecimal() or words[1] == "-"):
        raise PlaythroughError(f"line {number}: ends are written: kind seat effect")
    kind, seat, effect = words
    return match.note(kind, None if seat == "-" else int(seat), {"effect": effect})


def _refuses(number: int, code: str, attempt: Any) -> None:
    try:
        attempt()
    except IllegalMove as error:
        if error.code != code:
            raise PlaythroughError(
                f"line {number}: refused with {error.code}, not {code}: {error}"
            ) from error
    else:
        raise PlaythroughError(f"line {number}: was taken, must be refused with {code}")


def _expect(match: Match[Any, Any, Any], number: int, line: str) -> None:
    field, colon, text = line.partition(": ")
    if not colon:
        raise PlaythroughError(f"line {number}: cannot be read: {line}")
    wanted = _json(text, number)
    found = _found(match, field, wanted)
    if found != wanted:
        raise PlaythroughError(f"line {number}: {field} is {json.dumps(found)}, not {text}")


def _found(match: Match[Any, Any, Any], field: str, wanted: Any) -> Any:
    if field == "pending":
        return {str(seat): key for seat, key in match.pending().items()}
    if field == "outcome":
        outcome = msgspec.to_builtins(match.outcome)
        return outcome and {key: outcome.get(key) for key in wanted or {}}
    if field.startswith("moves."):
        items = [msgspec.to_builtins(item) for item in match.moves(int(field[6:])).items]
        return wanted if _same_items(items, wanted) else items
    if field.startswith("view."):
        _, seat, name = field.split(".", 2)
        return _part(match.game.view(match.state, int(seat)), name)
    return _part(match.game.view(match.state, None), field)


def _part(view: dict[str, Any], path: str) -> Any:
    """What lies at ``path`` ("sets.0.owner") in ``view`` as JSON; None where there is nothing."""
    part: Any = _plain(view)
    for name in path.split("."):
        if isinstance(part, list):
            part = part[int(name)] if name.isdigit() and int(name) < len(part) else None
        else:
            part = part.get(name) if isinstance(part, dict) else None
    return part


def _same_items(found: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return sorted(map(json.dumps, found)) == sorted(map(json.dumps, wanted))


def _plain(view: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(msgspec.json.encode(view))
    return plain


def _seat_action(text: str, number: int) -> tuple[int, Any]:
    seat, _, action = text.partition(" ")
    if not seat.isdigit():
        raise PlaythroughError(f"line {number}: a seat is a number, not {seat!r}")
    return int(seat), _json(action, number)


def _json(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise PlaythroughError(f"line {number}: no JSON: {error}") from error


def write_playthrough(
    match: Match[Any, Any, Any],
    rows: Sequence[Row],
    *,
    source: str = "",
    fields: Sequence[str] = (),
) -> str:
    """The text of a match that began with its seed; ``fields`` of the last view are written down."""
    options = {
        name: value for name, value in msgspec.to_builtins(match.options).items() if name != "type"
    }
    out = [
        f"source: {source or match.game.slug}",
        f"seed: {match.seed.hex()}",
        f"seats: {match.seats}",
        f"options: {json.dumps(options)}",
        "",
    ]
    for row in rows:
        if row.kind == ACT:
            out.append(f"> {row.seat} {json.dumps(row.action)}")
        elif row.kind == UNDO:
            out.append(f"< {row.seat}")
        elif effect := effect_of(row):
            out.append(f"~ {row.kind} {'-' if row.seat is None else row.seat} {effect}")
    view = _plain(match.game.view(match.state, None))
    out += [f"{field}: {json.dumps(view[field])}" for field in fields]
    if match.outcome is not None:
        ended = msgspec.to_builtins(match.outcome)
        out.append(
            "outcome: " + json.dumps({key: ended[key] for key in ("ranks", "scores", "reason")})
        )
    return "\n".join(out) + "\n"
