# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and termination: the first asks for an orderly end, the second ends at once."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, Protocol, Self

CAUGHT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)


class Stop(Protocol):
    """Who may ask for an end of what is going on. Interrupts is one, which listens to signals."""

    @property
    def received(self) -> list[signal.Signals]:
        """Signals so far, for who hands them on."""

    @property
    def wants_end(self) -> bool:
        """An orderly end was asked for."""

    @property
    def wants_end_now(self) -> bool:
        """An end at once was asked for."""


class NeverStop:
    """Nobody asks."""

    def __init__(self) -> None:
        self.received: list[signal.Signals] = []

    wants_end = False
    wants_end_now = False


class Interrupts:
    """Counts signals while a run goes on; restores the handlers afterwards.

    A signal that was ignored when we began stays ignored: nohup asks for that, and so does a shell
    that starts a job in the background. Outside of the main thread, where Python hears no signal,
    nothing is listened to. ``received`` holds the signals so far. Nothing happens
    inside a handler: who runs the loop asks.
    """

    def __init__(self) -> None:
        self.received: list[signal.Signals] = []
        self._previous: dict[signal.Signals, Callable[[int, FrameType | None], Any] | int | None]
        self._previous = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        for number in CAUGHT:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._previous[number] = signal.signal(number, self._catch)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._previous.items():
            # None: a library put it there before Python started; it cannot be put back
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @property
    def wants_end(self) -> bool:
        """An orderly end was asked for."""
        return len(self.received) >= 1

    @property
    def wants_end_now(self) -> bool:
        """An end at once was asked for."""
        return len(self.received) >= 2

    def _catch(self, number: int, frame: FrameType | None) -> None:
        self.received.append(signal.Signals(number))


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP end a block as Ctrl-C does, so that it can put away what it began.

    Ignored when we began (nohup), they stay ignored.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    caught = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) != signal.SIG_IGN
    ]
    before = {number: signal.signal(number, interrupt) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
