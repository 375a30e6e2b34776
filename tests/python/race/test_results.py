# SPDX-License-Identifier: Apache-2.0
"""Estimates and comparisons of cells, against arithmetic by hand."""

from dataclasses import replace
from typing import Any

import pytest

from isobath.race.comparisons import changes, rate_ratio, reference_of
from isobath.race.plan import RaceCell, RacePlan
from isobath.race.results import CellResult, RaceResults
from isobath.records.run_records import RunRecords
from records import examples


def a_run(
    seconds: list[float],
    *,
    ranks: int = 1,
    bytes_sent: int = 0,
    first_root: int = 100,
    **of_run: Any,
) -> RunRecords:
    searches = [
        examples.search_record(index, seconds=took).model_copy(
            update={
                "root": first_root + index,
                "bytes_sent": bytes_sent * (index + 1),
                "bytes_received": None,
                "mpi_seconds_per_rank": None,
            }
        )
        for index, took in enumerate(seconds)
    ]
    run = examples.run_record().model_copy(update={"ranks": ranks, **of_run})
    return RunRecords.of([run, *searches, examples.finish_record(searches=len(searches))])


def a_cell(name: str, runs: list[RunRecords], group: str = "matrix", **factors: Any) -> CellResult:
    settings = {"plan": "simple", "ranks": 1, "grid": "1x1", "scale": 12, **factors}
    return CellResult.of_runs(
        runs,
        cell=RaceCell(
            cell=name,
            order=0,
            settings=settings,
            factors=factors,
            group=group,
            step=None,
        ),
    )


def a_race(cells: list[CellResult], reference: dict[str, Any] | None = None) -> RaceResults:
    factors: dict[str, dict[Any, None]] = {}
    for one in cells:
        assert one.cell is not None
        for name, value in one.cell.factors.items():
            factors.setdefault(name, {})[value] = None
    plan = RacePlan(
        base={},
        factors={name: tuple(values) for name, values in factors.items()},
        design="full",
        seed=1,
        repeats=1,
        keys=2,
        official=False,
        reference=reference or {},
        cells=tuple(one.cell for one in cells if one.cell),
    )
    return RaceResults("r", plan, tuple(cells))


def test_one_run_is_its_harmonic_mean_and_several_count_once_each() -> None:
    one = CellResult.of_runs([a_run([0.001, 0.003])])
    both = CellResult.of_runs([a_run([0.001, 0.003]), a_run([0.002, 0.002])])
    slower = CellResult.of_runs([a_run([0.001, 0.003]), a_run([0.004, 0.004])])

    assert one.teps is not None
    assert both.teps is not None
    assert slower.teps is not None
    assert one.teps.value == pytest.approx(65327 / 0.002)
    assert one.teps.count == 2
    assert both.teps.value == pytest.approx(one.teps.value)
    assert both.teps.standard_error == pytest.approx(0.0, abs=1.0)
    assert slower.teps.value == pytest.approx(65327 / 0.003)
    assert slower.teps_interval is not None
    assert slower.teps_interval.low < 65327 / 0.004


def test_bytes_are_per_search_rank_and_node() -> None:
    cell = CellResult.of_runs([a_run([0.001] * 3, ranks=4, bytes_sent=80, nodes=2)])

    assert cell.bytes_per_rank is not None
    assert cell.bytes_per_node is not None
    assert cell.bytes_per_rank.value == pytest.approx((80 + 160 + 240) / 3 / 4)
    assert cell.bytes_per_node.value == pytest.approx((80 + 160 + 240) / 3 / 2)
    assert cell.bytes_per_rank.standard_error == pytest.approx(20 / 3**0.5)
    assert cell.received_per_rank is None
    assert cell.mpi_share is None


def test_the_share_of_mpi_is_of_all_ranks_and_searches() -> None:
    run = a_run([0.002, 0.004], ranks=2)
    searches = tuple(
        search.model_copy(
            update={
                "seconds_per_rank": (search.seconds, search.seconds),
                "mpi_seconds_per_rank": (0.001, 0.0005),
                "bytes_received": 10,
            }
        )
        for search in run.searches
    )

    cell = CellResult.of_runs([replace(run, searches=searches)])

    assert cell.mpi_share == pytest.approx(0.003 / 0.012)
    assert cell.received_per_rank is not None
    assert cell.received_per_rank.value == 5


