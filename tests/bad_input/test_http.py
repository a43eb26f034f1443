"""Bad input at the doors for JSON and for forms of a table: status, code, sentence; nothing changed."""

import gzip
import json

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import services
from games.models import Table
from games.realtime import allowance
from tests.bad_input.frames import ACTIONS, FRAMES

pytestmark = pytest.mark.django_db

NEW = {"game": "tiny", "players": "2", "seat-1": "bot", "pace": "none", "absence": ""}


@pytest.fixture
def unhurried(monkeypatch):
    """No request comes too fast."""
    monkeypatch.setattr(allowance, "BURST", 10_000)


@pytest.fixture
def browser(person):
    """A browser in which the person of a name is logged in; None: a stranger's."""

    def make(name=None):
        client = Client()
        if name is not None:
            client.force_login(person(name))
        return client

    return make


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


def post(client, door, game, body, **how):
    sent = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(
        reverse(f"table_{door}", args=[game.id]), sent, content_type="application/json", **how
    )


def assert_refused(response, status, code, name=""):
    frame = response.json()
    assert (response.status_code, frame["on"], frame["code"]) == (status, "refused", code), name
    assert frame["reason"].endswith((".", "?")), name


def bodies(do):
    """The bad frames that are bad bodies of ``do`` too: the address stands for the kind."""
    named = {name: text for name, text in FRAMES.items() if f'"do": "{do}"' in text}
    return named | {name: FRAMES[name] for name in ("nothing", "a brace", "null", "a list", "NaN")}


@pytest.mark.parametrize("door", ["act", "undo", "check", "say"])
def test_every_bad_body_is_refused(browser, game, unhurried, door):
    client = browser("Ada")
    for name, body in bodies(door).items():
        assert_refused(post(client, door, game, body), 400, "malformed_frame", name)
    assert (game.table.ply, game.table.chat.count()) == (0, 0)


def test_what_is_no_json_by_its_kind_is_refused(browser, game):
    client, url = browser("Ada"), reverse("table_act", args=[game.id])
    body = json.dumps({"key": "k", "ply": 0, "action": {"type": "done"}})
    for data, kind in (
        ({"key": "k", "ply": "0"}, "multipart/form-data; boundary=BoUnDaRyStRiNg"),
        ("key=k&ply=0", "application/x-www-form-urlencoded"),
        (gzip.compress(body.encode()), "application/json"),
        (body.encode("utf-16"), "application/json"),
        (b"\xff\xfe\xfd", "application/json"),
        (b"\xef\xbb\xbf" + body.encode(), "application/json"),
    ):
        assert_refused(client.post(url, data, content_type=kind), 400, "malformed_frame", kind)
    form = client.post(url, {"key": "k"}, headers={"Content-Encoding": "gzip"})
    assert_refused(form, 400, "malformed_frame")


def test_every_bad_action_is_refused(browser, game, unhurried):
    client = browser("Ada")
    for name, action in ACTIONS.items():
        body = {"key": "k", "ply": 0, "action": action}
        assert_refused(post(client, "act", game, body), 422, "malformed_action", name)
        assert_refused(post(client, "check", game, body), 422, "malformed_action", name)
    assert game.table.ply == 0


def test_a_key_stands_for_one_order_over_http_too(browser, game):
    client = browser("Ada")
    first, other = ({"type": "choose", "card": card} for card in (game.hand("Ada")[0], 99))
    body = {"key": "k", "ply": 0, "action": first}
    assert [post(client, "act", game, body).json()["ply"] for _ in range(2)] == [1, 1]
    assert_refused(post(client, "act", game, body | {"action": other}), 409, "key_used")
    assert_refused(post(client, "undo", game, {"key": "k"}), 409, "key_used")
    assert game.table.ply == 1


def test_who_does_not_sit_there_may_do_nothing(browser, game):
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    for client in (browser(), browser("Eve")):
        for door, body in (
            ("act", {"key": "k", "ply": 0, "action": action}),
            ("check", {"ply": 0, "action": action}),
            ("undo", {"key": "k"}),
            ("say", {"key": "k", "text": "psst"}),
        ):
            assert_refused(post(client, door, game, body), 403, "not_seated", door)
    assert (game.table.ply, game.table.chat.count()) == (0, 0)


def test_a_flood_of_one_hinders_nobody_else(browser, game, monkeypatch):
    now = [allowance.monotonic()]
    monkeypatch.setattr(allowance, "monotonic", lambda: now[0])
    ada, bob = browser("Ada"), browser("Bob")
    codes = [post(ada, "undo", game, {"key": f"k{n}"}).status_code for n in range(40)]
    assert codes == [422] * 30 + [429] * 10
    assert_refused(post(ada, "undo", game, {"key": "k"}), 429, "slow_down")
    said = post(bob, "say", game, {"key": "k", "text": "hello"})
    assert said.json()["on"] == "ack"
    assert ada.get(reverse("table_state", args=[game.id])).status_code == 200
    now[0] += 1
    assert post(ada, "undo", game, {"key": "k"}).status_code == 422


