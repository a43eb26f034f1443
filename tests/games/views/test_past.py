"""Looking back: what one sees of a row is what one saw then, through the door that browsers use."""

import json

import msgspec
import pytest

from games import selectors, services
from games.engine import Rng, seed_from_int
from games.models import Table
from games.services import past, seating
from games.services.writing import log_rows
from tests.games.views.pages import payload_of

pytestmark = pytest.mark.django_db

SEEN = ("view", "pending", "summary", "progress", "outcome")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """No position is kept from another test; each run deals the same."""
    monkeypatch.setattr(past, "_positions", past._Positions())
    monkeypatch.setattr(seating.secrets, "token_bytes", lambda count: bytes([7]) * count)


def look(client, game, ply, **query):
    return client.get(f"/tables/{game.id}/past/{ply}", query)


def seen_now(table, viewer):
    """What a look back at the last row should tell, as the state tells it now."""
    state = json.loads(msgspec.json.encode(selectors.table_payload(table, viewer)))
    return {
        **{name: state[name] for name in SEEN},
        "standings": [seat["standing"] for seat in state["seats"]],
    }


def seen_then(client, game, ply):
    found = look(client, game, ply).json()
    assert (found["on"], found["ply"]) == ("past", ply)
    return {name: found[name] for name in (*SEEN, "standings")}


def play_on(game, rng, rows, watching=()):
    """Random moves, some taken back, until ``rows`` rows or the end; what each of ``watching`` saw after
    each row."""
    seen = {}
    while not game.table.is_over and game.table.ply < rows:
        table = game.table
        for name in watching:
            seen[table.ply, name] = seen_now(table, game.people.get(name))
        match = services.match_of(table, table.seats.count())
        able = [seat for seat in range(match.seats) if match.undoable(seat) is not None]
        if able and rng.below(3) == 0:
            name = game.at(rng.choice(able))
            services.undo(table_id=game.id, player=game.people[name], key=f"u{table.ply}")
            continue
        seat = rng.choice(sorted(match.keys))
        items = match.moves(seat).items
        game.act(game.at(seat), msgspec.to_builtins(items[rng.below(len(items))]))
    for name in watching:
        seen[game.table.ply, name] = seen_now(game.table, game.people.get(name))
    return seen


@pytest.mark.parametrize(
    ("slug", "names", "rows"), [("tiny", "ABC", 45), ("hearts", "ABCD", 40), ("nibble", "AB", 12)]
)
def test_one_sees_what_one_saw_then(slug, names, rows, tiny, play, browser):
    game = play(*names, game=slug)
    seen = play_on(game, Rng(seed_from_int(9)), rows, watching=[*names, None])
    last = game.table.ply
    assert game.table.plies.filter(kind="undo").exists() or slug == "nibble"
    clients = {name: browser(name) for name in (*names, None)}
    for ply in [*range(last + 1), *range(last, -1, -9)]:
        for name, client in clients.items():
            assert seen_then(client, game, ply) == seen[ply, name], f"row {ply}, {name}"


def test_a_table_that_is_over_can_be_seen_with_everything_open(play, browser):
    game = play("A", "B")
    rng = Rng(seed_from_int(3))
    play_on(game, rng, 4)
    client, stranger = browser("A"), browser()
    refused = look(client, game, 2, open=1)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_finished")
    assert "hands" not in refused.content.decode()
    play_on(game, rng, 300)
    assert game.table.status == Table.FINISHED
    for viewer in (client, stranger):
        opened = look(viewer, game, 2, open=1).json()
        assert opened["open"]
        assert opened["view"]["hands"]
        assert opened["outcome"] is None
        assert not look(viewer, game, 2).json()["open"]
        last = look(viewer, game, game.table.ply).json()
        assert last["open"]
        assert last["outcome"]["ranks"]
    assert look(client, game, 2).json()["view"]["hand"]
    assert look(stranger, game, 2).json()["view"]["hand"] == []


