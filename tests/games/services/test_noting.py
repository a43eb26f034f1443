"""Notes, through the services and what a page gets of them."""

import pytest

from games import selectors, services
from games.errors import NotedElsewhere, NothingToSay, NotSeated
from games.models import SeatNote, Table
from games.services import noting

pytestmark = pytest.mark.django_db


def note(game, name, **how):
    return services.save_note(table_id=game.id, player=game.people[name], **how)


def notes(game, viewer):
    return selectors.table_payload(game.table, viewer)["notes"]


def test_everybody_has_a_note_of_their_own(play, person):
    game = play("Ada", "Bob")
    assert notes(game, game.people["Ada"]) == {"text": "", "marks": None, "version": 0}
    note(game, "Ada", text="Bob passed\r\nthe queen.\0")
    assert notes(game, game.people["Ada"])["text"] == "Bob passed\nthe queen."
    assert notes(game, game.people["Bob"])["text"] == ""
    for stranger in (person("Eve"), None):
        assert notes(game, stranger) is None
        with pytest.raises(NotSeated):
            services.save_note(table_id=game.id, player=stranger, text="psst")


def test_marks_have_the_shape_of_the_game(play, tiny, monkeypatch):
    game = play("Ada", "Bob")
    with pytest.raises(NothingToSay):
        note(game, "Ada", marks={})
    monkeypatch.setattr(type(tiny), "notes_type", dict[str, int])
    note(game, "Ada", text="kept")
    note(game, "Ada", marks={"a": 1})
    note(game, "Ada", marks={"a": 2})
    for wrong in ({"a": "b"}, {"a\0": 1}, {str(n): n for n in range(2000)}, None):
        with pytest.raises(NothingToSay):
            note(game, "Ada", marks=wrong)
    assert notes(game, game.people["Ada"]) == {"text": "kept", "marks": {"a": 2}, "version": 3}


def test_a_note_has_an_end(play):
    game = play("Ada", "Bob")
    note(game, "Ada", text="ä" * noting.LONGEST)
    with pytest.raises(NothingToSay) as refused:
        note(game, "Ada", text="x" * (noting.LONGEST + 1))
    assert (refused.value.code, refused.value.status) == ("bad_text", 422)
    assert "4,000" in str(refused.value) or "4000" in str(refused.value)
    assert notes(game, game.people["Ada"])["text"][0] == "ä"


def test_what_another_page_wrote_is_not_lost(play):
    game = play("Ada", "Bob")
    assert note(game, "Ada", text="one", version=0).version == 1
    with pytest.raises(NotedElsewhere):
        note(game, "Ada", text="two", version=0)
    assert note(game, "Ada", text="one", version=0).version == 1  # sent again
    assert note(game, "Ada", text="two", version=1).version == 2
    assert note(game, "Ada", text="three").version == 3  # the newest wins


def test_a_newcomer_begins_an_empty_note(play, person):
    game = play("Ada", "Bob", "Cy")
    note(game, "Ada", text="Bob bluffs")
    services.leave(table_id=game.id, player=person("Ada"))
    assert notes(game, person("Ada"))["text"] == "Bob bluffs"
    services.take_over(table_id=game.id, player=person("Eve"), seat=game.seat("Ada").index)
    assert notes(game, person("Eve"))["text"] == ""
    assert notes(game, person("Ada")) is None


def test_a_note_outlives_the_game_and_not_its_writer(play, person):
    game = play("Ada", "Bob", absence=Table.FORFEIT)
    note(game, "Ada", text="well played")
    services.leave(table_id=game.id, player=person("Bob"))
    assert game.table.is_over
    assert notes(game, person("Ada"))["text"] == "well played"
    note(game, "Ada", text="next time: hearts")
    person("Ada").delete()
    assert not SeatNote.objects.exists()
