# SPDX-License-Identifier: Apache-2.0
"""Computation fitted to runs whose costs are known, and what it is not worse than."""

from dataclasses import replace

import numpy as np
import pytest

from isobath.costmodel.grid import Grid
from isobath.prediction.costs import fitted_costs
from isobath.prediction.machine import Machine
from isobath.prediction.observed import Observed
from isobath.prediction.predicted import Target, predict
from isobath.prediction.work import TERMS, work_of
from isobath.prediction.work_costs import FITTED, NULL, work_costs
from prediction.made_runs import made_run

COSTS = dict(zip(TERMS, (2e-5, 0.0, 3e-9, 0.0, 5e-8), strict=True))
"""A tuple costs as much as sixteen arcs."""


def computed(run: Observed, growth: float = 1.0, noise: float = 0.0, seed: int = 1) -> Observed:
    """The run, computing what these costs say."""
    rng = np.random.default_rng(seed)
    vertices = run.setting.blocks.vertices_per_rank
    grown = growth ** np.log2(vertices / (1 << 12))
    factors = np.array([1.0, *([grown] * (len(TERMS) - 1))])
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
