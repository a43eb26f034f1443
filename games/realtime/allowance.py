"""How much one may send, and how many sockets one may hold open: bounds that a person at play never
meets. They are kept in the web process: each has its own."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from time import monotonic
from typing import Any

from games.errors import SlowDown, TooManySockets
from portal.visitor import network

RATE, BURST = 10.0, 30.0  # frames a second for long, and how many at once
PERSON_SOCKETS = 30
ADDRESS_SOCKETS = 2000  # a school or an office is one address
REMEMBERED = 10_000  # people and addresses whose allowance is kept


class Allowance:
    """What one sender may still send: ``BURST`` at once, ``RATE`` a second for long."""

    def __init__(self) -> None:
        self.left, self.at, self.told = BURST, monotonic(), False

    def take(self) -> bool:
        """Take one. Raises ``SlowDown`` where none is left, once: after that False, without a word,
        until a second's worth is there again. So a flood is answered with a line a second."""
        now = monotonic()
        self.left, self.at = min(BURST, self.left + (now - self.at) * RATE), now
        if self.told and self.left < min(RATE, BURST):
            return False
        self.told = self.left < 1
        if self.told:
            raise SlowDown
        self.left -= 1
        return True


class Allowances:
    """The allowances of many senders, by name; those not heard of for longest are forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, sender: str) -> None:
        """Take one of ``sender``'s. Raises ``SlowDown`` where none is left."""
        with self._lock:
            allowance = self._of.setdefault(sender, Allowance())
            self._of.move_to_end(sender)
            if len(self._of) > REMEMBERED:
                self._of.popitem(last=False)
            if not allowance.take():
                raise SlowDown


class Crowd:
    """The sockets that are open here, counted by person and by address."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enter(self, names: Mapping[str, int]) -> None:
        """Count one more socket under each of ``names``, which may have so many. Raises
        ``TooManySockets`` where one of them has; then nothing is counted."""
        if any(self._open[name] >= most for name, most in names.items()):
            raise TooManySockets
        self._open.update(list(names))

    def leave(self, names: Mapping[str, int]) -> None:
        """One socket less under each of ``names``."""
        self._open.subtract(list(names))
        for name in names:
            if self._open[name] <= 0:
                del self._open[name]


def sender(user: Any, address: str) -> str:
    """Whose allowance counts: that of the person; of somebody not logged in, that of the address."""
    if user is not None and user.is_authenticated:
        return f"person {user.pk}"
    return f"address {network(address)}"


def socket_owners(user: Any, address: str) -> dict[str, int]:
    """Under which names a socket counts, and how many each may have."""
    return {
        sender(user, address): PERSON_SOCKETS,
        f"address {network(address)}": ADDRESS_SOCKETS,
    }
