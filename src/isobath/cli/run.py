# SPDX-License-Identifier: Apache-2.0
"""isobath run: the benchmark."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.terminal import say
from isobath.kinds.run.settings import merge_settings
from isobath.plan.search_plans import DIRECTIONS, EXCHANGES, FRONTIERS, PATH_PLANS

PLAN_WORDS = "Search plan: replicated-csr, -csc, simple, one-sided, two-dim, hybrid (default)."

PANEL: dict[str, Any] = {"rich_help_panel": "Plan"}
PATHS: dict[str, Any] = {"rich_help_panel": "Shortest paths (--kernel sssp or both)"}
MACHINE: dict[str, Any] = {"rich_help_panel": "Machine"}
"""Under which heading of the help an option stands."""

Config = Annotated[
    Path | None, typer.Argument(metavar="CONFIG.toml", help="A TOML file of settings; options win.")
]
Scale = Annotated[
    int | None, typer.Option(metavar="N", help="log2 of the vertices; default: for a minute.")
]
EdgeFactor = Annotated[int | None, typer.Option(metavar="N", help="Edges per vertex; default 16.")]
Keys = Annotated[int | None, typer.Option(metavar="N", help="Search keys to sample; default 64.")]
Root = Annotated[
    list[int] | None,
    typer.Option(metavar="VERTEX", help="Search from this vertex; may be repeated."),
]
Ranks = Annotated[
    int | None, typer.Option(metavar="N", help="MPI ranks; default: one per NUMA node.")
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", help="Threads per rank; default: all processors.")
]
GridShape = Annotated[
    str | None, typer.Option(metavar="RxC", help="Rows x columns of ranks; default: the plan's.")
]
Plan = Annotated[str | None, typer.Option(metavar="NAME", help=PLAN_WORDS, **PANEL)]
Exchange = Annotated[
    str | None,
    typer.Option(metavar="WAY", help=f"How messages travel: {', '.join(EXCHANGES)}.", **PANEL),
]
Duplicates = Annotated[
    str | None, typer.Option(metavar="WAY", help="Duplicate edges: keep or drop.", **PANEL)
]
Ids = Annotated[
    int | None, typer.Option(metavar="BITS", help="Bits of an id in a message: 64 or 32.", **PANEL)
]
Dedup = Annotated[
    str | None,
    typer.Option(metavar="WAY", help="local: propose each target once; or none.", **PANEL),
]
Frontier = Annotated[
    str | None, typer.Option(metavar="FORM", help=f"Frontier as {', '.join(FRONTIERS)}.", **PANEL)
]
Fold = Annotated[
    str | None, typer.Option(metavar="FORM", help="Fold messages: plain or packed.", **PANEL)
]
Relabel = Annotated[
    str | None, typer.Option(metavar="HOW", help="Number hubs first: on, classes or off.", **PANEL)
]
Leaves = Annotated[
    str | None, typer.Option(metavar="OUT|IN", help="Leaves out of the searched graph.", **PANEL)
]
Streams = Annotated[
    str | None,
    typer.Option(metavar="ON|OFF", help="First neighbours as bit planes: on, off.", **PANEL),
]
Overlap = Annotated[
    str | None,
    typer.Option(metavar="ON|OFF", help="Hide the ring of bottom-up levels: on, off.", **PANEL),
]
Direction = Annotated[
    str | None, typer.Option(metavar="WAY", help=f"Levels: {', '.join(DIRECTIONS)}.", **PANEL)
]
Kernel = Annotated[
    str | None, typer.Option(metavar="NAME", help="Kernel: bfs (default), sssp or both.", **PANEL)
]
SsspPlan = Annotated[
    str | None, typer.Option(metavar="NAME", help=f"Plan: {', '.join(PATH_PLANS)}.", **PATHS)
]
SsspPrune = Annotated[
    str | None,
    typer.Option(metavar="ON|OFF", help="Leave out edges on no shortest path.", **PATHS),
]
SsspDelta = Annotated[
    float | None, typer.Option(metavar="X", help="Width of a bucket; 0: the plan's.", **PATHS)
]
Transport = Annotated[
    str | None,
    typer.Option(
        metavar="WAY", help="Carrier: shared-memory, tcp, rate-limited[:RATE].", **MACHINE
    ),
]
RanksPerNode = Annotated[
    int | None, typer.Option(metavar="N", help="Pretend nodes of so many ranks.", **MACHINE)
]
InstructionSet = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Instructions: avx512, avx2 or portable.", **MACHINE),
]
EngineBuild = Annotated[
    str | None, typer.Option(metavar="DIR", help="Another build of the engine.", **MACHINE)
]
Mpi = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="MPI: wheel, system, openmpi, mpich, intel, id or path."),
]
Edges = Annotated[
    str | None, typer.Option(metavar="WHERE", help="Where edges stay: memory, file or regenerate.")
]
EdgeFolder = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of edge files; default: the run's.")
]
Validation = Annotated[bool | None, typer.Option(help="Validate every search (the default).")]
ValidationCopy = Annotated[
    str | None,
    typer.Option(metavar="ON|OFF", help="A copy of the edges, to validate faster."),
]
Warmup = Annotated[
    int | None, typer.Option(metavar="N", help="Untimed searches before: 0 or 1 (default).")
]
Official = Annotated[
    bool | None, typer.Option("--official", help="Enforce every rule of the specification.")
]
Alpha = Annotated[
    float | None, typer.Option(metavar="X", help="Bottom-up beyond 1/X of all arcs; default 14.")
]
Beta = Annotated[
    float | None, typer.Option(metavar="X", help="Bottom-up beyond 1/X of vertices; default 24.")
]
SizeEdges = Annotated[
    str | None,
    typer.Option(metavar="BYTES,..", help="Edges of message size buckets; default 4 an octave."),
]
PeerRecords = Annotated[
    bool | None,
    typer.Option(
        "--peer-records", help="Record who sends how much to whom in every level, for bench replay."
    ),
]
LegacyNoBang = Annotated[
    bool | None, typer.Option("--legacy-no-bang", help="Leave out the reference's stray '!'.")
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of studies; default: studies.")
]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports; default: reports.")
]
Report = Annotated[bool | None, typer.Option(help="Write the HTML report (the default).")]
Force = Annotated[bool | None, typer.Option("--force", help="Run even where it may not fit.")]
ShowConfig = Annotated[
    bool, typer.Option("--show-config", help="Print every setting and its origin, and stop.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be done, memory and time, and stop.")
]


def run(
    *,
    config: Config = None,
    scale: Scale = None,
    edgefactor: EdgeFactor = None,
    keys: Keys = None,
    root: Root = None,
    ranks: Ranks = None,
    threads: Threads = None,
    grid: GridShape = None,
    kernel: Kernel = None,
    plan: Plan = None,
    exchange: Exchange = None,
    duplicates: Duplicates = None,
    ids: Ids = None,
    dedup: Dedup = None,
    frontier: Frontier = None,
    fold: Fold = None,
    relabel: Relabel = None,
    leaves: Leaves = None,
    streams: Streams = None,
    overlap: Overlap = None,
    direction: Direction = None,
    sssp_plan: SsspPlan = None,
    sssp_prune: SsspPrune = None,
    sssp_delta: SsspDelta = None,
    mpi: Mpi = None,
    transport: Transport = None,
    ranks_per_node: RanksPerNode = None,
    instruction_set: InstructionSet = None,
    engine_build: EngineBuild = None,
    edges: Edges = None,
    edge_folder: EdgeFolder = None,
    validation: Validation = None,
    validation_copy: ValidationCopy = None,
    warmup: Warmup = None,
    official: Official = None,
    alpha: Alpha = None,
    beta: Beta = None,
    size_edges: SizeEdges = None,
    peer_records: PeerRecords = None,
    legacy_no_bang: LegacyNoBang = None,
    store: Store = None,
    reports: Reports = None,
    report: Report = None,
    force: Force = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    show_config: ShowConfig = False,
    dry_run: DryRun = False,
) -> int:
    """Run the Graph500 benchmark on this machine: generate, construct, search, validate.

    Without options the scale is the largest that ends in about a minute and fits the memory. The
    official block goes to standard output, everything else to standard error.
    """
    options: dict[str, Any] = {
        "scale": scale,
        "edgefactor": edgefactor,
        "keys": keys,
        "root": root,
        "ranks": ranks,
        "threads": threads,
        "grid": grid,
        "kernel": kernel,
        "plan": plan,
        "exchange": exchange,
        "duplicates": duplicates,
        "ids": ids,
        "dedup": dedup,
        "frontier": frontier,
        "fold": fold,
        "relabel": relabel,
        "leaves": leaves,
        "streams": streams,
        "overlap": overlap,
        "direction": direction,
        "sssp_plan": sssp_plan,
        "sssp_prune": sssp_prune,
        "sssp_delta": sssp_delta,
        "mpi": mpi,
        "transport": transport,
        "ranks_per_node": ranks_per_node,
        "instruction_set": instruction_set,
        "engine_build": engine_build,
        "edges": edges,
        "edge_folder": edge_folder,
        "validation": validation,
        "validation_copy": validation_copy,
        "warmup": warmup,
        "official": official,
        "alpha": alpha,
        "beta": beta,
        "size_edges": size_edges,
        "peer_records": peer_records,
        "legacy_no_bang": legacy_no_bang,
        "store": store,
        "reports": reports,
        "report": report,
        "force": force,
        "hang_seconds": hang_seconds,
        "time_limit": time_limit,
    }
    settings, origins = merge_settings(file=config, variables=os.environ, options=options)
    if show_config:
        for spec in fields(settings):
            value = getattr(settings, spec.name)
            words = "chosen when the run starts" if value is None else _toml(value)
            print(f"{spec.name:15} {words:30} {origins[spec.name]}")
        return 0
    from isobath.kinds.run.preparation import prepare_run
    from isobath.study.home import shelf

    prepared = prepare_run(settings, origins, say, store=shelf(settings.store).folders[0])
    from isobath.cli.run_output import perform, show_plan

    if dry_run:
        return show_plan(prepared)
    return perform(prepared)


def _toml(value: object) -> str:
    """A value as the file would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
