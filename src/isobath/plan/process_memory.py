# SPDX-License-Identifier: Apache-2.0
"""Resident memory of a rank before it has a graph: program, libraries, MPI."""

from math import log2

ALONE_BYTES = 22.5e6
"""Resident memory of a single rank before it has a graph: program and libraries. How much of a
library's file is resident differs by kernel: 20.5 to 25 MB were measured (scale 4)."""

TOGETHER_BYTES = 25.5e6
"""The same of one rank of several, with MPI ..."""

DOUBLING_BYTES = 2.95e6
"""... and its connections, whose number grows with the logarithm of the ranks, with a thread: 30.9
to 32.6 MB on 2, 33.4 on 4, 36.7 on 6, 39.6 on 16 (scale 10, MPICH 5.0.2, Linux 6.18)."""

GRID_BYTES = 1.7e6
"""Of that, the communicators of grid rows and columns, which `landmark` does without: 1.5 to 2.0 MB
on 2 to 16 ranks (scale 6)."""


def process_bytes(ranks: int, *, has_grid: bool) -> float:
    """Of one rank.

    Args: has_grid says whether there are communicators of grid rows and columns.
    """
    if ranks == 1:
        return ALONE_BYTES
    return TOGETHER_BYTES + DOUBLING_BYTES * log2(ranks) - (0.0 if has_grid else GRID_BYTES)
