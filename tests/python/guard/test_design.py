# SPDX-License-Identifier: Apache-2.0
"""Errors of a regression are divided beforehand, and never spent twice."""

import pytest

from isobath.guard.design import FASTER, GUIDELINES, SLOWER, Design, design_turns, fewest_pairs


@pytest.mark.parametrize("cells", [1, 10, 60])
@pytest.mark.parametrize("turns", [1, 15, 17, 30, 41, 200])
def test_looks_spend_each_error_once(cells: int, turns: int) -> None:
    design = Design(cells, turns)

    assert sum(look.share for look in design.looks) == pytest.approx(1)
    assert design.looks[-1].turns == turns
    assert all(first.turns < second.turns for first, second in
               zip(design.looks, design.looks[1:], strict=False))  # fmt: skip
    for look in design.looks[:-1]:  # an early look where nothing could be said would be thrown away
        assert 0.5**look.turns < look.share * design.slower


@pytest.mark.parametrize("stopped", [1, 14, 15, 22, 30, 37, 45, 59, 60])
def test_the_last_look_takes_what_is_left_whenever_the_time_is_over(stopped: int) -> None:
    design = Design(60, 60)

    before = [look for look in design.looks if look.turns < stopped]
    last = design.look_at(stopped, is_last=True)

    assert last is not None
    assert sum(look.share for look in before) + last.share == pytest.approx(1)


def test_all_claims_together_are_half_a_per_cent() -> None:
    assert pytest.approx(0.005) == SLOWER + FASTER + GUIDELINES
    assert Design(60, 40).slower * 60 == pytest.approx(SLOWER)


def test_few_pairs_can_claim_nothing() -> None:
    assert fewest_pairs(60) == 15
    assert design_turns(Design(60, 4), 100) == 15
    assert design_turns(Design(60, 4), 9) == 9
    assert design_turns(Design(60, 40), 100) == 40
