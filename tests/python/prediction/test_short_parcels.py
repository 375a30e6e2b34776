# SPDX-License-Identifier: Apache-2.0
"""Lengths with short parcels behind them: calls to come, and those that a run made."""

from collections.abc import Sequence

import pytest

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import LevelFacts, recorded_levels
from isobath.costmodel.switches import Switches
from isobath.costmodel.volumes import search_volumes
from isobath.prediction.calls import Layout
from isobath.prediction.instead import other_exchanges
from isobath.prediction.observed import Observed, observed_run
from isobath.prediction.upcoming import (
    ToCome,
    call_of,
    is_collective,
    tells_at_once,
    upcoming_calls,
)
from isobath.prediction.work import work_of
from isobath.records.codec import AnyRecord
from isobath.records.communication import CallCell, CallsRecord
from isobath.records.run_records import RunRecords
from records.examples import (
    RUN_ID,
    construction_record,
    level_record,
    run_record,
    search_record,
)

Cells = Sequence[tuple[str, str, str, int, int, int]]


def setting_of(scale: int, grid: Grid, plan: str = "hybrid", **changed: object) -> GraphSetting:
    return GraphSetting(scale, Switches.of(plan, **changed), Blocks.even(1 << scale, grid))


def levels_of(
    setting: GraphSetting, found: Sequence[int], *, bottom_up: int
) -> tuple[LevelFacts, ...]:
    return recorded_levels(
        ["bottom_up" if level >= bottom_up else "top_down" for level in range(len(found))],
        found,
        [None] * len(found),
        1.0,
        share_reaching=setting.share_reaching,
    )


def calls_to_come(setting: GraphSetting, found: Sequence[int], bottom_up: int = 9) -> list[ToCome]:
    grid = setting.blocks.grid
    levels = levels_of(setting, found, bottom_up=bottom_up)
    calls = list(upcoming_calls(setting, Layout(grid, (0,) * grid.size), levels))
    sent = sum(one.call.bytes_sent for one in calls) * grid.size
    assert sent == pytest.approx(search_volumes(setting, levels).bytes_sent)
    for one in calls:
        assert one.least_bytes <= one.call.bytes_sent <= one.most_bytes
    return calls


def named(calls: Sequence[ToCome], phase: str, level: int) -> list[str]:
    return [one.call.name for one in calls if (one.call.phase, one.call.level) == (phase, level)]


def test_it_is_one_collective_call_of_as_many_messages_as_there_are_others() -> None:
    assert is_collective("isend_all")
    setting = setting_of(16, Grid(4, 4))

    (hubs,) = [
        one.call for one in calls_to_come(setting, (1, 46, 7003, 500))
        if (one.call.phase, one.call.level) == ("hub_pass", 1)
    ]  # fmt: skip

    assert (hubs.name, hubs.along, hubs.calls, hubs.messages) == ("isend_all", "row", 1, 3)
    within, gap, byte, *_ = hubs.terms
    assert (within, gap, byte) == (1, 3, hubs.bytes_sent)


def test_long_pieces_follow_by_themselves() -> None:
    """A frontier of 16 ranks: of a few bytes each, then as bitmaps of 16 KiB."""
    calls = calls_to_come(setting_of(21, Grid(4, 4)), (1, 46, 900_000, 500), bottom_up=2)

    assert named(calls, "expand", 1) == ["isend_all"]
    assert named(calls, "expand", 2) == ["isend_all", "allgatherv"]
    lengths, pieces = (one for one in calls if (one.call.phase, one.call.level) == ("expand", 2))
    assert lengths.least_bytes == lengths.call.bytes_sent == lengths.most_bytes == 8 * 3
    assert (pieces.call.calls, pieces.call.messages) == (1, 3)
    assert pieces.call.piece > 4096


def test_a_fold_has_no_counts_and_long_parcels_are_messages() -> None:
    setting = setting_of(20, Grid(2, 4), "two-dim", exchange="eager")
    calls = calls_to_come(setting, (1, 46, 539_775, 500))

    assert not [one for one in calls if one.call.phase == "count"]
    assert named(calls, "fold", 0) == ["isend_all"]
    lengths, parcels = (
        one.call for one in calls if (one.call.phase, one.call.level) == ("fold", 2)
    )
    assert (lengths.name, lengths.bytes_sent) == ("isend_all", 24)
    assert (parcels.name, parcels.messages) == ("isend", 3)


