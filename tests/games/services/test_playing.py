"""Acting and taking back, through the services."""

import pytest
from django.db import IntegrityError, transaction

from games import services
from games.engine import IllegalMove, Match, read_options
from games.errors import KeyUsed, NotPlaying, NotSeated, StaleView, TableNotFound
from games.models import Ply, Table
from games.services.writing import log_rows
from tests.games.conftest import at_once, rows

pytestmark = pytest.mark.django_db


def first_seat_ends(game):
    """Both choose; the seat that may end the round, by name."""
    game.choose("Ada")
    game.choose("Bob")
    return game.at(0)


def test_an_action_adds_a_row_and_moves_the_state(play):
    game = play("Ada", "Bob")
    row = game.choose("Ada", key="k1")
    assert (row.number, row.kind, row.origin, row.key) == (1, "act", "player", "k1")
    assert row.user == game.people["Ada"]
    assert game.table.ply == 1
    assert services.match_of(game.table, 2).pending() == {game.seat("Bob").index: "choose:1"}


def test_a_resent_key_finds_its_own_row_and_does_nothing(play):
    game = play("Ada", "Bob")
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    first = game.act("Ada", action, ply=0, key="same")
    assert game.act("Ada", action, ply=0, key="same").pk == first.pk
    assert game.table.ply == 1


def test_a_key_that_stood_for_another_move_is_refused(play):
    game = play("Ada", "Bob")
    game.choose("Ada", key="same")
    with pytest.raises(KeyUsed):
        game.act("Ada", {"type": "choose", "card": 99}, ply=0, key="same")
    assert game.table.ply == 1


def test_a_resent_key_is_not_taken_again_where_the_move_would_be_legal(play):
    game = play("Ada", "Bob")
    name = first_seat_ends(game)
    row = game.act(name, {"type": "count"}, key="same")
    before = game.table.snapshot
    assert game.act(name, {"type": "count"}, key="same").pk == row.pk
    assert (game.table.ply, game.table.snapshot) == (3, before)
    back = services.undo(table_id=game.id, player=game.people[name], key="back")
    game.act(name, {"type": "count"})
    again = services.undo(table_id=game.id, player=game.people[name], key="back")
    assert again.pk == back.pk
    assert game.table.ply == 5
    assert not Ply.objects.get(number=5).undone_by


def test_a_key_of_another_person_finds_nothing(play, person):
    game = play("Ada", "Bob")
    row = game.choose("Ada", key="same")
    with pytest.raises(NotSeated):
        services.act(table_id=game.id, player=person("Eve"), ply=0, key="same", action={})
    with pytest.raises(IllegalMove):
        game.act("Bob", {"type": "done"}, key="same")
    assert game.table.ply == row.number


def test_a_key_is_the_seats_own(play):
    game = play("Ada", "Bob")
    assert game.choose("Ada", key="same").number == 1
    assert game.choose("Bob", key="same").number == 2


def test_a_resent_key_is_acknowledged_after_the_end(play):
    game = play("Ada", "Bob")
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    row = game.act("Ada", action, key="k")
    services.leave(table_id=game.id, player=game.people["Bob"])
    assert game.table.status == Table.FINISHED
    assert game.act("Ada", action, key="k").pk == row.pk


def test_two_who_choose_at_the_same_moment_do_not_refuse_each_other(play):
    game = play("Ada", "Bob", "Cy")
    for name in ("Cy", "Ada", "Bob"):
        game.choose(name, ply=0)
    assert game.table.ply == 3


def test_a_choice_made_before_the_question_is_stale(play):
    game = play("Ada", "Bob")
    name = first_seat_ends(game)
    with pytest.raises(StaleView) as refused:
        game.act(name, {"type": "done"}, ply=1)
    assert (refused.value.code, refused.value.status) == ("stale_view", 409)
    assert game.table.ply == 2
    assert game.act(name, {"type": "done"}, ply=2).number == 3


def test_the_second_of_two_own_moves_made_at_once_is_stale(play):
    game = play("Ada", "Bob")
    name = first_seat_ends(game)
    game.act(name, {"type": "count"}, ply=2)
    with pytest.raises(StaleView):
        game.act(name, {"type": "done"}, ply=2)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "choose", "card": 99}, "not_held"),
        ({"type": "done"}, "illegal_move"),
        ({"type": "fly"}, "malformed_action"),
        ({"type": "choose"}, "malformed_action"),
        ({"type": "choose", "card": "nine"}, "malformed_action"),
        ({}, "malformed_action"),
    ],
)
def test_what_the_rules_refuse_saves_nothing(play, action, code):
    game = play("Ada", "Bob")
    before = game.table.snapshot
    with pytest.raises(IllegalMove) as refused:
        game.act("Ada", action)
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert (game.table.ply, game.table.snapshot) == (0, before)


def test_nobody_acts_out_of_turn(play):
    game = play("Ada", "Bob")
    game.choose("Ada")
    with pytest.raises(IllegalMove) as refused:
        game.act("Ada", {"type": "choose", "card": game.hand("Ada")[1]})
    assert refused.value.code == "not_your_turn"


def test_only_those_who_sit_there_act(play, person):
    game = play("Ada", "Bob")
    game.people["Eve"] = person("Eve")
    with pytest.raises(NotSeated) as refused:
        game.act("Eve", {"type": "choose", "card": 1})
    assert refused.value.status == 403


