"""No payload tells anybody what they may not know: every address, every viewer, every kind of payload.

Each answer that a viewer gets must be the same, to the byte, at a table and at its twin, where all that
is secret to that viewer is something else (``tests/games/scenes.py``). Sockets are asked in
``tests/games/realtime/test_leaks.py``. Which kinds and which viewers are covered stands in
docs/architecture.md, "Secrets"; tests hold that list to this file, and this file to the site's addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, resolve

import games.urls
import portal.urls
from games import hooks, services, tasks
from games.engine import Rng, all_games, seed_from_int
from games.models import Table
from games.realtime import allowance
from games.services import hints
from tests.games.conftest import Hands
from tests.games.scenes import (
    MARK,
    SLUGS,
    STRANGERS,
    VIEWERS,
    Scene,
    Viewer,
    begin,
    go_on,
    roles_of,
    takes,
    tried,
    twin,
)

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[2] / "docs" / "architecture.md"


@pytest.fixture
def scene(
    play: Any, person: Any, time: Hands, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Scene]:
    """Begins a game of a slug and leaves it in its middle. Nobody is slowed down there."""
    monkeypatch.setattr(allowance, "BURST", 10_000)
    monkeypatch.setattr(allowance, "RATE", 1e9)
    return lambda slug: begin(slug, play, person, time)


# -- what is asked ---------------------------------------------------------------------------


@dataclass
class Question:
    """One request. ``kind`` is what the documentation calls the payload."""

    kind: str
    path: str
    data: Any = None  # JSON of a POST
    form: bool = False  # a form, which may change the table: it is taken back


def questions(scene: Scene, viewer: Viewer) -> Iterator[Question]:
    """Everything that depends on the rules."""
    table = scene.table
    at, last = f"/tables/{table.public_id}/", table.ply
    yield Question("page", at)
    yield Question("page", f"{at}?plain")
    yield Question("state", f"{at}state")
    for since in (last // 2, last):
        yield Question("state since a ply", f"{at}state?ply={since}")
    yield Question("moves", f"{at}moves")
    yield Question("refused: hint", f"{at}hint")  # there is a time limit
    yield Question("past", f"{at}past/{last}")
    yield Question("refused: past with everything open", f"{at}past/{last}?open=1")
    yield Question("refused: export", f"{at}export")
    yield Question("refused: export", f"{at}export?as=playthrough")
    for action in tried(scene, viewer):
        yield Question("checked, and refused: check", f"{at}check", {"ply": last, "action": action})
        if not takes(scene, viewer, action):
            body = {"ply": last, "key": "tried", "action": action}
            yield Question("refused: act", f"{at}act", body)


def questions_of_the_site(scene: Scene, viewer: Viewer) -> Iterator[Question]:
    """Everything around the table, which is the same for all games."""
    table = scene.table
    at = f"/tables/{table.public_id}/"
    yield Question("refused: act", f"{at}act", {"ply": 0, "key": "old", "action": {"type": "done"}})
    yield Question("refused: act", f"{at}act", {"ply": "x"})
    if viewer.seat is None or scene.match().undoable(viewer.seat) is None:
        yield Question("refused: undo", f"{at}undo", {"key": "back"})
    yield Question("note", f"{at}note", {"text": "mine"}, form=True)
    yield Question("note", f"{at}note", {"text": "x" * 9000})
    yield Question("chat", f"{at}say", {"text": "Hello", "key": "hello"}, form=True)
    for name in ("join", "leave", "start", "fill", "return", "again"):
        yield Question("forms of the table", f"{at}{name}/", {}, form=True)
    for seat in range(table.seats.count()):
        yield Question(
            "forms of the table", f"{at}take-over/?seat={seat}", {"seat": seat}, form=True
        )
        yield Question(
            "forms of the table", f"{at}set-aside/", {"seat": seat, "claim": 1}, form=True
        )
    yield Question("forms that open a table", "/tables/new/?game=tiny")
    yield Question("lobby and home", "/")
    yield Question("lobby and home", "/open-tables/")
    yield Question("shelf and game pages", "/games/")
    yield Question("shelf and game pages", f"/games/{table.game}/")
    yield Question("own tables", "/tables/")
    yield Question("next table that waits", "/tables/waiting")
    yield Question("next table that waits", f"/tables/next?after={table.public_id}")
    for seat in table.seats.all():
        yield Question("people", f"/people/{seat.name}/")
    yield Question("wiki and its feeds", "/wiki/")
    yield Question("wiki and its feeds", "/wiki/changes/feed/")
    yield Question("about", "/about/")


TIMES = ("Expires", "Last-Modified", "Date")
RANDOM = [
    re.compile(rb'name="csrfmiddlewaretoken" value="\w+"'),
    re.compile(rb'"X-CSRFToken": ?"\w+"'),
    re.compile(rb"&quot;X-CSRFToken&quot;: ?&quot;\w+&quot;"),
]


def answer(viewer: Viewer, question: Question) -> bytes:
    """Status, headers and body as one text, without what is random by design."""
    client = viewer.client if viewer.user is not None else Client()
    with transaction.atomic():
        if question.data is None:
            response = client.get(question.path)
        elif question.form and not question.path.endswith(("note", "say")):
            response = client.post(
                question.path, question.data, headers={"Accept": "application/json"}
            )
        else:
            response = client.post(question.path, question.data, content_type="application/json")
        transaction.set_rollback(question.form)
    assert response.status_code < 429, f"{question.path}: {response.status_code}"
    body = response.content
    for pattern in RANDOM:
        body = pattern.sub(b"", body)
    headers = sorted(
        f"{name}: {value}" for name, value in response.headers.items() if name not in TIMES
    )
    return f"{response.status_code}\n{headers}\n".encode() + body


def assert_blind(scene: Scene, viewer: Viewer, asked: list[Question]) -> None:
    """``viewer`` hears the same at the table and at its twin, and nothing of what is planted."""
    true = [answer(viewer, question) for question in asked]
    with twin(scene, viewer):
        for question, before in zip(asked, true, strict=True):
            assert answer(viewer, question) == before, f"{viewer.role}: {question}"
    own_note = f"{MARK} note of {viewer.role}".encode()
    seed = bytes(scene.table.seed).hex().encode()
    for question, before in zip(asked, true, strict=True):
        assert MARK.encode() not in before.replace(own_note, b""), f"{viewer.role}: {question}"
        assert seed not in before, f"{viewer.role}: {question}"


# -- the tests -------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_no_answer_tells_a_secret(slug: str, scene: Callable[[str], Scene]) -> None:
    here = scene(slug)
    assert_a_twin_is_another_table(here)
    for viewer in here.viewers:
        assert_blind(here, viewer, list(questions(here, viewer)))


def assert_a_twin_is_another_table(scene: Scene) -> None:
    """What is swapped for a stranger is told to those who may know it: a leak would be seen."""
    question = Question("state", f"/tables/{scene.game.id}/state")
    stranger, seated = scene.viewers[-1], [one for one in scene.viewers if one.seat is not None]
    match = scene.match()
    true = [match.game.view(match.state, viewer.seat) for viewer in seated]
    before = [answer(viewer, question) for viewer in seated]
    with twin(scene, stranger):
        other = scene.match().state
        assert other != match.state
        for viewer, view, told in zip(seated, true, before, strict=True):
            if match.game.view(other, viewer.seat) != view:
                assert answer(viewer, question) != told, f"{viewer.role} is not told"


def test_nothing_around_the_table_tells_a_secret(scene: Callable[[str], Scene]) -> None:
    here = scene("tiny")
    for viewer in here.viewers:
        assert_blind(here, viewer, list(questions_of_the_site(here, viewer)))


@pytest.mark.parametrize("slug", SLUGS)
def test_looking_back_tells_no_secret(
    slug: str, scene: Callable[[str], Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every row: the position there is another one that looked the same to who looks back."""
    here = scene(slug)
    match_at, rng, swapped = services.match_at, here.rng, False
    for viewer in here.viewers:
        at = f"/tables/{here.game.id}/"
        asked = [Question("past", f"{at}past/{ply}") for ply in range(here.table.ply + 1)]
        asked += [Question("page that looks back", f"{at}?ply={here.table.ply // 2}")]
        true = [answer(viewer, question) for question in asked]

        def elsewhere(table: Table, seats: int, ply: int, viewer: Viewer = viewer) -> Any:
            nonlocal swapped
            match = match_at(table, seats, ply)
            other = match.game.resample(match.state, viewer.seat_at(ply), rng)
            swapped |= other != match.state
            match.state = other
            return match

        monkeypatch.setattr(services, "match_at", elsewhere)
        for question, before in zip(asked, true, strict=True):
            assert answer(viewer, question) == before, f"{viewer.role}: {question}"
        monkeypatch.setattr(services, "match_at", match_at)
        assert MARK.encode() not in b"".join(true[:-1])
    assert swapped


