# SPDX-License-Identifier: Apache-2.0
"""Grids against each other: what is compared with what, and what a row says."""

import doctest

import grids
import pytest
from goals import line
from grids import Figures, Layout

from isobath.plan.estimator import SEARCHES_THAT_PAY


def test_the_examples_hold() -> None:
    assert doctest.testmod(grids).failed == 0


def test_few_hubs_stand_beside_the_formulas_against_the_same() -> None:
    for grid in ("1x2", "2x2"):
        (few,) = grids.wanted_ratios(f"search, {grid} at n/K")
        (formula,) = grids.wanted_ratios(f"search, {grid} against")

        assert grids.RATIOS.index(few) == grids.RATIOS.index(formula) + 1
        assert few.theirs == formula.theirs
        assert few.ours.options == (*formula.ours.options, "--hubs", "few")
        assert few.is_met_by(0.01)  # reported alone


def test_validations_have_their_copy_on_either_side() -> None:
    (ratio,) = grids.wanted_ratios("validation")

    for layout in (ratio.ours, ratio.theirs):
        keys = layout.options[layout.options.index("--keys") + 1]
        assert int(keys) >= SEARCHES_THAT_PAY
        assert "--no-validation" not in layout.options


@pytest.mark.parametrize(
    ("only", "ours", "theirs", "words", "is_missed"),
    [
        ("validation", 1.5, 1.0, "<= 2         1.50", False),
        ("validation", 2.5, 1.0, "MISSED", True),
        ("construction, 2x2", 1.3, 1.0, "MISSED", True),
        ("processor", 9.0, 1.0, "9.00", False),  # reported alone
        ("processor", -1.0, 1.0, "cannot tell", False),
    ],
)
def test_a_row_has_its_ratio_and_verdict(
    only: str, ours: float, theirs: float, words: str, is_missed: bool
) -> None:
    (ratio,) = grids.wanted_ratios(only)
    found: dict[Layout, list[Figures]] = {
        ratio.ours: [{ratio.figure: ours}],
        ratio.theirs: [{ratio.figure: theirs}],
    }

    ((text, missed),) = grids.ratio_rows(20, only, found, line)

    assert words in text
    assert missed == is_missed


def test_bytes_are_counted_where_their_row_is_wanted() -> None:
    def records_of(*words: str) -> tuple[list[dict[str, object]], float]:
        asked.append(words[words.index("--grid") + 1])
        sent = {"phase": "fold", "call": "isend_all", "messages": 1250, "bytes_sent": 270_000}
        return [{"kind": "calls", "cells": [sent]}], 1.0

    asked: list[str] = []

    assert grids.byte_rows(["4x4", "8x8"], "validation", records_of, line) == []
    rows = grids.byte_rows(["4x4", "8x8"], "data bytes", records_of, line)

    assert asked == ["4x4", "8x8"]
    assert [is_missed for _, is_missed in rows] == [True, False]
    assert all("0.260 MB" in row for row, _ in rows)  # counts are no data
