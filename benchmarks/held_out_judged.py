# SPDX-License-Identifier: Apache-2.0
"""What came of held-out cells: errors, coverage, order, and what advice would have cost."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from held_out_cells import PARTS, Cell
from scipy import stats

from isobath.costmodel.switches import Switches
from isobath.prediction.budget import ErrorBudget, error_budget
from isobath.prediction.costs import Costs, fitted_costs
from isobath.prediction.observed import Observed
from isobath.prediction.predicted import Prediction, Target, predict
from isobath.prediction.work_costs import work_costs

MEDIAN, ORDERED = 0.10, 0.95
COVERED = 0.9
LEAST_CELLS = 60
NEAR, MOSTLY = 0.10, 0.9
"""advice is to be this near to the best, in so many settings"""


@dataclass(frozen=True)
class Judged:
    """A held-out cell with what was said of it."""

    cell: Cell
    measured: Observed
    prediction: Prediction
    budget: ErrorBudget

    @property
    def error(self) -> float:
        """Share; above 0 is predicted too slow."""
        return self.prediction.seconds / self.measured.seconds - 1

    @property
    def is_covered(self) -> bool:
        """Inside its 90 % interval."""
        spread = self.prediction.spread
        return spread.low <= self.measured.seconds <= spread.high


def costs_by_network(fitted: Sequence[tuple[Cell, Observed]]) -> dict[str, Costs]:
    """Of all calls of each network that models see."""
    return {
        network: fitted_costs(
            [call for cell, run in fitted if cell.network == network for call in run.timed],
            network,
        )
        for network in dict.fromkeys(cell.network for cell, _ in fitted)
    }


def predicted(
    cell: Cell,
    fitted: Sequence[tuple[Cell, Observed]],
    costs: Mapping[str, Costs],
    measured: Observed,
) -> Prediction:
    """From the largest run of its plan that models see, under the same algorithms.

    Args: measured says what was asked for, and on which nodes; nothing that it took is used.
    """
    of_plan = [one for one in fitted if (one[0].network, one[0].plan) == (cell.network, cell.plan)]
    _, start = max(
        of_plan, key=lambda one: (one[0].scale == cell.scale, one[0].scale, one[0].nodes)
    )
    target = Target(cell.scale, measured.setting.switches, measured.layout, forced=measured.forced)
    works = work_costs([start, *(run for _, run in of_plan if run is not start)])
    return predict(start, target, costs[cell.network], works)


def judged(
    cell: Cell,
    fitted: Sequence[tuple[Cell, Observed]],
    costs: Mapping[str, Costs],
    measured: Observed,
) -> Judged:
    """A prediction beside what was measured."""
    prediction = predicted(cell, fitted, costs, measured)
    return Judged(
        cell, measured, prediction, error_budget(prediction, measured, costs[cell.network])
    )


Times = tuple[Cell, float, float]
"""A cell, the seconds that were measured and those that were said before."""


def times_of(rows: Sequence[Judged]) -> list[Times]:
    """Of predictions."""
    return [(row.cell, row.measured.seconds, row.prediction.seconds) for row in rows]


def pairs_in_order(times: Sequence[Times], *, of_plans: bool) -> tuple[int, int]:
    """Of plans, or of grids within a plan, on the same nodes, scale and network, that differ by 10
    to 50 %: how many pairs are said in the right order, and how many there are.
    """
    right = whole = 0
    for (first, took, said), (other, other_took, other_said) in itertools.combinations(times, 2):
        if first.place != other.place or (first.plan != other.plan) != of_plans:
            continue
        ratio = took / other_took
        if 1.1 <= max(ratio, 1 / ratio) <= 1.5:
            whole += 1
            right += (said > other_said) == (ratio > 1)
    return right, whole


@dataclass(frozen=True)
class Choice:
    """What three ways to choose would have cost on one setting: times over the best, less 1."""

    place: tuple[str, int, int]
    advised: float
    rule: float
    random: float
    differs: bool
    """advice is not ADR 0022's rule"""


