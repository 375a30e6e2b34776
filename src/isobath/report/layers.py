# SPDX-License-Identifier: Apache-2.0
"""The pieces of charts: rows of bars, their names and texts, one look. Only charts.py uses them."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import altair as alt
from altair.utils import schemapi
from markupsafe import Markup

from isobath.report import svg
from isobath.report.marks import Measure, Span, SpanRow
from isobath.report.wording import printable

Specification: TypeAlias = dict[str, Any]
"""Vega-Lite as a dict. Charts are put together as dicts: altair copies every part at every step."""

ROW = 27
"""height of one row of bars, in pixels"""

NAMES, NAMES_NARROW = 112, 104
"""width of the names of rows"""

MEASURE = 118
"""width of a column of bars beside a timeline"""

TEXT = 12
"""font size of the numbers beside bars"""


CONFIGURATION: dict[str, Any] = {
    "background": "transparent",
    "padding": {"left": 1, "right": 1, "top": 4, "bottom": 4},
    "aria": False,
    "font": "sans-serif",
    "view": {"stroke": None},
    "title": {"fontSize": 12, "fontWeight": "bold", "color": "var(--muted)"},
    "axis": {
        "domainColor": "var(--rule-strong)",
        "gridColor": "var(--rule)",
        "tickColor": "var(--rule-strong)",
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    },
}

unchecked = partial(schemapi.debug_mode, False)
"""altair holds each of its objects against the schema of Vega-Lite when it is made: a tenth of
the time of a report. Tests of charts have it do so."""


def drawn(build: Callable[[int], Specification], width: int, words: Sequence[str]) -> Markup:
    """A chart at a width, with the words that must go with its numbers above it."""
    with unchecked():
        specification = build(width)
    if words:
        title = {"text": " ".join(words), "color": colour("bad"), "anchor": "start"}
        specification = {
            "hconcat": [specification], "title": title | {"fontSize": 13, "offset": 8}
        }  # fmt: skip
    return svg.render(specification | {"config": CONFIGURATION})


def colour(name: str) -> str:
    """The CSS variable of a colour."""
    return f"var(--{name})"


def chart_of(rows: Sequence[dict[str, Any]]) -> alt.Chart:
    """A chart of rows, without NaN and control characters.

    They go in as one JSON text, because altair would copy every single value again and again.
    """
    values = [
        {key: printable(value) if isinstance(value, str) else value for key, value in row.items()}
        for row in rows
    ]
    svg.refuse_non_finite(values)
    return alt.Chart(
        alt.InlineData(values=json.dumps(values), format=alt.JsonDataFormat(type="json"))
    )


def mapped(mapping: dict[Any, str]) -> alt.Scale:
    """A scale from values to what stands for them."""
    return alt.Scale(domain=list(mapping), range=list(mapping.values()))


def coloured(field: str, colours: dict[Any, str]) -> alt.Color:
    """Colours by value of a field, without a legend: the page has it."""
    scale = mapped({key: colour(name) for key, name in colours.items()})
    return alt.Color(f"{field}:N", legend=None, scale=scale)


def axis_with(**options: Any) -> alt.Axis:
    """An axis in the look of the report, whose labels do not overlap."""
    look: dict[str, Any] = {
        "labelFlush": False,
        "labelOverlap": "greedy",
        "labelSeparation": 9,
        "domain": False,
    }
    return alt.Axis(**(look | options))


def overlaid(*parts: alt.Chart, **properties: Any) -> Specification:
    """Charts on top of each other; one alone stays a single view."""
    units = [_unit(part) for part in parts]
    return (units[0] if len(units) == 1 else {"layer": units}) | properties


def _unit(part: alt.Chart) -> Specification:
    """One view without what altair gives to a whole drawing: schema, look, data kept apart."""
    unit = part.to_dict(validate=False)
    del unit["$schema"], unit["config"]
    for name, values in unit.pop("datasets", {}).items():
        if unit["data"].get("name") == name:
            del unit["data"]["name"]
            unit["data"]["values"] = values
    return unit


def rows_of(*parts: alt.Chart, width: int, title: str = "") -> Specification:
    """A panel of rows, under a title at its left edge."""
    panel = overlaid(*parts, width=width, height={"step": ROW})
    if title:
        panel["title"] = {"text": title, "anchor": "start", "frame": "group", "offset": 6}
    return panel


def side_by_side(*parts: Specification, spacing: int) -> Specification:
    """Panels in a row, lined up by their plots, whatever stands around them."""
    return {"hconcat": list(parts), "spacing": spacing, "bounds": "flush"}


def stacked(*parts: Specification, spacing: int) -> Specification:
    """Panels below each other."""
    return {"vconcat": list(parts), "spacing": spacing}


def by_row(rows: Sequence[object]) -> alt.Y:
    """The vertical scale of rows, the same in every panel."""
    scale = alt.Scale(
        type="band", domain=list(range(len(rows))), paddingInner=0.34, paddingOuter=0.17
    )
    return alt.Y("row:O", axis=None, scale=scale, sort=None)


def along(field: str, end: float, axis: alt.Axis | None) -> alt.X:
    """The horizontal scale of bars: from zero to ``end``, exactly. Layers share the same axis."""
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, end or 1.0], nice=False), axis=axis)


def _pixels(text: str) -> float:
    """Upper bound of a text's width in a chart."""
    return len(text) * TEXT * 0.62 + 12


