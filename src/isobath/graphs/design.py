# SPDX-License-Identifier: Apache-2.0
"""Which graph is searched, and how."""

import os
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem, UsageError
from isobath.plan.search_plans import HYBRID
from isobath.records.placement import HERE, Placement

TEXT_FORMATS = ("mtx", "el", "wel")
FORMATS = (*TEXT_FORMATS, "sg", "wsg", "packed", "raw", "parquet")
ALIASES = {"txt": "el", "tsv": "el", "edges": "el", "edgelist": "el", "parq": "parquet"}
COMPRESSED = (".gz", ".zst", ".zstd")
WEIGHT_TYPES = ("auto", "int32", "float32")
NUMBERINGS = ("auto", "file", "compact")
ASSIGNED_WEIGHTS = ("unit", "random")


@dataclass(frozen=True)
class GraphFile:
    """A file of a graph. docs/reference/graph-files.md says what each format holds."""

    path: Path
    format: str
    weights: Path | None = None
    """float32 weights of packed and raw edges"""
    weight_type: str = "auto"
    """of a .wsg"""
    numbering: str = "auto"
    """of vertices inside the engine: file, or compact where ids are sparse"""
    assigned: str | None = None
    """weights instead of those of the file: unit or random"""
    weight_seed: int = 1
    """of random weights"""

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        weights: str | os.PathLike[str] | None = None,
        weight_type: str = "auto",
        numbering: str = "auto",
        weight_seed: int | None = None,
    ) -> "GraphFile":
        """Args: weights is unit, random, or a file of float32 weights of packed and raw edges.

        Raises: UsageError for words that mean nothing, EnvironmentProblem for no file.
        """
        place = Path(path).expanduser()
        for word, known, option in (
            (format or "el", FORMATS, "--format"),
            (weight_type, WEIGHT_TYPES, "--weight-type"),
            (numbering, NUMBERINGS, "--numbering"),
        ):
            if word not in known:
                raise UsageError(f"{option} {word}: choose one of {', '.join(known)}")
        assigned = str(weights) if str(weights) in ASSIGNED_WEIGHTS else None
        if weight_seed is not None and assigned != "random":
            raise UsageError("--weight-seed is of random weights; add --weights random")
        graph = cls(
            place,
            format or format_of(place),
            Path(weights).expanduser() if weights and not assigned else None,
            weight_type,
            numbering,
            assigned,
            1 if weight_seed is None else weight_seed,
        )
        for file in (graph.path, graph.weights):
            if file is not None and not file.is_file():
                raise EnvironmentProblem(f"there is no file {file}; check the path")
        if graph.weights and graph.format not in ("packed", "raw"):
            raise UsageError(
                "a file of --weights goes with packed and raw edges only; leave it out, or say "
                "--weights unit or random"
            )
        return graph

    def arguments(self) -> list[str]:
        """Words for isobath-search."""
        words = [str(self.path.absolute()), "--format", self.format]
        words += ["--weight-type", self.weight_type, "--numbering", self.numbering]
        if self.assigned == "random":
            return [*words, "--weights", "random", "--weight-seed", str(self.weight_seed)]
        if self.assigned:
            return [*words, "--weights", self.assigned]
        return words + (["--weights", str(self.weights.absolute())] if self.weights else [])


def format_of(path: Path) -> str:
    """What the name says. Raises: UsageError where it says nothing."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    suffix = name.suffix.lower().removeprefix(".")
    suffix = ALIASES.get(suffix, suffix)
    if suffix not in FORMATS:
        raise UsageError(
            f"the name {path.name} does not say its format; say it with --format "
            f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    return suffix


@dataclass(frozen=True)
class SearchDesign:
    """Searches of one graph. None means that Isobath chooses."""

    graph: GraphFile
    roots: tuple[int, ...] = ()
    """as the file numbers vertices; none: keys are sampled"""
    keys: int = 64
    seed: int = 1
    ranks: int | None = None
    threads: int | None = None
    grid: str | None = None
    kernel: str = "bfs"
    """bfs, sssp or both"""
    plan: str = HYBRID
    """of bfs"""
    sssp_plan: str | None = None
    sssp_delta: float | None = None
    mpi: str | None = None
    validation: bool = True
    warmup: int = 1
    placement: Placement = HERE
