# SPDX-License-Identifier: Apache-2.0
"""Computation fitted to runs whose costs are known, and what it is not worse than."""

from dataclasses import replace

import numpy as np
import pytest

from isobath.costmodel.arcs import scanned_arcs
from isobath.costmodel.grid import Grid
from isobath.prediction.costs import fitted_costs
from isobath.prediction.machine import Machine
from isobath.prediction.observed import Observed
from isobath.prediction.predicted import Target, predict
from isobath.prediction.work import (
    TERMS,
    levels_of,
    scanned_over_expected,
    work_of,
    work_to_come,
)
from isobath.prediction.work_costs import FITTED, GROWING, NULL, work_costs
from prediction.made_runs import made_run

COSTS = dict(zip(TERMS, (2e-5, 0.0, 3e-9, 0.0, 5e-8, 0.0, 0.0), strict=True))
"""A tuple costs as much as sixteen arcs."""


def computed(run: Observed, growth: float = 1.0, noise: float = 0.0, seed: int = 1) -> Observed:
    """The run, computing what these costs say."""
    rng = np.random.default_rng(seed)
    vertices = run.setting.blocks.vertices_per_rank
    grown = growth ** np.log2(vertices / (1 << 12))
    factors = np.array([grown if term in GROWING else 1.0 for term in TERMS])
    searches = []
    for search in run.searches:
        sent = {one.call.level: one.call.bytes_sent / 16 for one in search.calls
                if one.call.phase == "fold"}  # fmt: skip
        levels = [replace(one, tuples=sent.get(one.level, 0.0)) for one in search.levels]
        whole = replace(search, levels=tuple(levels))
        rows = []
        for level, work in zip(levels, work_of(run, whole), strict=True):
            seconds = float(np.array(work.terms) @ (np.array(list(COSTS.values())) * factors))
            seconds *= float(np.exp(noise * rng.standard_normal()))
            rows.append(
                replace(level, computing=seconds, seconds=level.seconds - level.computing + seconds)
            )
        took = sum(row.seconds for row in rows)
        searches.append(replace(whole, levels=tuple(rows), seconds=took))
    return replace(run, searches=tuple(searches))


def computing(run: Observed) -> float:
    return sum(level.computing for level in run.searches[0].levels)


def said(start: Observed, target: Observed, *others: Observed) -> tuple[float, float, float]:
    """Predicted computation of the target's search: middle, and the ends of its interval."""
    calls = [one for run in (start, target, *others) for one in run.timed]
    wanted = Target(target.setting.scale, target.setting.switches, target.layout)
    costs = fitted_costs(calls, "made")
    found = predict(start, wanted, costs, work_costs([start, *others]))
    pieces = [one for one in found.pieces if one.phase == "computation"]
    draws = np.sum([piece.draws for piece in pieces], axis=0)
    low, high = np.quantile(draws, (0.05, 0.95))
    return sum(piece.seconds for piece in pieces), float(low), float(high)


def test_one_row_says_what_one_column_computes() -> None:
    """One row sends nearly all it scans and one column nothing: seconds of an arc differ tenfold,
    and from the one run of two grids each is told for a third.
    """
    row, column = computed(made_run(Grid(1, 8), 1)), computed(made_run(Grid(8, 1), 1))
    other = computed(made_run(Grid(2, 4), 1))
    assert computing(row) > 5 * computing(column)

    assert said(row, column, other)[0] == pytest.approx(computing(column), rel=0.1)
    assert said(column, row, other)[0] == pytest.approx(computing(row), rel=0.1)


def column(rows: int, *, scale: int = 14, seconds: float = 1.0) -> Observed:
    """One column on which a rank goes through 20 ns of the frontier and writes 40 ns for each it
    finds, beside 4 ns an arc. Args: seconds is a factor.
    """
    costs = dict(zip(TERMS, (1e-5, 0.0, 4e-9, 0.0, 0.0, 2e-8, 4e-8), strict=True))
    run = made_run(Grid(rows, 1), 1, scale=scale)
    searches = []
    for search in run.searches:
        rows_of = tuple(
            replace(level, computing=seconds * float(np.array(work.terms) @ list(costs.values())))
            for level, work in zip(search.levels, work_of(run, search), strict=True)
        )
        searches.append(replace(search, levels=rows_of))
    return replace(run, searches=tuple(searches))


def test_the_frontier_of_a_column_does_not_become_less_with_more_rows() -> None:
    """Two and four rows tell sixteen: an eighth of the arcs, all of the frontier."""
    two, four, sixteen = column(2), column(4), column(16)

    assert computing(sixteen) > 1.3 * computing(two) / 8
    assert said(four, sixteen, two)[0] == pytest.approx(computing(sixteen), rel=0.02)


def test_searches_that_hardly_compute_tell_little_of_those_that_do() -> None:
    """On rows of nodes what is taken for computation is mostly polling: 10 ms of each search, of
    1 s. One column computes most of its time, and is told as without them.
    """
    columns = [column(2), column(4)]
    polls = made_run(Grid(1, 4), 1, scale=14)
    noisy = replace(
        polls,
        searches=tuple(
            replace(
                search,
                levels=tuple(replace(level, computing=2e-3) for level in search.levels),
                calls=tuple(replace(one, seconds=1.0) for one in search.calls),
            )
            for search in polls.searches
        ),
    )

    found = work_costs([*columns, noisy])

    for run in (*columns, column(16)):
        told = sum(found.central_seconds(work) for work in work_of(run, run.searches[0]))
        assert told == pytest.approx(computing(run), rel=0.05)


