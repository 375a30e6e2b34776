# SPDX-License-Identifier: Apache-2.0
"""Which algorithm Open MPI 4.1 and 5.0.0 take when nothing is forced: thresholds of coll/tuned.

Facts of coll_tuned_decision_fixed.c, the same from 4.1.0 to 4.1.8 and in 5.0.0; of reductions those
that commute. Ids are places in ``isobath.bench.algorithms.OPENMPI``, from 1. An algorithm may still
hand over to another one where it cannot do what is asked (allgather neighbor of an odd number of
ranks), so that a table is weaker than what was seen to run.
"""

ANY = 1 << 62
"""above every size and every number of ranks"""

Rows = tuple[tuple[int, int], ...]
"""(sizes below this, algorithm)"""

FIXED: dict[str, tuple[tuple[int, Rows], ...]] = {
    "allgather": (
        (3, ((ANY, 6),)),
        (32, ((ANY, 3),)),
        (64, ((1024, 3), (65536, 5), (ANY, 4))),
        (128, ((512, 3), (65536, 5), (ANY, 4))),
        (256, ((512, 3), (131072, 5), (524288, 4), (1048576, 5), (ANY, 4))),
        (512, ((32, 3), (128, 2), (1024, 3), (131072, 5), (524288, 4), (1048576, 5), (ANY, 4))),
        (1024, ((64, 3), (256, 2), (2048, 3), (ANY, 5))),
        (2048, ((4, 3), (8, 2), (16, 3), (32, 2), (256, 3), (512, 2), (4096, 3), (ANY, 5))),
        (4096, ((32, 2), (128, 3), (512, 2), (4096, 3), (ANY, 5))),
        (ANY, ((2, 3), (8, 2), (16, 3), (512, 2), (4096, 3), (ANY, 5))),
    ),
    "allgatherv": (
        (3, ((2048, 3), (4096, 5), (8192, 3), (ANY, 5))),
        (8, ((256, 1), (4096, 4), (8192, 3), (16384, 4), (262144, 2), (ANY, 4))),
        (16, ((1024, 1), (ANY, 2))),
        (32, ((128, 1), (262144, 2), (ANY, 3))),
        (64, ((256, 1), (8192, 2), (ANY, 3))),
        (128, ((256, 1), (4096, 2), (ANY, 3))),
        (256, ((1024, 2), (65536, 4), (ANY, 3))),
        (512, ((1024, 2), (ANY, 3))),
        (1024, ((512, 2), (1024, 1), (4096, 2), (1048576, 4), (ANY, 3))),
        (ANY, ((4096, 2), (ANY, 4))),
    ),
    "allreduce": (
        (4, ((8, 4), (4096, 3), (8192, 4), (16384, 3), (65536, 4), (262144, 5), (ANY, 6))),
        (8, ((16, 4), (8192, 3), (ANY, 6))),
        (16, ((8192, 3), (ANY, 6))),
        (32, ((64, 5), (4096, 3), (ANY, 6))),
        (64, ((128, 5), (ANY, 6))),
        (128, ((262144, 3), (ANY, 6))),
        (256, ((131072, 2), (262144, 3), (ANY, 6))),
        (512, ((4096, 2), (ANY, 6))),
        (2048, ((2048, 2), (16384, 3), (ANY, 6))),
        (4096, ((2048, 2), (4096, 5), (16384, 3), (ANY, 6))),
        (ANY, ((2048, 2), (16384, 5), (32768, 3), (ANY, 6))),
    ),
    "alltoall": (
        (3,
         ((2, 2), (4, 5), (16, 2), (64, 5), (256, 2), (4096, 5), (32768, 2), (262144, 4),
         (1048576, 5), (ANY, 2))),
        (8, ((8192, 4), (16384, 1), (65536, 4), (524288, 1), (1048576, 2), (ANY, 1))),
        (16, ((262144, 4), (ANY, 1))),
        (32, ((4, 4), (512, 3), (8192, 4), (32768, 1), (262144, 4), (524288, 1), (ANY, 4))),
        (64, ((512, 3), (524288, 1), (ANY, 4))),
        (128, ((1024, 3), (2048, 1), (4096, 4), (262144, 1), (ANY, 2))),
        (256, ((1024, 3), (2048, 4), (262144, 1), (ANY, 2))),
        (512, ((1024, 3), (8192, 4), (32768, 1), (ANY, 2))),
        (1024, ((512, 3), (8192, 4), (16384, 1), (131072, 4), (262144, 1), (ANY, 2))),
        (2048, ((512, 3), (1024, 4), (2048, 1), (16384, 4), (262144, 1), (ANY, 4))),
        (4096, ((1024, 3), (4096, 4), (8192, 1), (131072, 4), (ANY, 1))),
        (ANY, ((2048, 3), (8192, 4), (16384, 1), (32768, 4), (65536, 1), (ANY, 4))),
    ),
    "alltoallv": (
        (4, ((ANY, 2),)),
        (64, ((ANY, 1),)),
        (128, ((ANY, 2),)),
        (256, ((ANY, 1),)),
        (1024, ((ANY, 2),)),
        (ANY, ((ANY, 1),)),
    ),
    "barrier": (
        (4, ((ANY, 3),)),
        (8, ((ANY, 1),)),
        (64, ((ANY, 3),)),
        (256, ((ANY, 4),)),
        (512, ((ANY, 6),)),
        (1024, ((ANY, 4),)),
        (4096, ((ANY, 6),)),
        (ANY, ((ANY, 4),)),
    ),
    "bcast": (
        (4,
         ((32, 3), (256, 5), (512, 3), (1024, 7), (32768, 1), (131072, 5), (262144, 2),
         (524288, 1), (1048576, 6), (ANY, 5))),
        (8, ((64, 5), (128, 6), (2048, 5), (8192, 6), (1048576, 1), (ANY, 2))),
        (16, ((8, 7), (64, 5), (4096, 7), (16384, 5), (32768, 6), (ANY, 1))),
        (32, ((4096, 7), (1048576, 6), (ANY, 8))),
        (64, ((2048, 6), (ANY, 7))),
        (128, ((ANY, 7),)),
        (256, ((2, 6), (16384, 5), (32768, 1), (65536, 5), (ANY, 7))),
        (1024, ((16384, 7), (32768, 4), (ANY, 7))),
        (2048, ((524288, 7), (ANY, 8))),
        (4096, ((262144, 7), (ANY, 8))),
        (ANY, ((8192, 7), (16384, 5), (262144, 7), (ANY, 8))),
    ),
    "gather": (
        (4, ((2, 3), (4, 1), (32768, 2), (65536, 1), (131072, 2), (ANY, 3))),
        (8, ((1024, 2), (8192, 1), (32768, 2), (262144, 1), (ANY, 3))),
        (256, ((ANY, 2),)),
        (512, ((2048, 2), (8192, 1), (ANY, 2))),
        (ANY, ((ANY, 2),)),
    ),
    "reduce": (
        (4, ((8, 7), (16, 4), (32, 3), (262144, 1), (524288, 3), (1048576, 2), (ANY, 3))),
        (8, ((4096, 4), (65536, 2), (262144, 5), (524288, 1), (1048576, 5), (ANY, 1))),
        (16, ((8192, 4), (ANY, 5))),
        (32, ((4096, 4), (ANY, 5))),
        (256, ((ANY, 5),)),
        (512, ((8192, 5), (16384, 6), (ANY, 5))),
        (2048, ((ANY, 5),)),
        (4096, ((512, 5), (1024, 6), (8192, 5), (16384, 6), (ANY, 5))),
        (ANY, ((16, 5), (32, 6), (1024, 5), (2048, 6), (8192, 5), (16384, 6), (ANY, 5))),
    ),
    "reduce_scatter": (
        (4, ((65536, 3), (131072, 4), (ANY, 3))),
        (8, ((8, 1), (262144, 2), (ANY, 3))),
        (32, ((262144, 2), (ANY, 3))),
        (64, ((64, 1), (2048, 2), (524288, 4), (ANY, 3))),
        (128, ((256, 1), (512, 2), (2048, 4), (4096, 2), (ANY, 4))),
        (256, ((256, 1), (512, 2), (ANY, 4))),
        (512, ((256, 1), (1024, 2), (ANY, 4))),
        (1024, ((512, 1), (2048, 2), (8192, 4), (16384, 2), (ANY, 4))),
        (2048, ((512, 1), (4096, 2), (16384, 4), (32768, 2), (ANY, 4))),
        (4096, ((512, 1), (4096, 2), (ANY, 4))),
        (ANY, ((1024, 1), (8192, 2), (ANY, 4))),
    ),
    "reduce_scatter_block": (
        (4,
         ((4, 2), (8, 4), (16, 3), (128, 4), (256, 3), (4096, 4), (8192, 3), (131072, 4),
         (ANY, 1))),
        (8, ((8, 3), (32, 2), (256, 4), (8192, 3), (16384, 4), (1048576, 3), (ANY, 1))),
        (16, ((4, 1), (32, 3), (128, 4), (524288, 3), (4194304, 1), (ANY, 4))),
        (32, ((32, 1), (524288, 3), (2097152, 1), (4194304, 3), (ANY, 4))),
        (ANY, ((4, 3), (16, 1), (65536, 4), (262144, 1), (ANY, 4))),
    ),
    "scatter": (
        (4, ((2, 3), (131072, 1), (262144, 3), (ANY, 1))),
        (8, ((2048, 2), (4096, 1), (8192, 2), (32768, 1), (1048576, 3), (ANY, 1))),
        (16, ((16384, 2), (1048576, 3), (ANY, 1))),
        (32, ((16384, 2), (32768, 1), (ANY, 3))),
        (64, ((512, 2), (8192, 3), (16384, 2), (ANY, 3))),
        (ANY, ((512, 2), (ANY, 3))),
    ),
}  # fmt: skip
"""(numbers of ranks below this, rows); sizes as ``fixed_size`` has them."""

