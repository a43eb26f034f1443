"""``docs/protocol.md`` names what the code has."""

import re
from pathlib import Path

import pytest

from games import errors, selectors
from games.engine import GameError
from games.paces import PACES
from games.realtime import frames

DOC = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text()


@pytest.mark.django_db
def test_every_field_of_the_state_is_described(play):
    payload = selectors.table_payload(play("Ada", "Bob").table, None)
    table = DOC.split("## The state")[1].split("### Who sees what")[0]
    for field in [*payload, *payload["seats"][0], *payload["may"]]:
        assert f"`{field}`" in table or f'"{field}"' in table, field


def test_every_frame_is_described():
    for kind in frames.Known.__args__:
        assert f'{{"do": "{kind.__struct_config__.tag}"' in DOC


def test_every_code_is_described():
    refusals = DOC.split("## Refusals")[1]
    for name in errors.__all__:
        kind = getattr(errors, name)
        if kind is GameError:
            continue
        found = kind(3) if name == "TooManyTables" else _made(kind)
        assert re.search(rf"`{found.code}`.*\| {found.status} \|", refusals), name


def test_every_pace_is_described():
    for key in PACES:
        assert f"| `{key}` |" in DOC


def _made(kind: type[GameError]) -> GameError:
    try:
        return kind()
    except TypeError:
        return kind("Why.")
