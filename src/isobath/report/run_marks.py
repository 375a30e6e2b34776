# SPDX-License-Identifier: Apache-2.0
"""The charts of a run, as values that are drawn when a page asks for the picture."""

from dataclasses import dataclass

from isobath.report.marks import Measure, Point, Span, SpanRow
from isobath.view.content import Drawing


@dataclass(frozen=True)
class SearchChart:
    """The rate of every search, the mean with its error, and the distribution."""

    points: tuple[Point, ...]
    mean: float | None
    standard_error: float | None
    unvalidated: bool

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.searches(
            self.points,
            mean=self.mean,
            standard_error=self.standard_error,
            unvalidated=self.unvalidated,
        )


@dataclass(frozen=True)
class TimelineChart:
    """A row for each level, time along, other quantities on the same rows."""

    rows: tuple[SpanRow, ...]
    measures: tuple[Measure, ...]
    end: float
    """of the axis, in milliseconds"""
    unvalidated: bool

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.timeline(self.rows, self.measures, end=self.end, unvalidated=self.unvalidated)


@dataclass(frozen=True)
class CompositionChart:
    """One bar cut into parts."""

    parts: tuple[Span, ...]
    unvalidated: bool

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.composition(self.parts, unvalidated=self.unvalidated)


@dataclass(frozen=True)
class Histogram:
    """How many of many values fall where."""

    values: tuple[float, ...]
    axis: str
    counted: str
    """what the values are of"""
    unvalidated: bool

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.histogram(
            self.values, axis=self.axis, counted=self.counted, unvalidated=self.unvalidated
        )
