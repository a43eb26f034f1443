from __future__ import annotations

import struct
from collections import Counter
from hashlib import blake2b, sha256

import pytest

from games.engine.rng import Rng, child_seed, seed_from_int, seed_hash

SEED = seed_from_int(42)


def test_a_draw_is_the_keyed_hash_that_the_docs_promise() -> None:
    rng = Rng(SEED, position=11)
    digest = blake2b((1).to_bytes(8, "little"), key=SEED).digest()
    assert rng.word() == struct.unpack("<8Q", digest)[3]
    assert rng.position == 12


def test_a_stream_goes_on_from_its_position() -> None:
    rng = Rng(SEED)
    drawn = [rng.below(1000) for _ in range(40)]
    again = Rng(SEED, position=17)
    assert [again.below(1000) for _ in range(5)] == drawn[17:22]


def test_numbers_are_uniform() -> None:
    rng = Rng(SEED)
    counts = Counter(rng.die() for _ in range(12_000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert sum((n - 2000) ** 2 / 2000 for n in counts.values()) < 20.5  # chi square, 5 d.f., 0.1 %


def test_a_shuffle_keeps_every_card_and_every_order_comes() -> None:
    rng = Rng(SEED)
    orders = Counter(tuple(rng.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert min(orders.values()) > 880


def test_children_tell_nothing_of_each_other() -> None:
    assert len({child_seed(SEED, label) for label in ("a", "b", "c")} | {SEED}) == 4
    assert Rng(SEED).child("a").word() == Rng(SEED).child("a").word()


def test_the_public_hash_is_sha256_of_the_seed() -> None:
    assert seed_hash(SEED) == sha256(SEED).hexdigest()


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Rng(b"short")
    with pytest.raises(ValueError, match="nothing"):
        Rng(SEED).below(0)
