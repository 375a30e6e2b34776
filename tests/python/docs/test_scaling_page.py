# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/explanation/scaling.md are those of the formulas."""

import re

from write_scaling import BLOCK, PAGE, count, share, with_tables

TEXT = PAGE.read_text(encoding="utf-8")


def test_tables_are_current() -> None:
    assert with_tables(TEXT) == TEXT


def test_a_figure_typed_by_hand_is_noticed() -> None:
    assert len(BLOCK.findall(TEXT)) == 7
    peak = re.search(r"^\| searching \| (.*?) GB", TEXT, re.MULTILINE)
    assert peak
    spoiled = TEXT[: peak.start(1)] + "7.77" + TEXT[peak.end(1) :]
    assert spoiled != TEXT
    assert with_tables(spoiled) == TEXT


def test_numbers_are_short() -> None:
    assert count(1024) == "1,024"
    assert count(6.6e12) == "6.6e12"
    assert count(3.8) == "3.8"
    assert share(320e6) == "1 %"
    assert share(330e6) == "**1.03 %**"
    assert share(1e6) == "< 0.01 %"
