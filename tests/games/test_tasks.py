"""What the worker does; each task runs twice and does no harm."""

import logging
from datetime import timedelta

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from games import door, services, tasks
from games.errors import SeatLeft
from games.models import Table
from games.services import absence, hints
from tests.games.conftest import at_once, rows

pytestmark = pytest.mark.django_db


def test_the_sweep_does_what_is_due_and_twice_nothing_more(play, time):
    late = play("Ada", "Bob", "Cy", pace="live-5")
    bots = play("Ada", bots=2)
    idle = play("Ada", "Bob", pace="1d")
    time.move(minutes=6)
    assert tasks.sweep() == 5
    assert tasks.sweep() == 0
    assert [kind for _, kind, _ in rows(late.table)[1:]] == ["time-out"] * 3
    assert len(rows(bots.table)) == 3
    assert len(rows(idle.table)) == 1


def test_playing_twice_or_late_does_no_harm(play, time):
    game = play("Ada", bots=1)
    assert tasks.play_due(game.id) == 0
    time.move(seconds=1)
    assert tasks.play_due(game.id) == 1
    assert tasks.play_due(game.id) == 0
    game.choose("Ada")
    ply = game.table.ply
    assert tasks.play_due(game.id) in (0, 1)
    assert game.table.ply >= ply
    services.leave(table_id=game.id, player=game.people["Ada"])
    time.move(seconds=5)
    assert tasks.play_due(game.id) == 0
    assert tasks.play_due("XXXXXXXX") == 0


def test_a_broken_table_does_not_stop_the_clocks_of_others(play, time, caplog):
    broken = play("Ada", "Bob", "Cy", pace="live-5")
    whole = play("Dunya", "Eve", "Fay", pace="live-5")
    Table.objects.filter(public_id=broken.id).update(snapshot="{}")
    time.move(minutes=6)
    with caplog.at_level(logging.ERROR):
        assert tasks.sweep() == 3
    assert broken.id in caplog.text
    assert len(rows(whole.table)) == 4


def test_deserted_tables_end_after_their_grace(play, time):
    game = play("Ada", bots=1, absence="zombie")
    services.leave(table_id=game.id, player=game.people["Ada"])
    time.move(hours=23)
    assert tasks.close_deserted() == 0
    time.move(hours=2)
    assert tasks.close_deserted() == 1
    assert tasks.close_deserted() == 0
    assert game.table.status == Table.ABANDONED


def test_old_open_tables_go(tiny, person, time):
    services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    time.move(days=15)
    assert tasks.close_old_tables() == 1
    assert tasks.close_old_tables() == 0


