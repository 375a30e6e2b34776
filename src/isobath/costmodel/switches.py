# SPDX-License-Identifier: Apache-2.0
"""The search plans with their switches, as far as these change what is sent."""

from dataclasses import dataclass, replace
from typing import Any

from isobath.costmodel.grid import Grid
from isobath.costmodel.short_parcels import write_to_all
from isobath.errors import UsageError
from isobath.records.run import Switches as RecordedSwitches

PLANS = ("replicated-csr", "replicated-csc", "simple", "one-sided", "two-dim", "hybrid")
REPLICATED = ("replicated-csr", "replicated-csc")

MOST_RANKS_IN_ONE_COLUMN = 16
"""To here one column sends about as few bytes as any grid of hybrid, and no parents (ADR 0022)."""


@dataclass(frozen=True)
class Switches:
    """A plan and its switches; names and values as options of isobath-graph500."""

    plan: str
    exchange: str = "own"
    duplicates: str = "keep"
    ids: int = 64
    dedup: str = "none"
    frontier: str = "bitmap"
    fold: str = "plain"
    relabel: str = "off"
    leaves: str = "in"
    likely_parents: str = "off"
    hubs: str = "off"
    streams: str = "off"
    overlap: str = "off"
    direction: str = "top-down"
    lengths_first: bool = False
    """no switch: so gathered runs of before, in small groups too"""

    @classmethod
    def of(cls, plan: str, **changed: Any) -> "Switches":
        """The defaults of a plan, some changed. Raises: UsageError for an unknown plan or switch.

        >>> Switches.of("hybrid", fold="plain").tuple_bytes
        8
        """
        if plan not in DEFAULTS:
            raise UsageError(f"there is no search plan {plan!r}; there are: {', '.join(PLANS)}")
        unknown = set(changed) - set(cls.__dataclass_fields__)
        if unknown:
            raise UsageError(f"there is no switch {', '.join(sorted(unknown))} of a plan")
        return replace(DEFAULTS[plan], **changed)

    @property
    def is_replicated(self) -> bool:
        """The frontier is kept by all ranks."""
        return self.plan in REPLICATED

    @property
    def tuple_bytes(self) -> int:
        """Bytes of a (target, parent) tuple, two ids."""
        return 2 * self.ids // 8

    def exchange_in(self, group: int) -> str:
        """How tuples travel in a group of so many ranks: eagerly in a small one alone.

        >>> Switches.of("hybrid").exchange_in(16), Switches.of("hybrid").exchange_in(17)
        ('eager', 'alltoallv')
        """
        if self.exchange == "eager" and not write_to_all(group):
            return "alltoallv"
        return self.exchange

    def check_grid(self, grid: Grid) -> None:
        """Raises: UsageError for a grid that the plan cannot have."""
        if refusal := self.refusal_of(grid):
            raise UsageError(refusal)

    def refusal_of(self, grid: Grid) -> str:
        """Why the plan cannot have this grid, in a sentence; empty where it can."""
        if self.is_replicated and grid.cols > 1:
            return f"{self.plan} needs a grid of one column, {grid.size}x1, not {grid}"
        if self.plan in ("simple", "one-sided") and grid.rows > 1:
            return f"{self.plan} needs a grid of one row, 1x{grid.size}, not {grid}"
        return ""

    def grid_of(self, ranks: int) -> Grid:
        """The grid on which a plan uses so many ranks, when none is asked for."""
        if self.is_replicated:
            return Grid(ranks, 1)
        if self.plan in ("simple", "one-sided"):
            return Grid(1, ranks)
        squarest = Grid.squarest(ranks)
        if self.plan != "hybrid":
            return squarest
        if ranks <= MOST_RANKS_IN_ONE_COLUMN:
            return Grid(ranks, 1)
        return Grid(squarest.cols, squarest.rows)


DEFAULTS = {
    "replicated-csr": Switches("replicated-csr", direction="bottom-up"),
    "replicated-csc": Switches("replicated-csc"),
    "simple": Switches("simple"),
    "one-sided": Switches("one-sided"),
    "two-dim": Switches("two-dim"),
    "hybrid": Switches(
        "hybrid",
        exchange="eager",
        duplicates="drop",
        ids=32,
        dedup="local",
        frontier="packed",
        fold="packed",
        relabel="on",
        leaves="out",
        likely_parents="on",
        hubs="on",
        streams="on",
        overlap="on",
        direction="policy",
    ),
}

NOT_TOLD = ("plan", "lengths_first")
"""What is no switch of a run's."""


def told_switches(told: RecordedSwitches) -> dict[str, Any]:
    """Those of a run that change what is sent, by name. A record from before a switch has none of
    it, and the run did what off means now.
    """
    names = [name for name in Switches.__dataclass_fields__ if name not in NOT_TOLD]
    values = {name: getattr(told, name) for name in names}
    return {name: "off" if value is None else value for name, value in values.items()}
