# SPDX-License-Identifier: Apache-2.0
"""Schedules of runs and of closed forms: every byte and message of the ledger, or a sentence."""

from typing import Any

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.records.codec import AnyRecord
from isobath.records.communication import CallCell, CallsRecord, TrafficMatrixRecord
from isobath.records.run_records import RunRecords
from isobath.simulation.from_run import schedule_of_run
from isobath.simulation.from_volumes import Wanted, schedule_of_volumes
from isobath.simulation.schedule import MOST_UNITS, Parcel, Schedule, Step, Totals, unit_for
from records.examples import RUN_ID, level_record, run_record, search_record

RANKS, GRID = 4, Grid(2, 2)
ROW = ((0, 2), (1, 3))


def cell(phase: str, call: str, along: str, calls: int, messages: int, sent: int) -> CallCell:
    return CallCell.model_validate(
        {"level": 1, "phase": phase, "call": call, "communicator": along, "calls": calls,
         "messages": messages, "bytes_sent": sent, "bytes_received": sent, "off_node_bytes": 0,
         "kept_bytes": 0, "seconds_mean": 0.0, "seconds_max": 0.0, "wait_seconds_mean": 0.0,
         "wait_seconds_max": 0.0}
    )  # fmt: skip


def matrix(phase: str, told: dict[tuple[int, int], tuple[int, int]]) -> TrafficMatrixRecord:
    """By sender and receiver: bytes and messages."""
    rows = [[told.get((a, b), (0, 0)) for b in range(RANKS)] for a in range(RANKS)]
    return TrafficMatrixRecord(
        run_id=RUN_ID, part="search", phase=phase, kernel="bfs", search=0, level=1, ranks=RANKS,  # type: ignore[arg-type]
        unit="rank",
        bytes=tuple(tuple(one[0] for one in row) for row in rows),
        messages=tuple(tuple(one[1] for one in row) for row in rows),
    )  # fmt: skip


def run_of(cells: list[CallCell], *matrices: TrafficMatrixRecord, **run: Any) -> RunRecords:
    first = run_record().model_copy(
        update={"ranks": RANKS, "grid_rows": 2, "grid_cols": 2, "oversubscribed": False} | run
    )
    calls = CallsRecord(run_id=RUN_ID, search=0, cells=tuple(cells))
    rows: list[AnyRecord] = [first, search_record(0), level_record(0, 1), calls, *matrices]
    return RunRecords.of(rows)


def totals(schedule: Schedule) -> dict[tuple[str, str], Totals]:
    return {(key[1], key[2]): value for key, value in schedule.totals().items()}


def test_uneven_tuples_and_even_counts_are_those_of_the_ledger() -> None:
    told = {(0, 2): (5000, 2), (2, 0): (48, 1), (1, 3): (4096, 1)}
    cells = [
        cell("fold", "isend", "row", 8, 4, 9144),
        cell("fold", "irecv", "row", 8, 0, 0),
        cell("reduce", "allreduce", "world", 8, 24, 24 * 12),
    ]
    found = schedule_of_run(run_of(cells, matrix("fold", told)), computes=False)

    assert totals(found) == {
        ("fold", "isend"): Totals(8, 4, 9144),
        ("reduce", "allreduce"): Totals(8, 24, 288),
    }
    fold = found.steps[0]
    assert (fold.piece, fold.ends, fold.by_pair[0, 2]) == (4096, True, Parcel(5000, 2))
    assert "pair 0 2 5000 2" in found.text()


def test_counts_that_are_gathered_with_a_frontier_are_taken_out_of_its_matrix() -> None:
    column = {(0, 1): 100, (1, 0): 7, (2, 3): 0, (3, 2): 9}
    told = {pair: (size + 16, 2 if size else 1) for pair, size in column.items()}
    cells = [
        cell("expand", "allgather", "column", 4, 4, 4 * 16),
        cell("expand", "allgatherv", "column", 4, 3, 116),
    ]

    found = schedule_of_run(run_of(cells, matrix("expand", told)), computes=False)

    assert totals(found) == {
        ("expand", "allgather"): Totals(4, 4, 64),
        ("expand", "allgatherv"): Totals(4, 3, 116),
    }
    assert found.steps[1].by_rank == {0: Parcel(100), 1: Parcel(7), 3: Parcel(9)}


