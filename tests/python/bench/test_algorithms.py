# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.bench.algorithms import (
    OPENMPI,
    algorithms_of,
    documented,
    environment_of,
    forced_arms,
    thresholds,
)
from isobath.bench.design import ranks_of
from isobath.bench.openmpi_decisions import FIXED, rule_size
from isobath.bench.plan import Arm, Cell, Family


def test_thresholds_are_converted_to_the_size_of_the_axis() -> None:
    (first,) = thresholds("hydra", "allgather", 3)
    (open_mpi,) = thresholds("openmpi", "reduce_scatter", 8)[:1]

    assert (first.size_bytes, first.name) == (81920 / 3, "MPICH's selection file")
    assert open_mpi.size_bytes == 262144 / 8


def test_shared_memory_of_mpich_has_no_thresholds_that_are_documented() -> None:
    assert thresholds("hydra", "bcast", 8, one_node=True) == ()
    assert len(thresholds("hydra", "bcast", 8)) == 2
    assert len(thresholds("hydra", "alltoall", 8, one_node=True)) == 2


@pytest.mark.parametrize(
    ("family", "collective", "size", "ranks", "choice"),
    [
        ("openmpi", "alltoall", 1, 2, "pairwise"),
        ("openmpi", "alltoall", 2, 2, "two_proc"),
        ("openmpi", "alltoall", 1, 3, "linear_sync"),
        ("openmpi", "allgather", 1 << 20, 64, "ring"),
        ("openmpi", "bcast", 1 << 20, 5000, "scatter_allgather"),
        ("openmpi", "reduce_scatter", 32768, 4, "recursive_halving"),
        ("openmpi", "reduce_scatter", 65536, 4, "ring"),
        ("openmpi", "barrier", 0, 2, "recursive_doubling"),
        ("openmpi", "scan", 8, 4, None),
        ("hydra", "allreduce", 16, 8, "recursive_doubling"),
        ("hydra", "allreduce", 64, 8, "reduce_scatter_allgather"),
        ("hydra", "allreduce", 8, 2, "recursive_doubling"),
        ("hydra", "alltoall", 256, 8, "brucks"),
        ("hydra", "alltoall", 257, 8, "scattered"),
        ("intel", "bcast", 8, 8, None),
    ],
)
def test_the_table_of_a_library_says_what_it_takes(
    family: Family, collective: str, size: int, ranks: int, choice: str | None
) -> None:
    found = documented(family, collective, size, ranks, width=8, one_node=False)

    assert found == choice


def test_every_documented_choice_is_one_that_can_be_forced() -> None:
    for collective, tables in FIXED.items():
        for _, rows in tables:
            assert [limit for limit, _ in rows] == sorted({limit for limit, _ in rows})
            assert all(1 <= number <= len(OPENMPI[collective]) for _, number in rows)
            assert rows[-1][0] == tables[-1][0]  # above every size


@pytest.mark.parametrize(
    ("collective", "size"),
    [("alltoall", 400), ("gather", 400), ("scatter", 400), ("reduce_scatter", 400),
     ("reduce_scatter_block", 400), ("allgather", 400), ("allgatherv", 100), ("bcast", 100),
     ("reduce", 100), ("allreduce", 100), ("alltoallv", 0), ("scan", 0)],
)  # fmt: skip
def test_rule_files_of_open_mpi_have_its_own_meaning_of_size(collective: str, size: int) -> None:
    assert rule_size(collective, 100, 4) == size


def test_algorithms_for_two_ranks_are_forced_on_two_ranks_alone() -> None:
    names = {ranks: {one.name for one in algorithms_of("openmpi", "alltoall", ranks=ranks)}
             for ranks in (2, 3)}  # fmt: skip

    assert names[2] - names[3] == {"two_proc"}
    assert ranks_of(Cell(collective="alltoall", shape="2x3", along="row")) == 3
    assert ranks_of(Cell(collective="alltoall", shape="2x3", along="col")) == 2
    assert ranks_of(Cell(collective="alltoall", shape="2x3")) == 6


def test_risky_algorithms_have_arms_of_their_own() -> None:
    plain = Arm(arm="a01", mpi="m", family="openmpi", ranks=2, cells=())
    cells = [
        Cell(collective=name, size_bytes=size, shape="2", algorithm=algorithm)
        for name in ("allgather", "alltoall")
        for size in (8, 64)
        for algorithm in algorithms_of("openmpi", name)
    ]

    for arm in forced_arms(plain, cells):
        chosen = {one.algorithm for one in arm.cells if one.algorithm}
        if any(one.name in ("neighbor", "two_proc") for one in chosen):
            assert len(chosen) == 1
            assert len(arm.cells) == 2


def test_one_environment_never_forces_two_algorithms_of_a_collective() -> None:
    plain = Arm(arm="a01", mpi="m", family="openmpi", ranks=2, cells=())
    cells = [
        Cell(collective=name, size_bytes=size, shape="2", algorithm=algorithm)
        for name in ("bcast", "scan")
        for size in (8, 64)
        for algorithm in algorithms_of("openmpi", name)
    ]

    arms = list(forced_arms(plain, cells))

    assert len(arms) == len(algorithms_of("openmpi", "bcast"))  # scan's stand beside them
    assert sorted(map(str, (cell for arm in arms for cell in arm.cells))) == sorted(map(str, cells))
    for arm in arms:
        for cell in arm.cells:
            assert cell.algorithm is not None
            assert arm.environment[cell.algorithm.variable] == cell.algorithm.value
        assert arm.environment["OMPI_MCA_coll_tuned_use_dynamic_rules"] == "1"
    assert len({arm.arm for arm in arms}) == len(arms)
    assert environment_of("openmpi", ()) == {}


def test_what_is_set_in_the_process_needs_one_arm() -> None:
    plain = Arm(arm="a01", mpi="m", family="hydra", ranks=2, cells=())
    cells = [
        Cell(collective="bcast", shape="2", algorithm=one)
        for one in algorithms_of("hydra", "bcast", in_process=True)
    ]

    assert len(list(forced_arms(plain, cells))) == 1
    assert all(cell.for_program()["algorithm"]["value"] for cell in cells)
