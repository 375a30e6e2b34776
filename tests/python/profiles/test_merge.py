# SPDX-License-Identifier: Apache-2.0
"""Waits and sums of a made-up program, worked out by hand."""

import numpy as np
import pytest

from isobath.profile.merge import merge
from isobath.profile.profile import Profile
from isobath.profile.waits import find_waits
from profiles.rank_lines import two_ranks


def test_ranks_wait_for_the_last_and_for_the_root() -> None:
    waits = find_waits(two_ranks())

    assert waits.state == "known"
    assert {key: round(seconds * 1e9) for key, seconds in waits.seconds.items()} == {
        (0, 0): 700,
        (0, 1): 200,
        (1, 0): 0,
        (1, 1): 0,
    }


def test_clocks_of_several_machines_are_not_compared() -> None:
    files = two_ranks()
    files[1].head["host"] = "elsewhere"

    waits = find_waits(files)

    assert waits.state == "unknown"
    assert not waits.calls


def test_calls_in_another_order_are_not_compared() -> None:
    files = two_ranks()
    files[1].cells.reverse()

    waits = find_waits(files)

    assert not waits.calls
    assert "different orders" in " ".join(waits.reasons)


def test_what_ranks_counted_is_added_up() -> None:
    profile = Profile.of(merge("made-up", two_ranks()))

    call = profile.call("allreduce")
    assert call is not None
    assert (call.calls, call.bytes_sent, call.bytes_received, call.kept_bytes) == (2, 16, 16, 16)
    assert call.seconds.max == pytest.approx(900e-9)
    assert call.share_of_mpi == pytest.approx(1100 / 1380)
    assert profile.sent() == {(0, 1): 16, (1, 0): 16}
    assert profile.whole.overhead_seconds.max == pytest.approx(2 * 50e-9)
    assert sum(one.wait_seconds for one in profile.ranks) == pytest.approx(900e-9)


def test_a_rank_that_left_no_file_makes_waits_partly_known() -> None:
    waits = find_waits(two_ranks()[:1])

    assert not waits.calls
    assert waits.state == "unknown"
    assert np.all([one == 0 for one in waits.seconds.values()])
