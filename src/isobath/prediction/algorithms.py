# SPDX-License-Identifier: Apache-2.0
"""Algorithms of collectives that predictions know, and which one is taken where none is forced.

Names are MPICH's; what each costs stands in ``calls.terms_of``.
"""

from collections.abc import Mapping

DOUBLING, RABENSEIFNER = "recursive_doubling", "reduce_scatter_allgather"
BRUCK, RING, LINEAR, PAIRWISE = "brucks", "ring", "scattered", "pairwise"
BINOMIAL, DISSEMINATION = "binomial", "k_dissemination"

KNOWN: Mapping[str, tuple[str, ...]] = {
    "allreduce": (DOUBLING, RABENSEIFNER),
    "bcast": (BINOMIAL,),
    "barrier": (DISSEMINATION,),
    "allgather": (BRUCK, DOUBLING, RING),
    "allgatherv": (BRUCK, DOUBLING, RING),
    "alltoall": (BRUCK, LINEAR, PAIRWISE),
    "alltoallv": (LINEAR, PAIRWISE),
}
"""By collective those that there is a formula of. Bruck's allgather and doubling cost the same."""

OTHER_NAMES: Mapping[str, Mapping[str, str]] = {
    "allreduce": {"rabenseifner": RABENSEIFNER},
    "allgather": {"bruck": BRUCK},
    "allgatherv": {"bruck": BRUCK},
    "alltoall": {"modified_bruck": BRUCK, "linear": LINEAR},
    "alltoallv": {"basic_linear": LINEAR, "pairwise_sendrecv_replace": PAIRWISE},
}
"""Those of Open MPI, and of MPICH's variants that cost the same."""

LONG_GATHER = 512 * 1024
"""bytes from which libraries gather round a ring instead of doubling (MPICH's default)"""

SHORT_EXCHANGE, LEAST_BRUCK = 256, 8
"""bytes of a pair to which, and ranks from which, alltoalls are Bruck's (MPICH's defaults)"""


def known_name(collective: str, name: str) -> str:
    """What it is called here; empty where there is no formula of it."""
    own = OTHER_NAMES.get(collective, {}).get(name, name)
    return own if own in KNOWN.get(collective, ()) else ""


def usual(collective: str, ranks: int, piece: float) -> str:
    """What a library takes where nothing is forced; empty where it has no choice.

    Args: piece is the bytes for one other rank, of a reduction those of its vector.

    >>> usual("allgatherv", 16, 1024), usual("allgatherv", 16, 1 << 20), usual("alltoall", 16, 8)
    ('brucks', 'ring', 'brucks')
    """
    if collective in ("allgather", "allgatherv"):
        return RING if ranks * piece >= LONG_GATHER else BRUCK
    if collective == "alltoall":
        return BRUCK if piece <= SHORT_EXCHANGE and ranks >= LEAST_BRUCK else LINEAR
    return KNOWN.get(collective, ("",))[0]