def test_short_parcels_with_their_lengths_are_told_from_long_ones() -> None:
    told = {(0, 2): (5008, 2), (2, 0): (108, 1), (1, 3): (8, 1), (3, 1): (4104, 1)}
    cells = [
        cell("fold", "isend_all", "row", 4, 4, 8 + 108 + 8 + 4104),
        cell("fold", "isend", "row", 1, 1, 5000),
        cell("fold", "irecv", "row", 1, 0, 0),
        cell("fold", "waitall", "row", 2, 0, 0),
    ]

    found = schedule_of_run(run_of(cells, matrix("fold", told)), computes=False)

    assert totals(found) == {
        ("fold", "isend_all"): Totals(4, 4, 4228),
        ("fold", "isend"): Totals(1, 1, 5000),
    }
    short, long = found.steps
    assert short.by_pair == {
        (0, 2): Parcel(8), (2, 0): Parcel(108), (1, 3): Parcel(8), (3, 1): Parcel(4104),
    }  # fmt: skip
    assert (long.by_pair, long.piece, long.ends) == ({(0, 2): Parcel(5000)}, 0, False)


def test_a_long_piece_is_gathered_after_the_short_ones() -> None:
    told = {(0, 1): (6008, 2), (1, 0): (20, 1), (2, 3): (8, 1), (3, 2): (9, 1)}
    cells = [
        cell("expand", "isend_all", "column", 4, 4, 8 + 20 + 8 + 9),
        cell("expand", "allgatherv", "column", 2, 1, 6000),
    ]

    found = schedule_of_run(run_of(cells, matrix("expand", told)), computes=False)

    assert [step.call for step in found.steps] == ["isend_all", "allgatherv"]
    assert found.steps[0].by_pair[0, 1] == Parcel(8)
    assert found.steps[1].by_rank == {0: Parcel(6000)}


def test_where_lists_went_in_vain_the_ring_is_what_is_left() -> None:
    """In the first row lists of 30 and 70 bytes went beside a ring of 128 and 256 bytes."""
    told = {(0, 2): (38 + 384, 3), (2, 0): (78 + 384, 3), (1, 3): (16, 1), (3, 1): (9, 1)}
    cells = [
        cell("rotate", "isend_all", "row", 4, 4, 38 + 78 + 16 + 9),
        cell("rotate", "sendrecv", "row", 4, 4, 2 * 384),
    ]

    found = schedule_of_run(run_of(cells, matrix("rotate", told)), computes=False)

    short, ring = found.steps
    assert short.by_pair == {
        (0, 2): Parcel(58), (2, 0): Parcel(58), (1, 3): Parcel(16), (3, 1): Parcel(9),
    }  # fmt: skip
    assert ring.by_pair == {(0, 2): Parcel(364, 2), (2, 0): Parcel(404, 2)}
    assert totals(found)["rotate", "sendrecv"] == Totals(4, 4, 768)


def test_a_level_computes_for_as_long_as_its_calls_did_not_take() -> None:
    cells = [cell("fold", "alltoallv", "row", 4, 1, 32)]
    records = run_of(cells, matrix("fold", {(0, 2): (32, 1)}))

    found = schedule_of_run(records)

    assert found.steps[0].call == "compute"
    assert found.steps[0].seconds == pytest.approx(level_record(0, 1).seconds)


