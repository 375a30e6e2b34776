# SPDX-License-Identifier: Apache-2.0
"""The charts of the report. This module and its layers.py are the only ones that know altair.

Every function takes plain values and returns a ``Drawing``: the same picture for wide screens and
for a telephone. Colours are names of CSS variables, legends and captions are the page's. A chart of
unvalidated numbers carries the word in the picture, so that a copied picture carries it too.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import altair as alt

from isobath.report import layers, svg
from isobath.report.marks import Bar, Ending, Measure, Point, Span, SpanRow
from isobath.view.content import Drawing

WIDE = 840
NARROW = 336

HEIGHT = 230
"""of the chart of searches"""

BROKEN_SIZE = 130
"""of the mark of a search that may not be trusted: it must be found among many"""

MARKS = {"limit": (20, "bad"), "second": (11, "mark")}
"""Across bars: how long, in which colour."""

MANY_POINTS = 400
"""from here on points shrink and become translucent"""


def searches(
    points: Sequence[Point],
    *,
    mean: float | None,
    standard_error: float | None,
    unvalidated: bool,
) -> Drawing:
    """Rate of every search in the order of the run, the mean with its error, the distribution."""
    _refuse(points)
    rates = [point.gteps for point in points]
    low, high = _domain(rates if mean is None else [*rates, mean])
    vertical = alt.Scale(domain=[low, high], nice=False, zero=False)
    size, opacity = (44, 0.95) if len(points) <= MANY_POINTS else (10, 0.5)

    def build(width: int) -> layers.Specification:
        side = 0 if width == NARROW else 150
        y = alt.Y("gteps:Q", scale=vertical, title="GTEPS", axis=layers.axis_with())
        ticks = min(8, max(1, len(points) - 1))
        in_order = layers.chart_of([vars(point) for point in points]).mark_point(
            filled=True, opacity=opacity
        )
        dots = in_order.encode(
            x=alt.X(
                "place:Q",
                title="search, in the order of the run",
                scale=alt.Scale(domain=[-0.8, max(p.place for p in points) + 0.8], nice=False),
                axis=layers.axis_with(grid=False, tickCount=ticks, tickMinStep=1, format="d"),
            ),
            y=y,
            color=layers.coloured("validated", {True: "accent", False: "bad"}),
            size=alt.Size(
                "validated:N",
                legend=None,
                scale=alt.Scale(domain=[True, False], range=[size, BROKEN_SIZE]),
            ),
            shape=alt.Shape(
                "validated:N", legend=None, scale=layers.mapped({True: "circle", False: "cross"})
            ),
        )
        lines = _mean_lines(mean, standard_error, vertical)
        plot = width - 62 - (side + 16 if side else 0)
        main = layers.overlaid(*lines, dots, width=plot, height=HEIGHT)
        if not side:
            return main
        return layers.side_by_side(main, _distribution(rates, vertical, side), spacing=16)

    return _draw(build, unvalidated=unvalidated)


def timeline(
    rows: Sequence[SpanRow], measures: Sequence[Measure], *, end: float, unvalidated: bool
) -> Drawing:
    """What happened when: a row per level, time along, other quantities on the same rows.

    Args: ``end`` of the time axis in milliseconds, so that two timelines can share it.
    """
    _refuse(rows, measures)

    def build(width: int) -> layers.Specification:
        narrow = width == NARROW
        names = layers.NAMES_NARROW if narrow else layers.NAMES
        beside = 0 if narrow else (layers.MEASURE + 16) * len(measures)
        plot = width - names - beside - 26
        unit = "ms" if narrow else "milliseconds"
        axis = layers.axis_with(
            tickCount=5, grid=False, domain=True, title=f"{unit} since the search began"
        )
        time = layers.rows_of(
            layers.stripes(rows),
            layers.spans_layer(rows, end, plot, axis),
            *layers.texts_beside(rows, end, plot, axis),
            width=plot,
            title="when",
        )
        named = layers.names_panel(rows, names)
        if not narrow:
            columns = [layers.measure_panel(measure, layers.MEASURE) for measure in measures]
            return layers.side_by_side(named, time, *columns, spacing=16)
        below = [_below(rows, measure, names, plot) for measure in measures]
        return layers.stacked(layers.side_by_side(named, time, spacing=10), *below, spacing=22)

    return _draw(build, unvalidated=unvalidated)


def stacks(rows: Sequence[SpanRow], *, axis: str, unvalidated: bool) -> Drawing:
    """Bars made of parts, one row each, with a text behind every bar."""
    _refuse(rows)
    return _labelled(
        rows,
        [
            Ending(row.spans[-1].end if row.spans else 0.0, row.text, row.short or row.text)
            for row in rows
        ],
        axis,
        unvalidated,
    )


def bars(rows: Sequence[Bar], *, axis: str, unvalidated: bool) -> Drawing:
    """Horizontal bars with their values written behind them, in the order given."""
    _refuse(rows)
    ends = [
        Ending(
            max(bar.value, bar.high or 0.0, bar.limit or 0.0, bar.second or 0.0),
            bar.text,
            bar.text,
            None if bar.low is None else (bar.low, bar.high or bar.value),
            bar.limit,
            bar.second,
        )
        for bar in rows
    ]
    spans = [SpanRow(bar.name, (Span(0.0, bar.value, bar.colour),)) for bar in rows]
    return _labelled(spans, ends, axis, unvalidated)


def composition(parts: Sequence[Span], *, unvalidated: bool) -> Drawing:
    """One bar cut into parts; the legend and the caption say what they are."""
    _refuse(parts)

    def build(width: int) -> layers.Specification:
        rows = [SpanRow("", tuple(parts))]
        end = max(part.end for part in parts)
        bar = layers.spans_layer(rows, end, width - 4, None)
        return layers.overlaid(bar, width=width - 4, height=34)

    return _draw(build, unvalidated=unvalidated)


def histogram(values: Sequence[float], *, axis: str, counted: str, unvalidated: bool) -> Drawing:
    """How many of many values fall where; for runs with too many ranks for a bar each."""
    svg.refuse_non_finite(list(values))
    bins = _binned(values)

    def build(width: int) -> layers.Specification:
        marks = layers.chart_of(bins).mark_rect(
            color=layers.colour("accent"), stroke=layers.colour("surface")
        )
        x = alt.X(
            "start:Q",
            title=axis,
            scale=alt.Scale(zero=False),
            axis=layers.axis_with(grid=False, tickCount=width // 90),
        )
        y = alt.Y("none:Q", title=counted, axis=layers.axis_with(tickCount=4))
        drawn = marks.encode(x=x, x2=alt.X2("end:Q"), y=y, y2=alt.Y2("count:Q"))
        return layers.overlaid(drawn, width=width - 62, height=160)

    return _draw(build, unvalidated=unvalidated)


def _refuse(*marks: Sequence[Point | SpanRow | Span | Measure | Bar]) -> None:
    """Raises ValueError for NaN and infinity, before arithmetic hides them."""
    svg.refuse_non_finite([[asdict(mark) for mark in row] for row in marks])


def _labelled(
    rows: Sequence[SpanRow], ends: Sequence[Ending], axis: str, unvalidated: bool
) -> Drawing:
    """Rows of bars, their names to the left, their texts and ranges to the right."""

    def build(width: int) -> layers.Specification:
        narrow = width == NARROW
        # On a telephone bars and their axis need the room; longer names end in dots there.
        names = (
            layers.NAMES_NARROW if narrow
            else layers.room_for_names([row.name for row in rows], width)
        )  # fmt: skip
        plot = width - names - 26
        values: list[dict[str, Any]] = [
            {"row": i, "at": end.at, "text": end.short if narrow else end.text}
            | ({} if end.reach is None else {"low": end.reach[0], "high": end.reach[1]})
            | {name: mark for name in MARKS if (mark := getattr(end, name)) is not None}
            for i, end in enumerate(ends)
        ]
        domain = layers.room_for([(value["at"], value["text"]) for value in values], plot)
        axis_along = layers.axis_with(
            tickCount=5, grid=False, domain=True, title=axis, labelFlush=True
        )
        parts: list[alt.Chart] = [layers.spans_layer(rows, domain, plot, axis_along)]
        if any(end.reach is not None for end in ends):
            ranged = layers.chart_of([value for value in values if "low" in value])
            parts.extend(
                ranged.mark_rule(strokeWidth=size, color=layers.colour(name)).encode(
                    x=layers.along("low", domain, axis_along),
                    x2=alt.X2("high:Q"),
                    y=layers.by_row(rows),
                )
                for size, name in ((4.5, "surface"), (1.5, "ink"))
            )
        for mark, (length, drawn_as) in MARKS.items():
            marked = [value for value in values if mark in value]
            if not marked:
                continue
            parts.extend(
                layers.chart_of(marked)
                .mark_tick(
                    orient="vertical", thickness=size, bandSize=length, color=layers.colour(name)
                )
                .encode(x=layers.along(mark, domain, axis_along), y=layers.by_row(rows))
                for size, name in ((5, "surface"), (2.5, drawn_as))
            )
        parts.extend(
            layers.haloed(layers.chart_of(values), domain, axis_along, rows, align="left", dx=7)
        )
        named = layers.names_panel(rows, names)
        return layers.side_by_side(named, layers.rows_of(*parts, width=plot), spacing=10)

    return _draw(build, unvalidated=unvalidated)


def _below(
    rows: Sequence[SpanRow], measure: Measure, names: int, width: int
) -> layers.Specification:
    """A measure under a timeline, with names of its own, for the rows that have a value."""
    kept = [i for i, value in enumerate(measure.values) if value is not None]
    fewer = Measure(
        measure.title,
        tuple(measure.values[i] for i in kept),
        tuple(measure.texts[i] for i in kept),
        measure.colour,
    )
    named = layers.names_panel([rows[i] for i in kept], names)
    return layers.side_by_side(named, layers.measure_panel(fewer, width), spacing=10)


def _mean_lines(
    mean: float | None, standard_error: float | None, vertical: alt.Scale
) -> list[alt.Chart]:
    """The harmonic mean as a line on its error band."""
    if mean is None:
        return []
    row = [{"mean": mean}]
    lines = [
        layers.chart_of(row)
        .mark_rule(color=layers.colour("mark"), strokeWidth=1.5)
        .encode(y=alt.Y("mean:Q", scale=vertical, title="GTEPS"))
    ]
    if standard_error:
        band = [{"low": mean - standard_error, "high": mean + standard_error}]
        lines.insert(
            0,
            layers.chart_of(band)
            .mark_rect(color=layers.colour("mark"), opacity=0.22)
            .encode(y=alt.Y("low:Q", scale=vertical, title="GTEPS"), y2=alt.Y2("high:Q")),
        )
    return lines


def _distribution(rates: Sequence[float], vertical: alt.Scale, width: int) -> layers.Specification:
    """How many searches ran at which rate, on the same vertical axis as the searches."""
    bins = layers.chart_of(_binned(rates)).mark_rect(
        color=layers.colour("accent"), opacity=0.75, stroke=layers.colour("surface")
    )
    axis = layers.axis_with(grid=False, tickCount=3, tickMinStep=1)
    drawn = bins.encode(
        x=alt.X("none:Q", title="searches", axis=axis),
        x2=alt.X2("count:Q"),
        y=alt.Y("start:Q", scale=vertical, axis=None),
        y2=alt.Y2("end:Q"),
    )
    return layers.overlaid(drawn, width=width, height=HEIGHT)


def _domain(values: Sequence[float]) -> tuple[float, float]:
    """Axis range: close to the values where they are close to each other, from zero otherwise."""
    low, high = min(values), max(values)
    if low < 0.6 * high:
        return 0.0, high * 1.06 or 1.0
    margin = max((high - low) * 0.15, high * 0.01)
    return low - margin, high + margin


def _binned(values: Sequence[float]) -> list[dict[str, float]]:
    """Counts in at most 24 equal bins."""
    low, high = min(values), max(values)
    if low == high:
        low, high = low - abs(low) * 0.01 - 1e-12, high + abs(high) * 0.01 + 1e-12
    number = max(1, min(24, round(len(values) ** 0.5 * 1.5)))
    step = (high - low) / number
    counts = [0] * number
    for value in values:
        counts[min(number - 1, int((value - low) / step))] += 1
    return [
        {"start": low + i * step, "end": low + (i + 1) * step, "none": 0.0, "count": float(count)}
        for i, count in enumerate(counts)
    ]


def _draw(build: Callable[[int], layers.Specification], *, unvalidated: bool) -> Drawing:
    """Both widths of a chart, with the word UNVALIDATED above where it belongs."""
    words = ("UNVALIDATED",) if unvalidated else ()
    wide, narrow = (layers.drawn(build, width, words) for width in (WIDE, NARROW))
    return Drawing(wide=wide, narrow=narrow)
