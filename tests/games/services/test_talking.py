"""Chat and notes, through the services."""

import pytest

from games import selectors, services
from games.errors import NothingToSay, NotSeated, SlowDown
from games.models import ChatMessage

pytestmark = pytest.mark.django_db


def say(game, name, text, key="k"):
    return services.say(table_id=game.id, player=game.people[name], text=text, key=key)


def test_what_is_said_is_read_by_everybody(play, person):
    game = play("Ada", "Bob")
    say(game, "Ada", "  good\nluck \x00 all ")
    for viewer in (game.people["Bob"], person("Eve"), None):
        said = selectors.table_payload(game.table, viewer)["chat"]
        assert [(one["name"], one["text"]) for one in said] == [("Ada", "good luck all")]


def test_a_resent_message_is_said_once(play):
    game = play("Ada", "Bob")
    assert say(game, "Ada", "hello").pk == say(game, "Ada", "hello").pk
    assert ChatMessage.objects.count() == 1


def test_only_those_who_sit_there_talk(play, person):
    game = play("Ada", "Bob")
    game.people["Eve"] = person("Eve")
    with pytest.raises(NotSeated):
        say(game, "Eve", "psst")


@pytest.mark.parametrize("text", ["", "   ", "\x07", "x" * 501])
def test_nothing_and_too_much_are_refused(play, text):
    game = play("Ada", "Bob")
    with pytest.raises(NothingToSay):
        say(game, "Ada", text)


def test_five_in_ten_seconds_is_enough(play, time):
    game = play("Ada", "Bob")
    for n in range(5):
        say(game, "Ada", f"number {n}", key=f"k{n}")
    with pytest.raises(SlowDown) as refused:
        say(game, "Ada", "number 6", key="k6")
    assert refused.value.status == 429
    say(game, "Bob", "calm down")
    time.move(seconds=11)
    say(game, "Ada", "number 6", key="k6")