@pytest.mark.parametrize("ply", ["-1", "x", "1.5", "9" * 30, "true", "٣", " ", "0x1", "null"])
def test_a_ply_that_is_none_is_refused(browser, game, ply):
    response = browser("Ada").get(reverse("table_state", args=[game.id]), {"ply": ply})
    assert_refused(response, 400, "malformed_frame")


# -- forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["", "-1", "x", "1.5", "²", "٣", "9" * 9, "1 ", "null"])
def test_a_seat_that_is_no_number_is_refused(browser, game, seat):
    for name in ("take_over_seat", "set_aside"):
        response = browser("Bob").post(
            reverse(name, args=[game.id]), {"seat": seat}, headers={"Accept": "application/json"}
        )
        assert_refused(response, 400, "malformed_frame", name)


def test_a_seat_that_is_not_there_is_refused(browser, game):
    json_please = {"Accept": "application/json"}
    for name, who, code in (
        ("take_over_seat", "Eve", "seat_taken"),
        ("set_aside", "Bob", "not_absent"),
    ):
        url = reverse(name, args=[game.id])
        for sent in ({"seat": "99"}, {"seat": "99", "claim": "1"}):
            response = browser(who).post(url, sent, headers=json_please)
            assert_refused(response, 409, code, name)
        page = browser(who).post(url, {"seat": "99"})
        assert page.status_code == 409
        assert game.table.get_absolute_url() in page.content.decode()
    assert game.table.ply == 0


@pytest.mark.parametrize(
    "forged",
    [
        {"pace": "bullet"},
        {"pace": ""},
        {"pace": "\x01"},
        {"absence": "shame"},
        {"seat-1": "person"},
        {"seat-1": "zombie"},
        {"seat-1": "Ada"},
        {"option-high": "10"},
        {"option-high": "nine"},
        {"option-high": "9.0"},
        {"option-high": "[9]"},
        {"option-high": "x" * 10_000},
    ],
)
def test_a_forged_form_opens_no_table(browser, tiny, forged):
    response = browser("Ada").post(reverse("open_table"), NEW | forged)
    assert response.status_code == 422
    assert "New table" in response.content.decode()
    assert not Table.objects.exists()


@pytest.mark.parametrize("slug", ["chess", "../hearts", "hearts\x01", "HEARTS", "rules", "x" * 500])
def test_a_game_that_is_none_opens_no_table(browser, slug):
    response = browser("Ada").post(reverse("open_table"), NEW | {"game": slug})
    assert response.status_code == 404
    assert "There is no game called" in response.content.decode()
    assert not Table.objects.exists()


def test_forms_of_another_site_change_nothing(browser, game, person):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("Ada"))
    for name in ("leave_table", "take_over_seat", "set_aside", "rematch"):
        url = reverse(name, args=[game.id])
        assert strict.post(url, {"seat": "0"}).status_code == 403
    assert strict.post(reverse("play_now", args=["tiny"])).status_code == 403
    assert strict.post(reverse("open_table"), NEW).status_code == 403
    assert_refused(post(strict, "act", game, {}), 403, "old_page")
    assert (game.table.ply, Table.objects.count()) == (0, 1)


def test_an_id_is_read_as_people_write_it(browser, game):
    dashed = f"{game.id[:4]}-{game.id[4:]}".lower()
    assert browser("Ada").get(f"/tables/{dashed}/state").json()["id"] == game.id
    assert browser("Ada").get(f"/tables/{dashed}/").url == f"/tables/{game.id}/"
    for other in (game.id[:7], game.id + "2", f"{game.id}%2F", f"'{game.id}"):
        assert browser("Ada").get(f"/tables/{other}/state").status_code == 404, other


def test_a_table_that_is_over_or_not_begun_takes_no_forms(browser, play, tiny, person):
    over = play("Ada", "Bob")
    services.leave(table_id=over.id, player=over.people["Bob"])
    json_please = {"Accept": "application/json"}
    for name, who, code in (
        ("join_table", "Eve", "not_open"),
        ("start_table", "Ada", "not_open"),
        ("fill_table", "Ada", "not_open"),
        ("leave_table", "Ada", "not_playing"),
        ("return_to_seat", "Ada", "not_playing"),
    ):
        response = browser(who).post(reverse(name, args=[over.id]), headers=json_please)
        assert_refused(response, 409, code, name)
    early = services.open_table(player=person("Cy"), game="tiny", seats=["open"])
    for name in ("return_to_seat", "rematch"):
        url = reverse(name, args=[early.public_id])
        assert_refused(browser("Cy").post(url, headers=json_please), 409, "not_playing", name)


def test_limits_are_above_our_own():
    """Django would refuse a body first where its limit is the lower one, and without our words."""
    from games.realtime.frames import LONGEST
    from portal.web import WS_MAX_SIZE

    assert LONGEST < WS_MAX_SIZE < settings.DATA_UPLOAD_MAX_MEMORY_SIZE
