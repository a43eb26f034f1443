"""No frame of a socket tells anybody what they may not know; see ``tests/games/scenes.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.realtime import allowance
from games.realtime.frames import Frame
from games.realtime.threads import in_thread
from tests.games.conftest import Hands
from tests.games.scenes import MARK, SLUGS, Scene, Viewer, begin, takes, tried, twin

pytestmark = pytest.mark.django_db(transaction=True)

ANSWERS = ("state", "ack", "refused", "checked", "moves")


@pytest.fixture
def scene(
    play: Any, person: Any, time: Hands, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Scene]:
    """Begins a game of a slug and leaves it in its middle. Nobody is slowed down there."""
    monkeypatch.setattr(allowance, "BURST", 10_000)
    monkeypatch.setattr(allowance, "RATE", 1e9)
    return lambda slug: begin(slug, play, person, time)


@pytest.mark.parametrize("slug", SLUGS)
async def test_no_frame_tells_a_secret(
    slug: str, scene: Callable[[str], Scene], dial: Any, nudged: list[str]
) -> None:
    here = await in_thread(scene, slug)
    for viewer in here.viewers:
        frames = await in_thread(frames_to_send, here, viewer)
        before = await answers(dial, here, viewer, frames)
        swapped = twin(here, viewer)
        await in_thread(swapped.__enter__)
        try:
            after = await answers(dial, here, viewer, frames)
        finally:
            await in_thread(swapped.__exit__, None, None, None)
        for frame, told, again in zip(frames, before, after, strict=True):
            assert again == told, f"{viewer.role}: {frame}"
            own_note = f"{MARK} note of {viewer.role}".encode()
            assert MARK.encode() not in told.replace(own_note, b""), f"{viewer.role}: {frame}"


async def answers(
    dial: Any, scene: Scene, viewer: Viewer, frames: list[dict[str, Any]]
) -> list[bytes]:
    """What a socket of ``viewer`` hears, frame by frame."""
    socket = await dial(scene.game, viewer.user, sync=None)
    told = []
    for number, frame in enumerate(frames):
        key = f"frame-{number}"
        await socket.send(**{"key": key, **frame})
        while (found := await socket.next(*ANSWERS)).get("key") not in {key, None}:
            continue
        assert found.get("code") != "slow_down"
        told.append(msgspec.json.encode(found))
    await socket.close()
    return told


def frames_to_send(scene: Scene, viewer: Viewer) -> list[dict[str, Any]]:
    """Frames of every kind that change nothing at the table."""
    last = scene.table.ply
    frames: list[dict[str, Any]] = [{"do": "sync"}, {"do": "sync", "ply": last // 2}]
    frames += [{"do": "moves"}, {"do": "note", "text": "x" * 9000}, {"do": "say", "text": " "}]
    if viewer.seat is None or scene.match().undoable(viewer.seat) is None:
        frames.append({"do": "undo"})
    for action in tried(scene, viewer):
        frames.append({"do": "check", "ply": last, "action": action})
        if not takes(scene, viewer, action):
            frames.append({"do": "act", "ply": last, "action": action})
    return frames


async def test_what_is_said_to_all_has_no_more_than_it_says(
    play: Any, dial: Any, time: Hands
) -> None:
    """Chat and presence reach everybody in the same words."""
    game = await in_thread(play, "Ada", "Bob", "Cy")
    stranger = await dial(game)
    ada = await dial(game, game.people["Ada"])
    presence = await stranger.next("presence")
    assert set(presence) == {"on", "seats"}
    await ada.send(do="say", key="hello", text="Hello")
    chat = await stranger.next("chat")
    assert set(chat) == {"on", "message"}
    assert set(chat["message"]) == {"id", "name", "seat", "text", "at"}


def test_every_frame_is_sent(scene: Callable[[str], Scene]) -> None:
    here = scene("tiny")
    kinds = {kind.__struct_config__.tag for kind in Frame.__subclasses__()}
    assert kinds == {frame["do"] for frame in frames_to_send(here, here.viewers[-1])}
