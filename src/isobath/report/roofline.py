# SPDX-License-Identifier: Apache-2.0
"""What a search must move, and how long this machine's memory needs for it.

The formulas are those of docs/explanation/roofline.md, filled with what the records of a run count:
a level's arcs and frontier, the graph's vertices. Each is a bound from below: bytes in order at the
rate of reading or writing, look-ups at the rate of random reads, whichever takes longer. Followers
of a visited head (families) are counted as arcs though none is read, so a phase can reach more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from isobath.records.construction import ConstructionRecord
from isobath.records.memory_limits import ENVIRONMENT_KEY, MemoryLimits
from isobath.report.run_data import RunData
from isobath.units import Bytes, Seconds

INDEX = 4
"""bytes of a vertex inside"""
PARENT = 8
"""bytes of a parent in the result"""
BITMAPS = 3
"""visited, before, found by the first neighbour: reset, and passed over in a bottom-up level"""
EDGE = 7
"""bytes of an edge that a validation reads"""


@dataclass(frozen=True)
class PhaseLimit:
    """Of one phase, mean over the searches."""

    moved: Bytes
    """bytes that must move"""
    seconds: Seconds
    """the least that they take"""


def limits_of_run(data: RunData) -> MemoryLimits | None:
    """What was measured on the machine of the run before it; None where nothing was."""
    nodes = data.environment.get("nodes")
    facts: Any = nodes[0] if isinstance(nodes, list) and nodes else data.environment
    limits = facts.get(ENVIRONMENT_KEY) if isinstance(facts, Mapping) else None
    if limits is None:
        return None
    try:
        return MemoryLimits.model_validate(limits, strict=False)
    except ValidationError:
        return None


def why_no_limits(data: RunData) -> str:
    """Why no phase has a limit, in one sentence; empty where limits can be computed."""
    run = data.records.run
    if run.plan != "hybrid" or run.kernel == "sssp":
        return "Limits are known of the breadth-first search by the plan hybrid alone."
    if len(run.hosts) > 1 or run.oversubscribed:
        return "Limits are computed for runs on one machine whose processors suffice."
    limits = limits_of_run(data)
    if limits is None:
        return (
            "No limits of this machine's memory had been measured when the run began; "
            "./isobath doctor --limits measures them, and later runs are held against them."
        )
    threads = run.ranks * run.threads_per_rank
    if limits.threads != threads:
        return (
            f"The limits of this machine's memory were measured with {limits.threads} threads; "
            f"a run of {threads} has others."
        )
    if data.records.construction is None or not data.levels:
        return "Without records of construction and levels there is nothing to compute limits from."
    return ""


def phase_limits(data: RunData, limits: MemoryLimits) -> dict[str, PhaseLimit]:
    """Limits of reset, top_down, bottom_up and emit.

    Args: data of which why_no_limits() has nothing to say.
    """
    graph = data.records.construction
    assert graph is not None
    bitmap = graph.searched_vertices / 8
    bits = limits.at(int(bitmap))
    stream = limits.at(footprint(graph, validated=data.records.run.validation))
    originals = graph.num_vertices
    emitted = (
        INDEX * originals / stream.read_bytes_per_second
        + PARENT * originals / stream.write_bytes_per_second
    )
    by_phase = {
        "reset": PhaseLimit(int(BITMAPS * bitmap), BITMAPS * bitmap / bits.write_bytes_per_second),
        "emit": PhaseLimit((INDEX + PARENT) * originals, emitted),
    }
    searches = [data.levels.get(search.index, ()) for search in data.searches]
    for phase in ("top_down", "bottom_up"):
        moved, seconds = 0.0, 0.0
        for level in (level for levels in searches for level in levels):
            if level.direction != phase:
                continue
            in_order = INDEX * level.arcs_scanned
            passes = BITMAPS * bitmap if phase == "bottom_up" else 0
            starts = level.frontier_vertices if phase == "top_down" else 0
            moved += in_order + passes + PARENT * starts
            seconds += max(
                in_order / stream.read_bytes_per_second + passes / bits.write_bytes_per_second,
                level.arcs_scanned / bits.random_reads_per_second
                + starts / stream.random_reads_per_second,
            )
        if seconds > 0:
            by_phase[phase] = PhaseLimit(int(moved / len(searches)), seconds / len(searches))
    return by_phase


def footprint(graph: ConstructionRecord, *, validated: bool) -> Bytes:
    """What passes through the caches from one search to the next.

    That is rows, numbering and parents, and the edges that a validation in between reads.
    """
    searched = INDEX * graph.stored_arcs + (INDEX + PARENT) * graph.num_vertices
    return searched + (EDGE * graph.num_edges if validated else 0)
