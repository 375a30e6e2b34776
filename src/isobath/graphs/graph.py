# SPDX-License-Identifier: Apache-2.0
"""Graphs of files for notebooks: load one, search it, look at arrays."""

import html
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from isobath.errors import IsobathError
from isobath.graphs.answers import Levels, Vertices
from isobath.graphs.request import GraphFile, SearchRequest
from isobath.graphs.session import search
from isobath.launch.interrupts import Interrupts
from isobath.plan.search_plans import HYBRID
from isobath.units import EdgesPerSecond, Seconds, format_count, format_seconds, format_teps


@dataclass(frozen=True)
class BfsResult:
    """One breadth-first search, validated against the edges of the file."""

    root: int
    """as the file numbers vertices, like all that follows"""
    parents: Vertices
    """shape (n,): the parent of each vertex, the root's own is the root; -1 where not reached"""
    levels: Levels
    """shape (n,): the distance from the root in edges; -1 where not reached"""
    vertices: Vertices | None
    """shape (n,): ids of vertices that were numbered compactly; None where entry i is vertex i"""
    seconds: Seconds
    teps: EdgesPerSecond
    """traversed edges a second: edges of the root's component as the file lists them"""
    validated: bool

    @property
    def reached(self) -> int:
        """Vertices that were reached, the root among them."""
        return int((self.levels >= 0).sum())

    @property
    def depth(self) -> int:
        """The last level."""
        return int(self.levels.max())

    def _facts(self) -> dict[str, str]:
        return {
            "root": str(self.root),
            "reached": f"{format_count(self.reached)} of {format_count(len(self.levels))}",
            "depth": str(self.depth),
            "time": format_seconds(self.seconds),
            "speed": format_teps(self.teps),
            "rules": "all hold" if self.validated else "UNVALIDATED",
        }

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {value}" for name, value in self._facts().items())
        return f"<BfsResult: {words}>"

    def _repr_html_(self) -> str:
        return _table("Breadth-first search", self._facts())


@dataclass(frozen=True)
class Graph:
    """The graph of a file. Every search starts the engine, which reads the file."""

    file: GraphFile
    ranks: int | None = None
    threads: int | None = None
    plan: str = HYBRID
    mpi: str | None = None

    @overload
    def bfs(self, root: int, *, validate: bool = True) -> BfsResult: ...
    @overload
    def bfs(
        self,
        root: Sequence[int] | None = None,
        *,
        keys: int = 64,
        seed: int = 1,
        validate: bool = True,
    ) -> list[BfsResult]: ...
    def bfs(
        self,
        root: int | Sequence[int] | None = None,
        *,
        keys: int = 64,
        seed: int = 1,
        validate: bool = True,
    ) -> BfsResult | list[BfsResult]:
        """Breadth-first search from a root, or from several in one launch.

        Args: root as the file numbers vertices; without one, ``keys`` roots that have a neighbour
            are sampled by ``seed``.
        Raises: IsobathError with one sentence where the file is wrong, there is no such vertex,
            or a search breaks a rule.
        """
        single = isinstance(root, int)
        roots = (root,) if isinstance(root, int) else tuple(int(one) for one in root or ())
        request = SearchRequest(
            graph=self.file,
            roots=roots,
            keys=keys,
            seed=seed,
            ranks=self.ranks,
            threads=self.threads,
            plan=self.plan,
            mpi=self.mpi,
            validation=validate,
        )
        with tempfile.TemporaryDirectory(prefix="isobath-search-") as store:
            with Interrupts() as interrupts:
                finished = search(request, Path(store), interrupts)
            if finished.answers is None or finished.records is None:
                problem = IsobathError(finished.message or "the search did not complete")
                problem.exit_code = finished.exit_code
                raise problem
            answers, searches = finished.answers, finished.records.timed_searches
            found = [
                BfsResult(
                    root=answers.roots[k],
                    parents=answers.parents(k),
                    levels=answers.levels(k),
                    vertices=answers.vertices,
                    seconds=one.seconds,
                    teps=one.teps,
                    validated=one.validation is not None and one.validation.passed,
                )
                for k, one in enumerate(searches)
            ]
        return found[0] if single else found

    def __repr__(self) -> str:
        return f"<Graph {self.file.path} ({self.file.format})>"

    def _repr_html_(self) -> str:
        size = self.file.path.stat().st_size
        facts = {"file": str(self.file.path), "format": self.file.format, "bytes": f"{size:,}"}
        return _table("Graph", facts)


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    weights: str | os.PathLike[str] | None = None,
    weight_type: str = "auto",
    numbering: str = "auto",
    ranks: int | None = None,
    threads: int | None = None,
    plan: str = HYBRID,
    mpi: str | None = None,
) -> Graph:
    """The graph of a file: Matrix Market, edge list, .sg, .wsg, packed or raw edges, Parquet.

    Args: as the options of ``isobath search``.
    Raises: UsageError or EnvironmentProblem in one sentence. What the file holds is looked at by
        the first search.
    """
    file = GraphFile.of(
        path, format=format, weights=weights, weight_type=weight_type, numbering=numbering
    )
    return Graph(file, ranks=ranks, threads=threads, plan=plan, mpi=mpi)


def _table(title: str, facts: dict[str, str]) -> str:
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"
