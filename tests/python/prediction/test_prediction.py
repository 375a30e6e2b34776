# SPDX-License-Identifier: Apache-2.0
"""Predictions of runs whose times are known by construction."""

import re
from dataclasses import replace

import numpy as np
import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.prediction.budget import error_budget
from isobath.prediction.calls import TURN, Layout
from isobath.prediction.costs import DRAWS, Costs, fitted_costs
from isobath.prediction.instead import what_ifs
from isobath.prediction.machine import Machine
from isobath.prediction.network_file import network_of
from isobath.prediction.observed import Observed
from isobath.prediction.predicted import Target, _drawn_medians, _middle, predict
from isobath.prediction.work_costs import work_costs
from prediction.made_runs import ARC_SECONDS, COSTS, LEVEL_SECONDS, made_run

TOLD = {
    "name": "made",
    "source": "literature",
    "within": {"latency_seconds": 1e-6, "gap_seconds": 2e-7, "bytes_per_second": 1e9},
    "between": {"latency_seconds": 2e-5, "gap_seconds": 1e-6, "bytes_per_second": 1e8},
}


def told() -> Costs:
    network = network_of(TOLD, "made.toml")
    return fitted_costs((), network.name, network.costs)


def test_a_run_is_predicted_as_it_was() -> None:
    observed = made_run(Grid(4, 4), 4)
    target = Target(16, observed.setting.switches, observed.layout)

    found = predict(observed, target, told())

    assert found.seconds == pytest.approx(observed.seconds, rel=0.01)
    assert found.gteps.middle == pytest.approx(observed.edges / observed.seconds / 1e9, rel=0.01)
    assert found.gteps.low <= found.gteps.middle <= found.gteps.high
    levels = {piece.level: piece for piece in found.pieces if piece.phase == "computation"}
    arcs = observed.searches[0].levels[1].arcs_scanned
    assert levels[1].seconds == pytest.approx(LEVEL_SECONDS + ARC_SECONDS * arcs / 16, rel=0.01)


def test_sums_along_rows_and_along_columns_are_two_kinds_of_calls() -> None:
    """Of two searches that are alike the mean is one of them, call by call."""
    observed = made_run(Grid(2, 4), 4, plan="hybrid", searches=2)
    levels = len(observed.searches[0].levels) - 1  # the last is not searched

    sums = [one.call for one in observed.timed if one.call.phase == "reduce"]

    assert len(sums) == 2 * levels
    assert {(call.along, call.group.size) for call in sums} == {("row", 4), ("column", 2)}
    assert {call.bytes_sent for call in sums} == {24 * 3, 24 * 1}
    took = sum(one.seconds for one in observed.searches[0].calls)
    assert sum(one.seconds for one in observed.timed) == pytest.approx(took)


def test_more_ranks_and_nodes_are_predicted_from_costs_that_were_fitted() -> None:
    """Fitted on 16 ranks of 4 nodes and 8 of 2; predicted and made on 64 of 16."""
    small = made_run(Grid(4, 4), 4, noise=0.02)
    other = made_run(Grid(2, 4), 4, noise=0.02, seed=2)
    larger = made_run(Grid(8, 8), 4)
    costs = fitted_costs((*small.timed, *other.timed), "both")

    found = predict(small, Target(16, small.setting.switches, larger.layout), costs)

    assert found.seconds == pytest.approx(larger.seconds, rel=0.2)
    assert found.spread.low <= found.seconds <= found.spread.high


def test_another_scale_has_other_levels() -> None:
    small, larger = made_run(Grid(4, 4), 4), made_run(Grid(4, 4), 4, scale=18)

    found = predict(small, Target(18, small.setting.switches, small.layout), told())

    computing = sum(one.seconds for one in found.pieces if one.phase == "computation")
    took = sum(level.computing for level in larger.searches[0].levels)
    # Two scales more: an arc takes 12 % more at each, as is said.
    assert took < computing < 1.12**2 * took * 1.05
    calls = sum(one.seconds for one in found.pieces if one.call)
    assert calls == pytest.approx(sum(one.seconds for one in larger.searches[0].calls), rel=0.05)


