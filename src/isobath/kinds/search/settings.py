# SPDX-License-Identifier: Apache-2.0
"""The settings of a search in the graph of a file."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.errors import UsageError
from isobath.graphs.design import FORMATS, NUMBERINGS, WEIGHT_TYPES, GraphFile, SearchDesign
from isobath.kinds.nodes import OnNodes, placement_of, ranks_of
from isobath.kinds.one_mpi import mpi_setting
from isobath.plan.layout import MOST_RANKS, MOST_THREADS
from isobath.plan.search_plans import ANY_PATH_PLAN, HYBRID, KERNELS, PATH_PLANS, PLANS
from isobath.records.strict_json import LARGEST_WHOLE
from isobath.settings.declaration import WHERE, declared, setting
from isobath.settings.shared import Placed

SSSP_PLANS = (ANY_PATH_PLAN, *PATH_PLANS)
FILE = "The file of the graph"


def _answer(phrase: str) -> Any:
    return setting(None, phrase, metavar="FILE", takes="`.npy` or `.parquet` file", usual="none",
                   is_place=True, panel=WHERE)  # fmt: skip


@dataclass(frozen=True)
class SearchSettings(OnNodes, Placed):
    """What a person may ask for. None means that Isobath chooses."""

    # fmt: off
    graph: str | None = setting(
        None, "The file of the graph", metavar="GRAPH", is_argument=True, takes="file",
    )
    kernel: str = setting(
        "bfs", "What is searched for, levels (bfs), shortest paths (sssp), or one after the other",
        choices=KERNELS,
    )
    root: tuple[int, ...] = setting(
        (), "Search from this vertex, as the file numbers it; may be repeated", metavar="VERTEX",
        may_repeat=True, usual="sampled", takes="vertices",
    )
    keys: int = setting(
        64, "Roots to sample among vertices that have a neighbour", metavar="N", least=1
    )
    seed: int = setting(
        1, "Seed that the sampled roots are drawn with", metavar="N", least=0, most=LARGEST_WHOLE
    )
    format: str | None = setting(
        None, "Format that the file of the graph has", choices=FORMATS, usual="by the name",
        panel=FILE
    )
    weights: str | None = setting(
        None, "Weights that edges get: unit, random, or a file of float32", metavar="W",
        usual="those of the file", takes="`unit`, `random` or a file", panel=FILE, hints=("unit",
        "random"),
        more="unit: every edge 1; random: from its ends and a seed "
        "([graph-files.md](graph-files.md#weights)); a file of those of packed or raw edges",
    )
    weight_seed: int | None = setting(
        None, "Seed that random weights are drawn with", metavar="N", least=0, most=LARGEST_WHOLE,
        usual="1",
        panel=FILE, more="refused with others",
    )
    weight_type: str = setting(
        "auto", "Type of the weights in a .wsg file", choices=WEIGHT_TYPES, panel=FILE,
        more="auto looks at them",
    )
    numbering: str = setting(
        "auto", "How vertices are numbered while searching", choices=NUMBERINGS, panel=FILE,
        more="`file` as in the file, `compact` only those with edges, `auto` compact where ids are "
        "sparse",
    )
    ranks: int | None = setting(
        None, "MPI ranks to start", metavar="N", least=1, most=MOST_RANKS, usual="one per NUMA node"
    )
    threads: int | None = setting(
        None, "Threads of each rank", metavar="N", least=1, most=MOST_THREADS,
        usual="all processors, shared by the ranks",
    )
    grid: str | None = setting(
        None, "Grid that the ranks are laid out in, rows x columns: 2x3", metavar="RxC",
        usual="the plan's",
        takes="for example `2x3`",
    )
    plan: str = setting(HYBRID, "How the graph is distributed and searched (bfs)", choices=PLANS)
    sssp_plan: str | None = setting(
        None, "Plan for shortest paths", choices=SSSP_PLANS, usual="auto",
        more="`auto`: `landmark` where it leaves out most edges, else `delta-stepping` "
        "([why](../explanation/sssp.md#which-plan))",
    )
    sssp_delta: float | None = setting(
        None, "Width of a bucket of delta-stepping", metavar="X", least=0,
        usual="0: the plan's own", more="refused with another plan",
    )
    mpi: str | None = mpi_setting()
    validation: bool = setting(
        True, "Validate every search", has_no=True,
        more="without, every number is called UNVALIDATED",
    )
    warmup: int = setting(
        1, "Untimed searches before the others, 0 or 1", metavar="N", least=0, most=1,
        takes="0 or 1",
    )
    parents: str | None = _answer("Write the parents of one kernel to this file")
    levels: str | None = _answer("Write levels to this file")
    distances: str | None = _answer("Write distances to this file")
    # fmt: on

    @property
    def answers(self) -> dict[str, Path]:
        """Files that are wanted, by what is written to them."""
        named = {name: getattr(self, name) for name in ("parents", "levels", "distances")}
        return {name: Path(file) for name, file in named.items() if file is not None}


SEARCH = declared("search", SearchSettings, "SEARCH")


def design_of(settings: SearchSettings) -> SearchDesign:
    """Raises: UsageError for what goes not together, EnvironmentProblem for no file."""
    if settings.graph is None:
        raise UsageError("name the file of the graph: ./isobath search GRAPH")
    _check_paths(settings)
    _check_answers(settings)
    ranks = ranks_of(settings)
    same = ("kernel", "keys", "seed", "threads", "grid", "plan", "sssp_plan",
            "sssp_delta", "mpi", "validation", "warmup")  # fmt: skip
    return SearchDesign(
        graph=GraphFile.of(
            settings.graph,
            format=settings.format,
            weights=settings.weights,
            weight_seed=settings.weight_seed,
            weight_type=settings.weight_type,
            numbering=settings.numbering,
        ),
        roots=settings.root,
        ranks=ranks,
        placement=placement_of(settings, ranks),
        **{name: getattr(settings, name) for name in same},
    )


def kept_of(design: SearchDesign, values: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, with files that are found from anywhere."""
    kept = dict(values) | {"graph": str(design.graph.path.absolute())}
    if design.graph.weights is not None:
        kept["weights"] = str(design.graph.weights.absolute())
    return kept


def _check_paths(settings: SearchSettings) -> None:
    """Raises: UsageError for words that mean nothing for this kernel."""
    for name in ("sssp_plan", "sssp_delta"):
        if getattr(settings, name) is not None and settings.kernel == "bfs":
            option = SEARCH.by_name[name].option
            raise UsageError(f"{option} is for shortest paths; add --kernel sssp or both")
    if settings.sssp_delta and settings.sssp_plan != "delta-stepping":
        raise UsageError("--sssp-delta is of one plan; add --sssp-plan delta-stepping")


def _check_answers(settings: SearchSettings) -> None:
    """Raises: UsageError where a search of this kernel has no such answer, or not one alone."""
    kernel, wanted = settings.kernel, settings.answers
    if kernel == "bfs" and "distances" in wanted:
        raise UsageError("--distances is for shortest paths; add --kernel sssp or both")
    if kernel == "sssp" and "levels" in wanted:
        raise UsageError("--levels is for breadth-first search; take --kernel bfs or both")
    if kernel == "both" and "parents" in wanted:
        raise UsageError(
            "--kernel both has two trees, so two parents of a vertex; for --parents take bfs or "
            "sssp alone"
        )
    for first, two in itertools.combinations(wanted, 2):
        if wanted[first] == wanted[two]:
            raise UsageError(
                f"{first} and {two} cannot both go to {wanted[first]}; name a file for each"
            )