def choices_of(rows: Sequence[Judged]) -> Iterator[Choice]:
    """Of every setting whose cells have ADR 0022's choice among them and another."""
    places: dict[tuple[str, int, int], list[Judged]] = {}
    for row in rows:
        places.setdefault(row.cell.place, []).append(row)
    for place, several in places.items():
        usual = str(Switches.of("hybrid").grid_of(place[1]))
        rule = [row for row in several if (row.cell.plan, row.cell.grid) == ("hybrid", usual)]
        if not rule or len(several) < 2:
            continue
        best = min(row.measured.seconds for row in several)
        advised = min(several, key=lambda row: row.prediction.seconds)
        yield Choice(
            place,
            advised.measured.seconds / best - 1,
            rule[0].measured.seconds / best - 1,
            fmean(row.measured.seconds for row in several) / best - 1,
            advised is not rule[0],
        )


def misses_first(rows: Sequence[Judged]) -> list[Judged]:
    """Those outside of their intervals, then the others, each the worst first."""
    return sorted(rows, key=lambda row: (row.is_covered, -abs(row.error)))


def told(rows: Sequence[Judged]) -> bool:
    """Prints misses first, then each part, order and advice. Returns whether promises are kept."""
    print("\npredicted, not simulated; misses first")
    print(
        f"{'cell':<44} {'measured':>9} {'predicted':>9} {'error':>7}  in  "
        "volume / cost model / application"
    )
    for row in misses_first(rows):
        budget = row.budget
        parts = " / ".join(
            f"{100 * part / budget.measured:+.1f} %"
            for part in (budget.volume, budget.cost_model, budget.application)
        )
        print(
            f"{row.cell.name:<44} {row.measured.seconds:>8.4f}s {row.prediction.seconds:>8.4f}s "
            f"{100 * row.error:>+6.1f}%  {'yes' if row.is_covered else 'NO '}  {parts}"
        )
    kept = [_told_part(part, [row for row in rows if row.cell.part == part]) for part in PARTS]
    kept += [told_order(times_of(rows), of_plans=of_plans) for of_plans in (True, False)]
    kept.append(_told_advice(list(choices_of(rows))))
    return all(kept)


def _told_part(part: str, rows: Sequence[Judged]) -> bool:
    if not rows:
        print(f"{part}: no cell, nothing is shown")
        return False
    median = float(np.median([abs(row.error) for row in rows]))
    covered = sum(row.is_covered for row in rows)
    interval = stats.binomtest(covered, len(rows)).proportion_ci(0.95, "exact")
    kept = bool(median <= MEDIAN and interval.low <= COVERED <= interval.high)
    print(
        f"{part}: {len(rows)} cells, median error {100 * median:.1f} %, {covered} inside their "
        f"90 % interval ({100 * interval.low:.0f} to {100 * interval.high:.0f} %): {word_of(kept)}"
    )
    return kept


def told_order(times: Sequence[Times], *, of_plans: bool) -> bool:
    """Prints how many pairs are in order. Returns whether the promise is kept."""
    what = "plans" if of_plans else "grids within a plan"
    right, whole = pairs_in_order(times, of_plans=of_plans)
    kept = whole > 0 and right >= ORDERED * whole
    print(f"order of {what}: {right} of {whole} pairs that differ by 10 to 50 %: {word_of(kept)}")
    return kept


def _told_advice(choices: Sequence[Choice]) -> bool:
    near = sum(one.advised <= NEAR for one in choices)
    apart = [one for one in choices if one.differs]
    kept = bool(choices) and near >= MOSTLY * len(choices)
    print(
        f"advice, among measured plans and grids: within 10 % of the best in {near} of "
        f"{len(choices)} settings: {word_of(kept)}"
    )
    if not apart:
        print("regret: advice is ADR 0022's rule on every setting")
        return kept
    regrets = [fmean(getattr(one, way) for one in apart) for way in ("advised", "rule", "random")]
    is_better = regrets[0] < min(regrets[1:])
    names = ("advice", "ADR 0022's rule", "random choice")
    pairs = zip(names, regrets, strict=True)
    said = ", ".join(f"{name} {100 * regret:.1f} %" for name, regret in pairs)
    print(f"regret on {len(apart)} settings where they differ: {said}: {word_of(is_better)}")
    return kept and is_better


def word_of(kept: bool) -> str:
    """Of a promise."""
    return "kept" if kept else "NOT KEPT"
