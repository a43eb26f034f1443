"""The shortcodes that games bring: ``games/library/<slug>/shortcodes.json`` and the pictures beside it.

A folder may bring them before it brings rules. The file is an object by the names of the shortcodes::

    {"coin": {"says": "A coin.", "arguments": ["value"],
              "looks": {"1": {"picture": "coin-1", "text": "coin: one"}}}}

A look is called like the arguments it is for, joined by ``|``; one without arguments is called "". Its
picture is ``shortcodes/coin-1.svg`` in the same folder, its text what is read instead of it.
"""

import hashlib
import logging
from pathlib import Path

import msgspec

from games.finders import LIBRARY, SYMBOL
from wiki.markup.shortcodes import Symbol, register_symbols, shortcode_key, taken

logger = logging.getLogger(__name__)

FILE = "shortcodes.json"


class BadShortcodes(Exception):
    """A shortcodes.json that cannot be read; says where and why."""


class Look(msgspec.Struct, forbid_unknown_fields=True):
    picture: str
    text: str


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    says: str
    looks: dict[str, Look]
    arguments: list[str] = []


broken: dict[str, BadShortcodes] = {}  # folder -> why its shortcodes are left out


def register(library: Path = LIBRARY) -> None:
    """Register what every folder of ``library`` brings. One that cannot be read, or whose names are taken,
    is left out whole, and the log says why."""
    for path in sorted(library.glob(f"*/{FILE}")):
        try:
            register_file(path)
        except BadShortcodes as error:
            broken[path.parent.name] = error
            logger.exception("shortcodes left out: folder=%s", path.parent.name)


def register_file(path: Path) -> None:
    """Register every entry of a file, or none. Raises BadShortcodes."""
    entries = read(path)
    found = {}
    for name, entry in entries.items():
        others = {shortcode_key(other) for other in entries if other != name}
        if taken(name) or shortcode_key(name) in others:
            raise BadShortcodes(f"{where(path)}, {name!r}: this name is registered already.")
        try:
            found[name] = {said: symbol(path.parent, look) for said, look in entry.looks.items()}
        except (ValueError, OSError) as error:
            raise BadShortcodes(f"{where(path)}, {name!r}: {error}") from error
    for name, symbols in found.items():
        register_symbols(
            name,
            symbols,
            arguments=entries[name].arguments,
            says=entries[name].says,
            game=path.parent.name,
        )


def read(path: Path) -> dict[str, Entry]:
    """The entries of a file, each with looks that fit its arguments. Raises BadShortcodes."""
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=dict[str, Entry])
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError) as error:
        raise BadShortcodes(f"{where(path)}: {error}") from error
    for name, entry in entries.items():
        for said, look in entry.looks.items():
            given = said.split("|") if said else []
            if len(given) != len(entry.arguments):
                raise BadShortcodes(
                    f"{where(path)}, {name!r}: {said!r} does not fit its arguments."
                )
            if not look.text.strip():
                raise BadShortcodes(f"{where(path)}, {name!r}: {said!r} has no text to be read.")
        if not entry.looks:
            raise BadShortcodes(f"{where(path)}, {name!r}: it has no look.")
    return entries


def symbol(folder: Path, look: Look) -> Symbol:
    """The picture of ``look``. Raises ValueError where the folder brings none of this name."""
    name = f"shortcodes/{look.picture}.svg"
    path = folder / name
    if SYMBOL.fullmatch(name) is None or not path.is_file():
        raise ValueError(f"there is no picture {name}.")
    return Symbol(
        path=f"games/{folder.name}/{name}",
        text=look.text,
        digest=hashlib.sha256(path.read_bytes()).hexdigest()[:16],
    )


def where(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