@pytest.mark.parametrize("slug", [slug for slug, game in all_games().items() if game.advises])
def test_a_hint_tells_no_secret(
    slug: str, scene: Callable[[str], Scene], time: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the game's search finds is told to the seat that is asked, and depends on nothing hidden."""
    here = scene(slug)
    while not any(viewer.seat in here.match().keys for viewer in here.viewers):
        go_on(here.game, here.rng, time, 1)
    Table.objects.filter(public_id=here.game.id).update(pace="none")
    monkeypatch.setattr(
        hints,
        "call_adviser",
        lambda table_id, ply, seat: services.find_hint(table_id=table_id, ply=ply, seat=seat),
    )
    question = Question("hint", f"/tables/{here.game.id}/hint")

    def told(viewer: Viewer) -> bytes:
        cache.clear()
        return answer(viewer, question)

    for viewer in here.viewers:
        before = told(viewer)
        assert (b'"ready": true' in before) == (viewer.seat in here.match().keys), viewer.role
        with twin(here, viewer):
            assert told(viewer) == before, viewer.role


def test_mail_tells_no_secret(
    play: Any,
    time: Hands,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(hooks, "_mail_address", lambda user: f"{user.username}@example.org")
    game = play("Ada", "Bob", "Cy", pace="1d")
    game.choose("Ada")
    time.move(minutes=5)
    viewers = [Viewer(name, user, game.seat(name).index) for name, user in game.people.items()]
    here = Scene(game, viewers, Rng(seed_from_int(7)))

    def told(viewer: Viewer) -> list[tuple[str, str]]:
        mail.outbox.clear()
        with transaction.atomic():
            with django_capture_on_commit_callbacks(execute=True):
                tasks.tell_people()
            transaction.set_rollback(True)
        to = f"{viewer.role}@example.org"
        return [(one.subject, str(one.body)) for one in mail.outbox if to in one.to]

    for viewer in viewers:
        before = told(viewer)
        assert bool(before) == (viewer.role != "Ada")
        with twin(here, viewer):
            assert told(viewer) == before


def test_the_seed_is_told_at_the_end_and_not_before(scene: Callable[[str], Scene]) -> None:
    """A finished game is open: view, seed and export say all, to everybody but for notes."""
    here = scene("tiny")
    stranger, seed = here.viewers[-1], bytes(here.table.seed).hex()
    assert here.table.seed_hash.encode() in answer(
        stranger, Question("", f"/tables/{here.game.id}/")
    )
    Table.objects.filter(public_id=here.game.id).update(absence=Table.FORFEIT)
    services.leave(table_id=here.game.id, player=here.viewers[0].user)
    for path in ("state", "export", "past/2?open=1", ""):
        told = answer(stranger, Question("", f"/tables/{here.game.id}/{path}"))
        assert told.startswith(b"200"), told[:300]
        assert MARK.encode() not in told
        assert (seed.encode() in told) == (not path.startswith("past"))


# -- what is covered -------------------------------------------------------------------------


ELSEWHERE = {
    "play_now": "opens another table",
    "block_person": "between two people, knows no table",
    "preferences": "of a person, knows no table",
    "switch": "of a person, knows no table",
    "unblock_person": "between two people, knows no table",
    "account_change_password": "knows no table",
    "account_email": "knows no table",
    "account_login": "knows no table",
    "account_set_password": "knows no table",
    "account_signup": "knows no table",
    "healthz": "knows no table",
    "api_tokens": "of a person, knows no table",
    "blocks": "of people and addresses, knows no table",
    "api_token_revoke": "of a person, knows no table",
}


def test_every_address_is_asked(scene: Callable[[str], Scene]) -> None:
    here = scene("tiny")
    viewer = here.viewers[-1]
    asked = {
        resolve(question.path.partition("?")[0]).url_name
        for question in [*questions(here, viewer), *questions_of_the_site(here, viewer)]
    }
    known = {pattern.name for pattern in games.urls.urlpatterns}
    known |= {
        pattern.name for pattern in portal.urls.urlpatterns if isinstance(pattern, URLPattern)
    }
    assert not known - asked - set(ELSEWHERE), "a new address: ask it above, or say why not"


def test_the_documentation_lists_what_is_covered(scene: Callable[[str], Scene]) -> None:
    here = scene("tiny")
    kinds = {
        question.kind
        for viewer in here.viewers
        for question in [*questions(here, viewer), *questions_of_the_site(here, viewer)]
    }
    kinds |= {"hint", "past", "page that looks back", "mail", "every frame of the socket"}
    told = DOCS.read_text().partition("## Secrets")[2].partition("\n## ")[0]
    listed = {
        name: {
            " ".join(item.split())
            for item in told.partition(f"\n{name}: ")[2].partition(".")[0].split(";")
        }
        for name in ("Payloads", "Viewers")
    }
    assert listed == {"Payloads": kinds, "Viewers": set(VIEWERS)}
    seated = {role for slug in SLUGS for role in roles_of(slug)} & set(VIEWERS)
    assert seated | {"newcomer to a seat", *STRANGERS} == set(VIEWERS)
