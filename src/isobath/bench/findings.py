# SPDX-License-Identifier: Apache-2.0
"""What curves say: switch points, traps in plain words, and the price of irregular counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from isobath.bench.algorithms import Threshold, thresholds
from isobath.bench.design import REDUCTIONS, WIDTHS
from isobath.bench.measured import Curve, Measured, MeasuredCell
from isobath.bench.rates import bus_bandwidth
from isobath.stats.switch_points import (
    LEAST_POINTS,
    SwitchPoint,
    sizes_to_measure,
    switch_points,
)
from isobath.units import size_words

LEAST_PROBABILITY = 0.5
"""Switches that the bootstrap finds less often are not told."""

NEAR = 1.5
"""A documented threshold belongs to a switch whose interval, widened by this, holds it."""

DEEP = 0.8
"""A trap begins where the rate falls below this share of what a smaller size had."""

SPLIT = 1.15
"""and where a call takes longer than this many times two calls of half the size."""


@dataclass(frozen=True)
class Switch:
    """A switch point of a curve, and what the library's documentation says there."""

    curve: Curve
    point: SwitchPoint
    documented: Threshold | None

    def words(self) -> str:
        """For example: between 256 B and 267 B, 2.5 times as long from there on."""
        low, high = size_words(self.point.low), size_words(self.point.high)
        change = self.point.jump
        what = "the formula changes without a jump"
        if change >= 1.1:
            what = f"{change:.2g} times as long from there on"
        elif change <= 1 / 1.1:
            what = f"{1 / change:.2g} times as fast from there on"
        said = "the library documents nothing there"
        if self.documented is not None:
            said = f"documented {size_words(self.documented.size_bytes)} ({self.documented.name})"
        return f"between {low} and {high}: {what}; {said}"


@dataclass(frozen=True)
class Trap:
    """A size that a program should not use as it is."""

    curve: Curve
    at: MeasuredCell
    better: MeasuredCell
    loss: float
    """how many times longer than need be"""
    sentence: str


@dataclass(frozen=True)
class Penalty:
    """Irregular counts against uniform ones of the same size."""

    irregular: MeasuredCell
    uniform: MeasuredCell

    @property
    def per_byte(self) -> float:
        """Time per byte of all counts, by that of uniform counts: 1 is no penalty."""
        bytes_here = max(1, self.irregular.first.count_facts.total_bytes)
        bytes_there = max(1, self.uniform.first.count_facts.total_bytes)
        return (self.irregular.seconds / bytes_here) / (self.uniform.seconds / bytes_there)


def switches_of(measured: Measured) -> tuple[Switch, ...]:
    """Of every curve of the library's own choice with enough sizes."""
    switches: list[Switch] = []
    for curve in measured.default_curves:
        cells = [cell for cell in curve.cells if cell.cell.size_bytes > 0]
        if len(cells) < 2 * LEAST_POINTS:
            continue
        sizes = [float(cell.cell.size_bytes) for cell in cells]
        points = switch_points(sizes, [cell.launches for cell in cells])
        switches += [
            Switch(curve, point, _documented(curve, point, one_node=measured.is_one_node))
            for point in points
            if point.probability >= LEAST_PROBABILITY
        ]
    return tuple(switches)


def _documented(curve: Curve, point: SwitchPoint, *, one_node: bool) -> Threshold | None:
    first = curve.first
    if first.cell.form != "blocking":
        return None
    known = thresholds(
        first.arm.family, first.cell.collective, first.first.ranks, one_node=one_node
    )
    near = [limit for limit in known if point.low / NEAR <= limit.size_bytes <= point.high * NEAR]
    middle = (point.low * point.high) ** 0.5
    return min(near, key=lambda limit: abs(limit.size_bytes / middle - 1), default=None)


