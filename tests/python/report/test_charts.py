# SPDX-License-Identifier: Apache-2.0
import contextlib
import math
from xml.etree import ElementTree

import pytest

from isobath.report import charts, layers, svg
from isobath.report.marks import Bar, HeatCell, HeatMap, Measure, Point, Span, SpanRow
from isobath.view.content import Drawing

HOSTILE = "</svg><script>alert(1)</script>\x1b[31m\x00 & \" '"


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn here keeps to the schema of Vega-Lite, or altair says what does not."""
    monkeypatch.setattr(layers, "unchecked", contextlib.nullcontext)


def texts(drawing: Drawing) -> list[str]:
    """Words of the wide drawing."""
    return [e.text or "" for e in ElementTree.fromstring(drawing.wide).iter("text")]


def one_timeline(end: float = 1.0, value: float | None = 3.0) -> Drawing:
    row = SpanRow("level 0", (Span(0.0, end, "phase-emit"),), "1 ms")
    return charts.timeline(
        [row], [Measure("frontier", (value,), ("3",))], end=end, unvalidated=False
    )


def test_one_search_makes_a_chart() -> None:
    drawing = charts.searches(
        [Point(0, 7.0, True)], mean=7.0, standard_error=None, unvalidated=False
    )

    assert "GTEPS" in texts(drawing)


def test_every_search_has_its_mark() -> None:
    points = [Point(i, 7.0 + i / 100, i != 5) for i in range(64)]

    drawing = charts.searches(points, mean=7.3, standard_error=0.1, unvalidated=True)

    for picture in (drawing.wide, drawing.narrow):
        marks = ElementTree.fromstring(picture).iter("path")
        fills = [mark.attrib.get("fill") for mark in marks if mark.attrib.get("opacity") == "0.95"]
        assert fills.count("var(--accent)") == 63
        assert fills.count("var(--bad)") == 1


def test_one_value_makes_every_chart() -> None:
    assert "phase" in texts(charts.bars([Bar("phase", 0.0, "0")], axis="s", unvalidated=False))
    assert "level 0" in texts(one_timeline())
    assert "ranks" in texts(charts.histogram([1.0], axis="GB", counted="ranks", unvalidated=False))
    assert "<path" in charts.composition([Span(0, 1, "accent")], unvalidated=False).wide


def test_a_hundred_thousand_values_stay_a_small_drawing() -> None:
    values = [1.0 + (i % 97) / 100 for i in range(100_000)]

    drawing = charts.histogram(values, axis="GB", counted="ranks", unvalidated=False)

    assert len(drawing.wide) < 20_000


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="left out"):
        charts.bars([Bar("phase", value, "")], axis="s", unvalidated=False)
    with pytest.raises(ValueError, match="left out"):
        charts.searches([Point(0, value, True)], mean=None, standard_error=None, unvalidated=False)
    with pytest.raises(ValueError, match="left out"):
        one_timeline(end=value)
    with pytest.raises(ValueError, match="left out"):
        one_timeline(value=value)


def test_hostile_text_stays_text() -> None:
    drawing = charts.bars([Bar(HOSTILE, 1.0, HOSTILE)], axis=HOSTILE, unvalidated=False)

    assert "<script" not in drawing.wide
    assert any("<script>alert(1)</script>" in text for text in texts(drawing))
    assert "\x1b" not in drawing.wide


def test_an_unvalidated_drawing_says_so_in_the_picture() -> None:
    drawing = charts.bars([Bar("phase", 1.0, "1")], axis="s", unvalidated=True)

    assert "UNVALIDATED" in texts(drawing)
    assert "UNVALIDATED" in drawing.narrow


def test_drawings_hold_variables_instead_of_colours_and_nothing_but_shapes() -> None:
    drawing = one_timeline()
    elements = {element.tag for element in ElementTree.fromstring(drawing.wide).iter()}

    assert elements <= {"svg", "g", "path", "text", "tspan", "line", "rect"}
    assert "var(--phase-emit)" in drawing.wide
    assert "#" not in drawing.wide
    assert "href" not in drawing.wide
    assert " id=" not in drawing.wide


def test_a_span_too_short_to_see_is_drawn_where_it_is_alone() -> None:
    rows = [
        SpanRow("long", (Span(0.0, 1000.0, "phase-emit"), Span(1000.0, 1000.0001, "phase-fold"))),
        SpanRow("short", (Span(1000.0, 1000.0001, "phase-reset"),)),
    ]

    drawing = charts.timeline(rows, [], end=1000.0001, unvalidated=False)

    assert "phase-reset" in drawing.wide
    assert "phase-fold" not in drawing.wide


def test_unknown_elements_and_attributes_of_a_drawing_are_dropped() -> None:
    found = svg.clean(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="x()">'
        '<script>x()</script><a href="x"><text>linked</text></a>'
        '<g onclick="x()"><text fill="red" onclick="x()">kept</text></g></svg>'
    )

    assert "kept" in found
    for word in ("script", "href", "onclick", "onload", "linked"):
        assert word not in found


def test_a_long_name_stands_whole_before_its_bar_or_ends_in_dots() -> None:
    """On a wide page an advised choice has room; five in a row, and on a telephone, are cut."""
    choice = "two-dim 8x2, 2 a node, columns on nodes, exchange own"
    whole, cut = (
        charts.bars([Bar(name, 1.0, "1 ms")], axis="ms", unvalidated=False)
        for name in (choice, 5 * choice)
    )

    def name_in(picture: str) -> str:
        words = ElementTree.fromstring(picture).itertext()
        return next(text for text in words if text.startswith("two-dim"))

    assert name_in(whole.wide) == choice
    assert name_in(cut.wide).endswith("…")
    assert name_in(whole.narrow).endswith("…")


def test_a_heat_map_has_its_fields_and_words() -> None:
    fields = (HeatCell(0, 0, 0.0, "1.00"), HeatCell(1, 1, 1.0, "2.50"))

    drawing = HeatMap(("bcast", "scan"), ("8 B", "1 kB"), fields, "size", ("SIMULATED",)).draw()

    for word in ("1.00", "2.50", "bcast", "1 kB", "SIMULATED"):
        assert word in texts(drawing)
