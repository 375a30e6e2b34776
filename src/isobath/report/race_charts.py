# SPDX-License-Identifier: Apache-2.0
"""The charts of the race report: curves, rows of bars, distributions.

As in charts.py, every function takes plain values and returns the same picture twice, and what
altair knows stays here.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import altair as alt

from isobath.report import layers, svg
from isobath.report.chart_frames import drawn_twice, ticks_of
from isobath.report.charts import NARROW
from isobath.report.marks import SpanRow
from isobath.report.race_marks import Axis, Curve, Distribution, Plot, RowPanel
from isobath.view.content import Drawing

HEIGHT = 280
"""of a pair of axes"""

LEFT = 70
"""room for the labels and the title of a vertical axis"""

LABELS = 116
"""room for the names at the ends of curves"""

LINE = 15
"""smallest distance of two names at the ends of curves, in pixels"""

SMALL = 54
"""height of one distribution"""

OWN_COLOURS: layers.Specification = {"resolve": {"scale": {"color": "independent"}}}
"""Panels beside each other would otherwise share one scale, and with it each other's colours."""


def curves(plots: Sequence[Plot], *, words: Sequence[str] = ()) -> Drawing:
    """Pairs of axes with curves, beside each other or, on a telephone, below each other.

    Args: ``words`` must stand in the picture, for example UNVALIDATED.
    """
    svg.refuse_non_finite([asdict(plot) for plot in plots])

    def build(width: int) -> layers.Specification:
        if width == NARROW:
            drawn = [_plot(plot, width - LEFT - 24, 0) for plot in plots]
            return layers.stacked(*drawn, spacing=26)
        labels = LABELS if len(plots) == 1 else 0
        each = (width - 26 * (len(plots) - 1)) // len(plots) - LEFT - labels - 8
        drawn = [_plot(plot, each, labels) for plot in plots]
        if labels:
            return layers.side_by_side(*drawn, _names_at_ends(plots[0], labels), spacing=8)
        return layers.side_by_side(*drawn, spacing=LEFT + 26)

    return drawn_twice(build, words)


