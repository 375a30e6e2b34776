# SPDX-License-Identifier: Apache-2.0
"""isobath plan: memory and time before running."""

import json
from typing import Annotated, Any

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.terminal import fitted, say
from isobath.kinds.run.needs import NeedsWanted, needs_of
from isobath.launch.limits import Asked
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.plan.layout import MOST_RANKS, MOST_THREADS, Layout
from isobath.plan.search_plans import HYBRID, KERNELS, PATH_PLANS, PLANS
from isobath.report.wording import compact
from isobath.units import format_bytes, format_roughly

Scale = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=LARGEST_SCALE, help="Predict for this scale alone."),
]
Ranks = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=MOST_RANKS, help="Number of MPI ranks to predict for."),
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=MOST_THREADS, help="Threads of each rank.")
]
GridShape = Annotated[
    str | None, typer.Option(metavar="RxC", help="Grid of ranks: rows x columns.")
]
Nodes = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST_RANKS, help="Number of equal machines.")
]
Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="Memory of one machine, such as 64G (default: here)."),
]
Edges = Annotated[
    str,
    typer.Option(
        metavar="WHERE",
        autocompletion=completion.one_of(("memory", "file", "regenerate")),
        help="Where the list of edges is kept: memory, file or regenerate.",
    ),
]
EdgeFactor = Annotated[
    int, typer.Option(metavar="N", min=1, max=LARGEST_EDGEFACTOR, help="Edges for each vertex.")
]
Keys = Annotated[int, typer.Option(metavar="N", min=1, help="Number of searches to predict.")]
SearchPlan = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="NAME",
        help=f"Search plan: {', '.join(PLANS)}.",
        autocompletion=completion.one_of(PLANS),
    ),
]
Kernel = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.one_of(KERNELS),
        help=f"What is searched for: {', '.join(KERNELS)}.",
    ),
]
SsspPlan = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.one_of(PATH_PLANS),
        help=f"Plan for shortest paths: {', '.join(PATH_PLANS)}.",
    ),
]
Validation = Annotated[bool, typer.Option(help="Validate every search.")]
ValidationCopy = Annotated[
    str | None,
    typer.Option(
        metavar="ON|OFF",
        autocompletion=completion.one_of(("on", "off")),
        help="Whether validation has its own copy of the edges; default: if it fits.",
    ),
]
Official = Annotated[
    bool,
    typer.Option(
        "--official", help="Predict for an official run, which checks the construction too."
    ),
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library that the run will use.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def plan(
    *,
    scale: Scale = None,
    ranks: Ranks = None,
    threads: Threads = None,
    grid: GridShape = None,
    search_plan: SearchPlan = HYBRID,
    kernel: Kernel = "bfs",
    sssp_plan: SsspPlan = None,
    nodes: Nodes = 1,
    memory: Memory = None,
    edges: Edges = "memory",
    edgefactor: EdgeFactor = 16,
    keys: Keys = 64,
    validation: Validation = True,
    validation_copy: ValidationCopy = None,
    official: Official = False,
    mpi: Mpi = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    as_json: Json = False,
) -> int:
    """Say what a run needs and takes: memory and time by scale, the largest scale that fits.

    With --scale: ends with 8 where that scale does not fit.
    """
    wanted = NeedsWanted(
        scale=scale,
        ranks=ranks,
        threads=threads,
        grid=grid,
        search_plan=search_plan,
        kernel=kernel,
        sssp_plan=sssp_plan,
        nodes=nodes,
        memory=memory,
        edges=edges,
        edgefactor=edgefactor,
        keys=keys,
        validation=validation,
        validation_copy=validation_copy,
        official=official,
        mpi=mpi,
    )
    needs = needs_of(wanted, say, Asked(hang_seconds, time_limit))
    if as_json:
        print(json.dumps(needs.facts, indent=1))
    else:
        _show(needs.rows, needs.layout, nodes, needs.available, needs.largest)
        if needs.time_note:
            print(fitted(needs.time_note))
    needs.require_fit()
    return 0


def _show(
    rows: list[dict[str, Any]], layout: Layout, nodes: int, available: int, best: int | None
) -> None:
    where = "this machine" if nodes == 1 else f"{nodes} machines like this one"
    print(fitted(f"{layout.describe()}; {format_bytes(available)} of memory on {where}"))
    print(f"{'scale':>5} {'edges':>9} {'memory':>9} {'time':>9}  fits")
    for row in rows:
        took = format_roughly(row["seconds"]) if "seconds" in row else "-"
        peak = format_bytes(row["peak_bytes"])
        edges = compact(row["edges"])
        print(f"{row['scale']:>5} {edges:>9} {peak:>9} {took:>9}  {'yes' if row['fits'] else 'no'}")
    if best is not None:
        print(f"largest scale that fits: {best}")