def test_the_three_bars_add_up_and_each_error_is_in_its_own() -> None:
    """All calls take twice what the network file tells: that is the cost model's bar."""
    measured = made_run(Grid(4, 4), 4, slower=2.0)
    target = Target(16, measured.setting.switches, measured.layout)
    prediction = predict(measured, target, told())

    budget = error_budget(prediction, measured, told())

    took = sum(one.seconds for one in measured.searches[0].calls)
    assert budget.volume + budget.cost_model + budget.application == pytest.approx(budget.error)
    assert budget.cost_model == pytest.approx(-took / 2, rel=1e-6)
    assert abs(budget.volume) < 0.02 * took
    assert abs(budget.application) < 0.02 * measured.seconds


def test_bytes_that_were_not_sent_are_the_volume_models() -> None:
    whole = made_run(Grid(4, 4), 4)
    halved = [
        replace(
            search,
            calls=tuple(
                replace(one, call=replace(one.call, bytes_sent=one.call.bytes_sent / 2))
                if one.call.phase == "fold"
                else one
                for one in search.calls
            ),
        )
        for search in whole.searches
    ]
    measured = replace(whole, searches=tuple(halved))
    prediction = predict(whole, Target(16, whole.setting.switches, whole.layout), told())

    budget = error_budget(prediction, measured, told())

    folded = sum(p.call.bytes_sent for p in whole.searches[0].calls if p.call.phase == "fold")
    assert budget.volume > 0
    assert budget.cost_model < 0
    assert folded > 0


def test_another_measurement_is_refused() -> None:
    observed, other = made_run(Grid(4, 4), 4), made_run(Grid(2, 8), 4)
    prediction = predict(observed, Target(16, observed.setting.switches, observed.layout), told())

    with pytest.raises(UsageError, match="on 2x8 over 4 nodes; predicted was"):
        error_budget(prediction, other, told())


def test_a_measurement_under_other_algorithms_is_refused() -> None:
    observed = made_run(Grid(4, 4), 4)
    forced = replace(observed, forced={"allgatherv": "ring"})
    prediction = predict(observed, Target(16, observed.setting.switches, observed.layout), told())

    with pytest.raises(UsageError, match="with the same switches, algorithms"):
        error_budget(prediction, forced, told())


def test_one_disturbed_search_is_not_what_was_measured() -> None:
    """The median of three: a search of ten times as long moves neither it nor the bars."""
    whole = made_run(Grid(4, 4), 4)
    first, *others = whole.searches
    slow = replace(
        first,
        seconds=10 * first.seconds,
        calls=tuple(replace(one, seconds=10 * one.seconds) for one in first.calls),
    )
    measured = replace(whole, searches=(slow, *others))
    target = Target(16, whole.setting.switches, whole.layout)

    budget = error_budget(predict(whole, target, told()), measured, told())

    assert measured.seconds == whole.seconds
    assert abs(budget.error) < 0.01 * whole.seconds
    assert abs(budget.cost_model) < 0.01 * whole.seconds


def test_what_ifs_are_told_where_they_can_be() -> None:
    """Between nodes a byte costs ten times as much: one row, which sends most, is slower."""
    observed = made_run(Grid(4, 4), 4)
    base = predict(observed, Target(16, observed.setting.switches, observed.layout), told())
    slower = network_of(
        TOLD | {"between": {"latency_seconds": 1e-3, "bytes_per_second": 1e7}}, "slow.toml"
    )
    offload = network_of(
        TOLD | {"offload": {"host_seconds": 1e-9, "hop_seconds": 1e-9, "piece_seconds": 1e-9}},
        "off.toml",
    )

    found = {
        one.name: one
        for one in what_ifs(
            observed,
            base,
            told(),
            [
                (slower, fitted_costs((), "slow", slower.costs)),
                (offload, fitted_costs((), "off", offload.costs)),
            ],
        )
    }

    assert found["network made"].outcome in ("faster", "slower", "cannot tell")
    assert found["grid 1x16 instead of 4x4"].outcome == "slower"
    assert found["reductions offloaded, as made tells"].outcome == "faster"
    slow = predict(observed, base.target, fitted_costs((), "slow", slower.costs))
    assert slow.seconds > 2 * base.seconds


