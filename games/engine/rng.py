"""Chance that anybody can check afterwards.

Draw number n of a stream is word ``n % 8`` of ``BLAKE2b(key=seed, data=n // 8)``: 64 bytes read as
eight little-endian 64-bit words, the counter written as 8 little-endian bytes. So the whole state
of a stream is one integer, ``position``: the number of the next draw. A number below n is taken by
rejection, so it is exactly uniform; a rejected word counts as a draw.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORDS = struct.Struct("<8Q")
_SPAN = 1 << 64


class Rng:
    """A stream of draws from a 256-bit ``seed``, from draw number ``position`` on."""

    __slots__ = ("_block", "_seed", "_words", "position")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        self._seed = seed
        self.position = position
        self._block = -1
        self._words: tuple[int, ...] = ()

    def word(self) -> int:
        """A whole number from 0 to 2**64 - 1; one draw."""
        block, index = divmod(self.position, 8)
        if block != self._block:
            digest = blake2b(block.to_bytes(8, "little"), key=self._seed).digest()
            self._words = _WORDS.unpack(digest)
            self._block = block
        self.position += 1
        return self._words[index]

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, all equally likely. ``n`` is at least 1."""
        if n < 1:
            raise ValueError("Nothing can be drawn from nothing.")
        limit = _SPAN - _SPAN % n
        while (word := self.word()) >= limit:
            pass
        return word % n

    def die(self, sides: int = 6) -> int:
        """One throw, 1 to ``sides``."""
        return self.below(sides) + 1

    def choice(self, things: Sequence[T]) -> T:
        """One of ``things``."""
        return things[self.below(len(things))]

    def shuffle(self, things: list[T]) -> None:
        """Put ``things`` in a random order, in place (Fisher and Yates, from the end)."""
        below = self.below
        for last in range(len(things) - 1, 0, -1):
            other = below(last + 1)
            things[last], things[other] = things[other], things[last]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """A new list of ``things`` in a random order."""
        out = list(things)
        self.shuffle(out)
        return out

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        """``count`` different places of ``things``, in random order."""
        return self.shuffled(things)[:count]

    def child(self, label: str) -> Rng:
        """Another stream, which tells nothing about this one: its seed is keyed by ``label``."""
        return Rng(child_seed(self._seed, label))


def child_seed(seed: bytes, label: str) -> bytes:
    """The seed of the stream ``label`` under ``seed``."""
    return blake2b(
        label.encode(), key=seed, digest_size=SEED_BYTES, person=b"parlour-stream"
    ).digest()


def seed_hash(seed: bytes) -> str:
    """What is public from the start: SHA-256 of the seed, 64 hexadecimal digits."""
    return sha256(seed).hexdigest()


def seed_from_int(number: int) -> bytes:
    """A seed for tests and playthroughs; a table's seed comes from the operating system."""
    return number.to_bytes(SEED_BYTES, "big")
