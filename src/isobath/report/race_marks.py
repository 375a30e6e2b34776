# SPDX-License-Identifier: Apache-2.0
"""What the charts of a race are made of, as plain values: sections fill them, charts draw them."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from isobath.report.marks import Span
from isobath.view.content import Drawing

Shape: TypeAlias = Literal["circle", "square", "diamond", "triangle-up", "triangle-down", "cross"]

Stroke: TypeAlias = Literal["solid", "dashed", "none"]


@dataclass(frozen=True)
class Spot:
    """One point of a curve; ``low`` and ``high`` are the bounds of its interval."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    hollow: bool = False


@dataclass(frozen=True)
class Curve:
    """Points of one thing in one colour, joined or not, with or without marks."""

    name: str
    colour: str
    spots: tuple[Spot, ...]
    shape: Shape = "circle"
    stroke: Stroke = "solid"
    marked: bool = True
    """every point has a mark; its interval is then a rule, otherwise a band along the curve"""
    named: bool = True
    """its name stands at its end, where the chart has room for names"""
    note: str = ""
    """written beside the last point of curves whose marks stand alone"""


@dataclass(frozen=True)
class Axis:
    """An axis from ``low`` to ``high`` with the labels that stand on it."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Where a value lies between both ends: 0 at ``low``, 1 at ``high``."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, share: float) -> float:
        """The inverse of ``share``."""
        if self.logarithmic:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True)
class Plot:
    """Curves on a pair of axes, under a title."""

    title: str
    curves: tuple[Curve, ...]
    x: Axis
    y: Axis


@dataclass(frozen=True)
class RowPanel:
    """Bars of the rows of a chart, with a text behind each and the interval of the whole bar."""

    axis: str
    """what the bars are, with the unit"""
    spans: tuple[tuple[Span, ...], ...]
    texts: tuple[str, ...]
    reach: tuple[tuple[float, float] | None, ...] = ()
    short: tuple[str, ...] = ()
    """texts for a telephone; empty takes the same"""
    ticks: tuple[float, ...] = ()
    """places of the labels of the axis; empty leaves them to the chart"""


@dataclass(frozen=True)
class Bin:
    """One bar of a distribution: sizes from ``start`` up to ``end``, and the share they have."""

    start: float
    end: float
    share: float


@dataclass(frozen=True)
class Distribution:
    """Distributions of one plan, one per weight, drawn beside each other."""

    name: str
    colour: str
    weights: tuple[tuple[Bin, ...], ...]


@dataclass(frozen=True)
class Heat:
    """A square matrix; ``cuts`` are the rows before which a line is drawn, for nodes."""

    title: tuple[str, ...]
    """its lines"""
    cells: tuple[tuple[float, ...], ...]
    cuts: tuple[int, ...] = ()


def linear_axis(title: str, values: Iterable[float], text: Callable[[float], str]) -> Axis:
    """From zero to a little above the largest value."""
    highest = max((value for value in values if value > 0), default=1.0)
    step = _round_step(highest / 5)
    ticks = [step * i for i in range(int(highest * 1.08 / step) + 1)]
    return Axis(title, 0.0, highest * 1.08, tuple((tick, text(tick)) for tick in ticks))


def ranks_axis(title: str, values: Iterable[float]) -> Axis:
    """From zero, with labels where something was measured."""
    measured = sorted(set(values)) or [1.0]
    return Axis(
        title, 0.0, measured[-1] * 1.06, tuple((value, f"{value:,.0f}") for value in measured)
    )


def _round_step(wanted: float) -> float:
    """The first of 1, 2 and 5 times a power of ten that is not below ``wanted``."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wanted * 0.999)


def log_axis(
    title: str, values: Iterable[float], text: Callable[[float], str], *, base: int = 10
) -> Axis:
    """Around the positive values, with labels at powers of ``base`` (and between few of ten)."""
    positive = [value for value in values if value > 0] or [1.0]
    reach = 1.15 if base == 2 else 1.35
    low, high = min(positive) / reach, max(positive) * reach
    first, last = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    factors: Sequence[int] = (1, 2, 5) if base == 10 and high / low < 300 else (1,)
    marks = [float(base) ** power * f for power in range(first, last + 1) for f in factors]
    inside = [mark for mark in marks if low <= mark <= high] or sorted({*positive})
    every = -(-len(inside) // 11)
    return Axis(title, low, high, tuple((mark, text(mark)) for mark in inside[::every]), True)


@dataclass(frozen=True)
class CurveChart:
    """Pairs of axes with curves, drawn when a page asks. ``words`` must stand in the picture."""

    plots: tuple[Plot, ...]
    words: tuple[str, ...] = ()

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import race_charts

        return race_charts.curves(self.plots, words=self.words)


@dataclass(frozen=True)
class DistributionChart:
    """A row of small distributions for each, on one axis; ``weights`` names the columns."""

    groups: tuple[Distribution, ...]
    weights: tuple[str, ...]
    axis: Axis
    words: tuple[str, ...] = ()

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import race_charts

        return race_charts.distributions(self.groups, self.weights, self.axis, words=self.words)


@dataclass(frozen=True)
class RowChart:
    """Rows of bars, several quantities of the same rows; drawn when a page asks."""

    names: tuple[str, ...]
    panels: tuple[RowPanel, ...]
    words: tuple[str, ...] = ()

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import race_charts

        return race_charts.rows(self.names, self.panels, words=self.words)


@dataclass(frozen=True)
class MatrixChart:
    """Square matrices beside each other, drawn when a page asks."""

    heats: tuple[Heat, ...]
    words: tuple[str, ...] = ()

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import matrix_charts

        return matrix_charts.matrices(self.heats, words=self.words)
