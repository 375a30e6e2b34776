# SPDX-License-Identifier: Apache-2.0
"""Places of programs in Python: file and line where compiled code has module and offset."""

import pytest

from isobath.profile.levels import level_records
from isobath.profile.merge import merge, sites
from isobath.profile.profile import Profile
from isobath.profile.rank_files import RankFile
from isobath.records.profile import ProfileLevelsRecord
from isobath.report.profile_sections.places import site
from profiles.rank_lines import program, two_ranks

SCRIPT = "/home/of/search.py"


def in_python(file: RankFile) -> RankFile:
    """Every place of a made-up program becomes a line of a script, as the profiler writes it."""
    for cell in file.cells:
        row = cell.pop("offset")
        cell |= {"module": SCRIPT, "row": row, "symbol": "Search.level"}
    return file


def test_every_line_of_a_script_is_a_place_of_its_own() -> None:
    files = [in_python(program("AATT", rank)) for rank in (0, 1)]

    cells = Profile.of(merge("made-up", files)).cells

    assert {(cell.line, cell.calls) for cell in cells} == {
        (f"{SCRIPT}:{ord('A')}", 4),
        (f"{SCRIPT}:{ord('T')}", 4),
    }
    assert {(cell.module, cell.offset, cell.symbol) for cell in cells} == {
        (SCRIPT, None, "Search.level")
    }
    assert {site(cell) for cell in cells} == {
        f"MPI_Allreduce in Search.level, search.py:{ord(letter)}" for letter in "AT"
    }


def test_no_symbol_table_is_asked_for_a_script() -> None:
    assert sites([in_python(program("A"))]) == set()
    assert sites([program("A")]) == {("/a.out", ord("A"))}


def test_levels_end_at_lines_of_a_script() -> None:
    file = in_python(program("b" + "b".join("gvA" * levels for levels in (3, 5, 2, 4))))

    levels, *_ = level_records("made-up", [file], {})

    assert isinstance(levels, ProfileLevelsRecord)
    (end,) = levels.ends
    assert (end.line, end.symbol) == (f"{SCRIPT}:{ord('A')}", "Search.level")
    assert levels.marker is not None
    assert levels.marker.line == f"{SCRIPT}:{ord('b')}"


def test_asking_python_is_part_of_the_cost() -> None:
    free, costly = two_ranks(), two_ranks(python_nanoseconds=4_000)

    more = costly[0].overhead_seconds - free[0].overhead_seconds

    assert more == pytest.approx(4e-6)
    whole = Profile.of(merge("made-up", costly)).whole
    assert whole.overhead_seconds.max == pytest.approx(costly[0].overhead_seconds)
