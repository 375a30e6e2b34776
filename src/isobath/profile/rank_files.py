# SPDX-License-Identifier: Apache-2.0
"""Files that the preloaded profiler writes, one a process (engine/profiler/rank_file.cpp)."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from isobath.errors import EnvironmentProblem

Line = dict[str, Any]
Rows = npt.NDArray[np.int64]


@dataclass
class RankFile:
    """What one rank recorded."""

    head: Line
    communicators: list[Line] = field(default_factory=list)
    regions: list[Line] = field(default_factory=list)
    cells: list[Line] = field(default_factory=list)
    sizes: list[Line] = field(default_factory=list)
    peers: list[Line] = field(default_factory=list)
    threads: list[Line] = field(default_factory=list)
    instances: Rows = field(default_factory=lambda: np.empty((0, 8), np.int64))
    """collective calls in their order: cell, root, entry and duration in nanoseconds, bytes sent;
    then of all calls of the rank up to and with it: number, bytes sent, nanoseconds"""

    @property
    def rank(self) -> int:
        """In MPI_COMM_WORLD."""
        return int(self.head["rank"])

    @property
    def overhead_seconds(self) -> float:
        """What the profiler cost this rank, by its own measure."""
        calls = self.head["calls"] * self.head["nanoseconds_per_call"]
        counts = self.head["scanned"] * self.head["nanoseconds_per_count"]
        spent = self.head["checkpoint_nanoseconds"] + self.head["python_nanoseconds"]
        return float(calls + counts + spent) * 1e-9


def source_line(cell: Line) -> str | None:
    """file:line of a call that a program in Python made; None of every other."""
    return f"{cell['module']}:{cell['row']}" if "row" in cell else None


def read_rank_file(path: Path) -> RankFile:
    """One file. Raises: EnvironmentProblem where it is damaged or was cut off."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            f"cannot read {path}: {error}; profile the program again"
        ) from error
    if not lines or lines[0].get("line") != "rank" or lines[-1].get("line") != "end":
        raise EnvironmentProblem(f"{path} was cut off: is the disk full? Profile the program again")
    rank_file = RankFile(lines[0])
    lists = {
        "communicator": rank_file.communicators,
        "region": rank_file.regions,
        "cell": rank_file.cells,
        "size": rank_file.sizes,
        "peer": rank_file.peers,
        "thread": rank_file.threads,
    }
    rows: list[list[int]] = []
    for line in lines[1:-1]:
        if line["line"] == "instances":
            rows += line["rows"]
        else:
            lists[line["line"]].append(line)
    if rows:
        rank_file.instances = np.array(rows, np.int64)
    return rank_file


def has_rank_files(folder: Path) -> bool:
    """Whether any rank has written what it recorded."""
    return any(folder.glob("rank-*.jsonl"))


def read_rank_files(folder: Path) -> list[RankFile]:
    """All files of a folder, of whichever worlds (``worlds.find_worlds``).

    Raises: EnvironmentProblem where there is none, or where one is damaged.
    """
    files = [read_rank_file(path) for path in folder.glob("rank-*.jsonl")]
    if not files:
        raise EnvironmentProblem(
            "the program recorded nothing: either it made no MPI calls, was linked statically, or "
            "was killed at once; check that it is an MPI program and that its launcher passes the "
            "environment on"
        )
    return files
