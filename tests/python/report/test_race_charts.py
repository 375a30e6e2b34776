# SPDX-License-Identifier: Apache-2.0
"""The charts of a race: what they draw, at both widths, of nothing, one and many."""

import contextlib
import doctest
import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from isobath.report import layers, matrix_charts, race_charts, race_wording
from isobath.report.marks import Span
from isobath.report.race_marks import (
    Axis,
    Bin,
    Curve,
    Distribution,
    Heat,
    Plot,
    RowPanel,
    Spot,
    linear_axis,
    log_axis,
    ranks_axis,
)
from isobath.report.race_wording import change, octave, ratio_number, with_interval
from isobath.stats.ratios import Ratio
from isobath.view.content import Drawing

HOSTILE = "</svg><script>alert(1)</script>\x1b[31m\x00 & \" '"


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn here keeps to the schema of Vega-Lite, or altair says what does not."""
    monkeypatch.setattr(layers, "unchecked", contextlib.nullcontext)


def texts(drawing: Drawing) -> list[str]:
    """Words of the wide drawing."""
    drawn = ElementTree.fromstring(drawing.wide)
    return [e.text or "" for name in ("text", "tspan") for e in drawn.iter(name)]


def one_plot(spots: tuple[Spot, ...], *, stroke: str = "solid") -> Drawing:
    y = linear_axis("GTEPS", [1.0], str)
    curve = Curve("two-dim", "plan-two-dim", spots, "diamond", stroke)  # type: ignore[arg-type]
    return race_charts.curves([Plot("", (curve,), ranks_axis("ranks", [1, 2, 4]), y)])


def test_one_point_makes_a_chart() -> None:
    drawing = one_plot((Spot(1, 0.5),))

    assert {"GTEPS", "ranks", "two-dim"} <= set(texts(drawing))


def test_a_chart_of_nothing_still_has_its_axes() -> None:
    assert {"GTEPS", "ranks"} <= set(texts(one_plot(())))


def test_points_are_hollow_where_asked_for() -> None:
    drawing = one_plot((Spot(1, 0.5), Spot(2, 0.7), Spot(4, 0.3, hollow=True)))

    for picture in (drawing.wide, drawing.narrow):
        marks = re.findall(r'<path[^>]*fill="var\(--(surface|plan-two-dim)\)"', picture)
        assert sorted(marks) == ["plan-two-dim", "plan-two-dim", "surface"]


def test_intervals_are_rules_at_marks_and_bands_along_curves() -> None:
    spots = (Spot(1, 0.5, 0.4, 0.6), Spot(2, 0.7, 0.6, 0.8))
    band = Curve("a", "plan-simple", spots, marked=False, stroke="dashed")
    y = linear_axis("GTEPS", [0.8], str)

    drawing = race_charts.curves([Plot("", (band,), ranks_axis("ranks", [1, 2]), y)])

    assert 'opacity="0.2"' in drawing.wide or 'fill-opacity="0.2"' in drawing.wide
    assert "stroke-dasharray" in drawing.wide


def test_panels_beside_each_other_keep_their_own_colours() -> None:
    panels = [
        RowPanel("ms", ((Span(0, 1, "phase-fold"),),), ("1",)),
        RowPanel("MB", ((Span(0, 1, "call-3"),),), ("1",)),
        RowPanel("s", ((Span(0, 1, "time-wait"),),), ("1",)),
    ]

    drawing = race_charts.rows(["level 0"], panels)

    for picture in (drawing.wide, drawing.narrow):
        for colour in ("phase-fold", "call-3", "time-wait"):
            assert len(re.findall(rf'fill="var\(--{colour}\)"', picture)) == 1


def test_a_row_without_bars_keeps_its_name_and_text() -> None:
    panel = RowPanel("ms", ((),), ("not published",))

    assert {"deck", "not published"} <= set(texts(race_charts.rows(["deck"], [panel])))


def test_a_bar_has_its_interval() -> None:
    plain = RowPanel("ms", ((Span(0, 2, "call-1"),),), ("2",))
    ranged = RowPanel("ms", ((Span(0, 2, "call-1"),),), ("2",), ((1.5, 2.5),))

    lines = [race_charts.rows(["a"], [p]).wide.count('stroke-width="4.5"') for p in (plain, ranged)]

    assert lines == [0, 1]


def test_distributions_have_a_panel_per_weight() -> None:
    bins = (Bin(8, 16, 0.5), Bin(64, 128, 0.5))
    axis = log_axis("size", [8, 128], octave, base=2)

    drawing = race_charts.distributions(
        [Distribution("simple", "plan-simple", (bins, (), bins))], ("a", "b", "c"), axis
    )

    assert {"simple", "a", "b", "c", "size", "8 B"} <= set(texts(drawing))
    assert len(re.findall(r'fill="var\(--plan-simple\)"', drawing.wide)) == 4


def test_a_matrix_draws_the_cells_that_hold_something() -> None:
    heat = Heat(("simple", "bytes"), ((0, 5), (2, 0)), (1,))

    drawing = matrix_charts.matrices([heat])

    assert len(re.findall(r'fill="var\(--accent\)"', drawing.wide)) == 2
    assert {"from", "to", "simple", "bytes"} <= set(texts(drawing))


def test_a_matrix_of_zeros_is_an_empty_frame() -> None:
    drawing = matrix_charts.matrices([Heat(("a", "b"), ((0,),))])

    assert "var(--accent)" not in drawing.wide


def test_sixty_four_rows_stay_a_small_drawing() -> None:
    cells = tuple(tuple(i + j for j in range(64)) for i in range(64))

    assert len(matrix_charts.matrices([Heat(("a", "b"), cells)]).wide) < 1_500_000


def test_hostile_text_comes_out_as_text() -> None:
    panel = RowPanel(HOSTILE, ((Span(0, 1, "call-1"),),), (HOSTILE,))
    curve = Curve(HOSTILE, "plan-other", (Spot(1, 1),))
    plot = Plot(HOSTILE, (curve,), ranks_axis(HOSTILE, [1]), linear_axis("y", [1], str))
    heat = Heat((HOSTILE, HOSTILE), ((0, 1), (1, 0)))

    for drawing in (
        race_charts.rows([HOSTILE], [panel], words=[HOSTILE]),
        race_charts.curves([plot], words=[HOSTILE]),
        matrix_charts.matrices([heat]),
    ):
        for picture in (drawing.wide, drawing.narrow):
            assert "<script" not in picture
            ElementTree.fromstring(picture)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_value_that_does_not_exist_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="must be left out"):
        one_plot((Spot(1, bad),))
    with pytest.raises(ValueError, match="must be left out"):
        race_charts.rows(["a"], [RowPanel("ms", ((Span(0, bad, "call-1"),),), ("x",))])


def test_names_at_the_ends_of_curves_are_kept_apart() -> None:
    places = race_charts.kept_apart([50.0, 51.0, 52.0, 53.0, 280.0], 15, 280)

    assert sorted(places) == places
    assert min(b - a for a, b in pairwise(places)) >= 15
    assert places[-1] <= 280


def test_more_names_than_room_are_spread_evenly() -> None:
    places = race_charts.kept_apart([5.0] * 11, 15, 100)

    assert places == pytest.approx([10.0 * i for i in range(11)])


@pytest.mark.parametrize(
    "axis", [linear_axis("x", [3.0], str), log_axis("x", [2.0, 900.0], str)], ids=["linear", "log"]
)
def test_an_axis_knows_where_a_value_lies(axis: Axis) -> None:
    for share in (0.0, 0.3, 1.0):
        assert axis.share(axis.value(share)) == pytest.approx(share)
    assert all(axis.low <= value <= axis.high for value, _ in axis.ticks)
    assert 2 <= len(axis.ticks) <= 12


def test_an_axis_of_nothing_is_one() -> None:
    assert linear_axis("x", [], str).high > 0
    assert log_axis("x", [0.0], str).low > 0


def test_the_words_of_a_race_are_documented_by_examples() -> None:
    assert doctest.testmod(race_wording).failed == 0
    assert doctest.testmod(race_charts).failed == 0


def test_a_ratio_near_one_keeps_its_digits() -> None:
    assert with_interval(Ratio(1.0123, 1.0012, 1.0234)) == "1.012 (1.001 to 1.023)"
    assert with_interval(Ratio(0.0123, 0.012, 0.0126)) == "0.0123 (0.0120 to 0.0126)"
    assert with_interval(Ratio(2.0)) == "2.00"
    assert ratio_number(29.53) == "29.5"
    assert change(29.5) == "+2,850 %"