def rows(names: Sequence[str], panels: Sequence[RowPanel], *, words: Sequence[str] = ()) -> Drawing:
    """Rows of bars; several quantities of the same rows stand beside each other."""
    svg.refuse_non_finite([asdict(panel) for panel in panels])
    named = [SpanRow(name, ()) for name in names]
    longest = max((len(name) for name in names), default=0)

    def build(width: int) -> layers.Specification:
        column = min(max(layers.NAMES_NARROW, 7 * longest + 8), width // 2 - 26)
        if width == NARROW:
            drawn = [
                layers.side_by_side(
                    layers.names_panel(named, column),
                    _row_panel(panel, named, width - column - 22, panel.short or panel.texts),
                    spacing=10,
                )
                | OWN_COLOURS
                for panel in panels
            ]
            return layers.stacked(*drawn, spacing=20) | OWN_COLOURS
        each = (width - column - 24) // len(panels) - 20
        drawn = [_row_panel(panel, named, each, panel.texts) for panel in panels]
        named_column = layers.names_panel(named, column)
        return layers.side_by_side(named_column, *drawn, spacing=20) | OWN_COLOURS

    return drawn_twice(build, words)


def distributions(
    drawn: Sequence[Distribution],
    weights: Sequence[str],
    axis: Axis,
    *,
    words: Sequence[str] = (),
) -> Drawing:
    """A row of small distributions per plan, on one axis of sizes.

    Args: ``weights`` names the columns: by what the shares are shares.
    """
    svg.refuse_non_finite([asdict(row) for row in drawn])

    def build(width: int) -> layers.Specification:
        if width == NARROW:
            blocks = [
                layers.stacked(
                    *(
                        _distribution(
                            row,
                            i,
                            axis,
                            width - 12,
                            f"{row.name} {title}",
                            labelled=row is drawn[-1],
                        )
                        for row in drawn
                    ),
                    spacing=8,
                )
                for i, title in enumerate(weights)
            ]
            return layers.stacked(*blocks, spacing=24)
        names, gap = layers.NAMES, 18
        each = (width - names - 16) // len(weights) - gap
        grid = []
        for number, row in enumerate(drawn):
            last = number == len(drawn) - 1
            cells = [
                _distribution(row, i, axis, each, "" if number else title, labelled=last)
                for i, title in enumerate(weights)
            ]
            grid.append(layers.side_by_side(_name(row.name, names), *cells, spacing=gap))
        return layers.stacked(*grid, spacing=6)

    return drawn_twice(build, words)


def _plot(plot: Plot, width: int, labels: int) -> layers.Specification:
    x, y = _horizontal(plot.x), _vertical(plot.y)
    parts: list[alt.Chart] = []
    for curve in plot.curves:
        parts += _curve_layers(curve, x, y)
    parts += _notes(plot, x, y) if labels else []
    if not parts:
        parts = [
            layers.chart_of([{"x": plot.x.low, "y": plot.y.low}])
            .mark_point(opacity=0)
            .encode(x=x, y=y)
        ]
    drawn = layers.overlaid(*parts, width=width, height=HEIGHT)
    if plot.title:
        drawn["title"] = {"text": plot.title, "anchor": "start", "frame": "bounds", "offset": 8}
    return drawn


def _curve_layers(curve: Curve, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Band or rules of the intervals, the line, the marks; what is not there is left out."""
    if not curve.spots:
        return []
    colour = layers.colour(curve.colour)
    values = [
        {key: value for key, value in vars(spot).items() if value is not None}
        for spot in curve.spots
    ]
    chart = layers.chart_of(values)
    parts: list[alt.Chart] = []
    ranged = [value for value in values if "low" in value and "high" in value]
    low, high = y.copy(), alt.Y2("high:Q")
    low.shorthand = "low:Q"
    if ranged and curve.marked:
        parts.append(
            layers.chart_of(ranged)
            .mark_rule(color=colour, strokeWidth=1.5)
            .encode(x=x, y=low, y2=high)
        )
    elif ranged:
        parts.append(
            layers.chart_of(ranged).mark_area(color=colour, opacity=0.2).encode(x=x, y=low, y2=high)
        )
    if curve.stroke != "none" and len(values) > 1:
        dash: dict[str, Any] = {"strokeDash": [5, 4]} if curve.stroke == "dashed" else {}
        parts.append(chart.mark_line(color=colour, strokeWidth=1.8, **dash).encode(x=x, y=y))
    if curve.marked:
        for hollow, fill in ((False, colour), (True, layers.colour("surface"))):
            kept = [value for value in values if value["hollow"] is hollow]
            if kept:
                marks = layers.chart_of(kept).mark_point(
                    shape=curve.shape,
                    size=62,
                    filled=False,
                    fill=fill,
                    stroke=colour,
                    strokeWidth=1.8,
                    opacity=1,
                )
                parts.append(marks.encode(x=x, y=y))
    return parts


def _notes(plot: Plot, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Notes beside marks that stand alone."""
    noted = [
        {"x": curve.spots[-1].x, "y": curve.spots[-1].y, "text": curve.note}
        for curve in plot.curves
        if curve.note and curve.spots
    ]
    return _haloed(layers.chart_of(noted), x, y, align="right", dx=-9) if noted else []


def _names_at_ends(plot: Plot, width: int) -> layers.Specification:
    """The names of curves at the height of their last points, kept apart."""
    named = [curve for curve in plot.curves if curve.spots and curve.named]
    wanted = [(1 - plot.y.share(curve.spots[-1].y)) * HEIGHT for curve in named]
    places = kept_apart(wanted, LINE, HEIGHT)
    values = [
        {"place": place, "text": curve.name} for curve, place in zip(named, places, strict=True)
    ]
    y = alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[HEIGHT, 0], nice=False))
    drawn = (
        layers.chart_of(values)
        .mark_text(align="left", fontSize=layers.TEXT, color=layers.colour("ink"))
        .encode(x=alt.value(0), y=y, text=alt.Text("text:N"))
    )
    return layers.overlaid(drawn, width=width, height=HEIGHT)


def _haloed(chart: alt.Chart, x: alt.X, y: alt.Y, **options: Any) -> list[alt.Chart]:
    looks: tuple[dict[str, Any], ...] = (
        {"stroke": layers.colour("surface"), "strokeWidth": 4, "color": layers.colour("surface")},
        {"color": layers.colour("ink")},
    )
    return [
        chart.mark_text(fontSize=layers.TEXT, **options, **look).encode(
            x=x, y=y, text=alt.Text("text:N")
        )
        for look in looks
    ]


