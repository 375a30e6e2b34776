# SPDX-License-Identifier: Apache-2.0
"""The search plans that the engine knows: their grids, their switches, and what each may be.

The engine decides (engine/bfs/plans.cpp and the files that it lists); this table lets a design be
judged before it starts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.plan.layout import parse_grid

PLANS = ("replicated-csr", "replicated-csc", "simple", "one-sided", "two-dim", "hybrid")
"""As published; the last is ours."""

KERNELS = ("bfs", "sssp", "both")
"""What a run searches for."""

PATH_PLANS = ("landmark", "delta-stepping", "bellman-ford")
"""For shortest paths, as engine/sssp/plan.hpp lists them."""

WIDE_PATHS = PATH_PLANS[1]
"""That whose positions of originals may be wide, on several grid columns (docs/adr/0053)."""

ANY_PATH_PLAN = "auto"
"""Of isobath search: landmark where it leaves out most edges, else delta-stepping."""


def usual_path_plan(*, official: bool) -> str:
    """That of a run which names none: an official one takes a plan that leaves out no edge."""
    return PATH_PLANS[1] if official else PATH_PLANS[0]


HYBRID = PLANS[-1]
REPLICATED = PLANS[:2]
IN_ONE_ROW = ("simple", "one-sided")

EXCHANGES = (
    *("own", "eager", "alltoallv", "pairwise", "sparse", "neighbour", "one-sided"),
    *("persistent", "two-level", "emulated"),
)
FRONTIERS = ("bitmap", "list", "smaller", "packed")
DIRECTIONS = ("policy", "top-down", "bottom-up")
ON_OFF = ("on", "off")

Value = str | int


@dataclass(frozen=True)
class Switch:
    """One choice that some plans leave open: all its values, and what each plan takes.

    The first value that a plan takes is its default; of a single one the plan cannot be parted.
    """

    values: tuple[Value, ...]
    replicated: tuple[Value, ...]
    simple: tuple[Value, ...]
    one_sided: tuple[Value, ...]
    two_dim: tuple[Value, ...]
    hybrid: tuple[Value, ...]

    def of(self, plan: str) -> tuple[Value, ...]:
        """What the plan takes, its default first."""
        name = "replicated" if plan in REPLICATED else plan.replace("-", "_")
        choices: tuple[Value, ...] = getattr(self, name)
        return choices


def _same(*values: Value, baselines: tuple[Value, ...], hybrid: tuple[Value, ...]) -> Switch:
    """A switch that all published plans have alike."""
    return Switch(values, baselines, baselines, baselines, baselines, hybrid)


_ANY_EXCHANGE = EXCHANGES[:-1]

SWITCHES: dict[str, Switch] = {
    "exchange": Switch(
        EXCHANGES, ("own",), _ANY_EXCHANGE, ("own", "emulated"), _ANY_EXCHANGE, _ANY_EXCHANGE[1:]
    ),
    "duplicates": _same("keep", "drop", baselines=("keep", "drop"), hybrid=("drop",)),
    "ids": Switch((64, 32), (64,), (64, 32), (64,), (64, 32), (32,)),
    "dedup": Switch(
        ("none", "local"), ("none",), ("none", "local"), ("none",), ("none", "local"), ("local",)
    ),
    "frontier": Switch(
        FRONTIERS,
        *(("bitmap",), ("bitmap",), ("bitmap",)),
        two_dim=("bitmap", "list", "smaller"),
        hybrid=("packed", "bitmap", "list", "smaller"),
    ),
    "fold": _same("plain", "packed", baselines=("plain",), hybrid=("packed", "plain")),
    "relabel": _same("on", "classes", "off", baselines=("off",), hybrid=("on", "classes", "off")),
    "leaves": _same("out", "in", baselines=("in",), hybrid=("out", "in")),
    "likely_parents": _same(*ON_OFF, baselines=("off",), hybrid=ON_OFF),
    "hubs": _same("on", "few", "off", baselines=("off",), hybrid=("on", "few", "off")),
    "streams": _same(*ON_OFF, baselines=("off",), hybrid=ON_OFF),
    "overlap": _same(*ON_OFF, baselines=("off",), hybrid=ON_OFF),
    "direction": _same(*DIRECTIONS, baselines=("top-down",), hybrid=DIRECTIONS),
}
"""By the name of the setting, in the order of the engine's options."""


def option_of(name: str) -> str:
    """The engine's option, and ours, for a switch.

    >>> option_of("likely_parents")
    '--likely-parents'
    """
    return "--" + name.replace("_", "-")


BOTTOM_UP_ONLY = "replicated-csr"
"""Looks from each unvisited vertex for a parent, in every level."""


def values_of(name: str, plan: str) -> tuple[Value, ...]:
    """What the plan takes for a switch, its default first."""
    if name == "direction" and plan == BOTTOM_UP_ONLY:
        return ("bottom-up",)
    return SWITCHES[name].of(plan)


def all_switches(plan: str, given: Mapping[str, Value | None]) -> dict[str, Value]:
    """Every switch of a plan: what was given where the plan takes it, else its default."""
    switches = {}
    for name in SWITCHES:
        values, value = values_of(name, plan), given.get(name)
        switches[name] = value if value is not None and value in values else values[0]
    return switches


def check_switches(plan: str, given: Mapping[str, Value | None]) -> None:
    """Refuses what the plan does not take.

    Raises: UsageError naming the first wrong option, and what the plan takes instead.
    """
    for name, value in given.items():
        values = values_of(name, plan)
        if value is None or value in values:
            continue
        option = option_of(name)
        remedy = "it takes " + ", ".join(map(str, values))
        if len(values) == 1:
            remedy = f"it has {values[0]}; leave {option} out"
        raise UsageError(f"{option} {value} does not go with --plan {plan}: {remedy}")


def takes_grid(plan: str, rows: int, cols: int) -> bool:
    """Whether the plan runs on a grid of this shape."""
    if plan in REPLICATED:
        return cols == 1
    return rows == 1 if plan in IN_ONE_ROW else True


def default_grid(plan: str, ranks: int) -> tuple[int, int]:
    """Rows and columns where none are asked for."""
    grid = Switches.of(plan).grid_of(ranks)
    return grid.rows, grid.cols


def check_grid(plan: str, grid: str) -> None:
    """Refuses a grid that the plan cannot run on. Raises: UsageError."""
    if takes_grid(plan, *parse_grid(grid)):
        return
    shape = "Px1 (one column)" if plan in REPLICATED else "1xP (one row)"
    raise UsageError(
        f"--grid {grid} does not go with --plan {plan}, whose grid is {shape}; leave --grid out"
    )
