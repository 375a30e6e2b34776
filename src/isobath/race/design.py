# SPDX-License-Identifier: Apache-2.0
"""From factors to cells: all combinations, or those listed, each once."""

import itertools
import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from isobath.errors import UsageError
from isobath.plan.layout import parse_grid
from isobath.plan.search_plans import (
    HYBRID,
    SWITCHES,
    all_switches,
    check_grid,
    check_switches,
    default_grid,
    takes_grid,
)
from isobath.plan.search_plans import Value as SwitchValue
from isobath.race.ladder import FROM, OWN_GRID, TO, climb
from isobath.race.plan import Group, RaceCell, Scaling, Value

MOST_CELLS = 1000
PLAN_BOUND = ("grid", *SWITCHES)
"""Factors that not every plan takes."""

ON_NODES = ("nodes", "ranks_per_node", "transport")
"""Where ranks are: with them the number of ranks may be given."""

Settings = dict[str, Value]


@dataclass(frozen=True)
class RaceFactors:
    """What is varied and what is the same: settings in ``base`` have one value, factors several."""

    base: Settings
    factors: dict[str, tuple[Value, ...]]
    listed: tuple[dict[str, tuple[Value, ...]], ...] = ()
    """explicit combinations; each is crossed with the factors that it does not name itself"""
    scaling: Scaling | None = None
    ladder: bool = False

    @property
    def kind(self) -> str:
        """full or listed."""
        return "listed" if self.listed else "full"


@dataclass(frozen=True)
class Usual:
    """What a cell has where nothing is said."""

    ranks: int
    threads_of: Callable[[int], int]
    """threads per rank for a number of ranks"""
    possible: Callable[[Settings], Settings] = dict
    """the settings of a run with what it cannot have as it is by default"""
    ranks_on_nodes: Callable[[Settings], int] = lambda _: 1
    """ranks of so many nodes with so many ranks each; raises where ``ranks`` says otherwise"""


@dataclass
class _Drafts:
    """Cells so far, by what their runs would be; of equal ones in a group the first stays."""

    cells: dict[str, RaceCell] = field(default_factory=dict)

    def add(self, settings: Settings, factors: Settings, group: Group, step: str | None) -> None:
        key = json.dumps((group, settings), sort_keys=True)
        name = f"c{len(self.cells) + 1:03}"
        cell = RaceCell(
            cell=name, order=0, settings=settings, factors=factors, group=group, step=step
        )
        self.cells.setdefault(key, cell)


def cells_of(varied: RaceFactors, usual: Usual, seed: int) -> tuple[RaceCell, ...]:
    """All cells, by name; their ``order`` is drawn with the seed.

    A grid or switch that a plan does not have is left out of its cells, and cells that come out
    equal are one.

    Raises: UsageError naming the key that is wrong.
    """
    drafts = _Drafts()
    for wanted, explicit in _combinations(varied):
        settings = _resolved(wanted, explicit, varied.scaling, usual)
        drafts.add(settings, _factors(varied, settings), "matrix", None)
        _check_size(len(drafts.cells))
    if not drafts.cells:
        raise UsageError("the design has no cell; name at least one plan and one number of ranks")
    _check_every_value_is_used(varied, list(drafts.cells.values()))
    if varied.ladder:
        for name, settings in _ladder(varied, list(drafts.cells.values()), usual):
            drafts.add(settings, _factors(varied, settings), "ladder", name)
    order = list(range(len(drafts.cells)))
    random.Random(seed).shuffle(order)
    return tuple(
        cell.model_copy(update={"order": place})
        for cell, place in zip(drafts.cells.values(), order, strict=True)
    )


def _combinations(varied: RaceFactors) -> Iterator[tuple[Settings, frozenset[str]]]:
    """Settings of every combination before any rule, and those that a cell names itself."""
    for listed in varied.listed or ({},):
        choices = {**varied.factors, **listed}
        for values in itertools.product(*choices.values()):
            yield varied.base | dict(zip(choices, values, strict=True)), frozenset(listed)


def _resolved(
    wanted: Settings, explicit: frozenset[str], scaling: Scaling | None, usual: Usual
) -> Settings:
    """The settings of a run: what does not apply is left out, what is missing filled in."""
    plan = str(wanted.get("plan", HYBRID))
    grid = wanted.get("grid")
    ranks = _whole(wanted.get("ranks", usual.ranks))
    if "ranks_per_node" in wanted:
        ranks = usual.ranks_on_nodes(wanted)
    elif "ranks" not in wanted and grid is not None:
        ranks = math.prod(parse_grid(str(grid)))
    _refuse_contradictions(plan, ranks, {k: v for k, v in wanted.items() if k in explicit})
    if grid is not None and not _fits(plan, ranks, str(grid)):
        grid = None
    rows, cols = parse_grid(str(grid)) if grid else default_grid(plan, ranks)
    settings = {name: value for name, value in wanted.items() if name not in SWITCHES}
    settings |= {"plan": plan, "ranks": ranks, "grid": f"{rows}x{cols}"}
    settings.setdefault("threads", usual.threads_of(ranks))
    settings |= all_switches(plan, _switches(wanted))
    if scaling == "weak":
        settings["scale"] = _whole(settings["scale"]) + _doublings(ranks)
    return usual.possible(settings)


