# SPDX-License-Identifier: Apache-2.0
"""How a run is laid over the machine: ranks, threads, grid."""

from collections.abc import Callable
from dataclasses import dataclass

from isobath.errors import UsageError
from isobath.machine.facts import Machine

MOST_RANKS = 1 << 20
MOST_THREADS = 4096
"""More is a slip of the finger."""


@dataclass(frozen=True)
class Layout:
    """Ranks, threads and the grid, with the reason for what Isobath chose."""

    ranks: int
    threads: int
    rows: int
    cols: int
    cpus: int
    """processors that may be used at once"""
    reasons: tuple[str, ...] = ()

    @property
    def grid(self) -> str:
        """For example 2x3."""
        return f"{self.rows}x{self.cols}"

    @property
    def oversubscribed(self) -> bool:
        """More threads than processors: a time measured so is not one of this machine."""
        return self.ranks * self.threads > self.cpus

    def describe(self) -> str:
        """One sentence."""
        ranks = "1 rank" if self.ranks == 1 else f"{self.ranks} ranks"
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        cpus = "1 processor" if self.cpus == 1 else f"{self.cpus} processors"
        over = ", OVERSUBSCRIBED" if self.oversubscribed else ""
        return f"{ranks} of {threads} on {cpus}, grid {self.grid}{over}"


def choose_layout(
    machine: Machine,
    *,
    ranks: int | None = None,
    threads: int | None = None,
    grid: str | None = None,
    usual_shape: Callable[[int], tuple[int, int]] | None = None,
    machines: int = 1,
) -> Layout:
    """One rank per NUMA node with all its cores as threads, and the squarest grid, unless told.

    Args: usual_shape gives rows and columns for a number of ranks where no grid is asked for;
        machines is how many there are, each like this one.

    Raises: UsageError for a grid that does not fit the ranks, or is absurdly large.
    """
    reasons = []
    shape = parse_grid(grid) if grid else None
    cpus = machine.usable_cpus * machines
    if ranks is None:
        if shape:
            ranks = shape[0] * shape[1]
            reasons.append(f"{ranks} ranks, because the grid is {grid}")
        else:
            ranks = min(len(machine.numa_cpus), machine.usable_cpus) * machines
            nodes = len(machine.numa_cpus)
            word = "node" if nodes == 1 else "nodes"
            reasons.append(f"one rank per NUMA node ({nodes} {word} here)")
    if ranks > MOST_RANKS:
        raise UsageError(f"{ranks} ranks are too many: the most is {MOST_RANKS}; ask for fewer")
    if threads is None:
        threads = max(1, cpus // ranks)
        if ranks > cpus:
            reasons.append(f"one thread per rank, because {ranks} ranks share {cpus} processors")
        else:
            reasons.append(f"{cpus} processors shared by the ranks")
    if shape is None:
        shape = (usual_shape or squarest)(ranks)
    if shape[0] * shape[1] != ranks:
        raise UsageError(
            f"--grid {grid} needs {shape[0] * shape[1]} ranks, but this run has {ranks}; "
            "leave one of the two out"
        )
    return Layout(ranks, threads, *shape, cpus, tuple(reasons))


def vertices_per_line(rows: int, cols: int, num_vertices: int) -> int:
    """Vertices of the fullest row or column of the grid, as the engine cuts them into blocks.

    Block b belongs to rank b, ranks are numbered along columns, and the first blocks hold one
    vertex more where the number of ranks does not divide that of vertices.
    """
    base, larger = divmod(num_vertices, rows * cols)
    in_column = rows * base + min(rows, larger)
    in_row = cols * base + min(cols, -(-larger // rows))
    return max(in_column, in_row)


def squarest(ranks: int) -> tuple[int, int]:
    """The grid with the fewest rows more or less than columns; rows are the smaller side."""
    rows = max(d for d in range(1, int(ranks**0.5) + 1) if ranks % d == 0)
    return rows, ranks // rows


def parse_grid(text: str) -> tuple[int, int]:
    """Rows and columns of a text like 2x3. Raises: UsageError."""
    first, cross, second = text.lower().partition("x")
    if cross and first.isdecimal() and second.isdecimal() and int(first) > 0 and int(second) > 0:
        return int(first), int(second)
    raise UsageError(f"{text!r} is no grid; write rows x columns, for example 2x3")
