# SPDX-License-Identifier: Apache-2.0
"""isobath plan: memory and time before running."""

import json
from functools import partial
from typing import Annotated, Any

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.terminal import say
from isobath.errors import ExitCode, IsobathError, RefusedError, UsageError
from isobath.launch.installation import Installation
from isobath.launch.limits import Asked
from isobath.launch.mpi_library import choose_library
from isobath.machine.facts import Machine, read_machine
from isobath.plan.choice import can_number, largest_that_fits, require_fit
from isobath.plan.duration import Calibration
from isobath.plan.estimator import Estimator
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.plan.layout import MOST_RANKS, MOST_THREADS, Layout, choose_layout
from isobath.plan.memory import fits
from isobath.plan.search_plans import (
    HYBRID,
    KERNELS,
    PATH_PLANS,
    PLANS,
    check_grid,
    default_grid,
    usual_path_plan,
)
from isobath.report.wording import compact
from isobath.settings.values import parse_bytes
from isobath.units import format_bytes, format_roughly

MOST_BYTES = 1e18

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
    _check(edges, search_plan, kernel, sssp_plan)
    if validation_copy not in (None, "on", "off"):
        raise UsageError(f"--validation-copy {validation_copy}: choose one of on, off")
    if grid:
        check_grid(search_plan, grid)
    asked = Asked(hang_seconds, time_limit)
    machine = read_machine()
    layout = _layout(machine, search_plan, nodes, ranks, threads, grid)
    available = nodes * (memory_of(memory) if memory else machine.available_bytes)
    estimator = Estimator(
        layout,
        edges,
        edgefactor,
        validation,
        keys,
        construction_check=official,
        plan=search_plan,
        validation_copy=validation_copy,
        available_bytes=available,
        kernel=kernel,
        sssp_plan=sssp_plan or usual_path_plan(official=official),
    )
    calibration, why_not = _calibration(machine, layout, search_plan, kernel, mpi, nodes, asked)
    best = largest_that_fits(estimator.memory_at, available, layout)
    last = min((best or 1) + 1, LARGEST_SCALE)
    scales = [scale] if scale else list(range(max(1, last - 11), last + 1))
    rows = [_row(estimator, calibration, candidate, available) for candidate in scales]
    if as_json:
        facts = {
            "ranks": layout.ranks,
            "threads_per_rank": layout.threads,
            "grid": layout.grid,
            "available_bytes": available,
            "scales": rows,
        }
        if best is not None:
            facts["largest_scale_that_fits"] = best
        print(json.dumps(facts, indent=1))
    else:
        _show(rows, layout, nodes, available, best)
        if why_not:
            print(f"no times: {why_not}")
        elif calibration and calibration.busy:
            print(f"times: {calibration.warning()}")
    if scale:
        require_fit(scale, estimator.memory_at, available, layout)
    elif best is None:
        raise RefusedError(f"no scale fits {format_bytes(available)}; free some memory")
    return 0


def _check(edges: str, search_plan: str, kernel: str, sssp_plan: str | None) -> None:
    """Raises: UsageError for words that mean nothing, or nothing for this kernel."""
    if edges not in ("memory", "file", "regenerate"):
        raise UsageError(f"--edges {edges}: choose one of memory, file, regenerate")
    if search_plan not in PLANS:
        raise UsageError(f"--plan {search_plan}: choose one of {', '.join(PLANS)}")
    if kernel not in KERNELS:
        raise UsageError(f"--kernel {kernel}: choose one of {', '.join(KERNELS)}")
    if sssp_plan is not None and sssp_plan not in PATH_PLANS:
        raise UsageError(f"--sssp-plan {sssp_plan}: choose one of {', '.join(PATH_PLANS)}")
    if sssp_plan is not None and kernel == "bfs":
        raise UsageError("--sssp-plan is for shortest paths; add --kernel sssp or both")


def memory_of(text: str) -> int:
    """Bytes of --memory, written as everywhere. Raises: UsageError."""
    size = parse_bytes("--memory", text)
    if not 0 < size < MOST_BYTES:
        raise UsageError(f"--memory {text} is no machine's memory; write for example 64G or 64GB")
    return size


def _layout(
    machine: Machine,
    search_plan: str,
    nodes: int,
    ranks: int | None,
    threads: int | None,
    grid: str | None,
) -> Layout:
    """Of one machine, or of several like it: its ranks times their number."""
    usual_shape = partial(default_grid, search_plan)
    if nodes == 1:
        return choose_layout(
            machine, ranks=ranks, threads=threads, grid=grid, usual_shape=usual_shape
        )
    alone = choose_layout(machine)
    ranks = ranks or alone.ranks * nodes
    cpus = machine.usable_cpus * nodes
    threads = threads or max(1, cpus // ranks)
    if grid:
        shape = choose_layout(machine, ranks=ranks, threads=threads, grid=grid)
        return Layout(ranks, threads, shape.rows, shape.cols, cpus)
    return Layout(ranks, threads, *usual_shape(ranks), cpus)


def _calibration(
    machine: Machine,
    layout: Layout,
    search_plan: str,
    kernel: str,
    mpi: str | None,
    nodes: int,
    asked: Asked,
) -> tuple[Calibration | None, str]:
    """The calibration of this layout, or why there is none."""
    if nodes > 1:
        return None, "a run over several machines cannot be timed on one"
    if kernel != "bfs":
        return None, "they are known of breadth-first search alone"
    from isobath.kinds.run.calibration import calibrate
    from isobath.kinds.run.settings import RunSettings

    installation = Installation.here()
    try:
        library = choose_library(installation, mpi)
        settings = RunSettings(
            plan=search_plan, hang_seconds=asked.hang_seconds, time_limit=asked.time_limit
        )
        return calibrate(installation, machine, library, layout, say, settings), ""
    except IsobathError as error:
        if error.exit_code == ExitCode.TIMEOUT:
            raise
        return None, str(error)


def _row(
    estimator: Estimator, calibration: Calibration | None, scale: int, available: int
) -> dict[str, Any]:
    estimate = estimator.memory_at(scale)
    row: dict[str, Any] = {
        "scale": scale,
        "vertices": estimate.facts.num_vertices,
        "edges": estimate.facts.num_edges,
        "peak_bytes": estimate.peak_bytes,
        "peak_moment": estimate.moment,
        "fits": can_number(scale, estimator.layout) and fits(estimate, available),
    }
    if estimate.edge_file_bytes:
        row["edge_file_bytes"] = estimate.edge_file_bytes
    if calibration:
        duration = estimator.duration_at(scale, calibration)
        row["seconds"] = round(duration.total, 3)
        row["construction_seconds"] = round(duration.construction, 4)
        row["search_seconds"] = round(duration.search, 6)
    return row


def _show(
    rows: list[dict[str, Any]], layout: Layout, nodes: int, available: int, best: int | None
) -> None:
    where = "this machine" if nodes == 1 else f"{nodes} machines like this one"
    print(f"{layout.describe()}; {format_bytes(available)} of memory on {where}")
    print(f"{'scale':>5} {'edges':>9} {'memory':>9} {'time':>9}  fits")
    for row in rows:
        took = format_roughly(row["seconds"]) if "seconds" in row else "-"
        peak = format_bytes(row["peak_bytes"])
        edges = compact(row["edges"])
        print(f"{row['scale']:>5} {edges:>9} {peak:>9} {took:>9}  {'yes' if row['fits'] else 'no'}")
    if best is not None:
        print(f"largest scale that fits: {best}")