def test_without_an_offload_only_a_bound_is_told() -> None:
    observed = made_run(Grid(2, 2), 2)
    base = predict(observed, Target(16, observed.setting.switches, observed.layout), told())

    (bound,) = (one for one in what_ifs(observed, base, told()) if "offloaded" in one.name)

    assert bound.outcome == "cannot tell"
    assert "at most" in bound.why_not


def test_sums_that_ranks_add_up_are_not_offloaded() -> None:
    """``hybrid`` in rows and columns of few ranks."""
    observed = made_run(Grid(2, 2), 1, plan="hybrid")
    costs = {"host_seconds": 1e-9, "hop_seconds": 1e-9, "piece_seconds": 1e-9}
    offload = network_of(TOLD | {"offload": costs}, "off.toml").offload
    target = Target(16, observed.setting.switches, observed.layout)
    base = predict(observed, target, told())

    assert predict(observed, replace(target, offload=offload), told()).seconds == base.seconds
    (bound,) = (one for one in what_ifs(observed, base, told()) if "offloaded" in one.name)
    assert bound.why_not.endswith("which no switch does for them")


def test_costs_that_are_known_are_found_again() -> None:
    runs = [made_run(Grid(r, c), 4, noise=0.03) for r, c in ((2, 4), (4, 4), (2, 8), (8, 8))]

    costs = fitted_costs([one for run in runs for one in run.timed], "made")

    calls = [one for run in runs for one in run.timed]
    off = [abs(np.log(costs.of(one.call).seconds(one.call) / one.seconds)) for one in calls]
    assert float(np.median(off)) < 0.05
    assert costs.by_call["isend"].central[5] == pytest.approx(COSTS[5], rel=0.1)


def test_turns_are_told_from_latency_where_runs_are_crowded_differently() -> None:
    """Two processors: on 2 nodes nobody takes turns, on 4 and 8 two and four do."""
    machine, turn = Machine(2, is_shared=True), 7e-6
    costs = COSTS.copy()
    costs[TURN] = turn
    runs = []
    for side in (2, 4, 8):
        plain = made_run(Grid(1, side), 1, plan="simple", costs=costs)
        layout = machine.crowded(plain.layout)
        runs.append(made_run(Grid(1, side), 1, plan="simple", costs=costs, layout=layout))

    several = fitted_costs([one for run in runs for one in run.timed], "made")
    alone = fitted_costs(runs[2].timed, "made").by_call["allreduce"]

    assert several.by_call["allreduce"].central[TURN] == pytest.approx(turn, rel=0.05)
    latency = COSTS[3] + 3 * turn  # eight ranks alone: each round with the turns of three others
    assert alone.central[TURN] == 0
    assert alone.central[3] == pytest.approx(latency, rel=0.2)


def test_the_median_of_the_searches_is_predicted_not_their_mean() -> None:
    """Of five searches, one of which takes ten times as long, the third."""
    plain = made_run(Grid(4, 4), 4, searches=5)
    searches = []
    for number, search in enumerate(plain.searches):
        factor = (1.0, 1.1, 1.2, 1.3, 10.0)[number]
        levels = tuple(
            replace(one, arcs_scanned=round(one.arcs_scanned * factor)) for one in search.levels
        )
        searches.append(replace(search, levels=levels))
    observed = replace(plain, searches=tuple(searches))
    target = Target(16, observed.setting.switches, observed.layout)
    works = work_costs([plain])

    median = predict(observed, target, told(), works)
    third = predict(replace(observed, searches=(searches[2],)), target, told(), works)

    assert median.seconds == pytest.approx(third.seconds)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 9, 11, 12, 28, 64])
