# SPDX-License-Identifier: Apache-2.0
"""Which algorithm MPICH 4.0 to 5.0 takes when nothing is forced, as its selection file has it.

Facts of maint/tuning/coll/mpir/generic.json, the same in all these versions, for predefined
operations that commute and communicators of one node. The device may take a collective before
this file is asked (shared memory has bcast, reduce, allreduce and barrier of its own), so that a
table is weaker than what was seen to run. MPIR_CVAR_..._MSG_SIZE of the same names are not looked
at while the selection file is in force.
"""

ANY = 1 << 62
"""above every size and every number of ranks"""

Rows = tuple[tuple[int, str], ...]
"""(sizes below this, algorithm)"""

FEW, POWER_OF_TWO, OTHERS = "fewer than 8", "power of two", "others"

TOTAL = frozenset({"allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"})
"""Whose size is the sum of all blocks; of all others that of one block, or of the vector."""

SELECTION: dict[str, dict[str, Rows]] = {
    "allgather": {
        POWER_OF_TWO: ((524288, "recursive_doubling"), (ANY, "ring")),
        OTHERS: ((81920, "brucks"), (ANY, "ring")),
    },
    "allgatherv": {
        POWER_OF_TWO: ((524288, "recursive_doubling"), (ANY, "ring")),
        OTHERS: ((81920, "brucks"), (ANY, "ring")),
    },
    "allreduce": {OTHERS: ((9, "recursive_doubling"), (ANY, "reduce_scatter_allgather"))},
    "alltoall": {
        FEW: ((32769, "scattered"), (ANY, "pairwise")),
        OTHERS: ((257, "brucks"), (32769, "scattered"), (ANY, "pairwise")),
    },
    "alltoallv": {OTHERS: ((ANY, "scattered"),)},
    "alltoallw": {OTHERS: ((ANY, "scattered"),)},
    "barrier": {OTHERS: ((ANY, "k_dissemination"),)},
    "bcast": {
        FEW: ((ANY, "binomial"),),
        POWER_OF_TWO: (
            (12289, "binomial"),
            (524289, "scatter_recursive_doubling_allgather"),
            (ANY, "scatter_ring_allgather"),
        ),
        OTHERS: ((12289, "binomial"), (ANY, "scatter_ring_allgather")),
    },
    "exscan": {OTHERS: ((ANY, "recursive_doubling"),)},
    "gather": {OTHERS: ((ANY, "binomial"),)},
    "gatherv": {OTHERS: ((ANY, "linear"),)},
    "reduce": {OTHERS: ((2049, "binomial"), (ANY, "reduce_scatter_gather"))},
    "reduce_scatter": {OTHERS: ((524288, "recursive_halving"), (ANY, "pairwise"))},
    "reduce_scatter_block": {OTHERS: ((524288, "recursive_halving"), (ANY, "pairwise"))},
    "scan": {OTHERS: ((ANY, "smp"),)},
    "scatter": {OTHERS: ((ANY, "binomial"),)},
    "scatterv": {OTHERS: ((ANY, "linear"),)},
}
"""By collective and number of ranks; where a number has no rows of its own, those of the others."""

FEWER_ELEMENTS = {"allreduce": "recursive_doubling", "reduce": "binomial"}
"""Instead of the last row, where there are fewer elements than the power of two below the ranks."""


def selected_size(collective: str, size_bytes: int, ranks: int) -> int:
    """What the selection file compares with its sizes."""
    return size_bytes * ranks if collective in TOTAL else size_bytes


def _rows(collective: str, ranks: int) -> Rows:
    rows = SELECTION[collective]
    if ranks < 8 and FEW in rows:
        return rows[FEW]
    if ranks & (ranks - 1) == 0 and POWER_OF_TWO in rows:
        return rows[POWER_OF_TWO]
    return rows[OTHERS]


def selected(collective: str, size_bytes: int, ranks: int, width: int = 1) -> str | None:
    """Name of the algorithm that is documented; None where the file decides nothing.

    Args: size_bytes as on the x-axis here; width of an element in bytes.
    """
    if ranks < 2 or collective not in SELECTION:
        return None
    rows = _rows(collective, ranks)
    size = selected_size(collective, size_bytes, ranks)
    name = next(name for limit, name in rows if size < limit)
    below = 1 << (ranks.bit_length() - 1)
    if name == rows[-1][1] and size_bytes // width < below:
        return FEWER_ELEMENTS.get(collective, name)
    return name


def selection_switches(collective: str, ranks: int) -> tuple[float, ...]:
    """Sizes on the x-axis here from which another algorithm is documented."""
    if ranks < 2 or collective not in SELECTION:
        return ()
    unit = selected_size(collective, 1, ranks)
    return tuple(limit / unit for limit, _ in _rows(collective, ranks) if limit != ANY)