def test_a_ring_that_lists_do_not_shorten_goes_after_the_lengths() -> None:
    few = calls_to_come(setting_of(16, Grid(4, 4)), (1, 3000, 60_000, 100), bottom_up=1)
    many = calls_to_come(setting_of(16, Grid(4, 4)), (1, 3000, 30_000, 9000), bottom_up=1)

    assert named(few, "rotate", 2) == ["isend_all"]
    assert named(many, "rotate", 1) == ["isend_all", "sendrecv"]
    ring = next(one.call for one in many if one.call.name == "sendrecv")
    assert ring.bytes_sent == pytest.approx(4 * (1 << 16) / 16 / 8)
    assert ring.messages == 4 * 2  # both halves


def test_in_large_groups_lengths_go_first() -> None:
    calls = calls_to_come(setting_of(20, Grid(1, 17)), (1, 3000, 60_000, 100), bottom_up=2)

    assert "isend_all" not in {one.call.name for one in calls}
    assert named(calls, "count", 0) == ["alltoall"]
    assert named(calls, "fold", 0) == ["alltoallv"]
    assert named(calls, "rotate", 2) == ["allgatherv", "sendrecv"]


@pytest.mark.parametrize(
    ("phase", "changed", "group", "at_once"),
    [
        ("fold", {}, 16, True),
        ("fold", {}, 17, False),
        ("fold", {"exchange": "alltoallv"}, 4, False),
        ("expand", {}, 4, True),
        ("emit", {}, 4, True),
        ("expand", {"frontier": "smaller"}, 4, False),
        ("expand", {"lengths_first": True}, 4, False),
        ("fold", {"lengths_first": True}, 4, True),
        ("hub_pass", {"frontier": "list"}, 4, True),
        ("rotate", {}, 4, True),
        ("rotate", {"hubs": "off"}, 4, False),
        ("reduce", {}, 16, True),
        ("reduce", {}, 17, False),
        ("reduce", {"lengths_first": True}, 4, False),
    ],
)
def test_who_tells_at_once(
    phase: str, changed: dict[str, object], group: int, at_once: bool
) -> None:
    assert tells_at_once(phase, Switches.of("hybrid", **changed), group) == at_once  # type: ignore[arg-type]


def test_what_else_travels_among_few_and_among_many() -> None:
    hybrid, two_dim = Switches.of("hybrid"), Switches.of("two-dim")

    assert other_exchanges(hybrid, 4) == ("alltoallv", "sparse")
    assert other_exchanges(hybrid, 17) == ("sparse",)
    assert other_exchanges(two_dim, 4) == ("eager", "alltoallv", "sparse")
    assert other_exchanges(two_dim, 17) == ("alltoallv", "sparse")
    assert other_exchanges(two_dim, 1) == other_exchanges(Switches.of("replicated-csr"), 4) == ()
    assert call_of("fold", hybrid, Grid(4, 17)) == ("alltoallv", "row")


def cell(phase: str, call: str, along: str, calls: int, messages: int, sent: int) -> CallCell:
    return CallCell.model_validate(
        {"level": 1, "phase": phase, "call": call, "communicator": along, "calls": calls,
         "messages": messages, "bytes_sent": sent, "bytes_received": sent, "off_node_bytes": 0,
         "kept_bytes": 0, "seconds_mean": 2e-6, "seconds_max": 3e-6, "wait_seconds_mean": 5e-7,
         "wait_seconds_max": 1e-6}
    )  # fmt: skip


def run_with(cells: Cells, exchange: str) -> Observed:
    usual = run_record()
    assert usual.switches is not None
    own = usual.switches.model_copy(update={"exchange": exchange, "hubs": "on"})
    first = usual.model_copy(
        update={
            "ranks": 4, "grid_rows": 2, "grid_cols": 2, "plan": "hybrid", "node_of_rank": (0,) * 4,
            "switches": own,
        }
    )  # fmt: skip
    told = CallsRecord(run_id=RUN_ID, search=0, cells=tuple(cell(*one) for one in cells))
    rows: list[AnyRecord] = [
        first, construction_record(), search_record(0), level_record(0, 1), told,
    ]  # fmt: skip
    return observed_run(RunRecords.of(rows))