def room_for(ends: Sequence[tuple[float, str]], width: int) -> float:
    """The end of an axis that leaves room for the text behind every bar."""
    return max(
        (at * width / max(width - _pixels(text), 0.2 * width) for at, text in ends), default=1.0
    )


def room_for_names(names: Sequence[str], width: int) -> int:
    """A column in which they stand whole, if it is no more than half of the picture."""
    longest = max((len(name) for name in names), default=0)
    return max(NAMES, min(7 * longest + 8, width // 2))


def names_panel(rows: Sequence[SpanRow], width: int) -> Specification:
    """The names of rows as a panel of fixed width, so that stacked panels line up; a name that is
    longer ends in dots.
    """
    texts = chart_of([{"row": i, "name": row.name} for i, row in enumerate(rows)])
    names = texts.mark_text(align="left", fontSize=13, limit=width, color=colour("ink")).encode(
        x=alt.value(0), y=by_row(rows), text=alt.Text("name:N")
    )
    return rows_of(names, width=width)


def stripes(rows: Sequence[object]) -> alt.Chart:
    """A faint line under every row leads the eye from name to bar."""
    drawn: alt.Chart = (
        chart_of([{"row": i} for i in range(len(rows))])
        .mark_rule(color=colour("rule"), strokeWidth=1)
        .encode(y=by_row(rows))
    )
    return drawn


def spans_layer(
    rows: Sequence[SpanRow], end: float, width: int, axis: alt.Axis | None
) -> alt.Chart:
    """The bars. Spans too short to see are left out; of a row of only such the longest stays."""
    pixel = (end or 1.0) / width
    parts = [
        {
            "row": i,
            "start": span.start,
            "end": max(span.end, span.start + pixel),
            "colour": span.colour,
            "edge": 0.75 if span.end - span.start > 3 * pixel else 0.0,
        }
        for i, row in enumerate(rows)
        for span in _visible(row.spans, pixel)
    ]
    names = sorted({span.colour for row in rows for span in row.spans})
    drawn: alt.Chart = (
        chart_of(parts)
        .mark_bar(stroke=colour("surface"))
        .encode(
            x=along("start", end, axis),
            x2=alt.X2("end:Q"),
            y=by_row(rows),
            color=coloured("colour", {name: name for name in names}),
            strokeWidth=alt.StrokeWidth("edge:Q", scale=None, legend=None),
        )
    )
    return drawn


def _visible(spans: Sequence[Span], pixel: float) -> list[Span]:
    seen = [span for span in spans if span.end - span.start >= 0.6 * pixel]
    return seen or sorted(spans, key=lambda span: span.start - span.end)[:1]


def texts_beside(
    rows: Sequence[SpanRow], end: float, width: int, axis: alt.Axis
) -> list[alt.Chart]:
    """The text of each row of a timeline: right of its bar, or left where there is no room."""
    right, left = [], []
    for i, row in enumerate(rows):
        if not row.spans or not row.text:
            continue
        last = row.spans[-1].end
        if last / (end or 1.0) * width + _pixels(row.text) <= width:
            right.append({"row": i, "at": last, "text": row.text})
        else:
            left.append({"row": i, "at": row.spans[0].start, "text": row.text})
    return [
        layer
        for side, align, shift in ((right, "left", 6), (left, "right", -6))
        for layer in haloed(chart_of(side), end, axis, rows, align=align, dx=shift)
    ]


def haloed(
    chart: alt.Chart, end: float, axis: alt.Axis | None, rows: Sequence[object], **options: Any
) -> list[alt.Chart]:
    """Texts at ``at`` with a rim in the colour of the page, readable above lines."""
    x, y = along("at", end, axis), by_row(rows)
    looks = (
        {"stroke": colour("surface"), "strokeWidth": 5, "color": colour("surface")},
        {"color": colour("ink")},
    )
    return [
        chart.mark_text(fontSize=TEXT, **options, **look).encode(x=x, y=y, text=alt.Text("text:N"))
        for look in looks
    ]


def measure_panel(measure: Measure, width: int) -> Specification:
    """Bars with their numbers, on the rows of a timeline."""
    known = [
        (i, value, text)
        for i, (value, text) in enumerate(zip(measure.values, measure.texts, strict=True))
        if value is not None
    ]
    rows = chart_of([{"row": i, "value": value, "text": text} for i, value, text in known])
    domain = room_for([(value, text) for _, value, text in known], width)
    x, y = along("value", domain, None), by_row(measure.values)
    drawn = rows.mark_bar(color=colour(measure.colour)).encode(x=x, y=y)
    written = rows.mark_text(align="left", dx=5, fontSize=TEXT, color=colour("ink")).encode(
        x=x, y=y, text=alt.Text("text:N")
    )
    return rows_of(drawn, written, width=width, title=measure.title)