def test_a_search_that_was_disturbed_counts_for_no_more() -> None:
    """One of three takes five times as long: its run counts by what the others take."""
    calm = [column(2), column(4)]
    slow = column(2, seconds=5.0).searches[0]
    disturbed = replace(calm[0], searches=(slow, *calm[0].searches[1:]))

    found, without = (work_costs([one, calm[1]]) for one in (disturbed, calm[0]))

    told, expected = (
        sum(costs.central_seconds(work) for work in work_of(calm[1], calm[1].searches[0]))
        for costs in (found, without)
    )
    assert told == pytest.approx(expected, rel=0.1)


def test_bottom_up_levels_of_another_scale_scan_as_those_of_the_run_did() -> None:
    """A run that scanned half of what is expected: another scale scans half of it, by level."""
    run = made_run(Grid(4, 1), 1, scale=14, plan="replicated-csr")
    levels = levels_of(run.setting, run.searches[0], run.setting.arcs)
    expected = [
        scanned_arcs(14, 16, level.arcs_before, level.arcs.expected) for level in levels
    ]  # fmt: skip
    rows = tuple(
        replace(level, arcs_scanned=round(scans / 2))
        for level, scans in zip(run.searches[0].levels, expected, strict=True)
    )
    halved = replace(run, searches=(replace(run.searches[0], levels=rows),))

    scanned = scanned_over_expected(halved)
    works = work_to_come(halved, levels, 14, 4, scanned)

    assert scanned == pytest.approx(0.5, rel=0.01)
    assert [work.arcs for work in works] == pytest.approx(
        [row.arcs_scanned / 4 for row in rows], abs=1
    )


def test_ranks_that_take_turns_take_as_many_times_as_long() -> None:
    """Two processors: measured with two ranks, told for eight."""
    machine = Machine(2, is_shared=True)
    few, many = (
        computed(replace(run, machine=machine, layout=machine.crowded(run.layout)))
        for run in (made_run(Grid(1, 2), 1), made_run(Grid(1, 8), 1))
    )
    assert many.layout.crowding == 4

    # Four times as many ranks have a quarter of the work each and wait for three others.
    assert said(few, many)[0] == pytest.approx(computing(many), rel=0.4)
    assert said(few, many)[1] < computing(many) < said(few, many)[2]


def test_growth_is_measured_where_runs_differ_in_size() -> None:
    """Three sizes, so that two are left to tell growth where one is left out."""
    small, middle, large, larger = (
        computed(made_run(Grid(2, 2), 1, scale=scale), growth=1.2) for scale in (10, 12, 14, 16)
    )

    found = work_costs([large, middle, small])

    assert found.form == FITTED
    assert found.growth == pytest.approx(1.2)
    assert said(large, larger, middle, small)[0] == pytest.approx(computing(larger), rel=0.1)
    assert work_costs([middle]).growth == pytest.approx(1.12)  # one size: the guess that is said


def test_what_tells_a_scale_left_out_worse_than_proportion_is_not_used() -> None:
    """Large levels take what arcs say; small ones noise of a hundredfold, in which a form of five
    costs finds levels that are not there.
    """
    runs = []
    for scale, seed in ((10, 1), (12, 2), (14, 3)):
        run = made_run(Grid(2, 2), 1, scale=scale, seed=seed)
        rows = tuple(
            replace(level, computing=1e-9 * level.arcs_scanned + (1e-3 if scale == 10 else 0.0))
            for level in run.searches[0].levels
        )
        runs.append(replace(run, searches=(replace(run.searches[0], levels=rows),)))

    assert work_costs([runs[2], runs[1], runs[0]]).form == NULL


def test_an_interval_is_as_wide_as_what_was_left_out_was_wrong() -> None:
    """Runs that scatter by 40 % a level: the interval holds what was made, and says why."""
    runs = [
        computed(made_run(Grid(2, 2), 1, scale=scale), noise=0.4, seed=scale)
        for scale in (12, 14, 16)
    ]
    exact = [computed(made_run(Grid(2, 2), 1, scale=scale)) for scale in (12, 14, 16)]

    wide, narrow = work_costs([runs[1], runs[0]]), work_costs([exact[1], exact[0]])
    middle, low, high = said(runs[1], runs[2], runs[0])

    assert wide.error > 2 * narrow.error
    assert "where a scale was left out" in wide.words
    assert low < computing(runs[2]) < high
    assert high - low > middle * wide.error


def test_one_search_leaves_nothing_out_and_says_so() -> None:
    alone = work_costs([computed(made_run(Grid(2, 2), 1, searches=1))])

    assert "nothing could be left out" in alone.words
    assert alone.error == pytest.approx(np.log(2))
    assert work_costs([replace(made_run(Grid(2, 2), 1), searches=())]).words.startswith("no run")


def test_computation_that_hardly_counts_is_hardly_wrong() -> None:
    """A thousandth of a search computes a hundred times as long in one of three searches."""
    run = made_run(Grid(2, 2), 1, scale=12)
    took = run.searches[0].seconds
    searches = [
        replace(
            search,
            levels=tuple(replace(level, computing=factor * 1e-5 * took) for level in search.levels),
        )
        for search, factor in zip(run.searches, (1.0, 1.0, 100.0), strict=True)
    ]

    assert work_costs([replace(run, searches=tuple(searches))]).error < 0.2
