"""Tables over HTTP: pages, forms, and the socket's services for those without one."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from games import services
from games.models import Seat, Table
from tests.games.views.pages import payload_of

pytestmark = pytest.mark.django_db


def post_json(client, url, body):
    text = body if isinstance(body, str) else json.dumps(body)
    return client.post(url, text, content_type="application/json")


# -- guests and one click -----------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["hearts", "nibble"])
def test_a_stranger_plays_with_one_click(slug, browser, nudged):
    client = browser()
    response = client.post(reverse("play_now", args=[slug]), follow=True)
    payload = payload_of(response)
    guest = get_user_model().objects.get()
    assert guest.is_guest
    assert payload["status"] == "playing"
    assert payload["seats"][payload["you"]]["name"] == guest.username
    assert response.headers["Cache-Control"]
    client.post(reverse("play_now", args=[slug]))
    assert get_user_model().objects.count() == 1


def test_play_now_of_an_unknown_game_makes_no_guest(browser):
    response = browser().post(reverse("play_now", args=["whist"]))
    assert response.status_code == 404
    assert "no game called whist" in response.content.decode()
    assert not get_user_model().objects.exists()


def test_forms_want_the_token(browser):
    client = browser(enforce_csrf_checks=True)
    assert client.post(reverse("play_now", args=["hearts"])).status_code == 403
    assert not Table.objects.exists()


# -- a new table ----------------------------------------------------------------------------------


def test_the_form_shows_the_games_options(browser):
    page = browser("Ada").get(reverse("open_table"), {"game": "hearts"}).content.decode()
    assert 'name="seat-3"' in page
    assert re.search(r'name="pace" value="1d"[^>]* checked', page)
    assert "Hearts for 4, about one move a day, open to everybody." in page
    assert 'name="option-' in page
    assert "style=" not in page.split("<main")[1]


def test_without_a_game_one_chooses_first(browser):
    page = browser().get(reverse("open_table")).content.decode()
    assert "?game=hearts" in page
    assert "?game=nibble" in page
    assert browser().get(reverse("open_table"), {"game": "whist"}).status_code == 404


def test_the_form_opens_a_table(browser, tiny):
    response = browser("Ada").post(
        reverse("open_table"),
        {
            "game": "tiny",
            "players": "3",
            "seat-1": "open",
            "seat-2": "bot",
            "pace": "12h",
            "absence": "forfeit",
            "unlisted": "on",
            "option-high": "6",
        },
    )
    table = Table.objects.get()
    assert response.url == table.get_absolute_url()
    assert [seat.kind for seat in table.seats.all()] == ["person", "open", "bot"]
    assert (table.pace, table.absence, table.visibility) == ("12h", "forfeit", "unlisted")
    assert (table.options, table.may_take_over) == ({"high": 6, "throws": False}, False)


def test_a_browser_without_script_reads_how_the_game_stands(browser, play):
    game = play("Ada", "Bob")
    game.choose("Ada")
    page = browser("Bob").get(f"{game.table.get_absolute_url()}?plain").content.decode()
    assert "It is your turn. To play, this site needs JavaScript." in page
    assert "Ada has chosen" in page
    assert "Bob (you)" in page
    table = browser("Bob").get(game.table.get_absolute_url()).content.decode()
    assert 'href="?plain"' in table
    game.choose("Bob")
    services.leave(table_id=game.id, player=game.people["Bob"])
    page = browser().get(f"{game.table.get_absolute_url()}?plain").content.decode()
    assert "Bob (you)" not in page


def test_the_form_names_the_start_in_its_line(browser, tiny):
    data = {"game": "tiny", "players": "3", "starts": "host", "least": "2", "accounts_only": "on"}
    refused = browser("Ada").post(reverse("open_table"), data | {"absence": "never"})
    said = "begins when you start it with 2 or more, for people with an account."
    assert said in refused.content.decode()


def test_the_form_says_on_what_the_table_waits(browser, tiny):
    data = {"game": "tiny", "players": "3", "starts": "host", "least": "2", "accounts_only": "on"}
    ada = browser("Ada")
    page = ada.get(ada.post(reverse("open_table"), data).url).content.decode()
    table = Table.objects.get()
    assert (table.starts, table.least, table.accounts_only) == ("host", 2, True)
    assert "when its host starts it, with two players or more" in page
    assert "the table closes on" in page
    lobby = browser().get("/").content.decode()
    for words in (
        "begins when its host says so",
        "2 players at least",
        "for people with an account",
    ):
        assert words in lobby
    room = browser().get(table.get_absolute_url()).content.decode()
    assert "sit-down" not in room
    assert f"/accounts/signup/?next=%2Ftables%2F{table.public_id}%2F" in room
    refused = browser().post(reverse("join_table", args=[table.public_id]))
    assert refused.status_code == 403
    assert "Only people with an account" in refused.content.decode()
    assert "/accounts/signup/?next=/tables/" in refused.content.decode()
    assert not get_user_model().objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"least": "7"}, "cannot begin with that number"),
        ({"least": "x"}, "cannot begin with that number"),
        ({"starts": "never"}, "no such way to start"),
        ({"players": "99"}, "Higher is for 1 to 3 players."),
        ({"players": "two"}, "Higher is for 1 to 3 players."),
    ],
)
def test_forged_conditions_are_refused(sent, says, browser, tiny):
    response = browser("Ada").post(
        reverse("open_table"), {"game": "tiny", "players": "2", "seat-1": "open", **sent}
    )
    assert response.status_code == 422
    assert says in response.content.decode()
    assert not Table.objects.exists()
    if "players" in sent:
        assert browser().get(reverse("open_table"), {"game": "tiny", **sent}).status_code == 422


def test_an_expired_table_tells_its_people_and_opens_again(browser, tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    Table.objects.update(created_at=table.created_at - timedelta(days=15))
    services.close_old_tables()
    ada = browser("Ada")
    assert "Closed: nobody began it in time" in ada.get(reverse("my_tables")).content.decode()
    page = ada.get(table.get_absolute_url()).content.decode()
    assert "Nobody began this game until" in page
    assert "hx-get" not in page.split("waiting-room")[1].split(">")[0]
    assert browser().post(reverse("join_table", args=[table.public_id])).status_code == 409
    assert not get_user_model().objects.filter(is_guest=True).exists()
    assert browser("Bob").get(f"/tables/{table.public_id}/export").status_code == 409
    again = ada.post(reverse("rematch", args=[table.public_id]))
    assert services.find_table(again.url.split("/")[2]).status == "open"
    assert table.get_absolute_url() not in browser().get("/people/Ada/").content.decode()


def test_the_form_starts_against_bots(browser, tiny, nudged):
    data = {"game": "tiny", "players": "2", "seat-1": "open", "pace": "7d", "fill": "1"}
    browser("Ada").post(reverse("open_table"), data)
    table = Table.objects.get()
    assert (table.status, table.pace) == ("playing", "none")


def test_what_cannot_be_opened_comes_back_with_the_reason(browser, tiny):
    data = {"game": "tiny", "players": "2", "seat-1": "throne", "pace": "12h"}
    response = browser("Ada").post(reverse("open_table"), data)
    assert response.status_code == 422
    page = response.content.decode()
    assert "not played with those seats" in page
    assert re.search(r'value="12h"[^>]* checked', page)


def test_options_that_are_not_asked_keep_their_defaults(browser, tiny, monkeypatch):
    data = {"game": "hearts", "players": "4", "seat-1": "open", "pace": "none"}
    browser("Ada").post(reverse("open_table"), data)
    assert Table.objects.get().options["start_score"] == 100


def test_an_option_is_taken_away_where_others_make_it_idle(browser):
    """The points to win of dnup: not asked, not kept and not told where two play the duel."""
    for seats, told, kept in ((2, False, 4), (3, True, 6)):
        host = browser("Ada")
        form = host.get(reverse("open_table"), {"game": "dnup", "players": seats}).content.decode()
        hides = 'data-hide-if="{&quot;ruleset&quot;: &quot;rulebook&quot;}"'
        assert (hides in form) is not told
        data = {f"seat-{index}": "bot" for index in range(1, seats)}
        data |= {"option-ruleset": "rulebook", "option-target_points": "6"}
        sent = host.post(
            reverse("open_table"), {"game": "dnup", "players": seats, "pace": "none", **data}
        )
        assert Table.objects.latest("pk").options["target_points"] == kept
        shown = payload_of(host.get(sent.url))["options"]
        assert ("target_points" in [option["name"] for option in shown]) is told


# -- the waiting room -------------------------------------------------------------------------------


def test_the_waiting_room_shows_what_each_may_do(browser, tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    host = browser("Ada").get(table.get_absolute_url()).content.decode()
    guest = browser().get(table.get_absolute_url()).content.decode()
    assert reverse("fill_table", args=[table.public_id]) in host
    assert reverse("leave_table", args=[table.public_id]) in host
    assert reverse("join_table", args=[table.public_id]) not in host
    assert reverse("join_table", args=[table.public_id]) in guest
    assert reverse("fill_table", args=[table.public_id]) not in guest
    assert f"http://testserver{table.get_absolute_url()}" in guest


def test_the_waiting_room_asks_again_and_the_game_opens(browser, tiny, person, nudged):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    client = browser("Ada")
    part = client.get(table.get_absolute_url(), headers={"HX-Request": "true"})
    assert part.content.decode().startswith("\n<section") or b"<html" not in part.content
    services.join(table_id=table.public_id, player=person("Bob"))
    response = client.get(table.get_absolute_url(), headers={"HX-Request": "true"})
    assert response.headers["HX-Refresh"] == "true"


def test_strangers_sit_down_as_guests_and_the_game_begins(browser, tiny, person, nudged):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    response = browser().post(reverse("join_table", args=[table.public_id]), follow=True)
    assert payload_of(response)["status"] == "playing"
    late = browser().post(reverse("join_table", args=[table.public_id]))
    assert late.status_code == 409
    assert "begun already" in late.content.decode()


def test_leaving_before_the_start_frees_the_chair(browser, tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    client = browser("Bob")
    client.post(reverse("join_table", args=[table.public_id]))
    assert table.seats.filter(kind=Seat.OPEN).count() == 1
    client.post(reverse("leave_table", args=[table.public_id]))
    assert table.seats.filter(kind=Seat.OPEN).count() == 2
    assert client.post(reverse("leave_table", args=[table.public_id])).status_code == 403


@pytest.mark.parametrize("name", ["start_table", "fill_table"])
def test_only_the_host_starts(name, browser, tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    url = reverse(name, args=[table.public_id])
    assert browser("Bob").post(url).status_code == 403
    assert browser().post(url).status_code == 403
    assert browser("Ada").get(url).status_code == 405


# -- a running table ----------------------------------------------------------------------------------


def test_the_page_brings_the_first_view(browser, play):
    game = play("Ada", "Bob")
    payload = payload_of(browser("Ada").get(game.table.get_absolute_url()))
    assert payload["you"] == game.seat("Ada").index
    assert payload["view"]["hand"] == game.hand("Ada")
    spectator = payload_of(browser().get(game.table.get_absolute_url()))
    assert (spectator["you"], spectator["view"]["hand"]) == (None, [])


def test_an_id_as_people_write_it_leads_to_the_table(browser, play):
    game = play("Ada", "Bob")
    response = browser().get(f"/tables/{game.table.dashed_id.lower()}/")
    assert (response.status_code, response.url) == (302, game.table.get_absolute_url())


def test_an_unknown_table_is_said(browser):
    response = browser().get("/tables/XXXXXXXX/")
    assert response.status_code == 404
    assert "no such table" in response.content.decode()


def test_a_move_over_http(browser, play):
    game = play("Ada", "Bob")
    client, url = browser("Ada"), reverse("table_act", args=[game.id])
    body = {"key": "k1", "ply": 0, "action": {"type": "choose", "card": game.hand("Ada")[0]}}
    for _ in range(2):
        response = post_json(client, url, body)
        assert (response.status_code, response.json()) == (
            200,
            {"on": "ack", "key": "k1", "ply": 1},
        )
    assert game.table.ply == 1


@pytest.mark.parametrize(
    ("who", "body", "status", "code"),
    [
        ("Ada", "{", 400, "malformed_frame"),
        ("Ada", "", 400, "malformed_frame"),
        ("Ada", {"key": "k", "ply": "0", "action": {}}, 400, "malformed_frame"),
        ("Ada", {"key": "k", "ply": 0, "action": {"type": "choose", "card": 99}}, 422, "not_held"),
        ("Ada", {"key": "k", "ply": 0, "action": {"type": "fly"}}, 422, "malformed_action"),
        ("Eve", {"key": "k", "ply": 0, "action": {"type": "done"}}, 403, "not_seated"),
        (None, {"key": "k", "ply": 0, "action": {"type": "done"}}, 403, "not_seated"),
    ],
)
def test_refusals_over_http_have_code_and_status(browser, play, who, body, status, code):
    game = play("Ada", "Bob")
    response = post_json(browser(who), reverse("table_act", args=[game.id]), body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["reason"]
    assert game.table.ply == 0


def test_a_body_that_is_too_long_is_refused(browser, play):
    game = play("Ada", "Bob")
    body = {"key": "k", "text": "x" * 20_000}
    response = post_json(browser("Ada"), reverse("table_say", args=[game.id]), body)
    assert (response.status_code, response.json()["code"]) == (400, "malformed_frame")


def test_a_body_that_is_not_even_read_is_refused_in_words(browser, play):
    game = play("Ada", "Bob", "Cy")
    response = post_json(browser("Ada"), f"/tables/{game.id}/act", "x" * 3_000_000)
    assert (response.status_code, response.json()["code"]) == (400, "malformed_frame")


def test_a_post_without_the_sessions_token_is_refused_in_words(browser, play):
    game = play("Ada", "Bob", "Cy")
    client = browser("Ada", enforce_csrf_checks=True)
    response = client.post(
        f"/tables/{game.id}/act",
        "{}",
        content_type="application/json",
        headers={"accept": "application/json"},
    )
    assert (response.status_code, response.json()["code"]) == (403, "old_page")


@pytest.mark.parametrize("table_id", ["..", "%F0%9F%98%80", "K7QM 2WXP"])
def test_what_is_no_id_is_no_table(browser, table_id):
    assert browser().get(f"/tables/{table_id}/state").status_code == 404


def test_the_state_over_http_tells_what_was_missed(browser, play):
    game = play("Ada", "Bob")
    game.choose("Ada")
    url = reverse("table_state", args=[game.id])
    response = browser("Bob").get(url, {"ply": 0})
    assert [row["ply"] for row in response.json()["log"]] == [1]
    assert browser("Bob").get(url).json()["log_from"] == 0
    assert browser("Bob").get(url, {"ply": "x"}).status_code == 400
    assert browser("Bob").get(reverse("table_state", args=["XXXXXXXX"])).status_code == 404


def test_undo_check_say_and_moves_over_http(browser, play):
    game = play("Ada", "Bob", "Cy")
    client = browser("Ada")
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    checked = post_json(
        client, reverse("table_check", args=[game.id]), {"ply": 0, "action": action}
    )
    assert checked.json()["on"] == "checked"
    moves = client.get(reverse("table_moves", args=[game.id])).json()
    assert len(moves["moves"]["items"]) == len(set(game.hand("Ada")))
    game.choose("Ada")
    undone = post_json(client, reverse("table_undo", args=[game.id]), {"key": "u"})
    assert undone.json() == {"on": "ack", "key": "u", "ply": 2}
    said = post_json(client, reverse("table_say", args=[game.id]), {"key": "s", "text": "hello"})
    assert said.status_code == 200
    door = reverse("table_note", args=[game.id])
    noted = post_json(client, door, {"key": "n", "text": "Bob bluffs", "version": 0})
    assert noted.json() == {"on": "ack", "key": "n", "version": 1}
    for body, code in (
        ({"text": "x" * 4001}, (422, "bad_text")),
        ({"text": "Bob", "version": 0}, (409, "note_changed")),
        ({"text": 5}, (400, "malformed_frame")),
        ({"marks": {}}, (422, "bad_text")),
    ):
        refused = post_json(client, door, body)
        assert (refused.status_code, refused.json()["code"]) == code
    assert (
        client.get(reverse("table_state", args=[game.id])).json()["notes"]["text"] == "Bob bluffs"
    )


def test_leaving_returning_and_taking_over_by_form(browser, play):
    game = play("Ada", "Bob", "Cy")
    client = browser("Ada")
    assert client.post(reverse("leave_table", args=[game.id])).status_code == 302
    assert game.seat("Ada").zombie
    client.post(reverse("return_to_seat", args=[game.id]))
    assert not game.seat("Ada").zombie
    client.post(reverse("leave_table", args=[game.id]))
    seat, url = game.seat("Ada").index, reverse("take_over_seat", args=[game.id])
    assert browser("Eve").post(url, {"seat": "first"}).status_code == 400
    assert browser("Bob").post(url, {"seat": seat}).status_code == 409
    response = browser("Eve").post(url, {"seat": seat}, follow=True)
    assert payload_of(response)["you"] == seat
    assert client.post(reverse("return_to_seat", args=[game.id])).status_code == 403


def test_one_who_does_not_answer_is_set_aside_by_a_form(browser, play, time):
    game = play("Ada", "Bob", "Cy", pace="none")
    url, seat = reverse("set_aside", args=[game.id]), game.seat("Ada").index
    assert browser("Bob").post(url, {"seat": seat}).status_code == 409
    time.move(days=1)
    payload = payload_of(browser("Bob").get(game.table.get_absolute_url()))
    assert payload["may"]["set_aside"] == sorted(game.seat(name).index for name in ("Ada", "Cy"))
    assert browser("Bob").get(url).status_code == 405
    assert browser().post(url, {"seat": seat}).status_code == 403
    assert browser("Eve").post(url, {"seat": seat}).status_code == 403
    for sent in ("", "x", "-1", "²", "9" * 9):
        assert browser("Bob").post(url, {"seat": sent}).status_code == 400
    assert browser("Bob").post(url, {"seat": seat, "claim": "1"}).status_code == 409
    assert browser("Bob").post(url, {"seat": seat}).url == game.table.get_absolute_url()
    assert game.seat("Ada").zombie


def test_the_form_ends_a_game_of_two_whose_time_ran_out(browser, tiny, play, time):
    data = {"game": "tiny", "players": "2", "seat-1": "open", "pace": "live-5", "absence": "ask"}
    assert 'value="ask"' in browser("Ada").get(reverse("open_table"), data).content.decode()
    browser("Ada").post(reverse("open_table"), data)
    table = Table.objects.get()
    browser("Bob").post(reverse("join_table", args=[table.public_id]))
    seat = table.seats.get(user__username="Ada").index
    time.move(minutes=6)
    payload = payload_of(browser("Bob").get(table.get_absolute_url()))
    assert (payload["absence"], payload["may"]["claim"]) == ("ask", [seat])
    url = reverse("set_aside", args=[table.public_id])
    browser("Bob").post(url, {"seat": seat, "claim": "1"})
    payload = payload_of(browser("Ada").get(table.get_absolute_url()))
    assert (payload["status"], payload["seats"][seat]["result"]["rank"]) == ("finished", 2)


def test_a_closed_account_is_nobody(browser, play):
    game = play("Ada", "Bob")
    client, url = browser("Ada"), reverse("table_act", args=[game.id])
    body = {"key": "k1", "ply": 0, "action": {"type": "choose", "card": game.hand("Ada")[0]}}
    get_user_model().objects.filter(username="Ada").update(is_active=False)
    response = post_json(client, url, body)
    assert (response.status_code, response.json()["code"]) == (403, "not_seated")
    payload = payload_of(client.get(game.table.get_absolute_url()))
    assert (payload["you"], payload["view"]["hand"]) == (None, [])


def test_the_tables_script_gets_json(browser, play):
    game = play("Ada", "Bob")
    json_please = {"Accept": "application/json"}
    early = browser("Ada").post(reverse("rematch", args=[game.id]), headers=json_please)
    assert (early.status_code, early.json()["code"]) == (409, "not_playing")
    services.leave(table_id=game.id, player=game.people["Bob"])
    response = browser("Ada").post(reverse("rematch", args=[game.id]), headers=json_please)
    again = Table.objects.get(rematch_of__public_id=game.id)
    assert response.json() == {"url": again.get_absolute_url()}
    page = browser("Bob").get(game.table.get_absolute_url())
    assert payload_of(page)["rematch"] == again.get_absolute_url()


# -- lists --------------------------------------------------------------------------------------------


def test_my_tables_begin_with_the_soonest_deadline(browser, play, time):
    slow = play("Ada", "Bob", pace="7d")
    soon = play("Ada", "Cy", pace="12h")
    done = play("Ada", "Bob", pace="none")
    services.leave(table_id=done.id, player=done.people["Bob"])
    page = browser("Ada").get(reverse("my_tables")).content.decode()
    places = [page.index(f'id="table-{game.id}"') for game in (soon, slow, done)]
    assert places == sorted(places)
    assert "<title>(2) My tables" in page


def test_nobody_has_no_tables(browser):
    assert "You sit at no table" in browser().get(reverse("my_tables")).content.decode()