def _refuse_contradictions(plan: str, ranks: int, explicit: Settings) -> None:
    """What stands in one listed cell must go together."""
    check_switches(plan, _switches(explicit))
    if "grid" in explicit:
        grid = str(explicit["grid"])
        check_grid(plan, grid)
        if math.prod(parse_grid(grid)) != ranks:
            raise UsageError(f"cells: the grid {grid} does not have {ranks} ranks; correct one")


def _switches(settings: Settings) -> dict[str, SwitchValue | None]:
    values = {name: settings.get(name) for name in SWITCHES}
    return {name: value for name, value in values.items() if isinstance(value, str | int)}


def _fits(plan: str, ranks: int, grid: str) -> bool:
    rows, cols = parse_grid(grid)
    return rows * cols == ranks and takes_grid(plan, rows, cols)


def _whole(value: Value) -> int:
    """A setting that is a whole number, as its settings have been checked to be."""
    assert isinstance(value, int)
    return value


def _doublings(ranks: int) -> int:
    steps = ranks.bit_length() - 1
    if 1 << steps != ranks:
        raise UsageError(
            f"ranks: weak scaling doubles the graph with the ranks, and {ranks} is no power of "
            "two; take 1, 2, 4, ... or --scaling strong"
        )
    return steps


def _factors(varied: RaceFactors, settings: Settings) -> Settings:
    """What sets a cell apart: the values that it came to have."""
    names = [*varied.factors, *(name for listed in varied.listed for name in listed)]
    told = dict.fromkeys(("plan", "ranks", *names))
    return {name: settings[name] for name in told if name in settings}


def _check_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise UsageError(f"the design has more than {MOST_CELLS} cells; take fewer values")


def _check_every_value_is_used(varied: RaceFactors, cells: list[RaceCell]) -> None:
    """A value that no plan takes, or a grid of no rank count, is a slip: it would be lost."""
    given = {name: (value,) for name, value in varied.base.items()} | varied.factors
    for name, values in given.items():
        if name not in PLAN_BOUND:
            continue
        for value in values:
            if any(_same(name, cell.settings.get(name), value) for cell in cells):
                continue
            plans = ", ".join(dict.fromkeys(str(cell.settings["plan"]) for cell in cells))
            ranks = ", ".join(dict.fromkeys(str(cell.settings["ranks"]) for cell in cells))
            among = (
                f"the plans {plans} on {ranks} ranks" if name == "grid" else f"the plans {plans}"
            )
            raise UsageError(
                f"{name}: {value} goes with none of {among}; leave it out or add what takes it"
            )


def _same(name: str, held: Value | None, other: Value) -> bool:
    if name == "grid" and held is not None:
        return parse_grid(str(held)) == parse_grid(str(other))
    return held == other


def _ladder(
    varied: RaceFactors, cells: list[RaceCell], usual: Usual
) -> Iterator[tuple[str, Settings]]:
    """Its steps at the largest number of ranks, where the first cell with so many has them; with
    the first value of every other factor.
    """
    largest = max(cells, key=lambda cell: _whole(cell.settings["ranks"])).settings
    ranks = _whole(largest["ranks"])
    free = {
        name: values[0]
        for name, values in varied.factors.items()
        if name not in ("plan", "ranks", *ON_NODES, *PLAN_BOUND)
    }
    shared = {k: v for k, v in varied.base.items() if k not in (*ON_NODES, *PLAN_BOUND)}
    there = {name: largest[name] for name in ("ranks", *ON_NODES) if name in largest}
    rows, cols = default_grid(FROM, ranks)
    grid: Settings = {"grid": f"{rows}x{cols}"}
    step: Settings = {}
    for name, step in climb():
        wanted = shared | free | there | grid | step
        yield name, _resolved(wanted, frozenset(step), varied.scaling, usual)
    if default_grid(TO, ranks) != (rows, cols):
        wanted = shared | free | there | step
        yield OWN_GRID, _resolved(wanted, frozenset(step), varied.scaling, usual)


def has_both_ends(plans: Sequence[Value]) -> bool:
    """Whether a ladder can be climbed between these plans."""
    return {FROM, TO} <= set(plans)