def traps_of(measured: Measured) -> tuple[Trap, ...]:
    """Sizes that take longer than a larger one, or than two calls of half of them. Deepest first.

    Only what the intervals leave no doubt about is told; of one curve the deepest of each kind.
    """
    deepest: list[Trap] = []
    for curve in measured.default_curves:
        for kind in (_longer_than_larger, _longer_than_two_halves, _rate_falls):
            traps = list(kind(curve, measured.title_of(curve)))
            deepest += [max(traps, key=lambda trap: trap.loss)] if traps else []
    return tuple(sorted(deepest, key=lambda trap: -trap.loss))


def _sized(curve: Curve) -> list[MeasuredCell]:
    return [cell for cell in curve.cells if cell.cell.size_bytes > 0]


def _longer_than_larger(curve: Curve, title: str) -> Iterator[Trap]:
    for smaller, larger in pairwise(_sized(curve)):
        if smaller.sure_bounds[0] > larger.sure_bounds[1] * 1.05:
            loss = smaller.seconds / larger.seconds
            small, large = size_words(smaller.cell.size_bytes), size_words(larger.cell.size_bytes)
            yield Trap(
                curve, smaller, larger, loss,
                f"{title}: {small} takes {loss:.2g} times as long as {large}; pad to {large}",
            )  # fmt: skip


def _longer_than_two_halves(curve: Curve, title: str) -> Iterator[Trap]:
    for whole in _sized(curve):
        half = curve.at(whole.cell.size_bytes // 2)
        if half is None or whole.cell.size_bytes % 2 or half.cell.size_bytes == 0:
            continue
        if whole.sure_bounds[0] > SPLIT * 2 * half.sure_bounds[1]:
            loss = whole.seconds / (2 * half.seconds)
            size, small = size_words(whole.cell.size_bytes), size_words(half.cell.size_bytes)
            yield Trap(
                curve, whole, half, loss,
                f"{title}: {size} takes {loss:.2g} times as long as two calls of {small}; "
                "split it",
            )  # fmt: skip


def _rate_falls(curve: Curve, title: str) -> Iterator[Trap]:
    """The K computer report's case: above 256 bytes the throughput of Scatter falls sharply."""
    cells = _sized(curve)
    if not cells or cells[0].wire_bytes == 0:
        return
    best = cells[0]
    for cell in cells[1:]:
        rate, before = bus_bandwidth(cell), bus_bandwidth(best)
        sure = cell.wire_bytes / cell.sure_bounds[0] < DEEP * best.wire_bytes / best.sure_bounds[1]
        if rate >= before:
            best = cell
        elif sure:
            size, top = size_words(cell.cell.size_bytes), size_words(best.cell.size_bytes)
            yield Trap(
                curve, cell, best, before / rate,
                f"{title}: above {top} the rate falls, at {size} to "
                f"{100 * rate / before:.0f} % of what it was; take pieces of {top}",
            )  # fmt: skip


def penalties_of(measured: Measured) -> tuple[Penalty, ...]:
    """Every irregular result beside the uniform one that differs in nothing else."""
    there = {(cell.arm.where, cell.cell): cell for cell in measured.results}
    penalties = []
    for cell in measured.results:
        if cell.cell.counts == "uniform":
            continue
        twin = there.get((cell.arm.where, cell.cell.model_copy(update={"counts": "uniform"})))
        if twin is not None:
            penalties.append(Penalty(cell, twin))
    return tuple(penalties)


def worst(penalties: Sequence[Penalty]) -> Penalty | None:
    """The one that costs most."""
    return max(penalties, key=lambda penalty: penalty.per_byte, default=None)


def sizes_of_switches(switch: Switch) -> tuple[int, ...]:
    """Sizes that would narrow a switch; of a datatype's width where one was named."""
    width = WIDTHS.get(switch.curve.first.first.datatype, 1)
    wanted = sizes_to_measure(switch.point)
    if switch.curve.first.cell.collective not in REDUCTIONS:
        width = 1
    sizes = {size // width * width for size in wanted}
    return tuple(sorted(size for size in sizes if switch.point.low < size < switch.point.high))
