# SPDX-License-Identifier: Apache-2.0
"""Cells against each other: how many times as fast, and what one factor changes in per cent."""

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from isobath.plan.search_plans import SWITCHES
from isobath.race.plan import Value
from isobath.race.results import CellResult, RaceResults
from isobath.stats.ratios import Ratio, bounded, ratio_of_means

FOLLOWS = {
    "plan": ("grid", *SWITCHES),
    "ranks": ("grid", "threads"),
    "scale": (),
}
"""What may come with another value of a factor by itself."""


@dataclass(frozen=True)
class Change:
    """What the second value of a factor brings against the first, all else equal."""

    factor: str
    first: Value
    second: Value
    others: Mapping[str, Value]
    """values of the other factors"""
    ratio: Ratio
    no_result: bool
    """one of the two was oversubscribed: a time, but none of this machine"""


def left_aside(names: Iterable[str], factors: Container[str]) -> set[str]:
    """Factors that may differ between cells compared in ``names``: these, and what follows them.

    A grid or switch that was asked for itself does not follow the plan: it is to be the same.
    """
    aside = set(names)
    for name in tuple(aside):
        follows = FOLLOWS.get(name, ())
        aside.update(follower for follower in follows if name != "plan" or follower not in factors)
    return aside


def rate_ratio(cell: CellResult, other: CellResult) -> Ratio | None:
    """Harmonic mean TEPS of ``cell`` over that of ``other``; None where one of them has none."""
    return ratio_by_root(other.seconds_per_edge, cell.seconds_per_edge)


def ratio_by_root(own: Mapping[int, float], base: Mapping[int, float]) -> Ratio | None:
    """Mean of one over mean of the other, root by root where roots are the same; None where a value
    is missing or zero.
    """
    if not own or not base or min(*own.values(), *base.values()) <= 0:
        return None
    paired = own.keys() == base.keys()
    numerator = [own[root] for root in (sorted(base) if paired else own)]
    denominator = [base[root] for root in sorted(base)]
    return bounded(ratio_of_means(numerator, denominator, paired=paired))


def reference_of(results: RaceResults, cell: CellResult) -> CellResult | None:
    """The cell that a cell's rate is compared with: the reference's values, all else equal."""
    wanted = results.plan.reference
    if not wanted or cell.cell is None:
        return None
    follows = left_aside(wanted, results.plan.factors)
    here = {k: v for k, v in cell.cell.factors.items() if k not in follows}
    for other in results.matrix:
        assert other.cell is not None  # of a race that was read
        there = other.cell.factors
        is_reference = all(other.cell.settings.get(k) == v for k, v in wanted.items())
        if is_reference and all(there.get(name) == value for name, value in here.items()):
            return other
    return None


def changes(results: RaceResults) -> tuple[Change, ...]:
    """For every factor, each pair of cells that differ in nothing else: others against the first.

    Of plans and ranks only where there are two: the reference column and the charts compare more.
    """
    return tuple(
        itertools.chain.from_iterable(
            _changes_of(name, values, results)
            for name, values in results.plan.factors.items()
            if len(values) == 2 or (len(values) > 2 and name not in ("plan", "ranks"))
        )
    )


def _changes_of(name: str, values: Sequence[Value], results: RaceResults) -> Iterator[Change]:
    follows = left_aside((name,), results.plan.factors)
    alike: dict[tuple[tuple[str, Value], ...], dict[Value, list[CellResult]]] = {}
    for cell in results.matrix:
        if cell.cell is None or not cell.done or name not in cell.cell.settings:
            continue
        others = tuple((k, v) for k, v in cell.cell.factors.items() if k not in follows)
        alike.setdefault(others, {}).setdefault(cell.cell.settings[name], []).append(cell)
    first = values[0]
    for others, by_value in alike.items():
        for second in values[1:]:
            bases, changed = by_value.get(first, []), by_value.get(second, [])
            if len(bases) != 1 or len(changed) != 1:
                continue  # none, or several that differ in more than is told
            base, cell = bases[0], changed[0]
            ratio = rate_ratio(cell, base)
            if ratio is not None:
                no_result = base.oversubscribed or cell.oversubscribed
                yield Change(name, first, second, dict(others), ratio, no_result)
