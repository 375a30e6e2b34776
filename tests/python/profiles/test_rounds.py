# SPDX-License-Identifier: Apache-2.0
"""Searches and levels found in the order of made-up collective calls."""

from typing import Any

import pytest

from isobath.profile.levels import level_records
from isobath.profile.rank_files import RankFile
from isobath.profile.rounds import Calls, Rounds, find_rounds
from isobath.records.profile import ProfileLevelsRecord
from profiles.rank_lines import program


def found_in(letters: str) -> Rounds | None:
    return find_rounds(Calls.of(program(letters)))


def ends_of(found: Rounds) -> str:
    return "".join(sorted(chr(one.offset or 0) for one in found.ends))


def levels_of(found: Rounds) -> list[int]:
    return [len(one) - 1 for one in found.searches]


def test_a_broadcast_of_the_root_separates_searches() -> None:
    found = found_in("vb" + "b".join("gvA" * levels for levels in (3, 5, 2, 4)))

    assert found is not None
    assert found.marker is not None
    assert (ends_of(found), chr(found.marker.offset or 0)) == ("A", "b")
    assert levels_of(found) == [3, 5, 2, 4]
    assert found.others == ()


def test_the_marker_may_come_behind_a_search() -> None:
    found = found_in("v" + "".join("gvA" * levels + "w" for levels in (3, 5, 2)))

    assert found is not None
    assert levels_of(found) == [3, 5, 2]


def test_two_directions_are_two_loops_of_one_search() -> None:
    searches = ["gT" * top + "gB" * bottom + "gT" * tail
                for top, bottom, tail in ((2, 3, 1), (1, 2, 2), (2, 2, 0), (3, 4, 1))]  # fmt: skip
    found = found_in("".join("b" + one for one in searches))

    assert found is not None
    assert ends_of(found) == "BT"
    assert levels_of(found) == [6, 5, 4, 8]


def test_two_allreduces_of_one_level_take_turns() -> None:
    found = found_in("".join("b" + "gTvB" * levels for levels in (3, 5, 4)))

    assert found is not None
    assert len(found.ends) == 1
    assert levels_of(found) == [3, 5, 4]


def test_the_loop_of_a_validator_is_another() -> None:
    found = found_in("".join("b" + "gvA" * levels + "w" + "vC" * 2 for levels in (3, 5, 4)))

    assert found is not None
    assert ends_of(found) == "A"
    assert levels_of(found) == [3, 5, 4]
    assert "".join(chr(one.offset or 0) for one in found.others) == "C"


def test_a_validator_that_follows_at_once_is_another_loop_too() -> None:
    found = found_in("".join("b" + "gvA" * levels + "wC" * 2 for levels in (3, 5, 4)))

    assert found is not None
    assert (ends_of(found), levels_of(found)) == ("A", [3, 5, 4])


def test_setting_up_is_no_search() -> None:
    """Reductions in a row before the first search, as where search keys are sampled."""
    found = found_in("C" * 20 + "".join("b" + "gvA" * levels for levels in (3, 5, 4)))

    assert found is not None
    assert (ends_of(found), levels_of(found)) == ("A", [3, 5, 4])


def test_one_search_is_the_whole_program() -> None:
    found = found_in("gvb" + "gvA" * 6)

    assert found is not None
    assert (found.marker, levels_of(found)) == (None, [6])


@pytest.mark.parametrize("letters", ["", "b", "gvgvgv", "bAbAbA", "gA"])
def test_nothing_is_found_where_nothing_repeats(letters: str) -> None:
    found = found_in(letters)

    assert found is None or found.marker is None


def test_the_first_level_is_no_longer_than_the_longest() -> None:
    """What a program does between searches with calls that its levels make too is no level."""
    found = found_in("".join("b" + "w" * 9 + "wgA" * levels for levels in (3, 4)))

    assert found is not None
    first = found.searches[0]
    assert first[1] - first[0] == 3


def records_of(files: list[RankFile], site: str | None = None) -> list[Any]:
    return list(level_records("x", files, {}, site))


def test_a_rank_of_another_order_is_not_counted() -> None:
    letters = "".join("b" + "gvA" * levels for levels in (3, 4, 5, 2))
    agreeing = records_of([program(letters), program(letters, 1)])
    other = records_of([program(letters), program(letters.replace("gvA", "vgA"), 1)])

    assert isinstance(agreeing[0], ProfileLevelsRecord)
    assert (agreeing[0].ranks_counted, agreeing[0].confidence) == (2, "high")
    assert agreeing[1].bytes_sent == 2 * other[1].bytes_sent == 2 * 24
    assert agreeing[1].seconds == pytest.approx(60e-9)
    assert other[0].ranks_counted == 1
    assert "different orders" in other[0].reason


def test_levels_in_regions_that_are_announced_are_left_to_them() -> None:
    files = [program("bgvAgvA" * 3), program("bgvAgvA" * 3, 1)]
    files[0].regions[0]["name"] = "level"

    assert records_of(files) == []
    assert records_of(files, "a.out")
