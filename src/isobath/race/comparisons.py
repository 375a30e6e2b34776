# SPDX-License-Identifier: Apache-2.0
"""Cells against each other: how many times as fast, and what one factor changes in per cent."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from isobath.plan.search_plans import SWITCHES
from isobath.race.results import CellResult, RaceResults
from isobath.race.spec import Value
from isobath.stats.estimates import Estimate
from isobath.stats.intervals import Interval, estimate_interval
from isobath.stats.ratios import ratio_of_means

FOLLOWS = {
    "plan": ("grid", *SWITCHES),
    "ranks": ("grid", "threads"),
    "scale": (),
}
"""What may come with another value of a factor by itself."""


@dataclass(frozen=True)
class Ratio:
    """Rate of one cell divided by that of another."""

    value: float
    interval: Interval | None
    """95 %; absent for a single key"""
    paired: bool
    """key by key, on the same graph"""

    @property
    def change_percent(self) -> float:
        """+16 where the first is 1.16 times as fast."""
        return 100 * (self.value - 1)


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


def rate_ratio(one: CellResult, other: CellResult) -> Ratio | None:
    """Harmonic mean TEPS of ``one`` over that of ``other``; None where one of them has none."""
    if not one.seconds_per_edge or not other.seconds_per_edge:
        return None
    paired = one.seconds_per_edge.keys() == other.seconds_per_edge.keys()
    roots = sorted(one.seconds_per_edge)
    numerator = [
        other.seconds_per_edge[key] for key in (roots if paired else other.seconds_per_edge)
    ]
    denominator = [one.seconds_per_edge[key] for key in roots]
    found: Estimate[float] = ratio_of_means(numerator, denominator, paired=paired)
    return Ratio(found.value, estimate_interval(found), paired)


def reference_of(results: RaceResults, cell: CellResult) -> CellResult | None:
    """The cell that a cell's rate is compared with: the reference's values, all else equal."""
    wanted = results.spec.reference
    if not wanted or cell.cell is None:
        return None
    follows = {name for key in wanted for name in FOLLOWS.get(key, ())} | wanted.keys()
    here = {k: v for k, v in cell.cell.factors.items() if k not in follows}
    for other in results.matrix:
        assert other.cell is not None  # of a race that was read
        there = other.cell.factors
        is_reference = all(other.cell.settings.get(k) == v for k, v in wanted.items())
        if is_reference and all(there.get(name) == value for name, value in here.items()):
            return other
    return None


def changes(results: RaceResults) -> tuple[Change, ...]:
    """For every factor of two values, each pair of cells that differ in nothing else."""
    return tuple(
        itertools.chain.from_iterable(
            _changes_of(name, values, results.matrix)
            for name, values in results.spec.factors.items()
            if len(values) == 2
        )
    )


def _changes_of(
    name: str, values: Sequence[Value], cells: Sequence[CellResult]
) -> Iterator[Change]:
    first, second = values
    by_others: dict[tuple[tuple[str, Value], ...], dict[Value, CellResult]] = {}
    follows = {name, *FOLLOWS.get(name, ())}
    for one in cells:
        if one.cell is None or not one.done:
            continue
        others = tuple((k, v) for k, v in one.cell.factors.items() if k not in follows)
        if name in one.cell.settings:
            by_others.setdefault(others, {})[one.cell.settings[name]] = one
    for others, found in by_others.items():
        if first not in found or second not in found:
            continue
        ratio = rate_ratio(found[second], found[first])
        if ratio is not None:
            no_result = found[first].oversubscribed or found[second].oversubscribed
            yield Change(name, first, second, dict(others), ratio, no_result)
