# SPDX-License-Identifier: Apache-2.0
"""Schedules of serial walks: by hand; against a real run in tests/system/test_skeleton.py."""

import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import EnvironmentProblem, ExitCode, InternalError, UsageError
from isobath.kinds.simulate import walked as walked_search
from isobath.kinds.simulate.walked import walked_schedule, walked_steps
from isobath.simulation.from_volumes import Wanted
from isobath.simulation.from_walk import WalkedStep, schedule_of_walk
from isobath.simulation.schedule import Parcel

TWO_DIM = Wanted(9, Switches.of("two-dim"), Grid(2, 3))


def test_what_a_rank_sends_along_its_row_is_shared_out_and_none_is_lost() -> None:
    """Seven tuples of rank 1 to its row, ranks 1, 3 and 5; one of rank 4 to 0, which follows it."""
    walked = [WalkedStep(2, "fold", (0, 7 * 16, 0, 0, 16, 0))]

    (fold,) = schedule_of_walk(TWO_DIM, 5, walked).steps

    assert (fold.call, fold.along, fold.unit, fold.piece, fold.ends) == (
        "isend", "row", 16, 256, True,
    )  # fmt: skip
    assert fold.by_pair == {(1, 3): Parcel(4, 1), (1, 5): Parcel(3, 1), (4, 0): Parcel(1, 1)}


def test_long_messages_are_cut_as_the_engine_cuts_them() -> None:
    wanted = replace(TWO_DIM, grid=Grid(1, 2))

    (fold,) = schedule_of_walk(wanted, 5, [WalkedStep(0, "fold", (16 * 257, 0))]).steps

    assert fold.by_pair == {(0, 1): Parcel(257, 2)}


def test_too_many_messages_are_put_together_and_that_is_said() -> None:
    wanted = replace(TWO_DIM, grid=Grid(1, 2), most_messages=1)

    found = schedule_of_walk(wanted, 5, [WalkedStep(0, "fold", (16 * 257, 0))])

    assert found.steps[0].by_pair == {(0, 1): Parcel(257, 1)}
    assert (found.steps[0].piece, found.steps[0].window, found.steps[0].ends) == (0, 2, False)
    assert any(note.startswith("COALESCED: its 2 messages") for note in found.notes)


def test_an_eager_exchange_sends_short_parcels_with_their_lengths() -> None:
    """Of 513 tuples of rank 0, 256 are short and 257 are not; nobody else has any."""
    wanted = replace(TWO_DIM, switches=Switches.of("two-dim", exchange="eager"))
    walked = [WalkedStep(2, "fold", (2 * 8 + 513 * 16, *[2 * 8] * 5))]

    found = schedule_of_walk(wanted, 5, walked)

    short, long = found.steps
    assert (short.call, short.along, long.call, long.along) == ("isend_all", "row", "isend", "row")
    assert long.by_pair == {(0, 2): Parcel(257 * 16)}
    alone = {pair: parcel for pair, parcel in short.by_pair.items() if parcel != Parcel(8)}
    assert alone == {(0, 4): Parcel(8 + 256 * 16)}
    assert len(short.by_pair) == 12
    assert (long.piece, long.ends) == (0, False)


def test_in_a_long_row_an_eager_exchange_is_an_alltoallv() -> None:
    switches = Switches.of("two-dim", exchange="eager")
    wanted = replace(TWO_DIM, switches=switches, grid=Grid(1, 17))

    (fold,) = schedule_of_walk(wanted, 5, [WalkedStep(0, "fold", (160, *[0] * 16))]).steps

    assert (fold.call, fold.unit) == ("alltoallv", 16)
    assert len(fold.by_pair) == 10


def test_gathers_and_sums_are_what_each_gives_to_all_others() -> None:
    """A column has two ranks, the world six. Where nobody has a tuple, ranks fold all the same."""
    walked = [
        WalkedStep(1, "expand", (8, 8, 8, 8, 4, 4)),
        WalkedStep(1, "reduce", (40,) * 6),
        WalkedStep(2, "reduce", (40,) * 6),
    ]

    steps = schedule_of_walk(TWO_DIM, 5, walked).steps

    assert [(step.level, step.phase, step.call, step.along) for step in steps] == [
        (1, "expand", "allgatherv", "column"), (1, "fold", "isend", "row"),
        (1, "reduce", "allreduce", "world"), (2, "fold", "isend", "row"),
        (2, "reduce", "allreduce", "world"),
    ]  # fmt: skip
    assert steps[0].by_rank == {rank: Parcel(8 if rank < 4 else 4) for rank in range(6)}
    assert steps[2].each == Parcel(8)
    assert steps[1].by_pair == {}


