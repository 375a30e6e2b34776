# SPDX-License-Identifier: Apache-2.0
"""What one search found, for notebooks: arrays, and a small table of facts."""

import html
from dataclasses import dataclass

import numpy as np

from isobath.graphs.answers import Distances, Levels, Vertices
from isobath.units import EdgesPerSecond, Seconds, format_count, format_seconds, format_teps


@dataclass(frozen=True)
class SearchResult:
    """One search, validated against the edges of the file."""

    root: int
    """as the file numbers vertices, like all that follows"""
    parents: Vertices
    """shape (n,): the parent of each vertex, the root's own is the root; -1 where not reached"""
    vertices: Vertices | None
    """shape (n,): ids of vertices that were numbered compactly; None where entry i is vertex i"""
    seconds: Seconds
    teps: EdgesPerSecond
    """traversed edges a second: edges of the root's component as the file lists them"""
    validated: bool

    TITLE = "Search"

    @property
    def reached(self) -> int:
        """Vertices that were reached, the root among them."""
        return int((self.parents >= 0).sum())

    def _end(self) -> dict[str, str]:
        """How far the last vertex is."""
        return {}

    def _facts(self) -> dict[str, str]:
        return {
            "root": str(self.root),
            "reached": f"{format_count(self.reached)} of {format_count(len(self.parents))}",
            **self._end(),
            "time": format_seconds(self.seconds),
            "speed": format_teps(self.teps),
            "rules": "all hold" if self.validated else "UNVALIDATED",
        }

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {value}" for name, value in self._facts().items())
        return f"<{type(self).__name__}: {words}>"

    def _repr_html_(self) -> str:
        return facts_table(self.TITLE, self._facts())


@dataclass(frozen=True, repr=False)
class BfsResult(SearchResult):
    """One breadth-first search."""

    levels: Levels
    """shape (n,): the distance from the root in edges; -1 where not reached"""

    TITLE = "Breadth-first search"

    @property
    def depth(self) -> int:
        """The last level."""
        return int(self.levels.max())

    def _end(self) -> dict[str, str]:
        return {"depth": str(self.depth)}


@dataclass(frozen=True, repr=False)
class SsspResult(SearchResult):
    """One search for shortest paths."""

    distances: Distances
    """shape (n,): the least sum of weights from the root, in float32; infinity where not reached"""
    plan: str
    """that searched"""
    pruned: bool
    """construction left out edges that lie on no shortest path; no distance changes by that"""

    TITLE = "Shortest paths"

    @property
    def farthest(self) -> float:
        """The largest finite distance."""
        return float(self.distances[np.isfinite(self.distances)].max())

    def _end(self) -> dict[str, str]:
        return {"farthest": f"{self.farthest:.6g}", "plan": self.plan}


def facts_table(title: str, facts: dict[str, str]) -> str:
    """HTML of two columns."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"
