"""Child processes that are started, started again when one of them ends, and ended together.

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
from dataclasses import dataclass
from types import FrameType

STOP_SECONDS = 8.0  # for a child to end by itself before its group is killed
LOOK_SECONDS = 0.1  # between two looks whether every child lives
STEADY_SECONDS = 10.0  # a child that lived so long is started again at once
LONGEST_WAIT = 30.0  # seconds before another start of one that ends each time
KILLED_WAIT = 1.0  # the same of one that others killed: that is no fault of its own
PR_SET_PDEATHSIG = 1


class ChildEnded(Exception):
    """A child ended though nobody told it to."""


def describe_end(code: int) -> str:
    """An exit status in words; negative ones are signals."""
    return f"status {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def die_with_parent(how: signal.Signals) -> Callable[[], None] | None:
    """What a child of this process runs first, so that it gets signal ``how`` when its parent is
    killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def first() -> None:
        libc.prctl(PR_SET_PDEATHSIG, how)
        if os.getppid() != parent:  # it was killed just now
            os._exit(1)

    return first


@dataclass
class Child:
    """How a child is started, and what has become of it. Times are monotonic seconds."""

    command: Sequence[str]
    env: Mapping[str, str]
    pass_fds: Sequence[int]
    orphaned: signal.Signals  # what it gets when the supervisor is killed
    process: subprocess.Popen[bytes] | None = None  # None: it ended, and waits for another start
    began: float = 0.0
    due: float = 0.0  # when it is started again
    short_lives: int = 0  # how often in a row it ended before it was steady

    def start(self) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            pass_fds=tuple(self.pass_fds),
            start_new_session=True,
            preexec_fn=die_with_parent(self.orphaned),
        )

    def ended(self) -> int | None:
        """The status with which it has just ended; None while it lives, or waits."""
        return None if self.process is None else self.process.poll()

    def bury(self) -> float:
        """End what it left in its group; seconds until it is to be started again."""
        assert self.process is not None
        end_group(self.process)
        killed = self.process.returncode in (-signal.SIGKILL, -signal.SIGTERM)
        self.process = None
        now = time.monotonic()
        steady = now - self.began >= STEADY_SECONDS
        self.short_lives = 0 if steady else self.short_lives + 1
        longest = KILLED_WAIT if killed else LONGEST_WAIT
        wait = min(2.0 ** (self.short_lives - 2), longest) if self.short_lives > 1 else 0.0
        self.due = now + wait
        return wait


def end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Supervisor:
    """Starts children, keeps them running until it is told to stop, then stops them.

    ``tell`` gets a sentence when a child has ended by itself and is started again.
    """

    def __init__(self, *, env: Mapping[str, str], tell: Callable[[str], object]) -> None:
        self.env = env  # of every child
        self.tell = tell
        self.children: dict[str, Child] = {}
        self.told_to_stop = threading.Event()

    def listen(self) -> None:
        """From now on SIGINT, SIGTERM and SIGHUP end ``wait`` and ``keep`` instead of the process. One
        that comes before ends the next of them at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup asks to outlive a terminal
            signal.signal(signal.SIGHUP, self._stop)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.told_to_stop.set()

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        pass_fds: Sequence[int] = (),
        orphaned: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Start a child. ``orphaned``: the signal it gets when this process is killed."""
        child = self.children[name] = Child(command, self.env, pass_fds, orphaned)
        child.start()

    def wait(self, until: Callable[[], bool], *, seconds: float) -> bool:
        """Wait until ``until()``: True; or until told to stop: False.

        Raises ChildEnded when a child ends, and when ``seconds`` have passed.
        """
        end = time.monotonic() + seconds
        while not self.told_to_stop.is_set():
            for name, child in self.children.items():
                if (code := child.ended()) is not None:
                    raise ChildEnded(f"The {name} ended by itself ({describe_end(code)}).")
            if until():
                return True
            if time.monotonic() > end:
                raise ChildEnded(f"Nothing answered within {seconds:.0f} seconds.")
            self.told_to_stop.wait(LOOK_SECONDS)
        return False

    def keep(self) -> None:
        """Keep every child running until told to stop. One that ends by itself is started again: at
        once, or where it ends again and again, after waits that grow."""
        while not self.told_to_stop.is_set():
            for name, child in self.children.items():
                if (code := child.ended()) is not None:
                    wait = child.bury()
                    when = f"in {wait:.0f} s" if wait else "at once"
                    self.tell(
                        f"The {name} ended by itself ({describe_end(code)}); it starts again {when}."
                    )
                if child.process is None and child.due <= time.monotonic():
                    child.start()
            self.told_to_stop.wait(LOOK_SECONDS)

    def stop(self, *orders: Sequence[str]) -> None:
        """End every child: the names of each order together, one order after the other,
        those not named last."""
        named = {name for order in orders for name in order}
        rest = [name for name in self.children if name not in named]
        for order in (*orders, rest):
            ending = [self.children.pop(name) for name in order if name in self.children]
            processes = [child.process for child in ending if child.process is not None]
            for process in processes:
                process.send_signal(signal.SIGTERM)
            end = time.monotonic() + STOP_SECONDS
            for process in processes:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.1, end - time.monotonic()))
                end_group(process)  # what it leaves in its group goes too
