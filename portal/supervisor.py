"""Child processes that live and die together.

Each child leads a process group of its own, so that a terminal's Ctrl-C reaches the supervisor
only, and ends when the supervisor is killed (Linux: the kernel tells it).
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import FrameType

STOP_SECONDS = 8.0  # for a child to end by itself before its group is killed
LOOK_SECONDS = 0.1  # between two looks whether every child lives
PR_SET_PDEATHSIG = 1


class ChildEnded(Exception):
    """A child ended though nobody told it to."""


def describe_end(code: int) -> str:
    """An exit status in words; negative ones are signals."""
    return f"status {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def die_with_parent() -> Callable[[], None] | None:
    """What a child of this process runs first, so that it ends when its parent is killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def first() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it was killed just now
            os._exit(1)

    return first


class Supervisor:
    """Starts children, waits until it is told to stop or one of them ends, stops the rest."""

    def __init__(self, *, env: Mapping[str, str]) -> None:
        self.env = env  # of every child
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.told_to_stop = threading.Event()

    def listen(self) -> None:
        """From now on SIGINT, SIGTERM and SIGHUP end ``wait`` instead of the process. One that
        comes before a ``wait`` ends that one at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup asks to outlive a terminal
            signal.signal(signal.SIGHUP, self._stop)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.told_to_stop.set()

    def start(self, name: str, command: Sequence[str], *, pass_fds: Sequence[int] = ()) -> None:
        self.children[name] = subprocess.Popen(
            command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
            preexec_fn=die_with_parent(),
        )

    def check(self) -> None:
        """Raises ChildEnded when a child has ended by itself."""
        for name, child in self.children.items():
            if (code := child.poll()) is not None:
                raise ChildEnded(f"The {name} ended by itself ({describe_end(code)}).")

    def wait(self, until: Callable[[], bool] = lambda: False, *, seconds: float = 0) -> bool:
        """Wait until told to stop, or until ``until()``; True in that case.

        Raises ChildEnded when a child ends, and when ``seconds`` (0: no limit) have passed.
        """
        end = time.monotonic() + seconds if seconds else float("inf")
        while not self.told_to_stop.is_set():
            self.check()
            if until():
                return True
            if time.monotonic() > end:
                raise ChildEnded(f"Nothing answered within {seconds:.0f} seconds.")
            self.told_to_stop.wait(LOOK_SECONDS)
        return False

    def stop(self, *orders: Sequence[str]) -> None:
        """End every child: the names of each order together, one order after the other,
        those not named last."""
        named = {name for order in orders for name in order}
        rest = [name for name in self.children if name not in named]
        for order in (*orders, rest):
            children = [self.children.pop(name) for name in order if name in self.children]
            for child in children:
                child.send_signal(signal.SIGTERM)
            end = time.monotonic() + STOP_SECONDS
            for child in children:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(max(0.1, end - time.monotonic()))
                with suppress(ProcessLookupError):  # what it leaves in its group goes too
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
