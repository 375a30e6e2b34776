# SPDX-License-Identifier: Apache-2.0
"""What charts are made of, as plain values: sections fill them, charts draw them."""

from dataclasses import dataclass

from isobath.view.content import Drawing


@dataclass(frozen=True)
class Point:
    """One search: its place in the run, its rate, and whether validation passed."""

    place: int
    gteps: float
    validated: bool


@dataclass(frozen=True)
class Span:
    """Part of a bar, from ``start`` to ``end`` in the unit of the axis, in a named colour."""

    start: float
    end: float
    colour: str


@dataclass(frozen=True)
class SpanRow:
    """A row of spans: its name, a remark in small print, and a text after the last span."""

    name: str
    spans: tuple[Span, ...]
    text: str = ""
    short: str = ""
    """text for a telephone; empty takes the same"""


@dataclass(frozen=True)
class Measure:
    """Bars beside the rows of a timeline, for example the frontier; ``None`` leaves a row empty."""

    title: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    colour: str = "accent"


@dataclass(frozen=True)
class Bar:
    """One bar with its text; ``low`` and ``high`` draw the range of single values as a line,
    ``limit`` a mark across the bar, ``second`` a shorter one in another colour."""

    name: str
    value: float
    text: str
    colour: str = "accent"
    low: float | None = None
    high: float | None = None
    limit: float | None = None
    second: float | None = None


@dataclass(frozen=True)
class Ending:
    """What stands behind a bar: a text at ``at``; a range of single values, marks, if any."""

    at: float
    text: str
    short: str = ""
    reach: tuple[float, float] | None = None
    limit: float | None = None
    second: float | None = None


@dataclass(frozen=True)
class BarChart:
    """A bar in each row; what draws it is loaded when a page asks for the picture."""

    bars: tuple[Bar, ...]
    axis: str
    unvalidated: bool = False
    """said in the picture"""

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.bars(self.bars, axis=self.axis, unvalidated=self.unvalidated)


@dataclass(frozen=True)
class StackChart:
    """A bar of spans in each row, drawn when a page asks."""

    rows: tuple[SpanRow, ...]
    axis: str
    unvalidated: bool = False

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import charts

        return charts.stacks(self.rows, axis=self.axis, unvalidated=self.unvalidated)


@dataclass(frozen=True)
class HeatCell:
    """A field: its row and column by number, how strong it is from 0 to 1, and its text."""

    row: int
    column: int
    strength: float
    text: str


@dataclass(frozen=True)
class HeatMap:
    """Named rows and columns; fields that were not measured are left out."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[HeatCell, ...]
    axis: str
    """what the columns are"""
    words: tuple[str, ...] = ()
    """what must stand in the picture"""

    def draw(self) -> Drawing:
        """The picture."""
        from isobath.report import bench_charts

        return bench_charts.heat_map(self)
