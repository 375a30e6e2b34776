# SPDX-License-Identifier: Apache-2.0
"""What is advised where it can be said by hand what is best."""

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.prediction.advice import Choice, advise, choices, grids_of
from isobath.prediction.costs import Costs, fitted_costs
from isobath.prediction.network_file import network_of
from isobath.prediction.observed import nothing_run
from prediction.made_runs import made_run


def costs(byte_between: float, latency: float = 1e-9) -> Costs:
    network = network_of(
        {
            "source": "literature",
            "within": {"latency_seconds": 1e-9, "bytes_per_second": 1e12},
            "between": {"latency_seconds": latency, "bytes_per_second": 1 / byte_between},
        },
        "made.toml",
    )
    return fitted_costs((), "made", network.costs)


def test_what_sends_most_is_kept_in_nodes() -> None:
    """two-dim folds 50 times what it expands: rows belong on nodes, or the grid has no row."""
    runs = {"two-dim": made_run(Grid(4, 4), 4, scale=18)}

    advice = advise(runs, 18, 4, [4], {"two-dim": costs(1e-8)})

    by_choice = {str(one.choice): one for one in advice.ranked}
    rows = by_choice["two-dim 4x4, 4 a node, rows on nodes, exchange own"]
    columns = by_choice["two-dim 4x4, 4 a node, columns on nodes, exchange own"]
    assert rows.prediction.seconds < 0.2 * columns.prediction.seconds
    assert advice.usual is columns
    assert advice.ranked[0].change.high < 0
    assert sum(one.surely_best for one in advice.ranked) == pytest.approx(1)
    times = [one.prediction.seconds for one in advice.ranked]
    assert times == sorted(times)


def test_where_only_latency_counts_few_partners_are_best() -> None:
    runs = {"two-dim": nothing_run(20, "two-dim")}

    advice = advise(runs, 20, 64, [1], {"two-dim": costs(1e-15, latency=1e-3)})

    one_row = next(one for one in advice.ranked if one.choice.grid == Grid(1, 64))
    assert advice.ranked[0].prediction.seconds <= one_row.prediction.seconds
    assert all(piece.seconds == 0 for piece in one_row.prediction.pieces if not piece.call)


def test_every_choice_is_one_that_can_be() -> None:
    runs = {
        plan: nothing_run(16, plan) for plan in ("hybrid", "two-dim", "simple", "replicated-csc")
    }

    found = list(choices(runs, 4, [1, 4]))

    assert len(set(found)) == len(found)
    assert all(one.grid.size == 4 * one.per_node for one in found)
    assert all(one.grid.rows == 1 for one in found if one.plan == "simple")
    assert all(one.grid.cols == 1 for one in found if one.plan == "replicated-csc")
    assert all(one.mapping == "columns" for one in found if not one.is_mapped)
    assert Choice("two-dim", Grid(4, 4), 4, "rows", "sparse") in found


def test_the_plans_own_grid_is_always_looked_at() -> None:
    assert grids_of(Switches.of("hybrid"), 12)[0] == Grid(12, 1)
    assert Grid(1, 24) in grids_of(Switches.of("two-dim"), 24)


def test_what_would_make_it_surer_is_named() -> None:
    runs = {"two-dim": made_run(Grid(4, 4), 4, noise=0.3)}
    fitted = fitted_costs(runs["two-dim"].timed, "made")

    for each, words in ((4, "4 ranks on each"), (1, "1 rank on each")):
        advice = advise(runs, 16, 4, [each], {"two-dim": fitted})

        assert advice.to_measure
        assert all("%" in said and words in said for said in advice.to_measure)


def test_nothing_to_choose_from_is_said() -> None:
    runs = {"two-dim": made_run(Grid(2, 2), 4)}

    with pytest.raises(UsageError, match="give --network"):
        advise(runs, 16, 4, [4], {"two-dim": fitted_costs(runs["two-dim"].timed, "made")})


def test_algorithms_of_the_first_choice_are_advised() -> None:
    """Where only latency counts, doubling; where rounds are free nothing is gained over it."""
    runs = {"replicated-csc": nothing_run(24, "replicated-csc")}

    slow = advise(runs, 24, 16, [1], {"replicated-csc": costs(1e-15, latency=1e-3)})

    gathers = next(one for one in slow.algorithms if one.call == "allgatherv")
    assert gathers.taken == "ring"
    assert gathers.best in ("brucks", "recursive_doubling")
    assert gathers.outcome == "faster"
    # 15 rounds become 4: of the time of gathers, which have all but reductions.
    assert gathers.change.middle == pytest.approx(-11 / 15, abs=0.2)
    reductions = next(one for one in slow.algorithms if one.call == "allreduce")
    assert reductions.outcome == "as it is"
    assert reductions.change.middle == 0