WHOLE = frozenset({"reduce_scatter"})
"""Whose size is the sum of all blocks; of all others that of one block, or of the vector."""


def fixed_size(collective: str, size_bytes: int, ranks: int) -> int:
    """What the fixed decision compares with its thresholds."""
    return size_bytes * ranks if collective in WHOLE else size_bytes


def fixed_choice(collective: str, size_bytes: int, ranks: int) -> int | None:
    """Id of the algorithm that is documented; None where coll/tuned decides nothing.

    Args: size_bytes as on the x-axis here.
    """
    if ranks < 2 or collective not in FIXED:
        return None
    size = fixed_size(collective, size_bytes, ranks)
    rows = next(rows for limit, rows in FIXED[collective] if ranks < limit)
    return next(algorithm for limit, algorithm in rows if size < limit)


def fixed_switches(collective: str, ranks: int) -> tuple[float, ...]:
    """Sizes on the x-axis here from which another algorithm is documented."""
    if ranks < 2 or collective not in FIXED:
        return ()
    rows = next(rows for limit, rows in FIXED[collective] if ranks < limit)
    unit = fixed_size(collective, 1, ranks)
    return tuple(limit / unit for limit, _ in rows if limit != ANY)


RULE_TOTAL = frozenset(
    {"allgather", "alltoall", "gather", "scatter", "reduce_scatter", "reduce_scatter_block"}
)
"""Rule files of these have the bytes of all blocks of a rank as their size."""

RULE_WITHOUT_SIZE = frozenset({"alltoallv", "barrier", "scan", "exscan"})
"""Rule files of these cannot tell sizes apart: alltoallv and barrier look at rule 0, scan and
exscan forget the count and compare bytes of an element times ranks.
"""


def rule_size(collective: str, size_bytes: int, ranks: int) -> int:
    """What Open MPI 4.1 compares with the sizes of a rule file: not what its fixed decision has.

    An allgatherv has the mean over ranks, the others the block, the vector, or all blocks.
    """
    if collective in RULE_WITHOUT_SIZE:
        return 0
    return size_bytes * ranks if collective in RULE_TOTAL else size_bytes
