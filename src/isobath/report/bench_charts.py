# SPDX-License-Identifier: Apache-2.0
"""The charts that only the report of a benchmark has; curves are those of the race report."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import altair as alt

from isobath.report import layers, svg
from isobath.report.chart_frames import drawn_twice
from isobath.report.charts import NARROW, WIDE
from isobath.report.marks import HeatMap
from isobath.view.content import Drawing

ROW = 26
"""height of a row of the heat map, in pixels"""

DARKEST = 0.45
"""opacity of the strongest field: text on it stays readable, in light and dark"""

TITLED = {WIDE: 176, NARROW: 128}
"""room for the names of rows"""


def heat_map(heat: HeatMap) -> Drawing:
    """A field for each row and column, darker where the strength is larger, with its text."""
    svg.refuse_non_finite(asdict(heat))
    return drawn_twice(partial(_drawn, heat), heat.words)


def _drawn(heat: HeatMap, width: int) -> layers.Specification:
    room = TITLED[width]
    plot = width - room - 12
    most = max(3, plot // 58)
    step = -(-len(heat.columns) // most)
    shown = [number for number in range(len(heat.columns)) if number % step == 0]
    place = {column: number for number, column in enumerate(shown)}
    cells = [
        {
            "row": cell.row,
            "column": place[cell.column],
            "strength": DARKEST * cell.strength,
            "text": cell.text,
        }
        for cell in heat.cells
        if cell.column in place
    ]
    height = ROW * len(heat.rows)
    x = alt.X(
        "column:O",
        title=heat.axis,
        scale=alt.Scale(domain=list(range(len(shown))), paddingInner=0.05),
        axis=_named([heat.columns[number] for number in shown], orient="bottom", labelAngle=0),
    )
    y = alt.Y(
        "row:O",
        title=None,
        scale=alt.Scale(domain=list(range(len(heat.rows))), paddingInner=0.08),
        axis=_named(
            [_short(name, room) for name in heat.rows],
            labelLimit=room,
            labelOverlap=False,
            minExtent=room - 8,
        ),
    )
    chart = layers.chart_of(cells)
    ground = chart.mark_rect(color=layers.colour("deep")).encode(x=x, y=y)
    fields = chart.mark_rect(color=layers.colour("mark")).encode(
        x=x, y=y, opacity=alt.Opacity("strength:Q", scale=None, legend=None)
    )
    texts = chart.mark_text(fontSize=11, color=layers.colour("ink"))
    parts = [ground, fields, texts.encode(x=x, y=y, text=alt.Text("text:N"))]
    return layers.overlaid(*parts, width=plot, height=height)


def _named(names: Sequence[str], **options: Any) -> alt.Axis:
    texts = "[" + ", ".join(_quoted(name) for name in names) + "]"
    look: dict[str, Any] = {"grid": False, "ticks": False, "labelExpr": f"{texts}[datum.value]"}
    return layers.axis_with(**(look | options))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _short(name: str, room: int) -> str:
    most = room // 7
    return name if len(name) <= most else name[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
