# SPDX-License-Identifier: Apache-2.0
"""Waits and sums of a made-up program, worked out by hand."""

import numpy as np
import pytest

from isobath.errors import EnvironmentProblem
from isobath.profile.chrome_trace import chrome_trace
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


def test_searches_are_added_up_by_call() -> None:
    profile = Profile.of(merge("made-up", two_ranks()))

    found = {(one.search, one.call): (one.calls, one.bytes_sent) for one in profile.searches}
    assert found == {(3, "allreduce"): (2, 16), (3, "bcast"): (2, 16)}


def test_a_timeline_holds_every_call_and_its_wait() -> None:
    files = two_ranks()
    profile = Profile.of(merge("made-up", files, with_timeline=True))

    assert not Profile.of(merge("made-up", two_ranks())).timelines
    first, second = profile.timelines
    assert first.place_call == ("allreduce", "bcast")
    assert first.place == (0, 1)
    assert first.wait_nanoseconds == (700, 200)
    assert second.wait_nanoseconds == (0, 0)
    assert min((*first.entry_nanoseconds, *second.entry_nanoseconds)) == 0
    for file, line in zip(files, profile.timelines, strict=True):
        assert line.nanoseconds == tuple(file.instances[:, 3])
        differences = np.diff(line.entry_nanoseconds)
        assert tuple(differences) == tuple(np.diff(file.instances[:, 2]))


def test_hosts_begin_at_their_own_zero_and_waits_are_unknown() -> None:
    files = two_ranks()
    files[1].head["host"] = "elsewhere"
    profile = Profile.of(merge("made-up", files, with_timeline=True))

    assert [min(one.entry_nanoseconds) for one in profile.timelines] == [0, 0]
    assert all(one.wait_nanoseconds == (-1, -1) for one in profile.timelines)
    trace = chrome_trace(profile)
    assert not [event for event in trace["traceEvents"] if event["name"] == "wait"]
    assert trace["otherData"]["clocks"] != "one"


def test_a_trace_cuts_each_call_into_wait_and_transfer() -> None:
    profile = Profile.of(merge("made-up", two_ranks(), with_timeline=True))

    events = [event for event in chrome_trace(profile)["traceEvents"] if event["ph"] == "X"]

    calls = [event for event in events if "args" in event]
    assert len(calls) == 4
    for call in calls:
        wait, transfer = (
            event
            for event in events
            if event["tid"] == call["tid"]
            and event["name"] in ("wait", "transfer")
            and call["ts"] <= event["ts"] <= call["ts"] + call["dur"]
            and event["ts"] + event["dur"] <= call["ts"] + call["dur"] + 1e-9
        )
        assert wait["ts"] == call["ts"]
        assert wait["dur"] + transfer["dur"] == pytest.approx(call["dur"])


def test_a_profile_without_a_timeline_has_no_trace() -> None:
    with pytest.raises(EnvironmentProblem, match="--timeline"):
        chrome_trace(Profile.of(merge("made-up", two_ranks())))


def test_a_rank_that_left_no_file_makes_waits_partly_known() -> None:
    waits = find_waits(two_ranks()[:1])

    assert not waits.calls
    assert waits.state == "unknown"
    assert np.all([one == 0 for one in waits.seconds.values()])
