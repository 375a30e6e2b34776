# SPDX-License-Identifier: Apache-2.0
"""How far a build is, and how long it still takes."""

import json
import sys

import pytest

from bootstrap_build import why_again
from bootstrap_console import Console, Steps


def test_steps_are_counted_and_the_time_left_follows_from_those_that_were_done() -> None:
    steps = Steps()
    first = "[1/63] Building CXX object engine/base/CMakeFiles/isobath_base.dir/error.cpp.o"
    assert steps.words(first, 100.0) == "1 of 63: error.cpp.o"
    assert steps.words("[57/63] Linking CXX executable bin/isobath-edges", 212.0) == (
        "57 of 63, about 12 s left: isobath-edges"
    )
    assert steps.words("[58/1000] Building CXX object x.cpp.o", 214.0).startswith(
        "58 of 1000, about 31 min left"
    )
    assert steps.words("warning: something", 215.0) == ""


def test_where_lines_stay_they_are_few() -> None:
    steps = Steps()
    assert [steps.is_due(now) for now in (0.0, 1.0, 14.0, 15.0, 20.0)] == [
        True, False, False, True, False,
    ]  # fmt: skip


def test_a_build_in_a_log_says_how_far_it_is(
    console: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "print('[1/3] Building CXX object a.cpp.o')"
    console.run([sys.executable, "-c", lines], counts=True, quiet=True)
    assert "isobath: 1 of 3: a.cpp.o" in capsys.readouterr().err


PARTS = {"the options of CMake": "1", "files of CMake": "2"}


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("", ""),
        ("5f3c", " anew: it was configured by an older Isobath"),
        (json.dumps(PARTS), " anew"),  # its build.ninja is gone
        (
            json.dumps({**PARTS, "files of CMake": "3"}),
            " anew, and all of it is built again: files of CMake changed",
        ),
    ],
)
def test_a_build_that_is_configured_anew_says_why(before: str, words: str) -> None:
    assert why_again(before, PARTS) == words