def test_searches_in_the_middle_stand_evenly_about_the_median(number: int) -> None:
    seconds = np.random.default_rng(number).permutation(number).astype(float)

    middle = _middle(seconds.tolist())

    assert np.mean(seconds[middle]) == np.median(seconds)
    assert len(middle) <= max(2, number // 4 + 1)


def test_at_another_scale_few_keys_scatter_more_than_many() -> None:
    """The median of four searches is one of a wider range than that of sixty-four."""
    few, many = (made_run(Grid(4, 4), 4, plan="hybrid", searches=n) for n in (4, 64))
    target = Target(18, few.setting.switches, few.layout)
    known = work_costs([few])
    works = replace(known, error=0.0, growth_draws=np.full(DRAWS, known.growth))

    found = [predict(run, target, told(), works) for run in (few, many)]

    widths = [spread.high - spread.low for spread in (one.spread for one in found)]
    assert widths[0] > widths[1]
    assert found[0].seconds == pytest.approx(found[1].seconds, rel=1e-6)
    roots = np.exp(np.random.default_rng(5).standard_normal(28)).tolist()
    of_few, of_many = (np.std(np.log(_drawn_medians(roots, n))) for n in (4, 64))
    assert of_few > 2.5 * of_many


def waiting_for_the_slowest(ranks: int) -> Observed:
    """A run whose ranks wait half as long as they compute, for each doubling of them."""
    plain = made_run(Grid(1, ranks), 1)
    searches = tuple(
        replace(
            one,
            levels=tuple(
                replace(level, waiting=0.5 * np.log2(ranks) * level.computing)
                for level in one.levels
            ),
        )
        for one in plain.searches
    )
    return replace(plain, searches=searches)


def test_waiting_grows_with_each_doubling_of_ranks() -> None:
    runs = [waiting_for_the_slowest(ranks) for ranks in (2, 4, 8)]
    works = work_costs(runs)
    target = Target(16, runs[0].setting.switches, Layout.even(Grid(1, 16), 1))

    parts = predict(runs[1], target, told(), works).by(lambda piece: piece.phase)

    assert works.waiting.tolist() == pytest.approx([0.5, 0.0], abs=0.02)
    assert parts["waiting"].middle == pytest.approx(2 * parts["computation"].middle, rel=0.05)


def test_runs_of_one_rank_do_not_tell_waiting_and_that_is_no_zero() -> None:
    """Of one rank none is to come; one run of several tells it."""
    alone, several = made_run(Grid(1, 1), 1), waiting_for_the_slowest(4)
    target = Target(16, alone.setting.switches, Layout.even(Grid(1, 8), 1))
    own = Target(16, alone.setting.switches, alone.layout)

    unknown = predict(alone, target, told())
    known = predict(alone, target, told(), work_costs([alone, several]))
    of_one = predict(alone, own, told())

    assert unknown.unknown == ("waiting",)
    assert "waiting" not in {piece.phase for piece in unknown.pieces}
    assert (known.unknown, of_one.unknown) == ((), ())
    waiting = sum(piece.seconds for piece in known.pieces if piece.phase == "waiting")
    assert waiting > 0
    assert {piece.seconds for piece in of_one.pieces if piece.phase == "waiting"} == {0.0}


def test_ranks_that_take_turns_where_none_did_have_a_banner() -> None:
    observed = replace(made_run(Grid(1, 2), 1), machine=Machine(2, is_shared=True))
    many = Target(16, observed.setting.switches, Layout.even(Grid(1, 8), 1))
    costs = fitted_costs(observed.timed, "made")

    assert any("4 threads that take turns" in words for words in predict(observed, many, costs).far)
    same = replace(many, layout=observed.layout)
    assert not any("take turns" in words for words in predict(observed, same, costs).far)


def test_costs_between_nodes_are_not_made_up() -> None:
    """Measured within a node alone, asked for four nodes."""
    observed = made_run(Grid(2, 2), 4)
    target = Target(16, Switches.of("two-dim"), Layout.even(Grid(4, 4), 4))

    with pytest.raises(UsageError, match=r"latency between nodes\); give --network"):
        predict(observed, target, fitted_costs(observed.timed, "made"))


def test_far_beyond_what_was_measured_there_is_a_banner() -> None:
    observed = made_run(Grid(2, 2), 1)
    costs = fitted_costs(observed.timed, "made")
    near = Target(16, observed.setting.switches, Layout.even(Grid(4, 4), 1))
    far = Target(16, observed.setting.switches, Layout.even(Grid(8, 8), 1))

    assert not any("ranks" in words for words in predict(observed, near, costs).far)
    assert any("allreduce of 64 ranks" in one for one in predict(observed, far, costs).far)


def test_a_file_reaches_as_far_as_the_run_had_calls() -> None:
    """Told costs were fitted to nothing here: 4 to 1,024 ranks and scale 16 to 35 are far."""
    observed = made_run(Grid(2, 2), 1)
    switches = observed.setting.switches
    same = Target(16, switches, observed.layout)
    near = Target(16, switches, Layout.even(Grid(4, 4), 1))
    far = Target(35, switches, Layout.even(Grid(32, 32), 1))

    assert predict(observed, same, told()).far == ()
    assert predict(observed, near, told()).far == ()
    said = "; ".join(predict(observed, far, told()).far)
    assert "allreduce of 1,024 ranks, made had 4" in said
    assert "allgatherv of 32 ranks, made had 2" in said
    assert re.search(r"isend of [\d,]{9,} bytes a rank, made had", said)


def test_computation_far_beyond_the_runs_has_a_banner_too() -> None:
    observed = made_run(Grid(2, 2), 1)
    switches = observed.setting.switches

    more = predict(observed, Target(19, switches, observed.layout), told()).far
    fewer = predict(observed, Target(16, switches, Layout.even(Grid(4, 8), 1)), told()).far

    assert "computation of 131,072 vertices a rank, the run had 16,384" in more
    assert any("arcs a rank, the run had" in words for words in more)
    assert "computation of 2,048 vertices a rank, the run had 16,384" in fewer
    assert "computation and waiting of 32 ranks, the run had 4" in fewer


def test_calls_of_every_search_are_looked_at() -> None:
    """The second search alone has a level that sends more than ten times as much."""
    observed = made_run(Grid(2, 2), 1, searches=2)
    costs = fitted_costs(observed.timed, "made")
    target = Target(16, observed.setting.switches, observed.layout)
    assert not predict(observed, target, costs).far
    reach = dict(costs.by_call)
    first, second = observed.searches
    levels = tuple(
        replace(level, arcs_scanned=level.arcs_scanned // 100) if level.level else level
        for level in first.levels
    )
    small = replace(observed, searches=(replace(first, levels=levels), second))
    reach["isend"] = replace(reach["isend"], most_bytes=reach["isend"].most_bytes / 10)

    found = predict(small, target, replace(costs, by_call=reach)).far

    assert any("isend of" in words for words in found), found


def test_calls_that_were_never_run_rest_on_the_file_alone() -> None:
    observed = made_run(Grid(1, 1), 1)
    target = Target(16, observed.setting.switches, Layout.even(Grid(2, 2), 1))

    found = predict(observed, target, told()).far

    assert any("allreduce: made (literature) tells its costs" in words for words in found)


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({}, "say where its numbers come from"),
        ({"source": "literature"}, "tells no cost"),
        ({"source": "literature", "colour": 1}, "there is no colour"),
        ({"source": "measured", "within": {"latency_seconds": 1e-6}}, "needs latency_seconds and"),
        ({"source": "measured", "within": 3}, r"within is a table; write \[within\]"),
        (
            {"source": "measured", "within": {"latency_seconds": [3, 2, 1], "bytes_per_second": 1}},
            "three from low to high",
        ),
        (
            {"source": "measured", "within": {"latency_seconds": "x", "bytes_per_second": 1}},
            "one number, or three",
        ),
        (
            {"source": "measured", "within": {"latency_seconds": 0, "bytes_per_second": 0}},
            "is above 0",
        ),
        (TOLD | {"offload": {"host_seconds": 1}}, r"\[offload\] needs host_seconds"),
    ],
)
def test_what_is_no_network_is_said_in_a_sentence(tables: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        network_of(tables, "bad.toml")
