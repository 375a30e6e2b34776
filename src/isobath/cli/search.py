# SPDX-License-Identifier: Apache-2.0
"""isobath search: the graph of a file."""

import enum
import sys
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.places import shown, store_folder, typed
from isobath.cli.run import PLAN_WORDS
from isobath.cli.run_summary_text import summary_sentences
from isobath.errors import UsageError
from isobath.graphs.request import FORMATS, NUMBERINGS, WEIGHT_TYPES, GraphFile, SearchRequest
from isobath.launch.interrupts import Interrupts
from isobath.plan.search_plans import HYBRID
from isobath.records.search import SearchRecord


class Kernel(enum.StrEnum):
    """What is searched for."""

    BFS = "bfs"


File = Annotated[Path, typer.Argument(metavar="GRAPH", help="The file of the graph.")]
KernelOption = Annotated[Kernel, typer.Option("--kernel", help="What to search for.")]
Root = Annotated[
    list[int] | None,
    typer.Option(metavar="VERTEX", help="Search from this vertex; may be repeated."),
]
Keys = Annotated[int, typer.Option(metavar="N", min=1, help="Roots to sample.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Of the sample.")]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help=f"{', '.join(FORMATS)}; default: by the name."),
]
Weights = Annotated[
    Path | None, typer.Option(metavar="FILE", help="float32 weights of packed or raw edges.")
]
WeightType = Annotated[
    str, typer.Option(metavar="NAME", help=f"Of a .wsg: {', '.join(WEIGHT_TYPES)}.")
]
Numbering = Annotated[
    str, typer.Option(metavar="NAME", help=f"Of vertices inside: {', '.join(NUMBERINGS)}.")
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
Mpi = Annotated[str | None, typer.Option(metavar="NAME", help="The MPI to run under.")]
Parents = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write parents: .npy or .parquet.")
]
Levels = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write levels: .npy or .parquet.")
]
Validation = Annotated[bool, typer.Option(help="Validate every search (the default).")]
Warmup = Annotated[
    int, typer.Option(metavar="N", min=0, max=1, help="Untimed searches before: 0 or 1.")
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of run folders; default: runs.")
]


def search(
    graph: File,
    *,
    kernel: KernelOption = Kernel.BFS,
    root: Root = None,
    keys: Keys = 64,
    seed: Seed = 1,
    format_: FormatOption = None,
    weights: Weights = None,
    weight_type: WeightType = "auto",
    numbering: Numbering = "auto",
    ranks: Ranks = None,
    threads: Threads = None,
    grid: GridShape = None,
    plan: Plan = HYBRID,
    mpi: Mpi = None,
    parents: Parents = None,
    levels: Levels = None,
    validation: Validation = True,
    warmup: Warmup = 1,
    store: Store = None,
) -> int:
    """Search the graph of a file from given or sampled roots; validate and time every search.

    Reads Matrix Market, edge lists, GAPBS .sg and .wsg, packed and raw edges, Parquet; text also
    compressed by gzip or zstd. Edges have no direction. The table goes to standard output.
    """
    from isobath.graphs.files import require_place, write_answers
    from isobath.graphs.session import search as search_file

    wanted = {"parents": parents, "levels": levels}
    for file in wanted.values():
        if file is not None:
            require_place(file)
    if parents is not None and parents == levels:
        raise UsageError(f"parents and levels cannot both go to {parents}; name a file for each")
    request = SearchRequest(
        graph=GraphFile.of(
            graph, format=format_, weights=weights, weight_type=weight_type, numbering=numbering
        ),
        roots=tuple(root or ()),
        keys=keys,
        seed=seed,
        ranks=ranks,
        threads=threads,
        grid=grid,
        plan=plan,
        mpi=mpi,
        validation=validation,
        warmup=warmup,
    )
    wants_answers = any(wanted.values())
    with Interrupts() as interrupts:
        finished = search_file(
            request, store_folder(store), interrupts, wants_answers=wants_answers
        )
        if finished.records is not None:
            print(_table(finished.roots, finished.records.timed_searches), flush=True)
            for sentence in summary_sentences(finished.records):
                print(sentence, file=sys.stderr)
        if finished.message:
            _say(finished.message)
        for kind, file in wanted.items():
            if file is not None and finished.answers is not None:
                for written in write_answers(finished.answers, kind, file):
                    _say(f"{kind} {shown(written)}")
        _say(f"run {shown(finished.folder.path)}; next: ./isobath show {typed(finished.folder)}")
    return int(finished.exit_code)


def _table(roots: tuple[int, ...], searches: tuple[SearchRecord, ...]) -> str:
    """A line for each search."""
    lines = [f"{'root':>20} {'seconds':>12} {'TEPS':>12} {'reached':>14} {'levels':>8}"]
    for root, one in zip(roots, searches, strict=False):  # a run that broke off has no roots
        reached = "-" if one.vertices_reached is None else str(one.vertices_reached)
        levels = "-" if one.levels is None else str(one.levels)
        lines.append(f"{root:>20} {one.seconds:>12.6g} {one.teps:>12.6g} {reached:>14} {levels:>8}")
    return "\n".join(lines)


def _say(words: str) -> None:
    print(f"isobath: {words}", file=sys.stderr, flush=True)
