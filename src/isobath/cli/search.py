# SPDX-License-Identifier: Apache-2.0
"""isobath search: the graph of a file."""

import itertools
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import front_door, shown
from isobath.cli.run import PLAN_WORDS
from isobath.cli.run_summary_text import summary_sentences
from isobath.cli.studies import typed_study
from isobath.cli.terminal import explain, is_quiet, say, warn
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError
from isobath.graphs.request import FORMATS, NUMBERINGS, WEIGHT_TYPES, GraphFile, SearchRequest
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked
from isobath.plan.search_plans import ANY_PATH_PLAN, HYBRID, KERNELS, PATH_PLANS
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord
from isobath.study.home import shelf

SSSP_PLANS = (ANY_PATH_PLAN, *PATH_PLANS)

File = Annotated[Path, typer.Argument(metavar="GRAPH", help="The file of the graph.")]
KernelOption = Annotated[
    str, typer.Option("--kernel", metavar="NAME", help=f"What to search for: {', '.join(KERNELS)}.")
]
Root = Annotated[
    list[int] | None,
    typer.Option(metavar="VERTEX", help="Search from this vertex; may be repeated."),
]
Keys = Annotated[int, typer.Option(metavar="N", min=1, help="Roots to sample.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the sample of roots.")]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"Format of the file: {', '.join(FORMATS)}; default: by its name.",
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="unit|random|FILE",
        help="Weights given to edges, or a file of those of packed or raw edges (float32).",
    ),
]
WeightSeed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Seed of random weights; default: 1.")
]
WeightType = Annotated[
    str,
    typer.Option(
        metavar="NAME", help=f"Type of the weights in a .wsg file: {', '.join(WEIGHT_TYPES)}."
    ),
]
Numbering = Annotated[
    str, typer.Option(metavar="NAME", help=f"Numbers of vertices inside: {', '.join(NUMBERINGS)}.")
]
Ranks = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="MPI ranks; default: one per NUMA node.")
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Threads per rank; default: all.")
]
GridShape = Annotated[
    str | None, typer.Option(metavar="RxC", help="Rows x columns of ranks; default: the plan's.")
]
Plan = Annotated[str, typer.Option(metavar="NAME", help=PLAN_WORDS)]
SsspPlan = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"Plan for shortest paths: {', '.join(SSSP_PLANS)}."),
]
SsspDelta = Annotated[
    float | None, typer.Option(metavar="X", help="Width of a bucket; 0: the plan's.")
]
Mpi = Annotated[str | None, typer.Option(metavar="NAME", help="The MPI to run under.")]
Parents = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write parents: .npy or .parquet.")
]
Levels = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write levels: .npy or .parquet.")
]
Distances = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write distances: .npy or .parquet.")
]
Validation = Annotated[bool, typer.Option(help="Validate every search (the default).")]
Warmup = Annotated[
    int, typer.Option(metavar="N", min=0, max=1, help="Untimed searches before: 0 or 1.")
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of studies; default: studies.")
]


