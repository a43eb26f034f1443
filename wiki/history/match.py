"""Which items two sequences have in common, in bounded time.

``difflib`` is exact and cubic at its worst; one request could block a worker. Hence: equal ends are
cut off; what is left goes to ``difflib`` where it is small, else it is parted at items that occur
once on each side (the longest rising run of them) and each part is matched by itself. All together
take no more than a number of steps, partings included, since a text can be made to fall apart one
item at a time; what is not matched by then counts as changed.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise

Block = tuple[int, int, int]  # start in a, start in b, length
SMALL = 250_000  # product of the lengths up to which difflib is asked
STEPS = 1_000_000
PER_PART = 100  # steps that it costs to ask difflib at all


class Steps:
    """How many items and pairs of equal items may still be looked at, in one or more comparisons."""

    def __init__(self, left: int = STEPS) -> None:
        self.left = left

    def spend(self, count: int) -> bool:
        """Take ``count`` steps; False: there are not so many left, and there is no more to take."""
        self.left -= count
        return self.left >= 0


class BoundedDifflib(SequenceMatcher):
    """``difflib`` that finds nothing more once its steps are used up."""

    def __init__(
        self,
        junk: Callable[[Hashable], bool] | None,
        a: Sequence[Hashable],
        b: Sequence[Hashable],
        steps: Steps,
    ) -> None:
        self.steps = steps
        super().__init__(junk, a, b, autojunk=False)

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        places = self.b2j
        pairs = sum(len(places.get(item, ())) for item in self.a[alo:ahi])
        if not self.steps.spend(ahi - alo + pairs):
            return Match(alo, blo, 0)
        return super().find_longest_match(alo, ahi, blo, bhi)


def matching_blocks(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    junk: Callable[[Hashable], bool] | None = None,
    steps: Steps | None = None,
) -> list[Block]:
    """Common blocks of ``a`` and ``b`` in rising order, none touching the next on both sides.

    ``junk`` items are matched only beside others. ``steps`` are shared by several comparisons.
    """
    steps = steps or Steps()
    blocks: list[Block] = []
    todo = [(0, len(a), 0, len(b))]
    while todo:
        low_a, high_a, low_b, high_b = todo.pop()
        shorter = min(high_a - low_a, high_b - low_b)
        start = 0
        while start < shorter and a[low_a + start] == b[low_b + start]:
            start += 1
        end = 0
        while end < shorter - start and a[high_a - end - 1] == b[high_b - end - 1]:
            end += 1
        blocks += [(low_a, low_b, start), (high_a - end, high_b - end, end)]
        low_a, low_b, high_a, high_b = low_a + start, low_b + start, high_a - end, high_b - end
        if low_a == high_a or low_b == high_b or high_a - low_a == high_b - low_b == 1:
            continue  # nothing is left, or one item on each side, which differ
        small = (high_a - low_a) * (high_b - low_b) <= SMALL
        if not steps.spend(PER_PART if small else high_a - low_a + high_b - low_b):
            continue
        if small:
            part = BoundedDifflib(junk, a[low_a:high_a], b[low_b:high_b], steps)
            blocks.extend((low_a + x, low_b + y, n) for x, y, n in part.get_matching_blocks() if n)
            continue
        pins = unique_common(a, b, (low_a, high_a), (low_b, high_b))
        if pins:
            edges = [(low_a - 1, low_b - 1), *pins, (high_a, high_b)]
            blocks.extend((x, y, 1) for x, y in pins)
            for (x, y), (next_x, next_y) in pairwise(edges):
                todo.append((x + 1, next_x, y + 1, next_y))
    return joined(sorted(block for block in blocks if block[2]))


def unique_common(
    a: Sequence[Hashable], b: Sequence[Hashable], in_a: tuple[int, int], in_b: tuple[int, int]
) -> list[tuple[int, int]]:
    """The longest rising run of places of items that occur once in each of the two ranges."""
    count_a, count_b = Counter(a[slice(*in_a)]), Counter(b[slice(*in_b)])
    place_b = {b[y]: y for y in range(*in_b) if count_b[b[y]] == 1}
    pairs = [(x, place_b[a[x]]) for x in range(*in_a) if count_a[a[x]] == 1 and a[x] in place_b]
    tails: list[int] = []  # smallest last place in b of a run of each length
    tops: list[int] = []  # its index in pairs
    before: list[int] = []  # for each pair, the index of the one before it in its run, or -1
    for index, (_x, y) in enumerate(pairs):
        length = bisect_left(tails, y)
        before.append(tops[length - 1] if length else -1)
        tails[length : length + 1] = [y]
        tops[length : length + 1] = [index]
    run, index = [], tops[-1] if tops else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]


def joined(blocks: list[Block]) -> list[Block]:
    """``blocks`` with those made one that follow each other on both sides."""
    result: list[Block] = []
    for x, y, length in blocks:
        if result and result[-1][0] + result[-1][2] == x and result[-1][1] + result[-1][2] == y:
            result[-1] = (result[-1][0], result[-1][1], result[-1][2] + length)
        else:
            result.append((x, y, length))
    return result


class BoundedMatcher:
    """``matching_blocks`` in the shape that ``merge3`` asks of a sequence matcher."""

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable], steps: Steps) -> None:
        self.a, self.b, self.steps = a, b, steps

    def get_matching_blocks(self) -> list[Block]:
        blocks = matching_blocks(self.a, self.b, steps=self.steps)
        return [*blocks, (len(self.a), len(self.b), 0)]
