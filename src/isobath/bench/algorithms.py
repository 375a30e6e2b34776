# SPDX-License-Identifier: Apache-2.0
"""Algorithms of MPI libraries: their names, what forces them, and what they take by default.

Ids and names are those of the libraries' own documentation: Open MPI docs/tuning-apps/collectives,
MPICH src/mpi/coll/cvars.txt, Intel MPI's reference of I_MPI_ADJUST. A library that does not know
a name ends the launch that forces it at start-up, which is kept and said.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from isobath.bench.mpich_decisions import selected, selection_switches
from isobath.bench.openmpi_decisions import fixed_choice, fixed_switches
from isobath.bench.plan import Arm, Cell, Family, ForcedAlgorithm

OPENMPI: dict[str, tuple[str, ...]] = {
    "allgather": ("linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"),
    "allgatherv": ("default", "bruck", "ring", "neighbor", "two_proc"),
    "allreduce": (
        "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
        "rabenseifner",
    ),
    "alltoall": ("linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"),
    "alltoallv": ("basic_linear", "pairwise"),
    "barrier": ("linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"),
    "bcast": ("basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree",
             "binomial", "knomial", "scatter_allgather", "scatter_allgather_ring"),
    "gather": ("basic_linear", "binomial", "linear_sync"),
    "reduce": ("linear", "chain", "pipeline", "binary", "binomial", "in-order_binary",
               "rabenseifner"),
    "reduce_scatter": ("non-overlapping", "recursive_halving", "ring", "butterfly"),
    "reduce_scatter_block": ("basic_linear", "recursive_doubling", "recursive_halving",
                             "butterfly"),
    "scan": ("linear", "recursive_doubling"),
    "exscan": ("linear", "recursive_doubling"),
    "scatter": ("basic_linear", "binomial", "linear_nb"),
}  # fmt: skip
"""coll/tuned: the place in the list, from 1, is the id."""

OPENMPI_RULE_IDS = {
    "allgather": 0, "allgatherv": 1, "allreduce": 2, "alltoall": 3, "alltoallv": 4, "barrier": 6,
    "bcast": 7, "exscan": 8, "gather": 9, "reduce": 11, "reduce_scatter": 12,
    "reduce_scatter_block": 13, "scan": 14, "scatter": 15,
}  # fmt: skip
"""Numbers of collectives in classic rule files of coll/tuned."""

HYDRA: dict[str, tuple[str, ...]] = {
    "allgather": ("brucks", "recursive_doubling", "ring"),
    "allgatherv": ("brucks", "recursive_doubling", "ring"),
    "allreduce": ("recursive_doubling", "reduce_scatter_allgather"),
    "alltoall": ("brucks", "pairwise", "scattered"),
    "alltoallv": ("scattered",),
    "barrier": ("k_dissemination", "recexch"),
    "bcast": ("binomial", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"),
    "gather": ("binomial",),
    "reduce": ("binomial", "reduce_scatter_gather"),
    "reduce_scatter": ("noncommutative", "pairwise", "recursive_doubling", "recursive_halving"),
    "reduce_scatter_block": (
        "noncommutative", "pairwise", "recursive_doubling", "recursive_halving",
    ),
    "scan": ("recursive_doubling",),
    "scatter": ("binomial",),
}  # fmt: skip

INTEL_NUMBER = {
    "allgather": 5, "allgatherv": 4, "allreduce": 12, "alltoall": 5, "alltoallv": 2, "barrier": 9,
    "bcast": 14, "exscan": 2, "gather": 4, "gatherv": 3, "reduce": 11, "reduce_scatter": 5,
    "scan": 2, "scatter": 4, "scatterv": 2,
}  # fmt: skip
"""How many algorithms the reference of I_MPI_ADJUST lists; their ids begin at 1."""

TWO_RANKS = "two_proc"
"""is for two ranks alone; with others Open MPI fails"""

RISKY: dict[Family, dict[str, tuple[str, ...]]] = {
    "openmpi": {
        "allgather": ("neighbor", TWO_RANKS),
        "allgatherv": ("neighbor", TWO_RANKS),
        "alltoall": (TWO_RANKS,),
        "barrier": (TWO_RANKS,),
        "bcast": ("scatter_allgather", "scatter_allgather_ring"),
        "reduce_scatter_block": ("recursive_halving", "butterfly"),
    },
    "hydra": {
        "reduce_scatter": ("noncommutative",),
        "reduce_scatter_block": ("noncommutative",),
        "barrier": ("recexch",),
    },
    "intel": {},
}
"""Algorithms for some numbers of ranks, which elsewhere may fail or hang: each has arms of its own,
so that nothing else is lost with it. Intel's are all so: its reference has numbers without limits.
"""

DEVICE = frozenset({"barrier", "bcast", "reduce", "allreduce"})
"""Collectives that MPICH's shared memory takes on one node before the selection file is asked."""