def search(
    graph: File,
    *,
    kernel: KernelOption = "bfs",
    root: Root = None,
    keys: Keys = 64,
    seed: Seed = 1,
    format_: FormatOption = None,
    weights: Weights = None,
    weight_seed: WeightSeed = None,
    weight_type: WeightType = "auto",
    numbering: Numbering = "auto",
    ranks: Ranks = None,
    threads: Threads = None,
    grid: GridShape = None,
    plan: Plan = HYBRID,
    sssp_plan: SsspPlan = None,
    sssp_delta: SsspDelta = None,
    mpi: Mpi = None,
    parents: Parents = None,
    levels: Levels = None,
    distances: Distances = None,
    validation: Validation = True,
    warmup: Warmup = 1,
    store: Store = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Search the graph of a file from given or sampled roots; validate and time every search.

    Reads Matrix Market, edge lists, GAPBS .sg and .wsg, packed and raw edges, Parquet; text also
    compressed by gzip or zstd. Edges have no direction. The table goes to standard output.
    """
    from isobath.graphs.files import require_place, write_answers
    from isobath.graphs.session import search as search_file

    _check_paths(kernel, sssp_plan, sssp_delta)
    limits = Asked(hang_seconds, time_limit)
    asked = {"parents": parents, "levels": levels, "distances": distances}
    wanted = {kind: file for kind, file in asked.items() if file is not None}
    _check_answers(kernel, wanted)
    for file in wanted.values():
        require_place(file)
    request = SearchRequest(
        graph=GraphFile.of(
            graph,
            format=format_,
            weights=weights,
            weight_seed=weight_seed,
            weight_type=weight_type,
            numbering=numbering,
        ),
        kernel=kernel,
        roots=tuple(root or ()),
        keys=keys,
        seed=seed,
        ranks=ranks,
        threads=threads,
        grid=grid,
        plan=plan,
        sssp_plan=sssp_plan,
        sssp_delta=sssp_delta,
        mpi=mpi,
        validation=validation,
        warmup=warmup,
    )
    with Interrupts() as interrupts:
        finished = search_file(
            request,
            shelf(store).folders[0],
            interrupts,
            command=typed_command(),
            wants_answers=bool(wanted),
            asked=limits,
        )
        if finished.records is not None:
            print(_table(finished.roots, finished.records), flush=True)
            for sentence in () if is_quiet() else summary_sentences(finished.records):
                print(sentence, file=sys.stderr)
        if finished.message:
            warn(finished.message)
        for kind, file in wanted.items():
            if finished.answers is not None:
                for written in write_answers(finished.answers, kind, file):
                    say(f"{kind} {shown(written)}")
        place = finished.folder.path
        explain(f"it was {shlex.join(finished.folder.summary().launch_line)}")
        say(f"run {shown(place)}; next: {front_door()} show {typed_study(place)}")
    return int(finished.exit_code)


def _check_paths(kernel: str, plan: str | None, delta: float | None) -> None:
    """Raises: UsageError for words that mean nothing, or nothing for this kernel."""
    if kernel not in KERNELS:
        raise UsageError(f"--kernel {kernel}: choose one of {', '.join(KERNELS)}")
    if plan is not None and plan not in SSSP_PLANS:
        raise UsageError(f"--sssp-plan {plan}: choose one of {', '.join(SSSP_PLANS)}")
    for option, value in (("--sssp-plan", plan), ("--sssp-delta", delta)):
        if value is not None and kernel == "bfs":
            raise UsageError(f"{option} is for shortest paths; add --kernel sssp or both")
    if delta and plan != "delta-stepping":
        raise UsageError("--sssp-delta is of one plan; add --sssp-plan delta-stepping")


def _check_answers(kernel: str, wanted: dict[str, Path]) -> None:
    """Raises: UsageError where a search of this kernel has no such answer, or not one alone."""
    if kernel == "bfs" and "distances" in wanted:
        raise UsageError("--distances is for shortest paths; add --kernel sssp or both")
    if kernel == "sssp" and "levels" in wanted:
        raise UsageError("--levels is for breadth-first search; take --kernel bfs or both")
    if kernel == "both" and "parents" in wanted:
        raise UsageError(
            "--kernel both has two trees, so two parents of a vertex; for --parents take bfs or "
            "sssp alone"
        )
    for one, two in itertools.combinations(wanted, 2):
        if wanted[one] == wanted[two]:
            raise UsageError(
                f"{one} and {two} cannot both go to {wanted[one]}; name a file for each"
            )


def _table(roots: tuple[int, ...], run: RunRecords) -> str:
    """A line for each search."""
    heads = {"root": 19, "seconds": 11, "TEPS": 11, "reached": 11}
    if len(run.kernels) > 1:
        heads = {"root": 19, "kernel": 6} | heads
    heads |= {"levels": 6} if "bfs" in run.kernels else {}
    heads |= {"farthest": 9} if "sssp" in run.kernels else {}
    searches = [one for kernel in run.kernels for one in run.timed_searches_of(kernel)]
    lines = [" ".join(f"{name:>{width}}" for name, width in heads.items())]
    for root, one in zip(roots, searches, strict=False):  # a run that broke off has no roots
        cells = _cells(root, one)
        lines.append(" ".join(f"{cells[name]:>{width}}" for name, width in heads.items()))
    return "\n".join(lines)


def _cells(root: int, one: SearchRecord) -> dict[str, str]:
    return {
        "root": str(root),
        "kernel": one.kernel,
        "seconds": f"{one.seconds:.6g}",
        "TEPS": f"{one.teps:.6g}",
        "reached": "-" if one.vertices_reached is None else str(one.vertices_reached),
        "levels": "-" if one.levels is None else str(one.levels),
        "farthest": "-" if one.distances is None else f"{one.distances.max:.6g}",
    }
