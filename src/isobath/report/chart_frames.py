# SPDX-License-Identifier: Apache-2.0
"""What charts of several modules share: both widths of a drawing, and the ticks of an axis."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from isobath.report import layers
from isobath.report.charts import NARROW, WIDE
from isobath.report.race_marks import Axis
from isobath.view.content import Drawing


def ticks_of(axis: Axis, **options: Any) -> alt.Axis:
    """The labels of an axis, found by their place: no format of altair writes bytes our way."""
    values = [value for value, _ in axis.ticks]
    texts = json.dumps([text for _, text in axis.ticks])
    return layers.axis_with(
        values=values, labelExpr=f"{texts}[indexof({json.dumps(values)}, datum.value)]", **options
    )


def drawn_twice(build: Callable[[int], layers.Specification], words: Sequence[str]) -> Drawing:
    """Both widths of a chart, with the words that must go with its numbers above it."""
    wide, narrow = (layers.drawn(build, width, words) for width in (WIDE, NARROW))
    return Drawing(wide=wide, narrow=narrow)
