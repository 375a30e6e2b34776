# SPDX-License-Identifier: Apache-2.0
"""Acceptance test A4: overlap arithmetic on synthetic numbers, worked by hand."""

import pytest

from isobath.overlap.definitions import (
    Times,
    clamped,
    core_availability,
    disagree,
    hidden_seconds,
    imb_of,
    imb_percent,
    nonblocking_penalty,
    osu_of,
    osu_percent,
    overlap_ratio,
    sharp_paper_of,
    sharp_paper_percent,
    speedup,
    speedup_bound,
)


def times(**changed: float) -> Times:
    usual = {
        "blocking": 9.0,
        "nonblocking": 10.0,
        "work": 10.0,
        "no_overlap": 19.0,
        "overlap": 20.0,
        "work_inside": 10.0,
    }
    return Times(**(usual | changed))


def test_nothing_is_hidden_where_both_take_their_turn() -> None:
    nothing = times()
    assert hidden_seconds(nothing) == 0
    assert overlap_ratio(nothing) == 0
    assert core_availability(nothing) == 1
    assert nonblocking_penalty(nothing) == pytest.approx(10 / 9)


def test_all_is_hidden_where_the_longer_one_is_all_there_is() -> None:
    perfect = times(overlap=10.0)
    assert hidden_seconds(perfect) == 10
    assert overlap_ratio(perfect) == 1
    assert speedup(perfect) == pytest.approx(1.9)
    assert speedup_bound(perfect) == pytest.approx(1.9)


def test_the_most_that_can_be_hidden_is_the_shorter_one() -> None:
    assert overlap_ratio(times(work=40.0, work_inside=40.0, overlap=45.0)) == pytest.approx(0.5)
    assert overlap_ratio(times(work=2.5, work_inside=2.5, overlap=10.0)) == 1


def test_harm_is_negative_and_only_clamped_for_show() -> None:
    harmful = times(overlap=25.0)
    assert overlap_ratio(harmful) == -0.5
    assert clamped(overlap_ratio(harmful)) == 0


def test_the_pathological_progress_thread() -> None:
    """It takes half the core, so work of 10 lasts 20, and the call is done meanwhile. OSU's loop
    ends after 10 whatever was computed: 100 %. In truth nothing came for nothing.
    """
    thread = times(overlap=20.0, work_inside=20.0)
    osu = osu_percent(overall=10.0, compute=10.0, test=0.0, pure=10.0)
    assert osu == 100
    assert core_availability(thread) == 0.5
    assert overlap_ratio(thread) == 0
    assert disagree(thread, osu)
    assert imb_percent(pure=10.0, work=20.0, overlapped=20.0) == 50
    assert sharp_paper_percent(overall=10.0, compute=10.0, pure=10.0) == 100


def test_the_definitions_agree_where_nothing_is_taken() -> None:
    half = times(overlap=15.0)
    assert overlap_ratio(half) == 0.5
    assert osu_percent(overall=15.0, compute=10.0, test=0.0, pure=10.0) == 50
    assert sharp_paper_percent(overall=15.0, compute=10.0, pure=10.0) == 50
    assert imb_percent(pure=10.0, work=10.0, overlapped=15.0) == 50
    assert not disagree(half, 50.0)


def test_osu_takes_tests_out_of_the_computing_and_ends_at_zero() -> None:
    assert osu_percent(overall=15.0, compute=12.0, test=2.0, pure=10.0) == 50
    assert osu_percent(overall=40.0, compute=10.0, test=0.0, pure=10.0) == 0
    assert sharp_paper_percent(overall=40.0, compute=10.0, pure=10.0) == -200


def test_osu_means_over_ranks_and_imb_takes_the_slowest() -> None:
    pure = ((10, 10), (20, 20))
    work = ((10, 10), (20, 20))
    overlapped = ((10, 10), (40, 40))
    assert imb_of(pure, work, overlapped) == 0  # of the second rank
    assert osu_of(overlapped, work, ((0, 0), (0, 0)), pure) == pytest.approx(100 - 10 / 15 * 100)


DIFFERENT = Times(
    blocking=6.0, nonblocking=8.0, work=20.0, no_overlap=27.0, overlap=22.0, work_inside=25.0
)
"""No two alike, so that no symbol can stand for another."""


@pytest.mark.parametrize(
    ("found", "by_hand"),
    [
        (hidden_seconds(DIFFERENT), 6.0),  # 8 + 20 - 22
        (overlap_ratio(DIFFERENT), 0.75),  # 6 / 8
        (core_availability(DIFFERENT), 0.8),  # 20 / 25
        (speedup(DIFFERENT), 27 / 22),
        (speedup_bound(DIFFERENT), 1.3),  # (6 + 20) / 20
        (nonblocking_penalty(DIFFERENT), 8 / 6),
        # 100 - (22 - (16 - 2)) / 10 * 100
        (osu_percent(overall=22.0, compute=16.0, test=2.0, pure=10.0), 20.0),
        # 100 - (22 - 16) / 10 * 100
        (sharp_paper_percent(overall=22.0, compute=16.0, pure=10.0), 40.0),
        # 100 (10 + 16 - 22) / 16
        (imb_percent(pure=10.0, work=16.0, overlapped=22.0), 25.0),
    ],
)
def test_every_definition_where_all_symbols_differ(found: float, by_hand: float) -> None:
    assert found == pytest.approx(by_hand)


def test_definitions_of_many_repetitions_where_all_symbols_differ() -> None:
    """Two ranks, two repetitions; means by hand: overall 22, compute 16, tests 2, pure 10."""
    overall, compute = ((20, 22), (22, 24)), ((14, 16), (16, 18))
    test, pure = ((1, 1), (3, 3)), ((8, 10), (10, 12))
    assert osu_of(overall, compute, test, pure) == pytest.approx(20)
    assert sharp_paper_of(overall, compute, pure) == pytest.approx(40)
    # of the second rank: pure 11, work 17, together 23
    assert imb_of(pure, compute, overall) == pytest.approx(100 * (11 + 17 - 23) / 17)