def kept_apart(wanted: Sequence[float], distance: float, end: float) -> list[float]:
    """Places from 0 to ``end``, in the order of the wanted ones, at least ``distance`` apart.

    Where there is not enough room for all, they are spread evenly.

    >>> kept_apart([10.0, 12.0, 90.0], 15.0, 100.0)
    [10.0, 25.0, 90.0]
    >>> kept_apart([99.0, 98.0], 15.0, 100.0)
    [100.0, 85.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    step = min(distance, end / max(1, len(wanted) - 1))
    places = [min(max(0.0, wanted[i]), end) for i in order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + step)
    limit = end
    for i in reversed(range(len(places))):
        places[i] = min(places[i], limit)
        limit = places[i] - step
    kept = [0.0] * len(wanted)
    for place, i in zip(places, order, strict=True):
        kept[i] = place
    return kept


def _horizontal(axis: Axis) -> alt.X:
    return alt.X(
        "x:Q", title=axis.title, scale=_scale(axis), axis=ticks_of(axis, grid=False, domain=True)
    )


def _vertical(axis: Axis) -> alt.Y:
    return alt.Y("y:Q", title=axis.title, scale=_scale(axis), axis=ticks_of(axis))


def _scale(axis: Axis) -> alt.Scale:
    return alt.Scale(
        type="log" if axis.logarithmic else "linear",
        domain=[axis.low, axis.high],
        nice=False,
        zero=False,
    )


def _row_panel(
    panel: RowPanel, named: Sequence[SpanRow], width: int, texts: Sequence[str]
) -> layers.Specification:
    drawn = [SpanRow(row.name, spans) for row, spans in zip(named, panel.spans, strict=True)]
    reach = panel.reach or (None,) * len(drawn)
    ends: list[dict[str, Any]] = []
    for i, (row, text, ranged) in enumerate(zip(drawn, texts, reach, strict=True)):
        last = row.spans[-1].end if row.spans else 0.0
        end = {"row": i, "at": max(last, ranged[1] if ranged else last), "text": text}
        ends.append(end | ({"low": ranged[0], "high": ranged[1]} if ranged else {}))
    domain = layers.room_for([(end["at"], end["text"]) for end in ends], width)
    placed: dict[str, Any] = {"values": list(panel.ticks)} if panel.ticks else {"tickCount": 4}
    axis = layers.axis_with(grid=False, domain=True, title=panel.axis, **placed)
    parts = [layers.stripes(drawn), layers.spans_layer(drawn, domain, width, axis)]
    intervals = [end for end in ends if "low" in end]
    if intervals:
        parts.extend(
            layers.chart_of(intervals)
            .mark_rule(strokeWidth=size, color=layers.colour(name))
            .encode(
                x=layers.along("low", domain, axis), x2=alt.X2("high:Q"), y=layers.by_row(drawn)
            )
            for size, name in ((4.5, "surface"), (1.5, "ink"))
        )
    parts += layers.haloed(layers.chart_of(ends), domain, axis, drawn, align="left", dx=7)
    return layers.rows_of(*parts, width=width)


def _name(text: str, width: int) -> layers.Specification:
    shown = layers.chart_of([{"text": text}]).mark_text(
        align="left", fontSize=13, color=layers.colour("ink")
    )
    drawn = shown.encode(x=alt.value(0), y=alt.value(SMALL * 0.7), text=alt.Text("text:N"))
    return layers.overlaid(drawn, width=width, height=SMALL)


def _distribution(
    distribution: Distribution,
    weight: int,
    axis: Axis,
    width: int,
    title: str,
    *,
    labelled: bool = True,
) -> layers.Specification:
    highest = max((part.share for part in distribution.weights[weight]), default=1.0)
    x = alt.X(
        "start:Q",
        title=axis.title if labelled else None,
        scale=_scale(axis),
        axis=ticks_of(axis, grid=False, domain=True, labels=labelled),
    )
    y = alt.Y("share:Q", axis=None, scale=alt.Scale(domain=[0, highest or 1.0], nice=False))
    shown = [vars(part) | {"none": 0.0} for part in distribution.weights[weight]]
    frame = layers.chart_of([{"start": axis.low, "share": 0.0}])
    parts = [frame.mark_point(opacity=0).encode(x=x, y=y)]
    if shown:
        marks = layers.chart_of(shown).mark_rect(
            color=layers.colour(distribution.colour),
            stroke=layers.colour("surface"),
            strokeWidth=0.5,
        )
        parts.append(marks.encode(x=x, x2=alt.X2("end:Q"), y=y, y2=alt.Y2("none:Q")))
    drawn = layers.overlaid(*parts, width=width, height=SMALL)
    if title:
        drawn["title"] = {"text": title, "anchor": "start", "frame": "group", "offset": 6}
    return drawn
