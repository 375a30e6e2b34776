# SPDX-License-Identifier: Apache-2.0
"""The settings of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from isobath.kinds.nodes import OnNodes
from isobath.kinds.one_mpi import mpi_setting
from isobath.launch.limits import Asked
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.plan.layout import MOST_RANKS, MOST_THREADS
from isobath.plan.search_plans import HYBRID, KERNELS, ON_OFF, PATH_PLANS, PLANS, SWITCHES
from isobath.records.run import InstructionSet
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import Reported
from isobath.settings.sources import DEFAULT, merge
from isobath.study.kinds import is_of_others

__all__ = ["DEFAULT", "RUN", "SETTING_NAMES", "RunSettings", "merge_settings"]

PLAN = "Plan"
PATHS = "Shortest paths (--kernel sssp or both)"
MACHINE = "Machine"


def _switch(name: str, phrase: str, **more: Any) -> Any:
    """None is what the plan does by default."""
    return setting(
        None, phrase, choices=SWITCHES[name].values, panel=PLAN, usual="the plan's", metavar="WAY",
        **more,
    )  # fmt: skip


@dataclass(frozen=True)
class RunSettings(OnNodes, Reported):
    """What a person may ask of a run. None means that Isobath chooses."""

    # fmt: off

    scale: int | None = setting(
        None, "Logarithm to base 2 of the number of vertices", metavar="N", least=1,
        most=LARGEST_SCALE, usual="the largest that ends in about a minute and fits",
    )
    edgefactor: int = setting(16, "Edges per vertex", metavar="N", least=1, most=LARGEST_EDGEFACTOR)
    keys: int = setting(
        64, "Search keys to sample", metavar="N", least=1, most=100000,
        more="below scale 7 there are fewer",
    )
    root: tuple[int, ...] = setting(
        (), "Search from this vertex instead; may be repeated", metavar="VERTEX", least=0,
        may_repeat=True, takes="vertices", usual="sampled", more="in TOML a list",
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
        takes="for example `2x3`",
        usual="the plan's",
        more="one column for `replicated-*`, one row for `simple` and `one-sided`, the squarest "
        "for `two-dim`; `hybrid`: one column to 16 ranks, else the squarest with the longer side "
        "in rows",
    )
    kernel: str = setting(
        "bfs", "What is searched for, breadth-first search (bfs) or shortest paths (sssp)",
        choices=KERNELS,
        more="kernel 2, kernel 3, or first with the one from all keys and then with the other",
    )
    plan: str = setting(
        HYBRID, "How the graph is distributed and searched", choices=PLANS, panel=PLAN
    )
    exchange: str | None = _switch("exchange", "How fold messages travel")
    duplicates: str | None = _switch(
        "duplicates", "What is done with duplicate edges in the searched graph"
    )
    ids: int | None = _switch("ids", "How many bits an id has in a fold message")
    dedup: str | None = _switch(
        "dedup", "Whether a rank proposes each target once in a search (local)"
    )
    frontier: str | None = _switch("frontier", "What expand sends in a top-down level")
    fold: str | None = _switch("fold", "How fold messages are encoded")
    relabel: str | None = _switch(
        "relabel", "Number heavy vertices first, and drop isolated vertices",
        more="`on`: those of the same first heavy neighbour together, on several grid columns of "
        "the same first hub; `classes`: by degree class alone",
    )
    leaves: str | None = _switch(
        "leaves", "Whether vertices with a single neighbour are in the searched graph"
    )
    likely_parents: str | None = _switch(
        "likely_parents", "Write down in construction which parent a vertex most likely gets",
        more="where rows are complete, as on one rank; emit copies those that a search found "
        "([official-runs.md](official-runs.md#likely-parents))",
    )
    hubs: str | None = _switch(
        "hubs", "Let owners find first what has a hub as parent",
        more="on several grid columns; `few`: one hub for 4,096 searched vertices, about as few as "
        "where a hundred thousand ranks are",
    )
    streams: str | None = _switch(
        "streams", "Read first neighbours as bit planes in bottom-up levels"
    )
    overlap: str | None = _switch("overlap", "Hide the ring of bottom-up levels behind the search")
    direction: str | None = _switch("direction", "Direction that levels are searched in")
    sssp_plan: str | None = setting(
        None, "Plan for shortest paths", choices=PATH_PLANS, panel=PATHS,
        usual="landmark; in an official run delta-stepping",
    )
    sssp_prune: str | None = setting(
        None, "Leave out edges that lie on no shortest path", choices=ON_OFF, panel=PATHS,
        usual="as the plan does", metavar="ON|OFF",
        more="`landmark` on, the others off; such a result is called PRUNED and is never official",
    )
    sssp_delta: float | None = setting(
        None, "Width of a bucket of delta-stepping", metavar="X", least=0, panel=PATHS,
        usual="0: the plan's own", more="refused with another plan",
    )
    mpi: str | None = mpi_setting()
    count_nodes_of: int | None = setting(
        None, "Count bytes as if every N ranks were a node of their own", metavar="N", least=1,
        most=MOST_RANKS, panel=MACHINE, usual="the nodes as they are",
    )
    instruction_set: str | None = setting(
        None, "Instructions of the vector kernels", choices=get_args(InstructionSet),
        panel=MACHINE, usual="the best there is",
    )
    engine_build: str | None = setting(
        None, "Another build of the engine: a folder with bin/ in it", metavar="DIR", panel=MACHINE,
        takes="folder", usual="that of the MPI", more="other compiler, other flags",
        is_outside=True,
    )
    edges: str = setting(
        "memory", "Where the list of edges is kept for validation", metavar="WHERE",
        choices=("memory", "file", "regenerate"),
    )
    edge_folder: str | None = setting(
        None, "Folder that --edges file writes the edges to", metavar="DIR", takes="folder",
        usual="that of the run", is_outside=True,
    )
    validation: bool = setting(
        True, "Validate every search", has_no=True,
        more="without, every number is called UNVALIDATED",
    )
    validation_copy: str | None = setting(
        None, "Keep a copy of the edges for a faster validation", choices=ON_OFF, metavar="ON|OFF",
        usual="on for 16 searches or more, where memory suffices",
        more="in the validator's order, on as many ranks as a vertex has edges at most: one rank "
        "validates breadth-first searches four times as fast, several were not measured without it "
        "([validation.md](../explanation/validation.md))",
    )
    warmup: int = setting(
        1, "Untimed searches before the others, 0 or 1", metavar="N", least=0, most=1,
        takes="0 or 1",
    )
    official: bool = setting(
        False, "Refuse settings that break a rule of the Graph500 specification",
        more="see [official-runs.md](official-runs.md)",
    )
    plainest: bool = setting(
        False, "After an official run, search its keys again in the plainest reading of the rules",
        more="`--relabel off --leaves in --likely-parents off --hubs off`; a second figure and "
        "the ratio ([official-runs.md](official-runs.md#the-plainest-reading))",
    )
    alpha: float | None = setting(
        None, "Go bottom-up where the frontier has more than 1/X of all arcs", metavar="X", above=0,
        usual="14",
    )
    beta: float | None = setting(
        None, "Go bottom-up also where the frontier has more than 1/X of the vertices", metavar="X",
        above=0, usual="24",
        more="or of what a bottom-up level would still touch "
        "([ADR 0013](../adr/0013-direction-policy.md))",
    )
    size_edges: str | None = setting(
        None, "Bytes at which the buckets of message sizes begin", metavar="BYTES,..",
        takes="for example `8,512,65536`", usual="four buckets per octave",
    )
    peer_records: bool = setting(
        False, "Record who sends how much to whom in every level, for bench replay"
    )
    legacy_no_bang: bool = setting(
        False, "Leave out the stray `!` before the reference's headline number"
    )
    force: bool = setting(False, "Run even where memory may not suffice")
    # fmt: on

    @property
    def asked_limits(self) -> Asked:
        """How long is too long, as far as that was asked for."""
        return Asked(self.hang_seconds, self.time_limit)

    @property
    def switches(self) -> dict[str, str | int | None]:
        """What was asked of the plan, by name; None where it does as usual."""
        return {name: getattr(self, name) for name in SWITCHES}


RUN = declared("run", RunSettings)
SETTING_NAMES = RUN.names


def merge_settings(
    *,
    file: Path | None = None,
    variables: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[RunSettings, dict[str, str]]:
    """Settings from all their sources, and the origin of each value. Raises: as ``merge``."""
    merged = merge(RUN, file=file, variables=variables, options=options, is_of_others=is_of_others)
    return RunSettings(**merged.values), dict(merged.origins)
