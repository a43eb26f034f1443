"""``manage.py verify``."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games import services
from games.models import Table

pytestmark = pytest.mark.django_db


def verify(game):
    out = StringIO()
    call_command("verify", game.table.dashed_id, stdout=out)
    return out.getvalue()


def test_a_true_table_holds_and_tells_its_seed_at_the_end(play):
    game = play("Ada", "Bob")
    for name in ("Ada", "Bob"):
        game.choose(name)
    game.act(game.at(0), {"type": "throw"})
    seed = bytes(game.table.seed).hex()
    assert "rows 0 to 3 of Higher hold" in verify(game)
    assert seed not in verify(game)
    services.leave(table_id=game.id, player=game.people["Bob"])
    assert seed in verify(game)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"seed": b"x" * 32}, "hash was published"), ({"options": {"high": 6}}, "does not lead")],
)
def test_a_table_that_was_tampered_with_does_not(play, change, complaint):
    game = play("Ada", "Bob")
    Table.objects.filter(public_id=game.id).update(**change)
    with pytest.raises(CommandError, match=complaint):
        verify(game)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"action": {"type": "shout"}}, "Row 3 is against the rules"),
        ({"seat": 7}, "Row 3 has no seat"),
        ({"seat": 1}, "Row 3 is against the rules"),
        ({"rng": 900}, "Row 3 does not draw as often"),
    ],
)
def test_a_log_that_was_tampered_with_is_told_by_its_row(play, change, complaint):
    game = play("Ada", "Bob")
    for name in ("Ada", "Bob"):
        game.choose(name)
    game.act(game.at(0), {"type": "throw"})
    game.table.plies.filter(number=3).update(**change)
    with pytest.raises(CommandError, match=complaint):
        verify(game)


def test_an_unknown_or_open_table_is_said(person, tiny):
    with pytest.raises(CommandError, match="no such table"):
        call_command("verify", "XXXX-XXXX")
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    with pytest.raises(CommandError, match="not begun"):
        call_command("verify", table.public_id)
