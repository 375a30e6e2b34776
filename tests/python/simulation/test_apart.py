# SPDX-License-Identifier: Apache-2.0
"""Ranks on nodes of their own: what they work for a message is what streams say."""

import numpy as np
import pytest

from isobath.simulation.apart import worked
from isobath.simulation.calibration import calibrated
from isobath.simulation.sweep import Curve, Curves
from simulation.made_networks import between, curves_of, streamed, tcp_work


def test_each_rank_works_what_passes_between_two_messages_of_a_stream() -> None:
    found = worked(streamed())["ping-pong"]

    told = dict(zip(found.sizes, found.seconds, strict=True))
    for size in (1, 1024, 4096):
        assert told[size] == pytest.approx(2 * tcp_work(size), rel=0.02)
    assert told[1 << 20] == told[65536]  # beyond, nobody knows


def test_costs_of_a_network_over_tcp_are_found_again() -> None:
    """By the costs of messages within a node streams come out ten times too fast."""
    outside = streamed()

    found = calibrated(worked(outside), outside)

    ping_pongs = outside["ping-pong"]
    again = [found.ping_pong(size, is_between=True) for size in ping_pongs.sizes]
    assert np.max(np.abs(np.array(again) / np.array(ping_pongs.seconds) - 1)) < 0.05
    for segment in found.segments:
        assert max(segment.send_seconds, segment.receive_seconds) == pytest.approx(8e-6, rel=0.15)
    inside = curves_of(lambda size: 6e-7 + 1e-10 * size)
    by_node = calibrated(inside, outside).segments[0]
    assert by_node.send_seconds + by_node.receive_seconds < 8e-7


def test_a_busy_link_is_nobodys_work_and_no_work_is_longer_than_a_message() -> None:
    """Streams on a link of 85 ns a 10 bytes are as fast as it lets them from 64 bytes on."""
    slow = curves_of(between)

    found = worked(slow)["ping-pong"]

    assert max(found.seconds) < 1e-5 < slow["ping-pong"].seconds[-1]
    lone = worked(_faster_alone(slow))["ping-pong"]
    assert all(
        work <= seconds
        for work, seconds in zip(
            lone.seconds, _faster_alone(slow)["ping-pong"].seconds, strict=True
        )
    )


def _faster_alone(curves: Curves) -> Curves:
    """A link with a burst: a message alone takes less than passes between two of a stream."""
    alone = curves["ping-pong"]
    quick = Curve(alone.sizes, tuple(min(5e-6, seconds) for seconds in alone.seconds))
    slow = Curve(curves["rate"].sizes, tuple(1e-4 for _ in curves["rate"].sizes))
    return {"ping-pong": quick, "rate": slow}
