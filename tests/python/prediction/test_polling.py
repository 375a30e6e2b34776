# SPDX-License-Identifier: Apache-2.0
"""Pauses between polls of an exchange that sends while it scans are no computation."""

import pytest

from isobath.costmodel.grid import Grid
from isobath.prediction.calls import Layout
from isobath.prediction.machine import Machine
from isobath.prediction.polling import polled
from isobath.records.communication import CallCell, CallName

LAYOUT = Layout.even(Grid(1, 2), 1)


def cell(level: int, call: CallName, calls: int, messages: int, seconds: float) -> CallCell:
    """Of two ranks together; seconds are the mean."""
    return CallCell(
        level=level, phase="fold", call=call, communicator="row", calls=calls, messages=messages,
        bytes_sent=messages * 4096, bytes_received=0, off_node_bytes=0, kept_bytes=0,
        seconds_mean=seconds, seconds_max=seconds, wait_seconds_mean=0.0, wait_seconds_max=0.0,
    )  # fmt: skip


def test_where_a_slow_link_is_waited_for_the_pauses_are_the_exchanges() -> None:
    """Level 2: 2,000 messages and a million polls of a rank, 0.8 us each, 0.65 s outside of calls.
    Level 3 has a tenth of it, and 0.035 s that are computed besides.
    """
    cells = [
        cell(2, "isend", 4000, 4000, 0.01), cell(2, "test", 2_008_000, 0, 0.8),
        cell(3, "isend", 400, 400, 0.001), cell(3, "test", 200_800, 0, 0.08),
    ]  # fmt: skip

    found = polled(cells, {2: 0.65, 3: 0.1}, LAYOUT)

    assert found[2] == pytest.approx(0.65)
    assert found[3] == pytest.approx(0.065)


def test_where_links_are_fast_what_is_computed_stays_computation() -> None:
    """A poll or two for each message: they found something."""
    cells = [cell(2, "isend", 4000, 4000, 0.01), cell(2, "test", 6000, 0, 0.01)]

    assert polled(cells, {2: 0.65}, LAYOUT) == {}


def test_a_pause_is_no_longer_than_twice_a_test_for_each_that_takes_turns() -> None:
    """1,000 idle polls of 1 us and half a second outside of calls: they are 2 ms of it, on a
    processor of four ranks 8 ms.
    """
    cells = [cell(2, "isend", 20, 20, 0.0), cell(2, "test", 2040, 0, 1020e-6)]
    crowded = Machine(0.5, is_shared=True).crowded(LAYOUT)

    assert polled(cells, {2: 0.5}, LAYOUT)[2] == pytest.approx(2e-3)
    assert polled(cells, {2: 0.5}, crowded)[2] == pytest.approx(8e-3)
