# SPDX-License-Identifier: Apache-2.0
"""isobath keys: the search keys of a scale."""

import sys
import time
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.errors import EnvironmentProblem
from isobath.graphs.export import key_arguments, search_keys
from isobath.launch.edge_program import run_edge_program
from isobath.launch.interrupts import interruptible
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.units import format_seconds

SLOW_SCALE = 24
"""From here on keys take long enough to wonder."""

TRIED_SCALE = 18
"""Its keys are sampled first, in a fraction of a second, to see how fast this machine is."""

Scale = Annotated[
    int, typer.Option(metavar="N", min=1, max=LARGEST_SCALE, help="log2 of the number of vertices.")
]
EdgeFactor = Annotated[
    int, typer.Option(metavar="N", min=1, max=LARGEST_EDGEFACTOR, help="Edges for each vertex.")
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library whose build is used.",
    ),
]


def keys(*, scale: Scale, edgefactor: EdgeFactor = 16, mpi: Mpi = None) -> int:
    """Print the search keys that Graph500 samples at this scale, one a line."""
    try:
        with interruptible():
            if scale >= SLOW_SCALE:
                _say_how_long(scale, edgefactor, mpi)
            run_edge_program(key_arguments(scale, edgefactor), mpi=mpi)
    except KeyboardInterrupt:
        raise EnvironmentProblem("interrupted; no key was printed") from None
    return 0


def _say_how_long(scale: int, edgefactor: int, mpi: str | None) -> None:
    """A key needs a neighbour: edges are generated until every candidate has one, or to the end."""
    begin = time.monotonic()
    search_keys(TRIED_SCALE, 16, mpi=mpi)
    edges = edgefactor << scale
    seconds = (time.monotonic() - begin) * edges / (16 << TRIED_SCALE)
    print(
        f"isobath: up to {edges:,} edges are generated to see which vertices have neighbours; on "
        f"this machine that takes about {format_seconds(seconds)} at the most",
        file=sys.stderr,
        flush=True,
    )
