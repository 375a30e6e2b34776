# SPDX-License-Identifier: Apache-2.0
"""Closed forms in the place of the walk: what is exact must be met, the rest lies in between."""

import pytest

from isobath.race.audit import Expected, Step, audit, differences
from isobath.race.audit_estimate import estimated_steps, why_no_estimate
from isobath.records.run import Switches
from isobath.records.run_records import RunRecords
from isobath.records.search import Direction
from race.audited_runs import level_of, run_of
from records import examples

FRONTIER = (1, 40, 30_000, 90_000, 900, 3)
ARCS = (40, 600_000, 20_000_000, 12_900_000, 9_000, 10)
PUBLISHED = Switches(
    exchange="own",
    duplicates="keep",
    ids=64,
    dedup="none",
    frontier="bitmap",
    fold="plain",
    relabel="off",
    leaves="in",
    streams="off",
    overlap="off",
    direction="top-down",
)


def run_on_grid(rows: int, cols: int, plan: str = "two-dim", **changes: object) -> RunRecords:
    """Six levels of a search of scale 20, without what they sent."""
    run = run_of(
        {},
        plan=plan,
        scale=20,
        grid_rows=rows,
        grid_cols=cols,
        ranks=rows * cols,
        **{"switches": PUBLISHED, "node_of_rank": None, **changes},
    )
    policy = run.run.switches is not None and run.run.switches.direction == "policy"
    ways: list[Direction] = [
        "bottom_up" if policy and 2 <= k <= 3 else "top_down" for k in range(6)
    ]
    levels = [
        level_of(level, {}).model_copy(
            update={
                "frontier_vertices": FRONTIER[level],
                "arcs_scanned": ARCS[level],
                "direction": ways[level],
            }
        )
        for level in range(6)
    ]
    built = examples.construction_record().model_copy(
        update={
            "stored_arcs": sum(ARCS),
            "searched_vertices": 481_813,
            "largest_component_edges": examples.search_record().traversed_edges,
        }
    )
    (search,) = run.timed_searches
    return RunRecords.of([run.run, built, *levels, search, *run.calls])


def steps_of(run: RunRecords) -> dict[Step, Expected]:
    assert why_no_estimate(run) == ""
    return estimated_steps(run)


def test_bitmaps_and_reductions_of_all_vertices_are_exact() -> None:
    found = steps_of(run_on_grid(4, 4))

    assert found[0, 2, "expand"] == Expected("a", 16 * 24_576)
    assert found[0, 2, "reduce"] == Expected("a", 16 * 15 * 8)


def test_the_replicated_plan_has_its_summary() -> None:
    assert steps_of(run_on_grid(16, 1, "replicated-csc"))[0, 2, "expand"] == Expected(
        "a", 16 * (122_880 + 1_920)
    )


def test_tuples_are_an_estimate_around_the_arcs_that_cross() -> None:
    fold = steps_of(run_on_grid(4, 4))[0, 2, "fold"]

    assert fold.audit_class == "c"
    assert fold.low is not None
    assert fold.high is not None
    assert fold.low < ARCS[2] * 3 / 4 * 16 < fold.high


def test_bitmaps_of_fewer_vertices_hold_however_these_are_spread() -> None:
    hybrid = examples.run_record().switches
    rotate = steps_of(run_on_grid(4, 4, "hybrid", switches=hybrid))[0, 2, "rotate"]

    # 481,813 vertices fill 942 units of 512 bits, and at most 15 more; each goes round 4 columns.
    assert (rotate.audit_class, rotate.low, rotate.high) == ("c", 4 * 942 * 64, 4 * 957 * 64)


def test_counts_and_reductions_stay_exact_for_any_plan() -> None:
    hybrid = examples.run_record().switches
    found = steps_of(run_on_grid(4, 4, "hybrid", switches=hybrid))

    assert found[0, 2, "count"] == Expected("a", 16 * 3 * 8)
    # 16 ranks, two numbers to three others in the row and to three in the column
    assert found[0, 4, "reduce"] == Expected("a", 16 * (3 + 3) * 16)
    assert (0, 5, "reduce") not in found  # the last level finds nothing and is not searched


def test_an_exact_step_that_differs_is_a_difference_an_estimate_is_not() -> None:
    run = run_on_grid(4, 4)
    wrong = differences(audit(run, steps_of(run)))

    assert wrong
    assert {one.phase for one in wrong} == {"expand", "reduce"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"switches": examples.run_record().switches, "beta": 25.0}, "policy"),
        ({"node_of_rank": (0, 0, 0, 1)}, "evenly"),
    ],
)
def test_what_closed_forms_cannot_tell(changes: dict[str, object], reason: str) -> None:
    plan = "two-dim" if "node_of_rank" in changes else "hybrid"

    assert reason in why_no_estimate(run_on_grid(1, 4, plan, **changes))
