# SPDX-License-Identifier: Apache-2.0
"""Who sent how much to whom: square matrices beside each other."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import altair as alt

from isobath.report import layers, svg
from isobath.report.chart_frames import drawn_twice, ticks_of
from isobath.report.charts import NARROW, WIDE
from isobath.report.race_marks import Axis, Heat
from isobath.view.content import Drawing

MATRIX = {WIDE: 152, NARROW: 124}
"""largest width of a matrix"""

PER_ROW = {WIDE: 4, NARROW: 2}
"""matrices beside each other"""


def matrices(heats: Sequence[Heat], *, words: Sequence[str] = ()) -> Drawing:
    """Square matrices; the darkest cell of each is its largest value."""
    svg.refuse_non_finite([asdict(heat) for heat in heats])

    def build(width: int) -> layers.Specification:
        beside = PER_ROW[width]
        lines = [heats[i : i + beside] for i in range(0, len(heats), beside)]
        drawn = [
            layers.side_by_side(*(_matrix(heat, MATRIX[width]) for heat in line), spacing=44)
            for line in lines
        ]
        return layers.stacked(*drawn, spacing=22)

    return drawn_twice(build, words)


def _matrix(heat: Heat, largest: int) -> layers.Specification:
    size = len(heat.cells)
    side = max(1, largest // max(1, size)) * size
    highest = max((max(row, default=0.0) for row in heat.cells), default=0.0) or 1.0
    cells = [
        {"row": i, "column": j, "strength": 0.1 + 0.9 * value / highest}
        for i, line in enumerate(heat.cells)
        for j, value in enumerate(line)
        if value > 0
    ]
    scale = alt.Scale(domain=[0, size], nice=False)
    every = max(1, -(-size // 4))
    ticks = [(i + 0.5, str(i)) for i in range(0, size, every)]
    across = Axis("to", 0, size, tuple(ticks))
    down = Axis("from", 0, size, tuple(ticks))
    frame = layers.chart_of([{"row": 0, "column": 0, "end": size}])
    x = alt.X("column:Q", title="to", scale=scale, axis=ticks_of(across, grid=False, ticks=False))
    y = alt.Y(
        "row:Q",
        title="from",
        scale=alt.Scale(domain=[size, 0], nice=False),
        axis=ticks_of(down, grid=False, ticks=False),
    )
    parts = [
        frame.mark_rect(fill=None, stroke=layers.colour("rule-strong"), strokeWidth=1).encode(
            x=x, x2=alt.X2("end:Q"), y=y, y2=alt.Y2("end:Q")
        )
    ]
    if cells:
        placed = layers.chart_of(
            [cell | {"right": cell["column"] + 1, "low": cell["row"] + 1} for cell in cells]
        )
        parts.append(
            placed.mark_rect(color=layers.colour("accent")).encode(
                x=x,
                x2=alt.X2("right:Q"),
                y=y,
                y2=alt.Y2("low:Q"),
                opacity=alt.Opacity("strength:Q", scale=None, legend=None),
            )
        )
    if heat.cuts:
        cut = layers.chart_of([{"row": i, "column": i, "first": 0, "end": size} for i in heat.cuts])
        line: dict[str, Any] = {"color": layers.colour("ink"), "strokeWidth": 1, "opacity": 0.55}
        first_x, first_y = x.copy(), y.copy()
        first_x.shorthand, first_y.shorthand = "first:Q", "first:Q"
        parts.append(cut.mark_rule(**line).encode(x=first_x, x2=alt.X2("end:Q"), y=y))
        parts.append(cut.mark_rule(**line).encode(x=x, y=first_y, y2=alt.Y2("end:Q")))
    drawn = layers.overlaid(*parts, width=side, height=side)
    drawn["title"] = {"text": list(heat.title), "anchor": "start", "frame": "group", "offset": 6}
    return drawn
