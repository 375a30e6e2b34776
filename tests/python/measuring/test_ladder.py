# SPDX-License-Identifier: Apache-2.0
"""The ladder's arithmetic and its table; tests/system/test_ladder.py climbs it."""

from itertools import pairwise

import pytest
from ladder import PEER, Searched, climb, gain, rows


def searched(*seconds: float) -> Searched:
    """One round, a root for each."""
    found = Searched()
    found.add([{"root": root, "seconds": value} for root, value in enumerate(seconds)])
    return found


def test_a_step_keeps_what_was_set_before_it_and_the_last_one_is_the_default() -> None:
    steps = climb()
    assert [step.name for step in steps][:2] == ["plain top-down", "+ direction"]
    assert steps[0].options["huge-pages"] == "off"
    assert steps[0].variables == {"ISOBATH_INSTRUCTION_SET": "portable"}
    for before, after in pairwise(steps):
        changed = [name for name in after.options if after.options[name] != before.options[name]]
        changed += [n for n in after.variables if after.variables[n] != before.variables[n]]
        assert len(changed) == 1, after.name
    defaults = {"direction": "policy", "relabel": "on", "leaves": "out", "streams": "on"}
    assert steps[-1].options == defaults | {"huge-pages": "on"}
    assert steps[-1].variables == {"ISOBATH_INSTRUCTION_SET": ""}  # the engine chooses


def test_a_gain_is_paired_root_by_root() -> None:
    assert gain(searched(2.0, 4.0, 6.0), searched(1.0, 2.0, 3.0)) == "2.00 (2.00 to 2.00)"
    assert gain(searched(2.0), searched(4.0)) == "0.50"


def test_rounds_of_one_root_are_averaged() -> None:
    found = searched(1.0, 5.0)
    found.add([{"root": 1, "seconds": 7.0}, {"root": 0, "seconds": 3.0}])
    assert found.by_root() == [2.0, 6.0]
    assert found.rounds == [3.0, 5.0]


@pytest.mark.parametrize(
    ("theirs", "loses"), [((2.0, 2.1), False), ((0.5, 0.51), True), ((0.9, 1.2), False)]
)
def test_it_loses_where_even_the_upper_end_is_below_one(
    theirs: tuple[float, float], loses: bool
) -> None:
    whole, peer = Searched(rounds=[1.0, 1.0]), Searched(rounds=list(theirs))
    whole.seconds = {0: [1.0], 1: [1.0]}
    found = {"plain top-down": searched(4.0, 4.0), "+ huge pages": whole, PEER: peer}

    lines, has_lost = rows("road", found)

    assert has_lost is loses
    assert lines[-1].endswith("loses |") is loses
    assert "4.00 (4.00 to 4.00)" in lines[1]