@pytest.mark.parametrize(
    ("cells", "told", "sentence"),
    [
        ([cell("fold", "put", "row", 4, 4, 64)], {(0, 2): (64, 4)}, "calls put, which is not"),
        ([cell("fold", "isend", "other", 4, 4, 64)], {(0, 2): (64, 4)}, "ranks of a node"),
        ([cell("fold", "isend", "row", 4, 4, 64)], {(0, 1): (64, 4)}, "does not fit its calls"),
        ([cell("reduce", "allreduce", "world", 3, 9, 72)], {}, "equally often"),
        ([cell("reduce", "allreduce", "world", 4, 12, 73)], {}, "the same to everybody"),
        ([cell("fold", "isend", "row", 1, 1, 8), cell("fold", "alltoallv", "row", 4, 1, 8)],
         {(0, 2): (16, 2)}, "isend and alltoallv share fold of level 1"),
        ([cell("fold", "isend_all", "row", 4, 4, 32)], {(0, 2): (24, 2)}, "does not fit its calls"),
        ([cell("fold", "isend_all", "row", 4, 4, 32)], {(0, 2): (9, 1)}, "does not fit its calls"),
        ([cell("fold", "isend_all", "row", 4, 4, 32)], {(0, 1): (32, 1)}, "not fit its calls"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_by_name(
    cells: list[CallCell], told: dict[tuple[int, int], tuple[int, int]], sentence: str
) -> None:
    phase = str(cells[0].phase)
    with pytest.raises(UsageError, match=sentence):
        schedule_of_run(run_of(cells, matrix(phase, told)))


def test_runs_that_tell_too_little_are_refused() -> None:
    cells = [cell("fold", "isend", "row", 4, 1, 64)]
    with pytest.raises(UsageError, match="--peer-records"):
        schedule_of_run(run_of(cells))
    with pytest.raises(UsageError, match="sends nothing"):
        schedule_of_run(run_of(cells, matrix("fold", {}), ranks=1))
    with pytest.raises(UsageError, match="--search 9"):
        schedule_of_run(run_of(cells, matrix("fold", {(0, 2): (64, 1)})), 9)


@pytest.mark.parametrize("exchange", ["own", "eager", "alltoallv", "pairwise"])
def test_closed_forms_send_the_bytes_of_the_volumes(exchange: str) -> None:
    from isobath.costmodel.estimates import GraphSetting
    from isobath.costmodel.grid import Blocks
    from isobath.costmodel.levels import levels_from_profile
    from isobath.costmodel.volumes import search_volumes

    switches, grid = Switches.of("two-dim", exchange=exchange), Grid(4, 8)
    found = schedule_of_volumes(Wanted(18, switches, grid))
    levels = levels_from_profile(18, 1 << 18, direction="top-down")
    setting = GraphSetting(18, switches, Blocks.even(1 << 18, grid))
    wanted = search_volumes(setting, levels).by_phase()

    sent: dict[str, int] = {}
    for (_, phase, _, _), one in found.totals().items():
        sent[phase] = sent.get(phase, 0) + one.bytes_sent
    assert set(sent) == set(wanted)
    for phase, size in wanted.items():
        tuples = 16 * 224 * len(levels) if phase == "fold" else 0  # a tuple more for each pair
        assert size <= sent[phase] + 1 <= size + tuples + 1, phase


def test_closed_forms_play_short_and_long_parcels_by_their_own_calls() -> None:
    small, large = (
        schedule_of_volumes(Wanted(scale, Switches.of("two-dim", exchange="eager"), Grid(2, 4)))
        for scale in (6, 20)
    )

    assert {step.call for step in small.steps if step.phase == "fold"} == {"isend_all"}
    widest = max(
        step.level for step in large.steps if step.phase == "fold" and step.call == "isend"
    )
    short, long = (step for step in large.steps if (step.level, step.phase) == (widest, "fold"))
    assert (short.call, short.each, short.unit) == ("isend_all", Parcel(8), 1)
    assert (long.piece, long.ends, long.window) == (0, False, 0)
    assert long.each is not None
    assert long.each.units * long.unit > 4096
    assert long.each.messages == 1


def test_a_search_of_hundreds_of_nodes_fits_mpis_counts_and_is_put_together() -> None:
    found = schedule_of_volumes(Wanted(35, Switches.of("two-dim"), Grid(16, 32)))

    parcels = [one.each for one in found.steps if one.each is not None]
    assert all(one.units <= MOST_UNITS for one in parcels)
    assert any(note.startswith("COALESCED") for note in found.notes)
    assert any(note.startswith("COMMUNICATION ALONE") for note in found.notes)
    assert found.flows < 400_000
    assert unit_for([3 << 31], 8, 16) == 32


def test_what_is_put_together_is_cut_before_simgrid_dies_of_it() -> None:
    """4 GiB go to each of 3 others in a level; SimGrid 3.32 counts 2 to 4 GiB as less than none."""
    found = schedule_of_volumes(Wanted(29, Switches.of("two-dim"), Grid(4, 4)))

    sizes: dict[int, list[int]] = {}
    for step in found.steps:
        if step.call == "isend" and step.each is not None:
            assert step.each.messages <= 1
            sizes.setdefault(step.level, []).append(step.each.units * step.unit)
    assert max(map(sum, sizes.values())) > 1 << 31
    assert max(map(max, sizes.values())) <= 1 << 30
    assert all(len(parts) == 1 for parts in sizes.values() if sum(parts) <= 1 << 30)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (Wanted(99, Switches.of("two-dim"), Grid(2, 2)), "--scale 99"),
        (Wanted(20, Switches.of("two-dim"), Grid(1, 1)), "has 1 ranks"),
        (Wanted(2, Switches.of("two-dim"), Grid(4, 4)), "fewer vertices"),
        (Wanted(20, Switches.of("one-sided"), Grid(1, 4)), "which is not played"),
        (Wanted(20, Switches.of("two-dim", exchange="neighbour"), Grid(2, 2)), "not played"),
    ],
)
def test_searches_that_cannot_be_are_refused(wanted: Wanted, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        schedule_of_volumes(wanted)


def test_nothing_to_send_is_nothing_to_simulate() -> None:
    with pytest.raises(UsageError, match="nothing is sent"):
        Schedule(GRID, (Step(0, "fold", "compute", seconds=1.0),))
    with pytest.raises(ValueError, match="0 units are not 1 messages"):
        Parcel(0, 1)
