# SPDX-License-Identifier: Apache-2.0
"""Graphs of files for notebooks: load one, search it, look at arrays."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from isobath.errors import IsobathError
from isobath.graphs.answers import Answers
from isobath.graphs.design import GraphFile, SearchDesign
from isobath.graphs.results import BfsResult, SsspResult, facts_table
from isobath.graphs.session import search
from isobath.launch.interrupts import NeverStop
from isobath.plan.search_plans import HYBRID
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord

Roots: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Graph:
    """The graph of a file. Every search starts the engine, which reads the file."""

    file: GraphFile
    ranks: int | None = None
    threads: int | None = None
    plan: str = HYBRID
    """of breadth-first searches"""
    mpi: str | None = None

    @overload
    def bfs(self, root: int, *, validate: bool = True) -> BfsResult: ...
    @overload
    def bfs(
        self,
        root: Roots | None = None,
        *,
        keys: int = 64,
        seed: int = 1,
        validate: bool = True,
    ) -> list[BfsResult]: ...
    def bfs(
        self,
        root: int | Roots | None = None,
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
        design = self._design(root, keys=keys, seed=seed, validation=validate)
        answers, run = _searched(design)
        searches = [
            BfsResult(**_facts(answers, k, record), levels=answers.levels(k))
            for k, record in enumerate(run.timed_searches)
        ]
        return searches[0] if _is_one(root) else searches

    @overload
    def sssp(self, root: int, *, plan: str | None = None, validate: bool = True) -> SsspResult: ...
    @overload
    def sssp(
        self,
        root: Roots | None = None,
        *,
        keys: int = 64,
        seed: int = 1,
        plan: str | None = None,
        validate: bool = True,
    ) -> list[SsspResult]: ...
    def sssp(
        self,
        root: int | Roots | None = None,
        *,
        keys: int = 64,
        seed: int = 1,
        plan: str | None = None,
        validate: bool = True,
    ) -> SsspResult | list[SsspResult]:
        """Shortest paths from a root, or from several in one launch, by the weights of the graph.

        Args: root, keys and seed as of ``bfs``; plan as ``isobath search --sssp-plan``.
        Raises: IsobathError as ``bfs`` does, and where the graph has no weights: load it with
            ``weights="unit"`` or ``weights="random"`` then.
        """
        design = self._design(
            root, keys=keys, seed=seed, validation=validate, kernel="sssp", sssp_plan=plan
        )
        answers, run = _searched(design)
        paths = run.path_plan
        searches = [
            SsspResult(
                **_facts(answers, k, record),
                distances=answers.distances(k),
                plan=paths.plan if paths else "",
                pruned=paths is not None and paths.pruned,
            )
            for k, record in enumerate(run.timed_searches)
        ]
        return searches[0] if _is_one(root) else searches

    def _design(self, root: int | Roots | None, **how: Any) -> SearchDesign:
        roots: tuple[int, ...] = ()
        if root is not None:
            roots = tuple(int(vertex) for vertex in np.atleast_1d(root))
        return SearchDesign(
            graph=self.file,
            roots=roots,
            ranks=self.ranks,
            threads=self.threads,
            plan=self.plan,
            mpi=self.mpi,
            **how,
        )

    def __repr__(self) -> str:
        return f"<Graph {self.file.path} ({self.file.format})>"

    def _repr_html_(self) -> str:
        size = self.file.path.stat().st_size
        facts = {"file": str(self.file.path), "format": self.file.format, "bytes": f"{size:,}"}
        return facts_table("Graph", facts)


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    weights: str | os.PathLike[str] | None = None,
    weight_seed: int | None = None,
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
        path,
        format=format,
        weights=weights,
        weight_seed=weight_seed,
        weight_type=weight_type,
        numbering=numbering,
    )
    return Graph(file, ranks=ranks, threads=threads, plan=plan, mpi=mpi)


def _is_one(root: int | Roots | None) -> bool:
    """One vertex, of Python or of an array."""
    return isinstance(root, int | np.integer)


def _searched(design: SearchDesign) -> tuple[Answers, RunRecords]:
    """Answers and records. Raises: IsobathError where the searches did not complete well."""
    with tempfile.TemporaryDirectory(prefix="isobath-search-") as store:
        finished = search(design, Path(store), NeverStop())
        if finished.answers is None or finished.records is None:
            problem = IsobathError(finished.message or "the search did not complete")
            problem.exit_code = finished.exit_code
            raise problem
        return finished.answers, finished.records


def _facts(answers: Answers, search: int, record: SearchRecord) -> dict[str, Any]:
    """Of any result."""
    return {
        "root": answers.roots[search],
        "parents": answers.parents(search),
        "vertices": answers.vertices,
        "seconds": record.seconds,
        "teps": record.teps,
        "validated": record.validation is not None and record.validation.passed,
    }
