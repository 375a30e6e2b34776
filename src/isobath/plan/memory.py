# SPDX-License-Identifier: Apache-2.0
"""Memory of a run before it is started: the sum of the ranks' peaks, by what is alive at once.

The terms follow the arrays of the engine (engine/graph, engine/bfs, engine/validate).
"""

from dataclasses import dataclass

from isobath.plan.graph_facts import GraphFacts, expected_facts
from isobath.units import Bytes

PROCESS_BYTES = 16e6
"""Resident memory of a rank before it has a graph: program, MPI library, buffers."""

THREAD_BYTES = 4e6
"""Buffers of a thread in construction and validation."""


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes of all ranks together, by moment; the largest moment is the peak."""

    facts: GraphFacts
    moments: dict[str, dict[str, float]]
    """what is alive, by name, at each moment"""
    edge_file_bytes: Bytes
    """on disk with edges in a file, else 0"""

    @property
    def moment(self) -> str:
        """When the peak is reached."""
        return max(self.moments, key=lambda name: sum(self.moments[name].values()))

    @property
    def peak_bytes(self) -> Bytes:
        """Sum of the ranks' peaks."""
        return int(sum(self.moments[self.moment].values()))


def estimate_memory(
    scale: int,
    *,
    rows: int = 1,
    cols: int = 1,
    threads: int = 1,
    edges: str = "memory",
    edgefactor: int = 16,
    validation: bool = True,
) -> MemoryEstimate:
    """Expected peak of a run on a ``rows`` x ``cols`` grid with ``threads`` threads per rank."""
    facts = expected_facts(scale, edgefactor)
    ranks = rows * cols
    stored = facts.num_edges * (8 if scale <= 32 else 12)
    n = facts.num_vertices
    kept = {
        "processes": PROCESS_BYTES * ranks,
        "threads": THREAD_BYTES * ranks * threads,
    }
    if edges == "memory":
        kept["edges"] = stored
    numbering = {
        "codes": 4.0 * n * (1 if ranks == 1 else 1 + rows + cols),
        "numbering": 8.0 * facts.searched_vertices + 4.0 * facts.leaves,
        "streams": 12.0 * n / 16,
    }
    arcs_with_duplicates = 2.0 * facts.num_edges
    distinct = 4.0 * facts.stored_arcs * (1 if ranks == 1 else 2)
    moments = {
        "counting": kept | {"end points": 8.0 * n},
        "sorting arcs": kept | numbering | {"arcs": 8.0 * arcs_with_duplicates},
    }
    searching = (
        kept
        | numbering
        | {
            "rows": distinct + 8.0 * facts.searched_vertices,
            "planes": 24.0 * facts.searched_vertices,
            "parents": 8.0 * n + 4.0 * facts.searched_vertices,
        }
    )
    moments["searching"] = searching
    if validation:
        moments["validating"] = searching | {"levels": 4.0 * n * max(rows, cols)}
    return MemoryEstimate(facts, moments, stored if edges == "file" else 0)


def fits(estimate: MemoryEstimate, available_bytes: Bytes, *, reserve: float = 0.05) -> bool:
    """Whether the peak leaves a part of the available memory free."""
    return estimate.peak_bytes <= available_bytes * (1 - reserve)