def test_a_newcomer_sees_the_past_from_the_take_over_on(play, browser, person):
    game = play("A", "B", "C")
    game.choose("A")
    services.leave(table_id=game.id, player=person("A"))
    taken = services.take_over(table_id=game.id, player=person("Eve"), seat=game.seat("A").index)
    eve, former, spectator = browser("Eve"), browser("A"), browser()
    for ply in range(taken.number):
        assert seen_then(eve, game, ply) == seen_then(spectator, game, ply)
    assert look(eve, game, taken.number).json()["view"]["hand"]
    for ply in range(taken.number + 1):
        assert look(former, game, ply).json()["view"]["hand"] == []
        assert look(former, game, ply).json()["you"] is None


def test_one_who_left_still_sees_the_past_of_the_seat(play, browser, person):
    game = play("A", "B", "C")
    game.choose("A")
    services.leave(table_id=game.id, player=person("A"))
    for ply in range(3):
        assert look(browser("A"), game, ply).json()["view"]["hand"]


@pytest.mark.parametrize("ply", ["4", "2147483647", "99999999999999999999", "-1", "1.5", "x"])
def test_there_is_no_such_row(ply, play, browser):
    game = play("A", "B")
    refused = look(browser("A"), game, ply)
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_ply")
    page = browser("A").get(f"/tables/{game.id}/", {"ply": ply})
    assert page.status_code == 200
    assert payload_of(page)["past"]["code"] == "no_such_ply"


def test_an_address_names_a_position(play, browser):
    game = play("A", "B")
    play_on(game, Rng(seed_from_int(3)), 4)
    for client in (browser("A"), browser()):
        state = payload_of(client.get(f"/tables/{game.id}/?ply=1"))
        assert state["ply"] == 4
        assert state["past"] == look(client, game, 1).json()
        assert "past" not in payload_of(client.get(f"/tables/{game.id}/"))
    dashed = f"/tables/{game.table.dashed_id}/?ply=1"
    assert browser().get(dashed).url == f"/tables/{game.id}/?ply=1"


def test_a_table_that_has_not_begun_has_no_past(tiny, person, browser):
    table = services.open_table(player=person("A"), game="tiny", seats=["open"])
    refused = browser("A").get(f"/tables/{table.public_id}/past/0")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_playing")
    assert browser("A").get("/tables/XXXXXXXX/past/0").json()["code"] == "table_not_found"


def test_only_what_is_over_is_kept_and_asked_for_again(play, browser):
    game = play("A", "B")
    rng = Rng(seed_from_int(3))
    play_on(game, rng, 4)
    client = browser("A")
    assert "no-store" in look(client, game, 1).headers["Cache-Control"]
    play_on(game, rng, 300)
    first = look(client, game, 1)
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"/tables/{game.id}/past/1", headers=tag).status_code == 304
    assert browser("B").get(f"/tables/{game.id}/past/1", headers=tag).status_code == 200
    assert "no-store" in look(client, game, 9999).headers["Cache-Control"]


def test_rows_before_a_change_of_rules_are_refused(play, browser, tiny, monkeypatch):
    game = play("A", "B")
    game.choose("A")
    monkeypatch.setattr(type(tiny), "version", 2)
    refused = look(browser("A"), game, 0)
    assert (refused.status_code, refused.json()["code"]) == (409, "old_rules")
    monkeypatch.setattr(
        type(tiny), "migrate", lambda self, data, _: msgspec.convert(data, self.state_type)
    )
    assert look(browser("A"), game, 1).json()["view"]["hand"]
    assert look(browser("A"), game, 0).json()["code"] == "old_rules"
    game.choose("B")
    assert look(browser("A"), game, 1).json()["code"] == "old_rules"
    assert "code" not in look(browser("A"), game, 2).json()


def test_a_step_further_plays_few_rows(play, browser, monkeypatch):
    game = play("A", "B", "C", "D", game="hearts")
    play_on(game, Rng(seed_from_int(1)), 70)
    client, played = browser(), []
    monkeypatch.setattr(
        past, "log_rows", lambda *args, **how: played.append(how) or log_rows(*args, **how)
    )
    look(client, game, 60)
    look(client, game, 61)
    look(client, game, 60)
    look(client, game, 63)
    assert [how.get("after", 0) for how in played] == [0, 60, 60, 61]
