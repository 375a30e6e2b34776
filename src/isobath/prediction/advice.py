# SPDX-License-Identifier: Apache-2.0
"""Which plan, grid, ranks per node, mapping, exchange and algorithms are predicted the fastest.

Every choice that there is is predicted from the same draws; what is advised is the one of the
smallest predicted time, its gain is over the usual choice: the plan's own grid (ADR 0022), ranks
along columns, its own exchange.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt

import numpy as np

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.prediction import calls as calls_module
from isobath.prediction.advised_algorithms import AlgorithmAdvised, algorithms_advised
from isobath.prediction.calls import Layout
from isobath.prediction.costs import Costs
from isobath.prediction.instead import other_exchanges
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import Piece, Spread, spread_of
from isobath.prediction.predicted import Prediction, Target, predict
from isobath.prediction.work_costs import work_costs

USUAL_PLAN = "hybrid"
MOST_GRIDS = 9
"""of a plan: those nearest to a square, one row and one column"""


@dataclass(frozen=True)
class Choice:
    """What a person can set."""

    plan: str
    grid: Grid
    per_node: int
    mapping: calls_module.Mapping
    exchange: str

    def __str__(self) -> str:
        exchanged = f", exchange {self.exchange}" if self.grid.cols > 1 else ""
        nodes = f", {self.mapping} on nodes" if self.is_mapped else ""
        return f"{self.plan} {self.grid}, {self.per_node} a node{nodes}{exchanged}"

    @property
    def is_mapped(self) -> bool:
        """Whether the mapping changes anything."""
        return self.per_node > 1 and min(self.grid.rows, self.grid.cols) > 1


@dataclass(frozen=True)
class Advised:
    """A choice with its prediction, against the usual one."""

    choice: Choice
    prediction: Prediction
    change: Spread
    """share of the time of the usual choice: below 0 is faster"""
    surely_best: float
    """share of draws in which no other choice is faster"""


@dataclass(frozen=True)
class Advice:
    """All choices, the best first."""

    ranked: tuple[Advised, ...]
    usual: Advised
    refused: tuple[str, ...]
    """choices that nothing could be said of, and why"""
    algorithms: tuple[AlgorithmAdvised, ...] = ()
    """of the collectives of the first choice"""

    @property
    def to_measure(self) -> tuple[str, ...]:
        """What the uncertainty of the first choice comes from, the most first."""
        first = self.ranked[0].prediction
        parts: dict[str, float] = {}
        grouped: dict[str, list[Piece]] = {}
        for piece in first.pieces:
            grouped.setdefault(piece.call or piece.phase, []).append(piece)
        for name, pieces in grouped.items():
            parts[name] = float(np.var(np.sum([piece.draws for piece in pieces], axis=0)))
        whole = sum(parts.values())
        largest = sorted(parts, key=lambda name: -parts[name])[:3]
        return (
            *(f"{_remedy(name, first)} (it is in no number)" for name in first.unknown),
            *(
                f"{_remedy(name, first)} ({100 * parts[name] / whole:.0f} % of what is not known)"
                for name in largest
                if whole > 0 and parts[name] > 0.05 * whole
            ),
        )


def advise(
    runs: Mapping[str, Observed],
    scale: int,
    nodes: int,
    per_node: Sequence[int],
    costs: Mapping[str, Costs],
) -> Advice:
    """Args: runs by plan (``nothing_run`` where there is none); costs by plan.

    Raises: UsageError where not one choice can be predicted.
    """
    found: list[tuple[Choice, Prediction]] = []
    refused: dict[str, None] = {}
    works = {plan: work_costs([observed]) for plan, observed in runs.items()}
    for choice in choices(runs, nodes, per_node):
        observed = runs[choice.plan]
        try:
            target = target_of(choice, observed, scale)
            predicted = predict(observed, target, costs[choice.plan], works[choice.plan])
        except UsageError as problem:
            refused[f"{choice.plan}: {problem}"] = None
            continue
        found.append((choice, predicted))
    if not found:
        raise UsageError(next(iter(refused), "there is no choice between such ranks"))
    ordered = sorted(found, key=lambda one: one[1].seconds)
    usual = _usual(ordered, runs)
    wins = np.bincount(
        np.argmin([one.draws for _, one in ordered], axis=0), minlength=len(ordered)
    ) / len(ordered[0][1].draws)
    ranked = tuple(
        Advised(
            choice,
            one,
            spread_of(one.seconds / usual[1].seconds - 1, one.draws / usual[1].draws - 1),
            float(share),
        )
        for (choice, one), share in zip(ordered, wins, strict=True)
    )
    chosen = next(one for one in ranked if one.choice == usual[0])
    first = ranked[0]
    observed = runs[first.choice.plan]

    def forced(algorithms: Mapping[str, str]) -> Prediction:
        target = replace(first.prediction.target, forced=algorithms)
        return predict(observed, target, costs[first.choice.plan], works[first.choice.plan])

    algorithms = algorithms_advised(first.prediction, forced)
    return Advice(ranked, chosen, tuple(refused), algorithms)


def target_of(choice: Choice, observed: Observed, scale: int) -> Target:
    """What is predicted of a choice, under the algorithms of the run."""
    layout = Layout.even(choice.grid, choice.per_node, choice.mapping)
    switches = replace(observed.setting.switches, exchange=choice.exchange)
    return Target(scale, switches, layout, forced=observed.forced)


def choices(runs: Mapping[str, Observed], nodes: int, per_node: Sequence[int]) -> Iterator[Choice]:
    """All that are looked at."""
    for plan, observed in runs.items():
        switches = observed.setting.switches
        for each in per_node:
            for grid in grids_of(switches, nodes * each):
                usual = Choice(plan, grid, each, "columns", switches.exchange)
                for exchange in (switches.exchange, *other_exchanges(switches, grid.cols)):
                    yield replace(usual, exchange=exchange)
                    if usual.is_mapped:
                        yield replace(usual, exchange=exchange, mapping="rows")


def grids_of(switches: Switches, ranks: int) -> tuple[Grid, ...]:
    """That a plan can have, its own first."""
    own = switches.grid_of(ranks)
    if switches.plan not in ("two-dim", "hybrid"):
        return (own,)
    sides = [side for side in range(isqrt(ranks), 0, -1) if ranks % side == 0][: MOST_GRIDS // 2]
    near = [
        Grid(*pair) for side in sides for pair in ((side, ranks // side), (ranks // side, side))
    ]
    return tuple(dict.fromkeys((own, *near, Grid(1, ranks), Grid(ranks, 1))))


def _usual(
    found: Sequence[tuple[Choice, Prediction]], runs: Mapping[str, Observed]
) -> tuple[Choice, Prediction]:
    """Of hybrid, else of the first plan, with fewest ranks on a node: its own grid, mapping and
    exchange.
    """
    plan = USUAL_PLAN if USUAL_PLAN in runs else next(iter(runs))

    def strangeness(one: tuple[Choice, Prediction]) -> tuple[int, int, int, int, int]:
        choice = one[0]
        switches = runs[choice.plan].setting.switches
        return (
            choice.plan != plan,
            choice.per_node,
            choice.grid != switches.grid_of(choice.grid.size),
            choice.mapping != "columns",
            choice.exchange != switches.exchange,
        )

    return min(found, key=strangeness)


def _remedy(name: str, prediction: Prediction) -> str:
    layout = prediction.target.layout
    each = f"{layout.per_node} rank{'s' * (layout.per_node > 1)} on each"
    if name in ("computation", "waiting"):
        vertices = (1 << prediction.target.scale) // layout.grid.size
        return (
            f"{name}: a run of {prediction.target.switches.plan} with about {vertices:,} vertices "
            f"a rank, {each} of several nodes"
        )
    sent = max((one.load for one in prediction.calls if one.name == name), default=0.0)
    return f"{name}: bench collectives on more nodes, {each}, up to {sent:,.0f} bytes a rank"
