# SPDX-License-Identifier: Apache-2.0
"""GOAL: every message is sent once and received once, and they are those of the schedule."""

from pathlib import Path

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.simulate.goal_file import write_goal
from isobath.simulation import goal
from isobath.simulation.from_volumes import Wanted, schedule_of_volumes
from isobath.simulation.goal import goal_lines, messages_of
from isobath.simulation.schedule import Parcel, Schedule, Step
from simulation.goal_reader import Ranks, read, totals, unmatched, waiting_for_ever

UNEVEN = Schedule(
    Grid(2, 3),
    (
        Step(-1, "key", "barrier", "world"),
        Step(0, "top_down", "compute", seconds=2.5e-6),
        Step(0, "fold", "isend", "row", unit=16, piece=256, window=1, ends=True,
             by_pair={(0, 2): Parcel(5000, 20), (4, 0): Parcel(3, 1), (1, 5): Parcel(256, 1)}),
        Step(0, "expand", "allgather", "column", each=Parcel(8)),
        Step(0, "expand", "allgatherv", "column", by_rank={0: Parcel(100), 3: Parcel(7)}),
        Step(1, "fold", "sendrecv", "row", each=Parcel(40, 3)),
        Step(1, "fold", "alltoallv", "row", by_pair={(5, 3): Parcel(9)}),
        Step(1, "fold", "isend_all", "row", each=Parcel(8)),
        Step(1, "rotate", "isend", "row", following=Parcel(33)),
        Step(1, "reduce", "allreduce", "world", each=Parcel(24)),
        Step(2, "reduce", "bcast", "world", root=(4, Parcel(11))),
        Step(2, "transpose", "alltoall", "world", unit=8, each=Parcel(2)),
    ),
)  # fmt: skip


def wanted_of(schedule: Schedule) -> dict[tuple[int, str, str, str], tuple[int, int]]:
    return {
        key: (told.messages, told.bytes_sent)
        for key, told in schedule.totals().items()
        if told.calls and (told.messages or key[2] in ("barrier", "isend"))
    }


def text_of(schedule: Schedule) -> str:
    return "\n".join(goal_lines(schedule)) + "\n"


def written(schedule: Schedule) -> Ranks:
    return read(text_of(schedule))


@pytest.mark.parametrize(
    "schedule",
    [
        UNEVEN,
        schedule_of_volumes(Wanted(12, Switches.of("two-dim"), Grid(2, 3), arcs_per_second=1e8)),
        schedule_of_volumes(Wanted(10, Switches.of("hybrid", exchange="pairwise"), Grid(3, 2))),
        schedule_of_volumes(Wanted(10, Switches.of("hybrid"), Grid(3, 2))),
        schedule_of_volumes(Wanted(10, Switches.of("simple", exchange="alltoallv"), Grid(1, 5))),
        schedule_of_volumes(Wanted(10, Switches.of("replicated-csr"), Grid(4, 1))),
    ],
    ids=["uneven", "two-dim", "pairwise", "hybrid", "simple", "replicated"],
)
def test_messages_match_end_and_are_those_of_the_schedule(schedule: Schedule) -> None:
    ranks = written(schedule)

    assert unmatched(ranks) == set()
    assert waiting_for_ever(ranks) == 0
    assert totals(ranks) == wanted_of(schedule)
    sends = [one for operations in ranks for one in operations.values() if one.kind == "send"]
    assert len(sends) == messages_of(schedule)


def test_computation_and_cuts_are_those_of_the_skeleton() -> None:
    ranks = written(UNEVEN)

    assert [one.size for one in ranks[3].values() if one.key[2] == "compute"] == [2500]
    sizes = [one.size for one in ranks[0].values() if one.kind == "send" and one.key[1] == "fold"]
    last = (5000 - 19 * 256) * 16
    assert sizes[:22] == [4096] * 19 + [last, 0, 0]  # the empty ones say that it was the last


def test_steps_follow_each_other() -> None:
    """Nothing of a step begins before all of the step before has ended on that rank."""
    for operations in written(UNEVEN):
        above: set[str] = set()
        for label, one in operations.items():
            reached, more = set(one.needs), list(one.needs)
            while more:
                for needed in operations[more.pop()].needs:
                    if needed not in reached:
                        reached.add(needed)
                        more.append(needed)
            earlier = {name for name in above if operations[name].key[:1] < one.key[:1]}
            assert earlier <= reached, label
            above.add(label)


@pytest.mark.parametrize(
    ("old", "new"),
    [("send 8b to 1 tag", "send 9b to 1 tag"), ("recv 33b from", "recv 32b from")],
)
def test_the_reader_finds_messages_that_do_not_match(old: str, new: str) -> None:
    text = text_of(UNEVEN)
    assert old in text
    assert unmatched(read(text.replace(old, new, 1)))


def test_the_reader_finds_who_waits_for_ever() -> None:
    crossed = """num_ranks 2
rank 0 {
a: recv 1b from 1 tag 0
b: send 1b to 1 tag 0
b requires a
}
rank 1 {
a: recv 1b from 0 tag 0
b: send 1b to 0 tag 0
b requires a
}
"""
    assert unmatched(read(crossed)) == set()
    assert waiting_for_ever(read(crossed)) == 4


def test_what_is_too_long_or_cannot_be_written_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvironmentProblem, match="name another file with --goal"):
        write_goal(UNEVEN, tmp_path / "nowhere" / "s.goal")
    write_goal(UNEVEN, tmp_path / "s.goal")
    assert (tmp_path / "s.goal").read_text(encoding="ascii") == text_of(UNEVEN)
    monkeypatch.setattr(goal, "MOST_MESSAGES", messages_of(UNEVEN) - 1)
    with pytest.raises(UsageError, match="GOAL would have"):
        write_goal(UNEVEN, tmp_path / "t.goal")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.goal"]
