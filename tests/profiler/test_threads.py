# SPDX-License-Identifier: Apache-2.0
"""Threads that call MPI at once, and a status that a library does not fill."""

import pytest

from profiler.conftest import Profiler, profiler_of

INT = 4
INTS = 10
"""of each message of programs/threads.c"""


def test_threads_lose_no_byte(every: Profiler) -> None:
    """A request's handle is another thread's as soon as the library has completed it."""
    reuses_at_once = every.family.name == "openmpi"
    messages, threads, runs = (6000, 8, 3) if reuses_at_once else (300, 4, 2)
    program = every.build("threads.c", "-pthread")

    for _ in range(runs):
        profile = every.profile(program, messages, threads)

        sent = 2 * threads * messages * INTS * INT
        assert sum(one.bytes_sent for one in profile.calls) == sent
        assert sum(one.bytes_received for one in profile.calls) == sent
        (matrix,) = profile.matrices
        assert matrix.bytes_received == matrix.bytes_sent == (sent // 2, sent // 2)


def test_threads_have_rows_of_their_own(every: Profiler) -> None:
    done = every.run(every.build("threads.c", "-pthread"), 300, 4, options=("--view", "threads"))

    assert done.profile is not None, done.err
    found = done.profile
    assert [one.rank for one in found.threads] == 4 * [0] + 4 * [1]
    assert {one.bytes_sent for one in found.threads} == {300 * INTS * INT}
    assert {one.bytes_received for one in found.threads} == {300 * INTS * INT}
    for one in found.threads:
        assert 0 < one.mpi_seconds <= one.wall_seconds
        assert one.wall_seconds <= found.whole.wall_seconds.max
    assert found.whole.share_of_wall.max <= 1
    assert found.whole.threads == 4
    assert "Threads in numbers" in done.out


@pytest.mark.parametrize("family", ["standard", "mpich"])
def test_what_a_status_does_not_tell_is_marked(
    profilers: dict[str, Profiler | str], family: str
) -> None:
    """MPICH leaves the status of MPI_Isendrecv as an earlier request left it."""
    profiler = profiler_of(profilers, family)
    program = profiler.build("isendrecv.c")
    done = profiler.run(program, options=("--view", "ranks"))

    assert done.profile is not None, done.err
    found = done.profile
    received = {one.call: (one.bytes_received, one.receives_unknown) for one in found.calls}
    assert received["sendrecv"] == (2 * 7 * INT, 0)
    assert received["wait"] == received["waitall"] == (0, 2)
    assert {one.call: one.bytes_sent for one in found.calls if one.bytes_sent} == {
        "isendrecv": (10 + 11) * INT,
        "isendrecv_replace": 2 * 20 * INT,
        "sendrecv": 2 * 7 * INT,
    }
    assert found.whole.receives_unknown == 4
    assert [one.receives_unknown for one in found.ranks] == [2, 2]
    assert "28 B + 2 unknown" in done.out
    summary = profiler.run(program).out
    assert "4 receives of MPI_Isendrecv brought is unknown" in " ".join(summary.split())
