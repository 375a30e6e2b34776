# SPDX-License-Identifier: Apache-2.0
"""What grows, array by array, against what the memory plan adds up part by part."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from isobath.plan.grid_numbers import NARROW_LINE, GridNumbers
from isobath.plan.memory import estimate_memory
from isobath.plan.rank_arrays import HUGE_PAGE
from isobath.plan.scaling import (
    LETTERS,
    Array,
    Number,
    Place,
    Values,
    arrays,
    held_while_searching,
    holds,
    loops,
    messages,
    numbers,
    value_of,
)

ENGINE = Path(__file__).resolve().parents[3] / "engine"

NO_ARRAYS = {"process", "threads", "messages", "chunk", "first rows", "facts of all vertices"}
"""Parts of the plan that no formula of an array explains, or that do not grow."""

PLACES = [
    Place(26, 1, 2, 1),
    Place(30, 2, 3, 2),
    Place(34, 4, 8, 4),
    Place(38, 64, 32, 12),
    Place(42, 316, 316, 48),
]


def planned(place: Place, kernel: str = "bfs") -> dict[str, float]:
    """Bytes of a rank by moment and part."""
    estimate = estimate_memory(
        place.scale,
        rows=place.rows,
        cols=place.cols,
        threads=place.threads,
        construction_check=True,
        kernel=kernel,
    )
    return {
        f"{moment}: {name}": size / (place.rows * place.cols)
        for moment, alive in estimate.moments.items()
        for name, size in alive.items()
        if size
    }


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.scale}-{place.rows}")
def test_arrays_add_up_to_the_parts_of_the_memory_plan(place: Place) -> None:
    values = Values(place)
    sums: dict[str, float] = defaultdict(float)
    for array in arrays():
        for part in array.parts:
            sums[part] += array.bytes_at(values)
    parts = planned(place)
    named = {part.split(": ")[1] for part in sums}
    assert {part.split(": ")[1] for part in parts} <= named | NO_ARRAYS
    parts["counting: weights"] = planned(place, "both")["counting: weights"]

    pages = 8 * HUGE_PAGE  # whole ones of every array, and chunks of messages beside them
    for part, size in sums.items():
        assert parts.get(part, 0.0) == pytest.approx(size, rel=1e-3, abs=pages), part


def test_an_array_that_is_counted_wrongly_is_noticed() -> None:
    place = PLACES[1]
    values = Values(place)
    starts = sum(a.bytes_at(values) for a in arrays() if "searching: rows" in a.parts)
    assert planned(place)["searching: rows"] != pytest.approx(starts * 1.01, rel=1e-3)


def test_what_is_held_while_searching_is_what_the_plan_has_then() -> None:
    place = PLACES[-1]
    names = {part.split(": ")[1] for part in planned(place) if part.startswith("searching: ")}
    held = held_while_searching(names)

    assert {part.split(": ")[1] for a in held for part in a.parts} >= names - NO_ARRAYS - {
        "weights"
    }
    total = sum(size for part, size in planned(place).items() if part.startswith("searching: "))
    assert sum(array.bytes_at(Values(place)) for array in held) == pytest.approx(total, rel=0.01)


@pytest.mark.parametrize(
    ("place", "is_hypersparse"),
    [(PLACES[1], False), (PLACES[2], False), (PLACES[3], True), (PLACES[4], True)],
    ids=lambda it: str(it) if isinstance(it, bool) else f"{it.scale}-{it.rows}",
)
def test_hypersparse_rows_have_no_planes(place: Place, is_hypersparse: bool) -> None:
    values = Values(place)
    sizes = {array.name: array.bytes_at(values) for array in arrays() if array.plan == "hybrid"}

    assert (2 * values["X"] < values["S"] / values["R"]) == is_hypersparse
    assert ("searching: planes" in planned(place)) != is_hypersparse
    assert (sizes["Graph::plane, all four"] == 0) == is_hypersparse
    assert (sizes["Ring::rows_, parent_col_"] > 0) == is_hypersparse
    assert (sizes["HypersparseRows::by_place_.start, of rows"] > 0) == is_hypersparse
    assert (sizes["HypersparseRows::by_place_.start, of columns"] > 0) == is_hypersparse
    dense = 8 * values["S"] * (1 / values["R"] + 1 / values["C"]) + 8 * values["A"] / values["P"]
    assert (sizes["Graph::column_original, of columns that exist"] > 0) == is_hypersparse
    assert (sizes["Graph::column_original"] == 0) == is_hypersparse
    assert (planned(place)["searching: rows"] < 0.9 * dense) == is_hypersparse


@pytest.mark.parametrize(
    ("place", "are_few"),
    [(PLACES[0], False), (PLACES[1], False), (PLACES[3], True), (PLACES[4], True)],
    ids=lambda it: str(it) if isinstance(it, bool) else f"{it.scale}-{it.rows}",
)
def test_construction_has_codes_and_starts_of_what_occurs(place: Place, are_few: bool) -> None:
    values = Values(place)
    parts = planned(place)
    codes = 4 * values["n"] * (1 / values["R"] + 1 / values["C"])
    starts = 8 * values["S"] / values["R"]

    assert (parts["numbering: codes of the grid"] < 0.2 * codes) == are_few
    assert (parts["looking arcs up: codes of the grid"] < 0.2 * codes) == are_few
    for moment in ("sorting arcs", "laying rows"):
        assert (parts[f"{moment}: row starts"] < 0.2 * starts) == are_few
        assert (f"{moment}: rows that may exist" in parts) == are_few
    assert "numbering: column originals" not in parts


def test_construction_fits_at_the_place() -> None:
    sums: dict[str, float] = defaultdict(float)
    for part, size in planned(PLACES[-1]).items():
        sums[part.split(": ")[0]] += size

    for moment in ("delivering arcs", "numbering", "sorting arcs", "laying rows"):
        assert sums[moment] < 32e9, moment
    assert sums["transposing arcs"] < 32e9


def test_figures_of_the_issue_come_out() -> None:
    """Planes for 2.4e9 rows would take 39 GB, parents by row 10; 17.5 % of the vertices are
    searched. Rows are hypersparse there, and have neither: 10 % have an arc.
    """
    values = Values(PLACES[-1])
    size = {array.name: array.bytes_at(values) for array in arrays()}
    entries = {array.name: value_of(array.entries, values) for array in arrays()}

    assert values["S"] / values["n"] == pytest.approx(0.175, abs=0.001)
    assert values["S"] / values["R"] == pytest.approx(2.4e9, rel=0.03)
    assert 4 * entries["Graph::plane, all four"] == pytest.approx(39e9, rel=0.01)
    assert size["Graph::plane, all four"] == 0
    assert 4 * entries["RowNotes::parent_col_"] == pytest.approx(10e9, rel=0.03)
    assert size["RowNotes::parent_col_"] == 0


@pytest.mark.parametrize("place", PLACES[:2], ids=["1x2", "2x3"])
def test_every_formula_has_a_value_and_no_saving_is_larger_than_its_array(place: Place) -> None:
    values = Values(place)

    assert len(LETTERS) == len(values) == len(set(values))
    for array in arrays():
        saved = array.saved_at(values)
        assert saved is None or 0 <= saved <= array.bytes_at(values), array.name
    for message in messages():
        for formula in (message.bytes, message.messages, message.times):
            assert value_of(formula, values) >= 0, message.name
    for loop in loops():
        assert (loop.steps_at(values) > 0) == holds(loop.only, values), loop.name


def test_files_are_there_and_name_what_is_said_of_them() -> None:
    files = {array.where for array in arrays()} | {message.where for message in messages()}
    files |= {loop.where for loop in loops()} | {number.where for number in numbers()}
    for where in files:
        assert (ENGINE / where).is_file(), where
    for array in arrays():
        text = (ENGINE / array.where).read_text(encoding="utf-8")
        last = array.name.replace(",", " ").replace(":", " ").replace(".", " ").split()
        assert any(word in text for word in last if len(word) > 3), (array.where, array.name)


def test_every_member_that_a_row_names_is_one_of_the_engine() -> None:
    words = {
        word
        for file in ENGINE.rglob("*.[ch]pp")
        for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))
    }
    named = {member for array in arrays() for member in re.findall(r"\b[a-z]\w*_\b", array.name)}

    assert len(named) > 10
    assert named <= words


def largest_by_the_table(rows: int, cols: int, names: tuple[str, ...]) -> int:
    """Scale whose numbers suffice, by the rows of these names."""
    ends = [n.first_scale(rows, cols) for n in numbers() if n.name.startswith(names)]
    assert len(ends) >= len(names)
    return min(end for end in ends if end is not None) - 1


def largest_by_the_plan(numbers_of_run: GridNumbers) -> int:
    return max(filter(numbers_of_run.can_number, range(1, 44)))


@pytest.mark.parametrize("side", [2, 8, 16, 128, 316])
def test_numbers_end_where_the_plan_refuses(side: int) -> None:
    """RoutedArc: 31 bits for originals of a grid column, of all but hybrid and delta-stepping."""
    narrow = largest_by_the_table(side, side, ("RoutedArc, column", "RoutedArc: originals"))
    working = ("GridLayout::col_offset", "GridLayout::row_offset", "HeavyFirst::key")
    wide = largest_by_the_table(side, side, (*working, "WideArc", "Numbering::code"))

    assert largest_by_the_plan(GridNumbers(side, side, plan="two-dim")) == narrow
    assert largest_by_the_plan(GridNumbers(side, side, kernel="both")) == narrow
    assert largest_by_the_plan(GridNumbers(side, side)) == wide > narrow
    by_delta = GridNumbers(side, side, kernel="both", sssp_plan="delta-stepping")
    assert largest_by_the_plan(by_delta) == wide


def test_a_number_may_end_at_no_scale() -> None:
    assert Number("", "", "n / P", "2^31", "").first_scale(4096, 4096) is None


WIDE_PLACES = [PLACES[0], PLACES[2], Place(38, 128, 128, 12), Place(39, 128, 128, 12), PLACES[4]]


@pytest.mark.parametrize("place", WIDE_PLACES, ids=lambda place: f"{place.scale}-{place.rows}")
def test_bits_32_to_39_are_there_where_a_line_has_more_than_2_to_the_31(place: Place) -> None:
    values = Values(place)
    is_wide = values["n"] > NARROW_LINE * min(place.rows, place.cols)
    highs = [a for a in arrays() if "_high" in a.name or "high_" in a.name]
    sizes = {array.name: array.bytes_at(values) for array in arrays() if array.plan == "hybrid"}
    arcs = [message for message in messages() if "(deliver_arcs)" in message.name]

    assert len(highs) == 3
    assert (sum(array.bytes_at(values) for array in highs) > 0) == is_wide
    assert (sizes["ArcArrays::source_highs"] > 0) == is_wide
    assert [holds(message.only, values) for message in arcs] == [not is_wide, is_wide]
    lines = (
        sizes["ArrivingArcs::Dealer::lines_"] + sizes["ArrivingArcs::Dealer::lines_, of wide arcs"]
    )
    assert lines == (256 if is_wide else 128) * values["W"]


def test_bits_32_to_39_cost_a_byte_for_each_arc_and_column() -> None:
    place = PLACES[-1]
    values = Values(place)
    size = {array.name: array.bytes_at(values) for array in arrays()}

    assert size["ArcArrays::source_highs"] == pytest.approx(1.41e9, rel=0.01)
    assert size["ColumnOriginals::high_, of columns that exist"] == pytest.approx(0.25e9, rel=0.01)
    assert size["ColumnOriginals::high_"] == 0


def test_what_is_no_formula_is_no_formula() -> None:
    for wrong in ("n if m else P", "n.bit_length", "'n'", "n % m"):
        with pytest.raises((ValueError, KeyError)):
            value_of(wrong, Values(PLACES[0]))
    assert holds("", {})
    assert holds("n <= 2^31", {"n": 2.0**31})
    assert not holds("n <= 1", {"n": 2})
    both = [holds("1 <= n and n <= 2", {"n": n}) for n in (0, 1, 2, 3)]
    assert both == [False, True, True, False]
    either = [holds("n <= 0 or 2 <= n and n <= 2", {"n": n}) for n in (0, 1, 2, 3)]
    assert either == [True, False, True, False]
    assert value_of("2 * 3^2 + min(1, 4) / 4", {}) == 18.25
    assert Array("", "x", "4", "n", only="n <= 1").bytes_at({"n": 2.0}) == 0
