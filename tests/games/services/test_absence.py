"""Clocks, time-outs, zombies, bots; leaving, returning, taking over."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model

from games import door, listing, selectors, services, tasks
from games.engine import IllegalMove
from games.errors import AccountNeeded, NotAbsent, NotPlaying, NotSeated, SeatLeft, SeatTaken
from games.models import Ply, Seat, Table
from games.services import absence, clock
from tests.games.conftest import rows

pytestmark = pytest.mark.django_db


def finish_round(game, *names):
    for name in names:
        game.choose(name)


# -- clocks -----------------------------------------------------------------------------------


def test_all_who_are_asked_have_running_clocks(play, time):
    game = play("Ada", "Bob", pace="live-5")
    for name in ("Ada", "Bob"):
        assert game.seat(name).expires_at == time.moment + timedelta(minutes=5)


def test_a_move_stops_the_clock_and_gives_the_increment(play, time):
    game = play("Ada", "Bob", pace="live-5")
    time.move(seconds=60)
    game.choose("Ada")
    ada, bob = game.seat("Ada"), game.seat("Bob")
    assert (ada.expires_at, ada.bank) == (None, 250_000)
    assert bob.expires_at == time.moment + timedelta(minutes=4)


def test_the_increment_ends_at_the_cap(play, time):
    game = play("Ada", "Bob", pace="live-5")
    time.move(seconds=4)
    game.choose("Ada")
    assert game.seat("Ada").bank == 300_000


def test_a_turn_of_several_moves_runs_on_one_clock(play, time):
    game = play("Ada", "Bob", pace="live-5")
    finish_round(game, "Ada", "Bob")
    name = game.at(0)
    time.move(seconds=100)
    game.act(name, {"type": "count"})
    assert game.seat(name).expires_at == time.moment + timedelta(seconds=210)


def test_an_undo_keeps_the_time_that_passed_and_gives_no_increment_twice(play, time):
    game = play("Ada", "Bob", pace="live-5")
    time.move(seconds=60)
    game.choose("Ada")
    time.move(seconds=30)
    for n in range(3):
        services.undo(table_id=game.id, player=game.people["Ada"], key=f"u{n}")
        assert game.seat("Ada").expires_at == time.moment + timedelta(seconds=240)
        game.choose("Ada")
        assert game.seat("Ada").bank == 250_000


def test_an_undo_in_ones_turn_takes_the_increment_back(play, time):
    game = play("Ada", "Bob", pace="live-5")
    finish_round(game, "Ada", "Bob")
    name = game.at(0)
    time.move(seconds=100)
    game.act(name, {"type": "count"})
    time.move(seconds=10)
    services.undo(table_id=game.id, player=game.people[name], key="u")
    assert game.seat(name).expires_at == time.moment + timedelta(seconds=190)


def test_without_limit_no_clock_runs(play, time):
    game = play("Ada", "Bob", pace="none")
    assert game.seat("Ada").expires_at is None
    time.move(days=400)
    assert services.enforce(table_id=game.id) == 0
    assert game.choose("Ada").number == 1


def test_another_seats_move_does_not_touch_a_running_clock(play, time):
    game = play("Ada", "Bob", "Cy", pace="1d")
    until = game.seat("Bob").expires_at
    time.move(hours=5)
    game.choose("Ada")
    assert game.seat("Bob").expires_at == until


# -- time-outs --------------------------------------------------------------------------------


def test_with_three_a_seat_out_of_time_becomes_a_zombie_and_is_played(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    finish_round(game, "Ada", "Bob")
    time.move(minutes=5, seconds=1)
    assert services.enforce(table_id=game.id) == 1
    cy = game.seat("Cy")
    assert cy.zombie
    assert cy.expires_at == time.moment + clock.bot_delay()
    time.move(seconds=1)
    assert services.enforce(table_id=game.id) == 1
    assert rows(game.table)[-2:] == [(3, "time-out", "clock"), (4, "act", "zombie")]


def test_others_see_the_zombie(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    finish_round(game, "Ada", "Bob")
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    payload = selectors.table_payload(game.table, game.people["Ada"])
    seat = payload["seats"][game.seat("Cy").index]
    assert (seat["zombie"], seat["name"], seat["clock"]) == (True, "Cy", None)
    assert "ran out of time" in payload["log"][-1]["lines"][0]["text"]


def test_with_two_a_seat_out_of_time_loses(play, time):
    game = play("Ada", "Bob", pace="live-5")
    game.choose("Ada")
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    assert game.table.status == Table.FINISHED
    assert (game.seat("Ada").rank, game.seat("Bob").rank) == (1, 2)
    assert game.table.outcome["reason"] == "time"
    assert not Seat.objects.filter(expires_at__isnull=False).exists()


def test_enforcing_twice_does_no_harm(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    time.move(minutes=6)
    assert services.enforce(table_id=game.id) > 0
    assert services.enforce(table_id=game.id) == 0


def test_a_move_under_way_when_the_clock_ran_out_counts(play, time):
    game = play("Ada", "Bob", pace="live-5")
    time.move(minutes=5, milliseconds=900)
    assert game.choose("Ada").number == 1
    assert game.seat("Ada").bank == 10_000


def test_a_move_after_the_time_is_refused_and_the_clock_enforced(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    finish_round(game, "Bob", "Cy")
    time.move(minutes=5, seconds=2)
    with pytest.raises(SeatLeft):
        game.choose("Ada")
    assert rows(game.table)[-1] == (3, "time-out", "clock")
    assert game.seat("Ada").zombie


def test_a_move_of_another_seat_enforces_the_clock_first(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-15")
    time.move(minutes=10)
    game.choose("Ada")
    game.choose("Bob")
    time.move(minutes=6)
    with pytest.raises(IllegalMove):
        game.act("Ada", {"type": "done"})
    assert game.seat("Cy").zombie


def test_the_next_reader_enforces_without_a_worker(play, time, person):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    finish_round(game, "Ada", "Bob")
    time.move(minutes=5, seconds=2)
    look = {"table_id": game.id, "viewer": person("Eve"), "since": None, "chat": False}
    assert door.state(**look)["ply"] == 2  # the worker may still come
    time.move(seconds=2)
    assert door.state(**look)["ply"] == 3
    time.move(seconds=4)
    assert door.state(**look)["log"][-1]["origin"] == "zombie"


# -- bots -------------------------------------------------------------------------------------


def test_bots_play_when_their_moment_comes(play, time, nudged):
    game = play("Ada", bots=2)
    assert nudged == []  # within a test's transaction nothing is committed
    assert services.enforce(table_id=game.id) == 0
    time.move(seconds=1)
    assert services.enforce(table_id=game.id) == 2
    assert services.enforce(table_id=game.id) == 0
    assert {origin for _, kind, origin in rows(game.table) if kind == "act"} == {"bot"}


def test_each_row_that_leaves_a_bot_to_play_calls_a_worker(
    play, time, nudged, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        game = play("Ada", bots=1)
    assert nudged == [game.id]
    time.move(seconds=1)
    with django_capture_on_commit_callbacks(execute=True):
        services.enforce(table_id=game.id)
    assert nudged == [game.id]  # now only Ada is asked


def test_a_bots_thought_for_another_question_is_not_played(play, time, monkeypatch):
    game = play("Ada", bots=1)
    time.move(seconds=1)
    bot = Seat.objects.get(table__public_id=game.id, kind=Seat.BOT)
    thought = absence._think(game.id)
    services.enforce(table_id=game.id)
    game.choose("Ada")
    monkeypatch.setattr(absence, "_think", lambda table_id: thought)
    time.move(seconds=1)
    before = game.table.ply
    assert services.enforce(table_id=game.id) == 0
    assert game.table.ply == before
    assert bot.index in thought[1]


def test_a_game_of_bots_and_a_person_comes_to_its_end(play, time):
    game = play("Ada", bots=2)
    for _ in range(60):
        if game.table.is_over:
            break
        time.move(seconds=1)
        services.enforce(table_id=game.id)
        match = services.match_of(game.table, 3)
        seat = game.seat("Ada").index
        if seat in match.keys:
            game.act("Ada", {"type": "done"} if match.state.ending else _first(match, seat))
    assert game.table.status == Table.FINISHED


def _first(match, seat):
    return {"type": "choose", "card": match.state.hands[seat][0]}


# -- leaving and coming back --------------------------------------------------------------------


def test_one_who_leaves_three_is_played_for_and_may_return(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    services.leave(table_id=game.id, player=game.people["Ada"])
    assert game.seat("Ada").zombie
    with pytest.raises(SeatLeft):
        game.choose("Ada")
    with pytest.raises(SeatLeft):
        services.leave(table_id=game.id, player=game.people["Ada"])
    services.come_back(table_id=game.id, player=game.people["Ada"])
    ada = game.seat("Ada")
    assert not ada.zombie
    assert ada.expires_at == time.moment + timedelta(minutes=5)
    game.choose("Ada")
    assert [kind for _, kind, _ in rows(game.table)] == ["start", "leave", "return", "act"]


def test_one_who_returns_has_some_time_at_least(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    finish_round(game, "Bob", "Cy")
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    services.come_back(table_id=game.id, player=game.people["Ada"])
    assert game.seat("Ada").expires_at == time.moment + timedelta(minutes=1)


def test_nobody_returns_who_has_not_left_or_to_a_game_that_is_over(play, person):
    game = play("Ada", "Bob")
    with pytest.raises(SeatTaken):
        services.come_back(table_id=game.id, player=game.people["Ada"])
    with pytest.raises(NotSeated):
        services.come_back(table_id=game.id, player=person("Eve"))
    services.leave(table_id=game.id, player=game.people["Bob"])
    with pytest.raises(NotPlaying):
        services.come_back(table_id=game.id, player=game.people["Bob"])


def test_another_person_takes_the_seat_and_reads_its_lines_from_then_on(play, person):
    game = play("Ada", "Bob", "Cy")
    game.choose("Ada")
    services.leave(table_id=game.id, player=game.people["Ada"])
    index = game.seat("Ada").index
    eve, ada = person("Eve"), game.people["Ada"]
    assert selectors.table_payload(game.table, ada)["view"]["hand"]
    row = services.take_over(table_id=game.id, player=eve, seat=index)
    game.people["Eve"] = eve
    assert game.seat("Eve").since == row.number == 3
    own = [line["text"] for line in _lines(game, eve)]
    assert "You chose {number}." not in own
    payload = selectors.table_payload(game.table, ada)
    assert (payload["you"], payload["view"]["hand"]) == (None, [])
    with pytest.raises(NotSeated):
        services.come_back(table_id=game.id, player=ada)
    services.undo(table_id=game.id, player=eve, key="u")
    game.choose("Eve")
    assert "You chose {number}." in [line["text"] for line in _lines(game, eve)]


def test_a_key_of_the_one_who_sat_there_before_is_no_key_of_the_newcomer(play, person):
    game = play("Ada", "Bob", "Cy")
    game.choose("Ada", key="same")
    index = game.seat("Ada").index
    services.leave(table_id=game.id, player=game.people["Ada"])
    game.people["Eve"] = person("Eve")
    services.take_over(table_id=game.id, player=game.people["Eve"], seat=index)
    services.undo(table_id=game.id, player=game.people["Eve"], key="u")
    row = game.choose("Eve", key="same")
    assert row.user == game.people["Eve"]
    assert game.choose("Eve", key="same", ply=row.number - 1) == row


def _lines(game, viewer):
    log = selectors.table_payload(game.table, viewer)["log"]
    return [line for row in log for line in row["lines"]]


def test_only_a_left_seat_is_taken_over_where_the_table_allows(play, person):
    game = play("Ada", "Bob", "Cy")
    index = game.seat("Ada").index
    with pytest.raises(SeatTaken):
        services.take_over(table_id=game.id, player=person("Eve"), seat=index)
    services.leave(table_id=game.id, player=game.people["Ada"])
    with pytest.raises(SeatTaken):
        services.take_over(table_id=game.id, player=game.people["Bob"], seat=index)
    with pytest.raises(SeatTaken):
        services.take_over(table_id=game.id, player=person("Eve"), seat=7)
    Table.objects.update(may_take_over=False)
    with pytest.raises(SeatTaken):
        services.take_over(table_id=game.id, player=person("Eve"), seat=index)


def test_a_table_without_people_stands_still_and_is_abandoned_after_its_grace(play, time):
    game = play("Ada", "Bob", bots=1, pace="live-5")
    for name in ("Ada", "Bob"):
        services.leave(table_id=game.id, player=game.people[name])
    assert game.table.deserted_at == time.moment
    time.move(minutes=9)
    assert services.enforce(table_id=game.id) == 0
    assert not services.abandon(table_id=game.id)
    time.move(minutes=2)
    assert services.abandon(table_id=game.id)
    assert game.table.status == Table.ABANDONED
    assert game.seat("Ada").rank is None
    assert not services.abandon(table_id=game.id)


def test_one_who_returns_keeps_the_table(play, time):
    game = play("Ada", bots=2)
    services.leave(table_id=game.id, player=game.people["Ada"])
    time.move(hours=23)
    services.come_back(table_id=game.id, player=game.people["Ada"])
    assert game.table.deserted_at is None
    time.move(hours=2)
    assert not services.abandon(table_id=game.id)
    assert services.enforce(table_id=game.id) == 2


def test_rows_of_the_clock_name_no_person(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    assert not Ply.objects.filter(origin=Ply.CLOCK, user__isnull=False).exists()


def test_one_who_has_seen_a_hand_takes_no_other(play, person):
    game = play("Ada", "Bob", "Cy")
    services.leave(table_id=game.id, player=game.people["Ada"])
    first = game.seat("Ada").index
    game.people["Eve"] = person("Eve")
    services.take_over(table_id=game.id, player=game.people["Eve"], seat=first)
    services.leave(table_id=game.id, player=game.people["Bob"])
    take = {"table_id": game.id, "player": game.people["Ada"]}
    with pytest.raises(SeatTaken) as refused:
        services.take_over(**take, seat=game.seat("Bob").index)
    assert "another hand" in str(refused.value)
    services.leave(table_id=game.id, player=game.people["Eve"])
    assert services.take_over(**take, seat=first).kind == "take-over"


def test_a_person_who_is_no_more_keeps_the_name_at_the_table(play):
    game = play("Ada", "Bob")
    services.leave(table_id=game.id, player=game.people["Bob"])
    game.people["Bob"].delete()
    payload = selectors.table_payload(game.table, game.people["Ada"])
    assert sorted(seat["name"] for seat in payload["seats"]) == ["Ada", "Bob"]


# -- the others decide --------------------------------------------------------------------------


@pytest.fixture
def late(play, time):
    """Three people at a table where the others decide; only Ada was asked for too long."""

    def begin(*names, pace="live-5"):
        game = play(*names, pace=pace, absence=Table.ASK)
        finish_round(game, *names[1:])
        time.move(milliseconds=game.table.bank + 2000)
        assert services.enforce(table_id=game.id) == 1
        return game

    return begin


def seen(game, who, whom):
    """The seat of ``whom`` in the payload of ``who``, and what ``who`` may do."""
    payload = selectors.table_payload(game.table, game.people[who])
    return payload["seats"][game.seat(whom).index], payload["may"]


def test_where_the_others_decide_a_seat_out_of_time_may_still_move(late, time):
    game = late("Ada", "Bob", "Cy")
    ada = game.seat("Ada")
    assert (ada.zombie, ada.overdue_since) == (False, time.moment)
    assert rows(game.table)[-1] == (3, "time-out", "clock")
    seat, may = seen(game, "Bob", "Ada")
    assert (seat["overdue"], seat["may_set_aside"], seat["may_claim"]) == (True, True, False)
    assert seat["clock"] == {"bank": 0, "expires_at": None, "running": False}
    assert seat["grace_until"] == clock.milliseconds(time.moment + timedelta(minutes=5))
    assert may["set_aside"] == [ada.index]
    own, may = seen(game, "Ada", "Ada")
    assert (own["overdue"], own["may_set_aside"], may["set_aside"]) == (True, False, [])
    assert "You may still move" in _lines(game, game.people["Ada"])[-1]["you"]
    time.move(minutes=4)
    game.choose("Ada")
    ada = game.seat("Ada")
    assert ada.overdue_since is None
    assert clock.left(ada, time.moment) == 10_000


def test_another_person_lets_the_game_play(late, time):
    game = late("Ada", "Bob", "Cy")
    index = game.seat("Ada").index
    row = services.set_aside(table_id=game.id, player=game.people["Bob"], seat=index)
    assert (row.kind, row.seat, row.origin, row.user) == (
        "system",
        index,
        "player",
        game.people["Bob"],
    )
    assert game.seat("Ada").zombie
    time.move(seconds=1)
    assert services.enforce(table_id=game.id) == 1
    with pytest.raises(NotAbsent):
        services.set_aside(table_id=game.id, player=game.people["Cy"], seat=index)
    services.come_back(table_id=game.id, player=game.people["Ada"])
    assert not game.seat("Ada").zombie


def test_if_nobody_decides_the_game_plays(late, time):
    game = late("Ada", "Bob", "Cy")
    time.move(minutes=4, seconds=58)
    assert services.enforce(table_id=game.id) == 0
    time.move(seconds=4)
    assert services.enforce(table_id=game.id) == 1
    assert services.enforce(table_id=game.id) == 0
    assert rows(game.table)[-1] == (4, "time-out", "clock")
    assert game.seat("Ada").zombie
    assert game.seat("Ada").overdue_since is None


@pytest.mark.parametrize(
    ("pace", "span"),
    [("live-15", {"minutes": 5}), ("12h", {"hours": 12}), ("7d", {"days": 7})],
)
def test_the_others_decide_for_an_increment_within_bounds(late, time, pace, span):
    game = late("Ada", "Bob", "Cy", pace=pace)
    assert game.seat("Ada").expires_at == time.moment + timedelta(**span)


def test_of_two_the_other_may_also_end_the_game(late):
    game = late("Ada", "Bob")
    seat, may = seen(game, "Bob", "Ada")
    assert (seat["may_set_aside"], seat["may_claim"]) == (True, True)
    assert may["claim"] == [seat["index"]]
    services.set_aside(table_id=game.id, player=game.people["Bob"], seat=seat["index"], claim=True)
    assert game.table.status == Table.FINISHED
    assert (game.seat("Bob").rank, game.seat("Ada").rank) == (1, 2)
    assert not Seat.objects.filter(expires_at__isnull=False).exists()


def test_of_two_the_other_may_also_play_on(late):
    game = late("Ada", "Bob")
    index = game.seat("Ada").index
    services.set_aside(table_id=game.id, player=game.people["Bob"], seat=index)
    assert game.table.status == Table.PLAYING
    assert game.seat("Ada").zombie


def test_with_three_nobody_is_made_to_lose(late):
    game = late("Ada", "Bob", "Cy")
    how = {"table_id": game.id, "seat": game.seat("Ada").index, "claim": True}
    with pytest.raises(NotAbsent):
        services.set_aside(player=game.people["Bob"], **how)
    assert not game.seat("Ada").zombie


def test_nobody_is_set_aside_who_has_time_or_by_those_who_do_not_sit_there(play, late, person):
    game = late("Ada", "Bob", "Cy")
    at = {name: game.seat(name).index for name in game.people}
    with pytest.raises(NotSeated):
        services.set_aside(table_id=game.id, player=person("Eve"), seat=at["Ada"])
    for name, seat in (("Bob", at["Cy"]), ("Ada", at["Ada"]), ("Bob", 9)):
        with pytest.raises(NotAbsent):
            services.set_aside(table_id=game.id, player=game.people[name], seat=seat)
    services.leave(table_id=game.id, player=game.people["Bob"])
    with pytest.raises(SeatLeft):
        services.set_aside(table_id=game.id, player=game.people["Bob"], seat=at["Ada"])
    fresh = play("Ada", "Bob", pace="1d", absence=Table.ASK)
    with pytest.raises(NotAbsent):
        services.set_aside(
            table_id=fresh.id, player=fresh.people["Bob"], seat=fresh.seat("Ada").index
        )


def test_an_undo_of_a_late_move_brings_a_second_and_not_the_grace(late, time):
    game = late("Ada", "Bob")
    game.choose("Ada")
    name = game.at(0)
    time.move(milliseconds=game.table.bank + 2000)
    services.enforce(table_id=game.id)
    assert game.seat(name).overdue_since == time.moment
    game.act(name, {"type": "count"})
    services.undo(table_id=game.id, player=game.people[name], key="u")
    seat = game.seat(name)
    assert seat.overdue_since is None
    assert seat.expires_at <= time.moment + timedelta(seconds=1)


def test_who_is_alone_has_nobody_to_decide(play, time):
    game = play("Ada", bots=2, pace="live-5", absence=Table.ASK)
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    assert game.seat("Ada").zombie


def test_leaving_where_the_others_decide_lets_the_game_play(play):
    game = play("Ada", "Bob", pace="live-5", absence=Table.ASK)
    services.leave(table_id=game.id, player=game.people["Ada"])
    assert game.seat("Ada").zombie
    assert game.table.status == Table.PLAYING


# -- without time limit -------------------------------------------------------------------------


def test_without_limit_one_asked_for_a_day_may_be_set_aside(play, time):
    game = play("Ada", "Bob", "Cy", pace="none")
    finish_round(game, "Bob", "Cy")
    index = game.seat("Ada").index
    time.move(hours=23)
    payload = selectors.table_payload(game.table, game.people["Bob"])
    assert payload["may"]["set_aside"] == []
    assert payload["next_at"] == clock.milliseconds(time.moment + timedelta(hours=1))
    with pytest.raises(NotAbsent):
        services.set_aside(table_id=game.id, player=game.people["Bob"], seat=index)
    time.move(hours=1)
    seat, may = seen(game, "Bob", "Ada")
    assert (seat["may_set_aside"], seat["may_claim"], seat["overdue"]) == (True, False, False)
    assert seat["asked_since"] == clock.milliseconds(time.moment - timedelta(days=1))
    assert may["set_aside"] == [index]
    assert seen(game, "Ada", "Cy")[1]["set_aside"] == []  # Cy has answered
    services.set_aside(table_id=game.id, player=game.people["Cy"], seat=index)
    assert game.seat("Ada").zombie
    assert game.seat("Ada").asked_since == time.moment


def test_without_limit_others_moves_do_not_make_a_question_younger(play, time):
    game = play("Ada", "Bob", "Cy", pace="none")
    time.move(hours=20)
    game.choose("Bob")
    time.move(hours=5)
    assert seen(game, "Bob", "Ada")[0]["may_set_aside"]
    assert game.choose("Ada").number == 2
    assert game.seat("Ada").asked_since is None


def test_without_limit_nobody_loses_by_waiting(play, time):
    game = play("Ada", "Bob", pace="none", absence=Table.ASK)
    game.choose("Bob")
    time.move(days=2)
    seat, may = seen(game, "Bob", "Ada")
    assert (seat["may_set_aside"], may["claim"]) == (True, [])
    with pytest.raises(NotAbsent):
        services.set_aside(
            table_id=game.id, player=game.people["Bob"], seat=seat["index"], claim=True
        )


def test_with_a_limit_the_clock_decides_and_not_the_others(play, time):
    game = play("Ada", "Bob", "Cy", pace="7d")
    time.move(days=3)
    assert seen(game, "Bob", "Ada")[1]["set_aside"] == []


# -- accounts that are removed or closed --------------------------------------------------------


def test_the_engine_takes_the_seat_of_an_account_that_is_removed(play, time, person):
    game = play("Ada", "Bob", "Cy", pace="none")
    index = game.seat("Ada").index
    game.people.pop("Ada").delete()
    assert services.enforce(table_id=game.id) == 1
    seat = game.table.seats.get(index=index)
    assert (seat.user_id, seat.zombie, seat.name) == (None, True, "Ada")
    time.move(seconds=1)
    assert services.enforce(table_id=game.id) == 1
    assert rows(game.table)[1:] == [(1, "leave", "clock"), (2, "act", "zombie")]
    services.take_over(table_id=game.id, player=person("Eve"), seat=index)
    assert not game.table.seats.get(index=index).zombie


def test_the_sweep_finds_it_also_where_it_was_asked_nothing(play, time):
    game = play("Ada", "Bob", "Cy", pace="none")
    game.choose("Ada")
    get_user_model().objects.filter(username="Ada").delete()
    time.move(days=30)
    assert tasks.sweep() == 1
    assert tasks.sweep() == 0
    assert rows(game.table)[-1] == (2, "leave", "clock")
    assert not Seat.objects.filter(expires_at__isnull=False).exists()


def test_it_is_played_also_where_leaving_loses_and_by_the_next_reader(play, time):
    game = play("Ada", "Bob", pace="none")
    index = game.seat("Ada").index
    game.people["Ada"].delete()
    look = {"table_id": game.id, "viewer": game.people["Bob"], "since": None, "chat": False}
    seat = door.state(**look)["seats"][index]
    assert (seat["zombie"], seat["name"], seat["may_take_over"]) == (True, "Ada", False)
    assert game.table.status == Table.PLAYING


def test_a_move_of_another_meets_the_empty_seat_first(play):
    game = play("Ada", "Bob", "Cy", pace="none")
    index = game.seat("Ada").index
    game.people["Ada"].delete()
    game.choose("Bob")
    assert [kind for _, kind, _ in rows(game.table)] == ["start", "leave", "act"]
    assert game.table.seats.get(index=index).zombie


def test_a_table_whose_only_account_is_removed_stands_still_and_ends(play, time):
    game = play("Ada", bots=2, pace="none")
    game.people["Ada"].delete()
    time.move(seconds=2)
    services.enforce(table_id=game.id)
    assert game.table.deserted_at == time.moment
    ply = game.table.ply
    time.move(hours=1)
    assert services.enforce(table_id=game.id) == 0
    time.move(days=1)
    assert services.abandon(table_id=game.id)
    assert game.table.ply == ply + 1


def test_a_zombies_account_is_removed_without_a_trace(play):
    game = play("Ada", "Bob", "Cy", pace="none")
    services.leave(table_id=game.id, player=game.people["Ada"])
    ply = game.table.ply
    game.people["Ada"].delete()
    assert services.enforce(table_id=game.id) == 0
    assert game.table.ply == ply


def test_at_an_open_table_the_chair_of_a_removed_account_is_free(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    person("Ada").delete()
    assert table.seats.filter(kind=Seat.OPEN).count() == 3
    assert listing.open_tables(None)[0].title_names == "nobody sits there yet"
    services.join(table_id=table.public_id, player=person("Bob"))
    services.fill_with_bots(table_id=table.public_id, player=person("Bob"))
    table.refresh_from_db()
    assert (table.status, table.host) == (Table.PLAYING, person("Bob"))


def test_a_closed_account_neither_moves_nor_sees_and_its_clock_runs_on(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    ada = game.people["Ada"]
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    until = game.seat("Ada").expires_at
    get_user_model().objects.filter(pk=ada.pk).update(is_active=False)
    for refused in (
        lambda: game.act("Ada", action),  # ``ada`` is as old as a socket
        lambda: services.say(table_id=game.id, player=ada, text="hello"),
        lambda: services.leave(table_id=game.id, player=ada),
    ):
        with pytest.raises(NotSeated):
            refused()
    payload = selectors.table_payload(game.table, ada)
    assert (payload["you"], payload["view"]["hand"], payload["moves"]) == (None, [], None)
    assert game.seat("Ada").expires_at == until
    game.choose("Bob")
    time.move(minutes=6)
    services.enforce(table_id=game.id)
    assert game.seat("Ada").zombie


def test_no_guest_takes_over_where_an_account_is_asked_for(play, person):
    game = play("Ada", "Bob", "Cy", accounts_only=True)
    services.leave(table_id=game.id, player=person("Ada"))
    seat = game.seat("Ada").index
    guest = person("Guest")
    guest.is_guest = True
    guest.save()
    for viewer, may in ((guest, []), (None, []), (person("Eve"), [seat])):
        assert selectors.table_payload(game.table, viewer)["may"]["take_over"] == may
    with pytest.raises(AccountNeeded):
        services.take_over(table_id=game.id, player=guest, seat=seat)
    services.take_over(table_id=game.id, player=person("Eve"), seat=seat)