NOW: Cells = [
    ("expand", "isend_all", "column", 4, 4, 200),
    ("expand", "allgatherv", "column", 2, 1, 6000),
    ("rotate", "isend_all", "row", 4, 4, 32),
    ("rotate", "sendrecv", "row", 8, 8, 512),
    ("fold", "isend_all", "row", 4, 4, 112),
    ("fold", "isend", "row", 1, 1, 5000),
    ("fold", "irecv", "row", 1, 0, 0),
    ("fold", "waitall", "row", 2, 0, 0),
]
BEFORE: Cells = [
    ("expand", "allgather", "column", 4, 4, 32),
    ("expand", "allgatherv", "column", 4, 4, 168),
    ("rotate", "allgather", "row", 4, 4, 32),
    ("rotate", "sendrecv", "row", 8, 8, 512),
    ("count", "alltoall", "row", 4, 4, 32),
    ("fold", "alltoallv", "row", 4, 2, 80),
]


def names_of(observed: Observed) -> dict[tuple[str, str], tuple[float, float, float]]:
    return {
        (one.call.phase, one.call.name): (one.call.calls, one.call.messages, one.call.bytes_sent)
        for one in observed.timed
    }


def test_what_a_run_called_is_named_as_what_is_to_come() -> None:
    observed = run_with(NOW, "eager")

    assert not observed.setting.switches.lengths_first
    assert names_of(observed) == {
        ("expand", "isend_all"): (1, 1, 50),
        ("expand", "allgatherv"): (1, 0.25, 1500),
        ("rotate", "isend_all"): (1, 1, 8),
        ("rotate", "sendrecv"): (1, 2, 128),
        ("fold", "isend_all"): (1, 1, 28),
        ("fold", "isend"): (1, 0.25, 1250),
    }
    seconds = {(one.call.phase, one.call.name): one.seconds for one in observed.timed}
    assert seconds["fold", "isend_all"] == pytest.approx(1.5e-6)
    assert seconds["fold", "isend"] == pytest.approx(3 * 1.5e-6)
    (work,) = work_of(observed, observed.searches[0])
    assert work.tuples == (112 - 32 + 5000) / 4 / 8  # without lengths


def test_runs_of_before_are_predicted_as_they_were() -> None:
    observed = run_with(BEFORE, "alltoallv")

    assert observed.setting.switches.lengths_first
    assert names_of(observed) == {
        ("expand", "allgatherv"): (2, 2, 50),
        ("rotate", "allgatherv"): (1, 1, 8),
        ("rotate", "sendrecv"): (1, 2, 128),
        ("count", "alltoall"): (1, 1, 8),
        ("fold", "alltoallv"): (1, 0.5, 20),
    }
    before = setting_of(16, Grid(2, 2), exchange="alltoallv", lengths_first=True)
    calls = calls_to_come(before, (1, 3000, 60_000, 100), bottom_up=1)
    assert "isend_all" not in {one.call.name for one in calls}
    assert named(calls, "expand", 1) == ["allgatherv"]
    ends = {
        one: Range(*(getattr(volume, name) for name in ("low_bytes", "bytes_sent", "high_bytes")))
        for one, at_once in (("now", False), ("before", True))
        for volume in search_volumes(
            setting_of(16, Grid(2, 2), lengths_first=at_once),
            levels_of(before, (1, 3000, 60_000, 100), bottom_up=1),
        ).of("rotate", level=1)
    }
    assert ends["now"].high > ends["before"].high  # lists that went in vain
    assert ends["now"].expected == ends["before"].expected


def test_runs_of_before_are_known_by_their_sums_too() -> None:
    """Where nothing was gathered: without hubs, on one grid row or with bitmaps."""
    before = [("reduce", "allreduce", "row", 4, 4, 64), ("reduce", "allreduce", "column", 4, 4, 64)]
    now = [("reduce", "isend_all", "row", 4, 4, 64), ("reduce", "isend_all", "column", 4, 4, 64)]

    assert run_with(before, "alltoallv").setting.switches.lengths_first
    assert not run_with(now, "eager").setting.switches.lengths_first
