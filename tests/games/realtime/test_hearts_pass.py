"""Hearts' pass by sockets: taken back and sent anew while the others choose; a seat taken again."""

import pytest

from games import services
from games.models import Table
from games.realtime.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ["Ada", "Bob", "Cy", "Dunya"]


async def test_a_pass_is_taken_back_and_made_anew(play, dial):
    game = await in_thread(lambda: play(*NAMES, game="hearts", absence=Table.ZOMBIE))
    sockets, hands = {}, {}
    for name in NAMES:
        sockets[name] = await dial(game, game.people[name], sync=None)
        await sockets[name].send(do="sync")
        hands[name] = (await sockets[name].next("state"))["view"]["hand"]
    ada, bob = sockets["Ada"], sockets["Bob"]

    async def choose(name, cards, ply, key):
        action = {"type": "pass", "cards": cards}
        await sockets[name].send(do="act", key=key, ply=ply, action=action)
        return await sockets[name].next("ack", "refused")

    assert (await choose("Ada", hands["Ada"][:3], 0, "a1"))["ply"] == 1
    assert (await choose("Bob", hands["Bob"][:3], 0, "b1"))["ply"] == 2
    await ada.send(do="undo", key="a2")
    assert await ada.next("ack", "refused") == {"on": "ack", "key": "a2", "ply": 3}
    await ada.send(do="undo", key="a2")  # sent again
    assert (await ada.next("ack", "refused"))["ply"] == 3
    frame = await bob.state(3)
    assert frame["view"]["has_passed"].count(True) == 1
    assert frame["undo"]

    await in_thread(lambda: services.leave(table_id=game.id, player=game.people["Ada"]))
    left = await ada.state(4)
    assert left["may"]["return"]
    assert (await choose("Ada", hands["Ada"][3:6], 4, "a3"))["code"] == "seat_left"
    await in_thread(lambda: services.come_back(table_id=game.id, player=game.people["Ada"]))
    back = await ada.state(5)
    assert (back["asked_at"], back["view"]["hand"]) == (5, hands["Ada"])

    assert (await choose("Cy", hands["Cy"][:3], 0, "c1"))["ply"] == 6
    assert (await choose("Ada", hands["Ada"][3:6], 4, "a4"))["code"] == "stale_view"
    assert (await choose("Ada", hands["Ada"][3:6], 5, "a5"))["ply"] == 7
    assert (await choose("Dunya", hands["Dunya"][:3], 0, "d1"))["ply"] == 8
    frame = await ada.state(8)
    assert (frame["view"]["phase"], frame["view"]["given"]) == ("play", hands["Ada"][3:6])
    await ada.send(do="undo", key="a6")
    assert (await ada.next("refused"))["code"] in ("nothing_to_undo", "stale_view")
