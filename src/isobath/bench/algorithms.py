# SPDX-License-Identifier: Apache-2.0
"""Algorithms of MPI libraries: their names, what forces them, and where defaults are documented.

Ids and names are those of the libraries' own documentation: Open MPI docs/tuning-apps/collectives,
MPICH src/mpi/coll/cvars.txt, Intel MPI's reference of I_MPI_ADJUST. A library that does not know
a name ends the launch that forces it at start-up, which is kept and said.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from isobath.bench.spec import Arm, Cell, Family, ForcedAlgorithm

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
    "bcast": ("basic_linear", "chain", "pipeline", "split_binary", "binary", "binomial", "knomial"),
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

DOCUMENTED: dict[Family, dict[str, tuple[tuple[int, str], ...]]] = {
    "hydra": {
        "alltoall": ((256, "ALLTOALL_SHORT_MSG_SIZE"), (32768, "ALLTOALL_MEDIUM_MSG_SIZE")),
        "bcast": ((12288, "BCAST_SHORT_MSG_SIZE"), (524288, "BCAST_LONG_MSG_SIZE")),
        "allgather": ((81920, "ALLGATHER_SHORT_MSG_SIZE"), (524288, "ALLGATHER_LONG_MSG_SIZE")),
        "allgatherv": ((32768, "ALLGATHERV_PIPELINE_MSG_SIZE"),),
        "allreduce": ((2048, "ALLREDUCE_SHORT_MSG_SIZE"),),
        "reduce": ((2048, "REDUCE_SHORT_MSG_SIZE"),),
        "gather": ((2048, "GATHER_INTER_SHORT_MSG_SIZE"),),
        "reduce_scatter": ((524288, "REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE"),),
    },
    "openmpi": {
        "allreduce": ((10000, "coll/tuned fixed decision of 4.0"),),
        "bcast": ((2048, "coll/tuned fixed decision of 4.0"), (370728, "the same")),
    },
    "intel": {},
}
"""Sizes at which a library's documentation says that its choice changes, with the name of each.

MPICH names them MPIR_CVAR_...; its allgather and alltoall count differently from the x-axis here
(``library_size``).
"""


@dataclass(frozen=True)
class Threshold:
    """A documented size, on the x-axis of our curves."""

    size_bytes: float
    name: str


def library_size(collective: str, size_bytes: float, ranks: int) -> float:
    """What a library compares with its thresholds: of an allgather all that is gathered."""
    return size_bytes * ranks if collective in ("allgather", "allgatherv") else size_bytes


def thresholds(family: Family, collective: str, ranks: int) -> tuple[Threshold, ...]:
    """Where the library's documentation says that the algorithm changes, in our sizes."""
    found = DOCUMENTED[family].get(collective, ())
    return tuple(Threshold(size / library_size(collective, 1, ranks), name) for size, name in found)


def algorithms_of(
    family: Family, collective: str, *, in_process: bool = False
) -> tuple[ForcedAlgorithm, ...]:
    """What a blocking collective of a library can be made to use.

    Args: in_process sets MPICH's control variables cell by cell while the program runs, instead of
        by the environment of a launch.
    """
    if family == "openmpi":
        variable = f"OMPI_MCA_coll_tuned_{collective}_algorithm"
        names = OPENMPI.get(collective, ())
        return tuple(
            ForcedAlgorithm(name=name, variable=variable, value=str(number))
            for number, name in enumerate(names, start=1)
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
    found = {one.variable: one.value for one in forced if not one.in_process}
    if family == "openmpi" and found:
        found["OMPI_MCA_coll_tuned_use_dynamic_rules"] = "1"
        found["OMPI_MCA_coll"] = "^han,hcoll,ucc,xhc,acoll"
    if family == "hydra":
        # The shared-memory and network layers have collectives of their own, which would answer.
        names = {one.variable.removesuffix("_INTRA_ALGORITHM") for one in forced}
        found |= {f"{name}_DEVICE_COLLECTIVE": "0" for name in sorted(names)}
    return found


def forced_arms(plain: Arm, cells: Iterable[Cell]) -> Iterator[Arm]:
    """Arms for cells with forced algorithms, beside the arm without any.

    An environment forces one algorithm of each collective; so the first algorithms of all
    collectives share an arm, then the second, and so on. What is set in the process needs one arm.
    """
    groups: list[list[Cell]] = []
    for cell in cells:
        forced = cell.algorithm
        assert forced is not None
        for group in groups:
            if all(_agree(forced, one.algorithm) for one in group):
                group.append(cell)
                break
        else:
            groups.append([cell])
    for number, group in enumerate(groups, start=1):
        chosen = {one.algorithm for one in group if one.algorithm is not None}
        yield plain.model_copy(
            update={
                "arm": f"{plain.arm}f{number}",
                "environment": environment_of(plain.family, sorted(chosen, key=str)),
                "cells": tuple(group),
            }
        )


def _agree(one: ForcedAlgorithm, other: ForcedAlgorithm | None) -> bool:
    """Whether one launch can have both."""
    assert other is not None
    return one.variable != other.variable or one == other or (one.in_process and other.in_process)