def test_a_ratio_is_paired_on_the_same_keys() -> None:
    slow, fast = a_cell("a", [a_run([0.002, 0.006])]), a_cell("b", [a_run([0.001, 0.003])])

    ratio = rate_ratio(fast, slow)

    assert ratio is not None
    assert ratio.value == pytest.approx(2.0)
    assert ratio.low == pytest.approx(2.0), "keys differ by three, the ratio does not differ at all"
    assert ratio.high == pytest.approx(2.0)
    assert ratio.change_percent == pytest.approx(100.0)
    elsewhere = rate_ratio(fast, a_cell("c", [a_run([0.002, 0.006], first_root=500)]))
    assert elsewhere is not None
    assert elsewhere.value == pytest.approx(2.0)
    assert elsewhere.high is not None
    assert elsewhere.high > 3
    assert elsewhere.low is not None
    assert 0 < elsewhere.low < 1, "of rates that differ so much the interval is wide, not negative"
    assert rate_ratio(fast, a_cell("d", [])) is None


def test_the_reference_of_a_cell_agrees_in_all_else() -> None:
    cells = [
        a_cell(f"{plan}-{ranks}-{mpi}", [a_run([0.001])], plan=plan, ranks=ranks, mpi=mpi)
        for plan in ("simple", "hybrid")
        for ranks in (1, 4)
        for mpi in ("a", "b")
    ]
    race = a_race(cells, reference={"plan": "simple"})

    for one in cells:
        found = reference_of(race, one)
        assert found is not None
        assert found.cell is not None
        assert one.cell is not None
        assert found.cell.cell == one.cell.cell.replace("hybrid", "simple")
    assert reference_of(a_race(cells), cells[0]) is None


def test_every_factor_of_two_values_has_its_changes_in_per_cent() -> None:
    cells = []
    for plan, ranks in (("simple", 1), ("hybrid", 1), ("two-dim", 4)):
        for link, took in (("qdr", 0.0116), ("fdr", 0.01)):
            run = a_run([took, took], oversubscribed=ranks == 4)
            cells.append(a_cell(f"{plan}-{link}", [run], plan=plan, ranks=ranks, transport=link))

    found = changes(a_race(cells))

    assert [(one.factor, one.second, one.first) for one in found] == [
        ("transport", "fdr", "qdr")
    ] * 3
    assert [one.others for one in found] == [
        {"plan": "simple", "ranks": 1},
        {"plan": "hybrid", "ranks": 1},
        {"plan": "two-dim", "ranks": 4},
    ]
    assert all(one.ratio.change_percent == pytest.approx(16.0) for one in found)
    assert [one.no_result for one in found] == [False, False, True]


def test_plans_are_compared_on_the_same_grid_where_grids_are_asked_for() -> None:
    cells = []
    for plan, took in (("two-dim", 0.02), ("hybrid", 0.01)):
        for grid, slower in (("1x4", 1), ("2x2", 2)):
            run = a_run([took * slower])
            cells.append(a_cell(f"{plan}-{grid}", [run], plan=plan, ranks=4, grid=grid))

    found = [one for one in changes(a_race(cells)) if one.factor == "plan"]

    assert [one.others["grid"] for one in found] == ["1x4", "2x2"]
    assert all(one.ratio.value == pytest.approx(2.0) for one in found)


def test_the_reference_has_the_same_grid_where_grids_are_asked_for() -> None:
    cells = [
        a_cell(f"{plan}-{grid}", [a_run([0.01])], plan=plan, ranks=4, grid=grid)
        for plan in ("two-dim", "hybrid")
        for grid in ("1x4", "2x2")
    ]
    race = a_race(cells, reference={"plan": "two-dim"})

    found = [reference_of(race, one) for one in race.matrix]

    assert [one.cell.cell for one in found if one and one.cell] == [
        *("two-dim-1x4", "two-dim-2x2", "two-dim-1x4", "two-dim-2x2"),
    ]


def test_cells_that_differ_in_more_than_is_told_are_not_compared() -> None:
    cells = [
        a_cell("one", [a_run([0.02])], plan="two-dim", ranks=4),
        a_cell("other", [a_run([0.04])], plan="two-dim", ranks=4),
        a_cell("ours", [a_run([0.01])], plan="hybrid", ranks=4),
    ]

    assert not changes(a_race(cells))


def test_of_three_values_all_are_compared_with_the_first() -> None:
    cells = [
        a_cell(way, [a_run([took])], plan="simple", ranks=2, transport=way)
        for way, took in (("shared-memory", 0.01), ("tcp", 0.02), ("slow", 0.04))
    ]

    found = changes(a_race(cells))

    assert [(one.second, one.first) for one in found] == [
        ("tcp", "shared-memory"),
        ("slow", "shared-memory"),
    ]


def test_ranks_are_compared_although_their_grids_and_threads_differ() -> None:
    cells = [
        a_cell("one", [a_run([0.004])], plan="simple", ranks=1, threads=2),
        a_cell("two", [a_run([0.002])], plan="simple", ranks=2, threads=1),
    ]

    (change,) = [one for one in changes(a_race(cells)) if one.factor == "ranks"]

    assert (change.first, change.second) == (1, 2)
    assert change.ratio.value == pytest.approx(2.0)
