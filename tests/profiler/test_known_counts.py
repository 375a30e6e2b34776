# SPDX-License-Identifier: Apache-2.0
"""Bytes of programs whose bytes are known by hand, to the byte, under every MPI family."""

import sys
from collections import defaultdict

import pytest

from isobath.profile.profile import Profile
from needs import needs
from profiler.conftest import PROGRAMS, Profiler, profiler_of, wheel_folder

DOUBLE, INT = 8, 4
Counts = dict[str, tuple[int, int, int]]
"""By call: bytes sent to others, received from others, kept; over all ranks."""

KNOWN_TRAFFIC: Counts = {
    "alltoallv": ((11 + 20) * INT, (11 + 20) * INT, (10 + 21) * INT),
    "allreduce": (2 * 4 * DOUBLE,) * 3,
    "send": (25 * INT, 0, 0),
    "recv": (0, 25 * INT, 0),
}
"""programs/three_bindings.F90 and known_traffic.py on two ranks"""


def totals(profile: Profile) -> Counts:
    return {
        one.call: (one.bytes_sent, one.bytes_received, one.kept_bytes)
        for one in profile.calls
        if one.bytes_sent or one.bytes_received or one.kept_bytes
    }


def expected_collectives(ranks: int) -> Counts:
    """programs/collectives.c, summed over all pairs of ranks one by one."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])

    def message(call: str, sender: int, receiver: int, size: int) -> None:
        if sender == receiver:
            found[call][2] += size
        else:
            found[call][0] += size
            found[call][1] += size

    for i in range(ranks):
        for j in range(ranks):
            message("alltoallv", i, j, irregular(i, j))
            message("allgather", i, j, 5 * DOUBLE)
            message("allgatherv", i, j, (i + 1) * DOUBLE)
            message("alltoall", i, j, 6 * DOUBLE)
            message("alltoall", i, j, 7 * DOUBLE)
            message("allreduce", i, j, 4 * DOUBLE)
            message("reduce_scatter", i, j, (j + 1) * DOUBLE)
            message("reduce_scatter_block", i, j, 2 * DOUBLE)
            message("alltoallw", i, j, 3 * INT)
        message("gather", i, 0, 2 * DOUBLE)
        message("gatherv", i, 0, (i + 1) * DOUBLE)
        message("scatter", 0, i, 4 * DOUBLE)
        message("scatterv", 0, i, (i + 1) * DOUBLE)
        message("reduce", i, 0, 3 * DOUBLE)
        message("scan", i, i, DOUBLE)
        message("exscan", i, i, 2 * DOUBLE)
        if i > 0:
            message("bcast", 0, i, 3 * DOUBLE)
            message("scan", i - 1, i, DOUBLE)
            message("exscan", i - 1, i, 2 * DOUBLE)
        if i % 2 == 1:
            message("bcast", 0, i, 5 * INT)
    return {call: (sent, got, kept) for call, (sent, got, kept) in found.items()}


def irregular(sender: int, receiver: int) -> int:
    """Bytes of the irregular Alltoallv: half of the pairs have none."""
    return 0 if (sender + receiver) % 2 else ((sender + 1) * 10 + receiver) * INT


def ranks_of(profiler: Profiler) -> int:
    """MPICH before version 5 is too slow where ranks outnumber processors."""
    return 2 if profiler.family.name == "mpich" else 4


def test_every_collective_has_its_bytes(every: Profiler) -> None:
    ranks = ranks_of(every)

    profile = every.profile(every.build("collectives.c"), ranks=ranks)

    assert totals(profile) == expected_collectives(ranks)
    assert profile.whole.abi == every.family.abi
    assert profile.whole.ranks == profile.whole.ranks_recorded == ranks
    assert profile.whole.endings == ("finalized",)


def test_an_irregular_alltoallv_gives_its_matrix(standard: Profiler) -> None:
    profile = standard.profile(standard.build("irregular.c"), ranks=4)

    pairs = {(i, j): irregular(i, j) for i in range(4) for j in range(4) if i != j}
    assert profile.sent() == {pair: size for pair, size in pairs.items() if size}
    (matrix,) = profile.matrices
    assert matrix.bytes_received == matrix.bytes_sent
    assert set(matrix.messages) == {1}
    sizes = profile.sizes_of("alltoallv", "per_peer")
    assert sizes is not None
    assert sum(sizes.count) == len(profile.sent())
    assert sum(sizes.bytes) == sum(pairs.values())
    own = profile.sizes_of("alltoallv", "own_segment")
    assert own is not None
    assert sum(own.bytes) == sum(irregular(i, i) for i in range(4))


def test_messages_of_every_kind_have_their_bytes(every: Profiler) -> None:
    profile = every.profile(every.build("messages.c"))

    sent = {one.call: one.bytes_sent // INT for one in profile.calls if one.bytes_sent}
    assert sent == {
        "send": 10 + 11,  # and nothing to MPI_PROC_NULL
        "ssend": 20,
        "sendrecv": 7 + 9,
        "isend": 100 + 101 + 102 + 103,
        "ibcast": 30,
        "start": 3 * 50,
        "put": 12,
        "accumulate": 13,
        "neighbor_alltoall": 2 * 3,
    }
    received = {one.call: one.bytes_received // INT for one in profile.calls if one.bytes_received}
    waits = received.pop("waitany") + received.pop("waitall")  # whichever came first
    assert waits == 100 + 101 + 102 + 103
    assert received == {
        "recv": 10 + 20,
        "sendrecv": 7 + 9,
        "ibcast": 30,
        "wait": 3 * 50,
        "mrecv": 11,
        "get": 14,
        "neighbor_alltoall": 2 * 3,
    }


def test_what_is_sent_point_to_point_arrives(every: Profiler) -> None:
    profile = every.profile(every.build("messages.c"))

    found = next(one for one in profile.matrices if one.traffic == "point_to_point")
    assert found.bytes_sent == found.bytes_received
    assert set(zip(found.sender, found.receiver, strict=True)) == {(0, 1), (1, 0)}


@needs("gfortran")
@pytest.mark.parametrize("binding", ["F08", "MODULE", "INCLUDE"])
@pytest.mark.parametrize("family", ["mpich", "openmpi"])
def test_every_fortran_binding_is_counted(
    profilers: dict[str, Profiler | str], family: str, binding: str
) -> None:
    profiler = profiler_of(profilers, family)

    profile = profiler.profile(profiler.build("three_bindings.F90", f"-DBINDING_{binding}"))

    assert totals(profile) == KNOWN_TRAFFIC


@pytest.mark.parametrize(("family", "abi"), [("standard", "mpich"), ("openmpi", "openmpi")])
def test_python_counts_as_fortran_does(
    profilers: dict[str, Profiler | str], family: str, abi: str
) -> None:
    """By mpi4py, whose wheel has no build for the standard interface: the MPICH wheel's other."""
    profiler = profiler_of(profilers, family)

    more = {"MPI4PY_MPIABI": abi}
    if family == "standard":
        more["LD_LIBRARY_PATH"] = str(wheel_folder().parent / "lib")
    done = profiler.run(sys.executable, PROGRAMS / "known_traffic.py", **more)

    assert done.profile is not None, done.err
    assert done.profile.whole.abi == {"mpich": "mpich", "openmpi": "ompi"}[abi]
    assert totals(done.profile) == KNOWN_TRAFFIC
