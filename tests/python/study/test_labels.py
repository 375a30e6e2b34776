# SPDX-License-Identifier: Apache-2.0
"""What stands above numbers of too few launches, alike for every kind."""

import re
from pathlib import Path

import pytest

from isobath.study.labels import LEAST_LAUNCHES, few_launches, unfinished

SOURCES = Path(__file__).resolve().parents[3] / "src" / "isobath"


def test_what_is_unfinished_says_how_far_it_is() -> None:
    assert unfinished(2, 5) == "UNFINISHED: 2 of 5 launches are done."
    assert unfinished(5, 5) == ""


@pytest.mark.parametrize("launches", range(LEAST_LAUNCHES))
def test_few_launches_are_named_with_their_number(launches: int) -> None:
    assert few_launches(launches).startswith(f"FEW LAUNCHES: {launches}, fewer than 3; ")
    assert few_launches(LEAST_LAUNCHES) == ""


def test_no_kind_has_a_number_of_its_own() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")}

    told = re.compile(r"FEW LAUNCHES: \{?\w*\}?,? ?fewer|UNFINISHED: .* launches are done")
    assert [path.name for path, text in texts.items() if told.search(text)] == ["labels.py"]
    numbered = {path.name for path, text in texts.items() if re.search(r"LAUNCHES = \d", text)}
    assert numbered == {"labels.py", "hours.py"}  # how launches scatter, which results do not need