@dataclass(frozen=True)
class Threshold:
    """A documented size, on the x-axis of our curves."""

    size_bytes: float
    name: str


def thresholds(
    family: Family, collective: str, ranks: int, *, one_node: bool = False
) -> tuple[Threshold, ...]:
    """Where the library's own table says that the algorithm changes, in our sizes."""
    if family == "openmpi":
        sizes, name = fixed_switches(collective, ranks), "coll/tuned, fixed decision of 4.1"
    elif family == "hydra" and not (one_node and collective in DEVICE):
        sizes, name = selection_switches(collective, ranks), "MPICH's selection file"
    else:
        return ()
    return tuple(Threshold(size, name) for size in sizes)


def documented(
    family: Family, collective: str, size_bytes: int, ranks: int, *, width: int, one_node: bool
) -> str | None:
    """The library's own choice as its table has it; None where it has none that is known."""
    if family == "openmpi":
        number = fixed_choice(collective, size_bytes, ranks)
        return None if number is None else OPENMPI[collective][number - 1]
    if family == "hydra" and one_node and collective in DEVICE and ranks > 1:
        return "release_gather"
    return selected(collective, size_bytes, ranks, width) if family == "hydra" else None


def is_risky(family: Family, collective: str, name: str) -> bool:
    """Whether an algorithm gets arms of its own."""
    return family == "intel" or name in RISKY[family].get(collective, ())


def algorithms_of(
    family: Family, collective: str, *, ranks: int = 2, in_process: bool = False
) -> tuple[ForcedAlgorithm, ...]:
    """What a blocking collective of a library can be made to use.

    Args: ranks of the communicator, for what is for two ranks only; in_process sets MPICH's control
        variables cell by cell while the program runs, instead of by the environment of a launch.
    """
    if family == "openmpi":
        variable = f"OMPI_MCA_coll_tuned_{collective}_algorithm"
        names = OPENMPI.get(collective, ())
        return tuple(
            ForcedAlgorithm(name=name, variable=variable, value=str(number))
            for number, name in enumerate(names, start=1)
            if ranks == 2 or name != TWO_RANKS
        )
    if family == "intel":
        variable = f"I_MPI_ADJUST_{collective.upper()}"
        numbers = range(1, INTEL_NUMBER.get(collective, 0) + 1)
        return tuple(
            ForcedAlgorithm(name=f"algorithm {number}", variable=variable, value=str(number))
            for number in numbers
        )
    variable = f"MPIR_CVAR_{collective.upper()}_INTRA_ALGORITHM"
    return tuple(
        ForcedAlgorithm(name=name, variable=variable, value=name, in_process=in_process)
        for name in HYDRA.get(collective, ())
    )


def environment_of(family: Family, forced: Iterable[ForcedAlgorithm]) -> dict[str, str]:
    """Variables of a launch that force these, at most one of each collective."""
    variables = {choice.variable: choice.value for choice in forced if not choice.in_process}
    if family == "openmpi" and variables:
        variables["OMPI_MCA_coll_tuned_use_dynamic_rules"] = "1"
        variables["OMPI_MCA_coll"] = "^han,hcoll,ucc,xhc,acoll"
    if family == "hydra":
        # The shared-memory and network layers have collectives of their own, which would answer.
        names = {name.removesuffix("_INTRA_ALGORITHM") for name in variables}
        variables |= {f"{name}_DEVICE_COLLECTIVE": "0" for name in sorted(names)}
    return variables


def forced_arms(plain: Arm, cells: Iterable[Cell]) -> Iterator[Arm]:
    """Arms for cells with forced algorithms, beside the arm without any.

    An environment forces one algorithm of each collective; so the first algorithms of all
    collectives share an arm, then the second, and so on; risky ones have arms of their own.
    """
    groups: list[list[Cell]] = []
    for cell in cells:
        forced = cell.algorithm
        assert forced is not None
        for group in groups:
            if all(_share(plain.family, cell, member) for member in group):
                group.append(cell)
                break
        else:
            groups.append([cell])
    for number, group in enumerate(groups, start=1):
        chosen = {member.algorithm for member in group if member.algorithm is not None}
        yield plain.model_copy(
            update={
                "arm": f"{plain.arm}f{number}",
                "environment": environment_of(plain.family, sorted(chosen, key=str)),
                "cells": tuple(group),
            }
        )


def _share(family: Family, first: Cell, other: Cell) -> bool:
    """Whether one launch can have both."""
    assert first.algorithm is not None
    assert other.algorithm is not None
    if first.algorithm == other.algorithm:
        return True
    for cell in (first, other):
        assert cell.algorithm is not None
        if is_risky(family, cell.collective, cell.algorithm.name):
            return False
    in_process = first.algorithm.in_process and other.algorithm.in_process
    return in_process or first.algorithm.variable != other.algorithm.variable