def test_without_a_broker_the_commit_stands_and_the_loss_is_logged(
    tiny, person, time, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def refuse(*args, **kwargs):
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", refuse)
    monkeypatch.setattr(hints._caller, "call", lambda table, work: work())
    with (
        caplog.at_level(logging.WARNING),
        django_capture_on_commit_callbacks(execute=True),
    ):
        table = services.play_now(player=person("Ada"), game="tiny")
    assert f"nudge lost: table={table.public_id} ply=0" in caplog.text
    assert Table.objects.get(pk=table.pk).status == Table.PLAYING


@pytest.fixture
def broken(play, time, tiny, monkeypatch):
    """A table whose rules fail at each move, which is due now; and one that is sound."""
    game, sound = play("Ada", bots=1), play("Ada", "Bob", pace="live-5")
    monkeypatch.setattr(services.complaints, "_at", {})

    def fail(self, state, seat):
        if len(state.hands) == 2 and game.table.ply == 0 and seat == bot:
            raise ZeroDivisionError("a defect of the rules")
        return moves(self, state, seat)

    bot = game.table.seats.get(kind="bot").index
    moves = type(tiny).moves
    monkeypatch.setattr(type(tiny), "moves", fail)
    time.move(minutes=6)
    return game, sound


def test_a_defect_at_one_table_is_logged_each_minute_and_stops_no_other(broken, time, caplog):
    game, sound = broken
    for _ in range(3):
        tasks.sweep()
        time.move(seconds=15)
    assert sound.table.is_over
    told = f"server_error: table={game.id} ply=0 doing=sweep"
    assert caplog.text.count(told) == 1
    assert "ZeroDivisionError" in caplog.text
    time.move(minutes=1)
    tasks.sweep()
    assert caplog.text.count(told) == 2


@pytest.mark.parametrize(
    ("task", "service"),
    [
        (tasks.follow_the_clock, "enforce"),
        (tasks.close_deserted, "abandon"),
        (tasks.try_stopped, "enforce"),
    ],
)
def test_no_task_leaves_the_other_tables_alone_for_one_that_is_broken(
    play, time, monkeypatch, caplog, task, service
):
    broken, sound = (play("Ada", bots=1).id for _ in range(2))
    time.move(hours=1)
    Table.objects.update(moved_at=time.moment + timedelta(hours=1), deserted_at=time.moment)
    if task is tasks.try_stopped:
        Table.objects.update(stopped_at=time.moment)
    done = []

    def work(*, table_id, **how):
        if table_id == broken:
            raise ZeroDivisionError("a defect of the rules")
        done.append(table_id)
        return 1

    monkeypatch.setattr(services, service, work)
    assert (task(), done) == (1, [sound])
    assert f"server_error: table={broken} ply=0 doing={task.__name__}" in caplog.text


def test_one_who_cannot_be_told_keeps_nobody_else_waiting(monkeypatch, caplog):
    def tell(*, seat_id, what):
        return 1 // (seat_id - 4711)

    monkeypatch.setattr(services, "people_to_tell", lambda: [(4711, "turn"), (4712, "turn")])
    monkeypatch.setattr(services, "tell", tell)
    assert tasks.tell_people() == 1
    assert "server_error: seat=4711 doing=tell_people" in caplog.text


def test_a_table_with_a_defect_can_be_looked_at(broken, caplog):
    game, _ = broken
    for _ in range(2):
        state = door.state(table_id=game.id, viewer=None, since=None, chat=False)
    assert state["ply"] == 0
    assert caplog.text.count(f"table={game.id} ply=0 doing=enforce") == 1


def test_a_bot_that_cannot_think_takes_the_quietest_move(play, time, monkeypatch, caplog):
    def thinks(match, seat, level):
        if level > 0:
            raise ZeroDivisionError("a defect of the rules")
        return choose(match, seat, level)

    choose = absence.choose
    monkeypatch.setattr(absence, "choose", thinks)
    game = play("Ada", bots=1)
    time.move(seconds=10)
    assert tasks.sweep() == 1
    assert f"bot failed: table={game.id} ply=0 seat=" in caplog.text
    move = game.table.plies.get(number=1)
    assert (move.origin, move.kind) == ("bot", "act")


async def test_without_a_channel_layer_the_loss_is_logged(monkeypatch, caplog):
    class Down:
        async def group_send(self, group, message):
            raise ConnectionError("no layer")

    monkeypatch.setattr(hints, "get_channel_layer", Down)
    with caplog.at_level(logging.WARNING):
        await hints._send("table.X", {"type": "table.changed", "ply": 1})
    assert "hint lost: table=X ply=1" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment_play_each_seat_once(play, time):
    game = play("Ada", bots=2)
    time.move(seconds=1)
    added = at_once([tasks.sweep, lambda: tasks.play_due(game.id)] * 4)
    assert sum(added) == 2
    assert [origin for _, kind, origin in rows(game.table) if kind == "act"] == ["bot", "bot"]


@pytest.mark.django_db(transaction=True)
def test_a_late_move_and_the_sweep_cannot_both_win(play, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    for name in ("Bob", "Cy"):
        game.choose(name)
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    time.move(minutes=6)

    def late():
        with pytest.raises(SeatLeft):
            game.act("Ada", action, ply=2)
        return 0

    assert sum(at_once([late, tasks.sweep, tasks.sweep, late])) <= 1
    assert [kind for _, kind, _ in rows(game.table)[3:]] == ["time-out"]