def test_no_table_no_move(person, tiny):
    with pytest.raises(TableNotFound) as refused:
        services.act(table_id="XXXXXXXX", player=person("Ada"), ply=0, key="k", action={})
    assert refused.value.status == 404


def test_an_open_table_is_not_played(person, tiny):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    with pytest.raises(NotPlaying):
        services.act(table_id=table.public_id, player=person("Ada"), ply=0, key="k", action={})


def test_the_id_is_read_in_both_forms(play):
    game = play("Ada", "Bob")
    card = game.hand("Ada")[0]
    row = services.act(
        table_id=game.table.dashed_id.lower(),
        player=game.people["Ada"],
        ply=0,
        key="k",
        action={"type": "choose", "card": card},
    )
    assert row.number == 1


def test_a_choice_that_is_not_resolved_is_taken_back_whatever_others_did(play):
    game = play("Ada", "Bob", "Cy")
    game.choose("Ada")
    game.choose("Bob")
    row = services.undo(table_id=game.id, player=game.people["Ada"], key="u1")
    assert (row.number, row.kind, row.action) == (3, "undo", {"row": 1})
    assert game.table.plies.get(number=1).undone_by == 3
    match = services.match_of(game.table, 3)
    assert set(match.pending()) == {game.seat("Ada").index, game.seat("Cy").index}
    assert match.state.chosen[game.seat("Bob").index] is not None
    game.choose("Ada")
    assert game.table.ply == 4


def test_a_resent_undo_is_done_once(play):
    game = play("Ada", "Bob", "Cy")
    game.choose("Ada")
    first = services.undo(table_id=game.id, player=game.people["Ada"], key="u")
    again = services.undo(table_id=game.id, player=game.people["Ada"], key="u")
    assert first.pk == again.pk
    assert game.table.ply == 2


def test_nothing_is_taken_back_past_a_draw(play):
    game = play("Ada", "Bob")
    name = first_seat_ends(game)
    game.act(name, {"type": "throw"})
    with pytest.raises(IllegalMove) as refused:
        services.undo(table_id=game.id, player=game.people[name], key="u")
    assert refused.value.code == "nothing_to_undo"
    assert game.table.ply == 3


def test_ones_turn_goes_back_step_by_step(play):
    game = play("Ada", "Bob")
    name = first_seat_ends(game)
    game.act(name, {"type": "count"})
    game.act(name, {"type": "count"})
    services.undo(table_id=game.id, player=game.people[name], key="u1")
    assert services.match_of(game.table, 2).state.counted == 1
    services.undo(table_id=game.id, player=game.people[name], key="u2")
    assert services.match_of(game.table, 2).state.counted == 0


def test_the_log_alone_makes_the_game_again(play):
    game = play("Ada", "Bob", "Cy")
    game.choose("Ada")
    game.choose("Bob")
    services.undo(table_id=game.id, player=game.people["Bob"], key="u")
    services.leave(table_id=game.id, player=game.people["Cy"])
    services.come_back(table_id=game.id, player=game.people["Cy"])
    game.choose("Cy")
    game.choose("Bob")
    game.act(game.at(0), {"type": "throw"})
    table = game.table
    now = services.match_of(table, 3)
    options = read_options(now.game.options_type, table.options)
    again = Match.restore(now.game, 3, options, bytes(table.seed), log_rows(table))
    assert again.digest() == now.digest()
    assert again.snapshot() == now.snapshot()


def test_check_tells_without_changing(play):
    game = play("Ada", "Bob")
    card = game.hand("Ada")[0]
    where = {"table_id": game.id, "player": game.people["Ada"], "ply": 0}
    label = services.check(**where, action={"type": "choose", "card": card})
    assert str(card) in label.plain()
    with pytest.raises(IllegalMove):
        services.check(**where, action={"type": "choose", "card": 99})
    assert game.table.ply == 0


def test_the_database_refuses_a_second_row_of_a_number(play):
    game = play("Ada", "Bob")
    row = game.choose("Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Ply.objects.create(table=row.table, number=1, kind="act", origin="player", at=row.at)


def test_a_finished_table_refuses_moves(play):
    game = play("Ada", "Bob")
    services.leave(table_id=game.id, player=game.people["Bob"])
    with pytest.raises(IllegalMove) as refused:
        game.choose("Ada")
    assert refused.value.code == "finished"
    assert rows(game.table)[-1][1] == "leave"


def sending(game, name, key):
    action = {"type": "choose", "card": game.hand(name)[0]}
    player = game.people[name]
    return lambda: services.act(table_id=game.id, player=player, ply=0, key=key, action=action)


@pytest.mark.django_db(transaction=True)
def test_many_threads_with_one_key_make_one_row(play):
    game = play("Ada", "Bob")
    found = at_once([sending(game, "Ada", "same")] * 8)
    assert [row.number for row in found] == [1] * 8
    assert game.table.plies.filter(kind="act").count() == 1


@pytest.mark.django_db(transaction=True)
def test_simultaneous_choices_from_threads_all_count(play):
    game = play("Ada", "Bob", "Cy")
    found = at_once([sending(game, name, name) for name in game.people])
    assert sorted(row.number for row in found) == [1, 2, 3]
