"""Games that are taken away as files, and what can be checked by them alone."""

import json

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games import services
from games.engine import Rng, seed_from_int
from games.engine.playthrough import run_playthrough
from games.models import Table

pytestmark = pytest.mark.django_db


def play_out(game, rng):
    """Random moves, some of them taken back, to the end."""
    while not game.table.is_over:
        match = services.match_of(game.table, game.table.seats.count())
        able = [seat for seat in range(match.seats) if match.undoable(seat) is not None]
        if able and rng.below(3) == 0:
            player = game.people[game.at(rng.choice(able))]
            services.undo(table_id=game.id, player=player, key=f"u{match.ply}")
            continue
        seat = rng.choice(sorted(match.keys))
        items = match.moves(seat).items
        game.act(game.at(seat), msgspec.to_builtins(items[rng.below(len(items))]))


@pytest.fixture
def export(browser):
    """The answer for the file of a table, asked for by a stranger."""
    return lambda game, **query: browser().get(f"/tables/{game.id}/export", query)


@pytest.fixture
def played(play):
    game = play("Ada", "Bob", "Cy")
    play_out(game, Rng(seed_from_int(2)))
    return game


@pytest.fixture
def given_up(play, person):
    """A game that ended because somebody left."""
    game = play("Ada", "Bob", absence=Table.FORFEIT)
    game.choose("Ada")
    services.leave(table_id=game.id, player=person("Bob"))
    return game


@pytest.mark.parametrize("fixture", ["played", "given_up"])
def test_a_file_tells_the_whole_game(fixture, request, export, tmp_path, capsys, tiny):
    game = request.getfixturevalue(fixture)
    answer = export(game)
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="tiny-{game.table.dashed_id}.json"'
    )
    told = answer.json()
    assert (told["format"], told["game"], told["version"]) == (1, "tiny", 1)
    assert [seat["name"] for seat in told["seats"]] == [
        game.at(index) for index in range(len(game.people))
    ]
    assert told["result"] == game.table.outcome
    assert [row["ply"] for row in told["rows"]] == list(range(game.table.ply + 1))
    file = tmp_path / "game.json"
    file.write_bytes(answer.content)
    Table.objects.all().delete()
    call_command("verify", file=file)
    assert f"rows 0 to {told['rows'][-1]['ply']} of Higher hold" in capsys.readouterr().out


@pytest.mark.parametrize("fixture", ["played", "given_up"])
def test_the_playthrough_leads_to_the_same_end(fixture, request, export, tiny):
    game = request.getfixturevalue(fixture)
    answer = export(game, **{"as": "playthrough"})
    assert answer.headers["Content-Type"].startswith("text/plain")
    match, rows = run_playthrough(tiny, answer.content.decode())
    assert msgspec.to_builtins(match.outcome) == game.table.outcome
    now = services.match_of(game.table, match.seats)
    assert (match.digest(), len(rows) <= game.table.ply) == (now.digest(), True)
    assert any(row.kind == "undo" for row in rows) == (fixture == "played")


def test_nothing_is_told_while_the_game_goes_on(play, export):
    game = play("Ada", "Bob")
    for query in ({}, {"as": "playthrough"}):
        refused = export(game, **query)
        assert refused.status_code == 409
        assert bytes(game.table.seed).hex() not in refused.content.decode()
    assert b"when it is over" in refused.content


def test_a_file_of_no_known_kind_is_refused(played, export):
    assert export(played, **{"as": "pdf"}).status_code == 400
    assert export(played, **{"as": ""}).status_code == 400


def test_a_take_over_tells_no_account(play, person, export):
    game = play("Ada", "Bob")
    Table.objects.update(absence=Table.ZOMBIE)
    services.leave(table_id=game.id, player=person("Ada"))
    services.take_over(table_id=game.id, player=person("Eve"), seat=game.seat("Ada").index)
    Table.objects.update(absence=Table.FORFEIT)
    services.leave(table_id=game.id, player=person("Bob"))
    actions = [row["action"] for row in export(game).json()["rows"]]
    assert actions == [None, None, None, {"effect": "forfeit"}]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda told: told.update(seed="00" * 32), "not the one whose hash"),
        (lambda told: told.update(seed="xyz"), "hexadecimal"),
        (lambda told: told.update(game="whist"), "whist"),
        (lambda told: told.update(version=9), "version 9"),
        (lambda told: told.update(migrated=True), "rules changed"),
        (lambda told: told.update(format=2), "no export"),
        (lambda told: told.update(options={"wings": 1}), "wings"),
        (lambda told: told["seats"].extend(told["seats"]), "not played by 6"),
        (lambda told: told["result"].update(scores=[9, 9, 9]), "to the result"),
        (lambda told: told["rows"].pop(3), "numbered"),
        (lambda told: told["rows"].pop(), "to the result"),
        (lambda told: told["rows"][1].update(action={"type": "throw"}), "Row 1"),
        (lambda told: told["rows"][1].update(seat=7), "Row 1 has no seat"),
        (lambda told: told["rows"][1].update(rng=999), "Row 1 does not draw"),
        (lambda told: told.clear(), "no export"),
    ],
)
def test_a_file_that_lies_is_found_out(change, says, played, export, tmp_path):
    told = export(played).json()
    change(told)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(told))
    with pytest.raises(CommandError, match=says):
        call_command("verify", file=file)


def test_verify_wants_a_table_or_a_file(tmp_path):
    with pytest.raises(CommandError):
        call_command("verify")
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify", file=tmp_path / "none.json")
