"""A choice that all make at once, taken back before it is resolved; and a seat that its person takes
again: with Hearts' pass, over HTTP as a browser sends it."""

import json

import pytest

from games import services
from games.models import Table

pytestmark = pytest.mark.django_db
NAMES = ["Ada", "Bob", "Cy", "Dunya"]


class Player:
    """Somebody's browser at a table."""

    def __init__(self, client, game, name):
        self.client, self.game, self.name, self.count = client, game, name, 0

    def post(self, what, **body):
        self.count += 1
        answer = self.client.post(
            f"/tables/{self.game.id}/{what}",
            json.dumps({"key": f"{self.name}-{self.count}", **body}),
            content_type="application/json",
        )
        return answer.status_code, answer.json()

    def state(self):
        return self.client.get(f"/tables/{self.game.id}/state").json()

    def hand(self):
        return self.state()["view"]["hand"]

    def pass_(self, cards):
        ply = self.state()["ply"]
        return self.post("act", ply=ply, action={"type": "pass", "cards": cards})


@pytest.fixture
def table(play, browser, time):
    game = play(*NAMES, game="hearts", absence=Table.ZOMBIE)
    return [Player(browser(name), game, name) for name in NAMES]


def test_a_pass_is_taken_back_until_the_last_has_chosen(table):
    ada, bob, *others = table
    hand = ada.hand()
    first, second = hand[:3], hand[3:6]
    assert ada.pass_(first)[0] == 200
    assert ada.state()["view"]["chosen"] == first
    assert ada.state()["undo"]
    assert bob.pass_(bob.hand()[:3])[0] == 200
    seen = bob.state()
    assert seen["view"]["has_passed"].count(True) == 2
    assert not any(card in json.dumps(seen["view"]) for card in first if card not in bob.hand())
    assert ada.pass_(second)[1]["code"] == "not_your_turn"
    status, frame = ada.post("undo")
    assert (status, frame["ply"]) == (200, 3)
    state = ada.state()
    assert (state["view"]["hand"], state["view"]["chosen"], state["undo"]) == (hand, [], False)
    assert state["you"] in state["pending"]
    assert [row["undone"] for row in state["log"]] == [False, True, False, False]
    assert bob.state()["view"]["has_passed"].count(True) == 1
    assert bob.state()["undo"]
    refused = ada.post("undo")
    assert (refused[0], refused[1]["code"]) == (422, "nothing_to_undo")
    assert ada.pass_(second)[0] == 200
    for player in others:
        assert player.pass_(player.hand()[:3])[0] == 200
    state = ada.state()
    assert (state["view"]["phase"], state["view"]["given"]) == ("play", second)
    for player in table:
        refused = player.post("undo")
        assert refused[1]["code"] in ("nothing_to_undo", "stale_view")
        assert not player.state()["undo"]


def test_who_returns_finds_the_choice_and_may_take_it_back(table):
    ada, bob, *_ = table
    first = ada.hand()[:3]
    ada.pass_(first)
    bob.pass_(bob.hand()[:3])
    assert ada.client.post(f"/tables/{ada.game.id}/leave/").status_code == 302
    for what, body in (
        ("undo", {}),
        ("act", {"ply": 3, "action": {"type": "pass", "cards": first}}),
    ):
        refused = ada.post(what, **body)
        assert (refused[0], refused[1]["code"]) == (409, "seat_left")
    gone = ada.state()
    assert (gone["view"]["chosen"], gone["undo"], gone["may"]["return"]) == (first, False, True)
    assert bob.client.post(f"/tables/{ada.game.id}/return/").status_code == 409
    assert ada.client.post(f"/tables/{ada.game.id}/return/").status_code == 302
    assert ada.state()["undo"]
    assert ada.post("undo")[0] == 200
    assert ada.state()["view"]["chosen"] == []


def test_who_returns_may_take_back_what_the_game_chose_meanwhile(table, time):
    ada, bob, *_ = table
    ada.client.post(f"/tables/{ada.game.id}/leave/")
    time.move(seconds=10)
    services.enforce(table_id=ada.game.id)
    assert len(ada.state()["view"]["chosen"]) == 3
    assert [row["origin"] for row in ada.state()["log"]] == ["player", "player", "zombie"]
    ada.client.post(f"/tables/{ada.game.id}/return/")
    assert ada.post("undo")[0] == 200
    mine = ada.hand()[:3]
    assert ada.pass_(mine)[0] == 200
    assert ada.state()["view"]["chosen"] == mine
    assert bob.client.post(f"/tables/{ada.game.id}/take-over/", {"seat": "0"}).status_code == 409
