"""Which known words may have been meant by a word that finds little."""

from collections.abc import Iterable, Sequence

BEST = 5  # of the words that may be meant, by one word


def allowed(word: str) -> int:
    """How many letters of ``word`` may be wrong, missing, too many, or two of them swapped."""
    return 1 if len(word) < 6 else 2


def closest(words: Sequence[str], known: Iterable[str]) -> dict[str, list[str]]:
    """For each of ``words`` those of ``known`` that differ least from it, at most ``BEST``.

    >>> closest(["machiaveli"], ["machiavelli", "machine"])
    {'machiaveli': ['machiavelli']}
    """
    known = list(known)
    result: dict[str, list[str]] = {}
    for word in words:
        most = allowed(word)
        by_distance = sorted(
            (away, other)
            for other in known
            if other != word and (away := distance(word, other, most)) <= most
        )
        least = by_distance[0][0] if by_distance else 0
        result[word] = [other for away, other in by_distance if away == least][:BEST]
    return result


def distance(one: str, two: str, most: int) -> int:
    """How many letters are changed, added, taken away or swapped with their neighbour from ``one`` to
    ``two``; something above ``most`` where it is more than that.

    >>> distance("dnpu", "dnup", 2), distance("hearts", "artichokes", 2)
    (1, 3)
    """
    if abs(len(one) - len(two)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(two) + 1))
    for index, letter in enumerate(one, start=1):
        before, last, row = row, before, [index]
        for at, other in enumerate(two, start=1):
            steps = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != other))
            if index > 1 and at > 1 and letter == two[at - 2] and one[index - 2] == other:
                steps = min(steps, last[at - 2] + 1)
            row.append(steps)
        if min(row) > most:
            return most + 1
    return row[-1]