def test_a_replicated_frontier_is_gathered_with_its_summary() -> None:
    wanted = Wanted(9, Switches.of("replicated-csr"), Grid(4, 1))

    found = schedule_of_walk(wanted, 5, [WalkedStep(1, "expand", (216,) * 4)])

    assert [step.by_rank[0] for step in found.steps] == [Parcel(36), Parcel(36)]
    assert found.totals()[1, "expand", "allgatherv", "world"].bytes_sent == 4 * 216


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (replace(TWO_DIM, scale=99), "--scale 99 is no scale"),
        (replace(TWO_DIM, scale=2), "fewer vertices than 6 ranks"),
        (replace(TWO_DIM, scale=21), "scale 21 is walked nowhere, 20 is the largest"),
        (replace(TWO_DIM, arcs_per_second=1e8), "leave --arcs-per-second out"),
        (replace(TWO_DIM, switches=Switches.of("hybrid")), "hybrid chooses directions as it goes"),
        (replace(TWO_DIM, switches=Switches.of("two-dim", exchange="sparse")), "not played"),
        (Wanted(9, Switches.of("one-sided"), Grid(1, 4)), "is not played; take --plan simple"),
    ],
)
def test_what_no_walk_tells_is_refused_before_any_is_begun(wanted: Wanted, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        walked_schedule(wanted, 5)


def test_all_that_is_wrong_is_said_at_once() -> None:
    wanted = Wanted(21, Switches.of("one-sided"), Grid(2, 2), arcs_per_second=1e8)

    with pytest.raises(UsageError) as refused:
        walked_schedule(wanted, 5)

    assert str(refused.value).split("; besides, ") == [
        "one-sided needs a grid of one row, 1x4, not 2x2",
        "the fold of one-sided is put into windows, which is not played; take --plan simple",
        "--root tells bytes and no arcs of ranks; leave --arcs-per-second out",
        "--root: scale 21 is walked nowhere, 20 is the largest; leave --root out for closed forms",
    ]


def test_a_vertex_beyond_the_graph_is_told_before_it_is_walked() -> None:
    with pytest.raises(UsageError, match="--root 512 is no vertex of scale 9: those are 0 to 511;"):
        walked_schedule(TWO_DIM, 512)


@pytest.mark.parametrize(
    ("said", "error", "sentence"),
    [
        (
            "vertex 7 has no neighbour, so no search starts there", UsageError,
            "--root 7 has no neighbour, so no search starts there; ./isobath keys --scale 9 prints",
        ),
        (
            "there is no search plan 'two-dim'", EnvironmentProblem,
            "isobath-audit ended with status 2: there is no search plan",
        ),
    ],
)  # fmt: skip
def test_the_root_is_blamed_for_nothing_but_what_is_wrong_with_it(
    monkeypatch: pytest.MonkeyPatch, said: str, error: type[Exception], sentence: str
) -> None:
    library = SimpleNamespace(program=lambda _: Path("isobath-audit"))
    done = subprocess.CompletedProcess([], ExitCode.USAGE, "", f"isobath-audit: {said}\n")
    monkeypatch.setattr(walked_search, "choose_library", lambda *_: library)
    monkeypatch.setattr(walked_search, "walked", lambda *_: done)

    with pytest.raises(error, match=sentence):
        walked_schedule(TWO_DIM, 7)


def test_lines_are_those_of_the_program() -> None:
    line = '{"search":0,"level":0,"phase":"fold","audit_class":"b","bytes_of_rank":[16,16]}'

    assert walked_steps([line]) == [WalkedStep(0, "fold", (16, 16))]
    with pytest.raises(InternalError, match="printed what nobody reads"):
        walked_steps([line.replace("fold", "unfold")])
