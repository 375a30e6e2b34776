# SPDX-License-Identifier: Apache-2.0
"""What is caught while something goes on, and what stays as the caller set it."""

import signal
import threading

import pytest

from isobath.launch.interrupts import CAUGHT, Interrupts


@pytest.mark.parametrize("number", CAUGHT)
def test_a_signal_is_counted_and_its_handler_comes_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)

    with Interrupts() as interrupts:
        signal.raise_signal(number)
        assert interrupts.wants_end
        assert not interrupts.wants_end_now
        signal.raise_signal(number)
        assert interrupts.wants_end_now

    assert interrupts.received == [number, number]
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_what_nohup_or_a_background_job_ignores_stays_ignored(number: signal.Signals) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(number)
        assert not interrupts.received
        assert signal.getsignal(number) == signal.SIG_IGN
    finally:
        signal.signal(number, before)


def test_in_another_thread_nothing_is_listened_to_and_nothing_breaks() -> None:
    before = [signal.getsignal(number) for number in CAUGHT]
    asked: list[bool] = []

    def listen() -> None:
        with Interrupts() as interrupts:
            asked.append(interrupts.wants_end)

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()

    assert asked == [False]
    assert [signal.getsignal(number) for number in CAUGHT] == before
