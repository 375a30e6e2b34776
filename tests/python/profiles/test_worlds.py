# SPDX-License-Identifier: Apache-2.0
"""Which files are of one world, and what is said of worlds that should have been one."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.errors import EnvironmentProblem
from isobath.kinds.profile.kind import KIND, ProfileFound
from isobath.profile.chrome_trace import trace_file
from isobath.profile.profile import Profile, profiles_of
from isobath.profile.rank_files import RankFile
from isobath.profile.worlds import find_mistake, find_worlds, merge_worlds, only_world
from isobath.report.profile_data import ProfileData
from isobath.store.folders import RunFolder
from profiles.rank_lines import rank_file, two_ranks

FAULT: dict[str, Any] = {
    "fault": "srun started 2 ranks without a PMI",
    "cure": "start the program with srun --mpi=pmi2",
}


def at(began: int, *files: RankFile, **head: Any) -> list[RankFile]:
    """The same files of a program that began then."""
    for file in files:
        file.head.update(head, began=began + file.rank, now=began + 20_000)
    return list(files)


def alone(task: int, launched: int = 2, **head: Any) -> RankFile:
    """A process that found no other: rank 0 of 1."""
    facts = {"ranks": 1, "task": task, "launched": launched, "pid": 500 + task} | head
    file = rank_file(0, (1000, 3000), (900, 250), **facts)
    file.communicators[0] |= {"size": 1, "peers": [0]}
    return file


def pids(worlds: list[list[RankFile]]) -> list[list[int]]:
    return [[file.head["pid"] for file in world] for world in worlds]


def test_ranks_that_differ_are_one_world_whatever_the_clocks_of_their_hosts_say() -> None:
    first, second = two_ranks()
    second.head |= {"host": "elsewhere", "began": 10**18, "now": 2 * 10**18, "parent": 7}

    assert find_worlds([second, first]) == [[first, second]]
    assert only_world([second, first]) == [first, second]


def test_a_killed_rank_leaves_its_world_one() -> None:
    (world,) = find_worlds(two_ranks()[1:])

    assert [file.rank for file in world] == [1]


def test_worlds_one_after_the_other_are_told_apart_by_time() -> None:
    files = at(0, *two_ranks(), pid=1) + at(50_000, *two_ranks(), pid=2)

    worlds = find_worlds([files[3], files[0], files[2], files[1]])

    assert pids(worlds) == [[1, 1], [2, 2]]
    assert [[file.rank for file in world] for world in worlds] == [[0, 1], [0, 1]]
    assert find_mistake(worlds, by_launcher=True) is None


def test_a_rank_that_comes_after_the_short_program_of_another_is_of_its_world() -> None:
    """MPI begins in a while; what was measured may be much shorter."""
    files = at(0, *two_ranks(), pid=1) + at(50_000, *two_ranks(), pid=2)
    for file in files:
        file.head["nanoseconds"] = 100
    files[1].head["began"] = 15_000

    assert pids(find_worlds(files)) == [[1, 1], [2, 2]]


def test_worlds_at_one_time_are_told_apart_by_their_launchers() -> None:
    files = at(0, *two_ranks(), pid=1, parent=10) + at(5, *two_ranks(), pid=2, parent=20)

    assert pids(find_worlds(files)) == [[1, 1], [2, 2]]


def test_worlds_at_one_time_that_nothing_tells_apart_are_refused() -> None:
    files = at(0, *two_ranks()) + at(5, *two_ranks())
    for number, file in enumerate(files):
        file.head["parent"] = number  # a shell around each rank

    with pytest.raises(EnvironmentProblem, match="whose rank is whose"):
        find_worlds(files)


def test_the_name_of_a_job_tells_spawned_ranks_from_others() -> None:
    files = at(0, *two_ranks(), pid=1, job="a") + at(5, *two_ranks(), pid=2, job="b")

    assert pids(find_worlds(files)) == [[1, 1], [2, 2]]


def test_a_parent_and_what_it_spawned_are_two_worlds_and_no_mistake() -> None:
    parent = alone(0, launched=1)
    worlds = find_worlds([*at(10, *two_ranks()), *at(0, parent)])

    assert [len(world) for world in worlds] == [1, 2]
    assert find_mistake(worlds, by_launcher=True) is None
    with pytest.raises(EnvironmentProblem, match="2 MPI programs"):
        only_world([parent, *two_ranks()])


def test_two_worlds_of_one_rank_are_said_with_the_cure() -> None:
    worlds = find_worlds([alone(1, **FAULT), alone(0, **FAULT)])

    assert pids(worlds) == [[500], [501]]
    mistake = find_mistake(worlds, by_launcher=True)
    assert mistake is not None
    assert mistake.sentence == (
        "2 worlds of one rank, not one of 2: srun started 2 ranks without a PMI; start the program "
        "with srun --mpi=pmi2"
    )
    with pytest.raises(EnvironmentProblem, match="2 worlds of one rank, not one of 2"):
        only_world([file for world in worlds for file in world])


def test_what_was_killed_does_not_hide_the_mistake() -> None:
    mistake = find_mistake([[alone(1, launched=4, **FAULT)]], by_launcher=False)

    assert mistake is not None
    assert mistake.what == "a world of one rank, not one of 4"


def test_single_ranks_of_one_launcher_are_a_mistake_where_nobody_counted() -> None:
    worlds = [[alone(-1, launched=0)], [alone(-1, launched=0)], [alone(-1, launched=0)]]

    mistake = find_mistake(worlds, by_launcher=True)

    assert mistake is not None
    assert mistake.what == "3 worlds of one rank, not one of 3"
    assert "(a library)" in mistake.cure
    assert find_mistake(worlds, by_launcher=False) is None, "a script may start programs"
    assert find_mistake([[alone(0, launched=1)]] * 2, by_launcher=True) is None


def test_nothing_is_added_up_over_worlds() -> None:
    files = [alone(0, **FAULT), alone(1, **FAULT)]
    worlds = find_worlds(files)
    records = merge_worlds("made-up", worlds, find_mistake(worlds, by_launcher=True))

    with pytest.raises(EnvironmentProblem, match="not added up"):
        Profile.of(records)
    profiles = profiles_of(records)
    alone_too = profiles_of(merge_worlds("made-up", [[alone(0)]]))
    assert len(profiles) == 2
    for number, profile in enumerate(profiles):
        assert (profile.whole.world, profile.whole.worlds) == (number, 2)
        assert profile.whole.mistake is not None
        assert profile.whole.ranks == profile.whole.ranks_recorded == 1
        assert [one.launcher_rank for one in profile.ranks] == [number]
        assert [one.calls for one in profile.calls] == [one.calls for one in alone_too[0].calls]
        assert profile.whole.calls == alone_too[0].whole.calls
        assert all(one.world == number for one in (*profile.cells, *profile.matrices))
    assert alone_too[0].whole.world is None
    assert alone_too[0].whole.mistake is None


@pytest.mark.parametrize("view", KIND.views)
def test_every_view_prints_each_world_for_itself(view: str, tmp_path: Path) -> None:
    worlds = find_worlds([alone(task, launched=6, **FAULT) for task in range(6)])
    profiles = profiles_of(merge_worlds("made-up", worlds, find_mistake(worlds, by_launcher=True)))

    out = StringIO()

    data = tuple(ProfileData(profile, ("./program",), "", 64) for profile in profiles)
    print_view(KIND, ProfileFound(RunFolder(tmp_path), data, ""), view, console_into(out))

    said = out.getvalue()
    assert said.startswith("6 worlds of one rank, not one of 6")
    assert "The command made 6 MPI_COMM_WORLDs. What they did is not added up" in said
    assert ", world 4\n" in said
    assert ", world 5\n" not in said
    assert max(map(len, said.splitlines())) <= 80


def test_each_world_has_a_trace_of_its_own(tmp_path: Path) -> None:
    worlds = find_worlds([alone(0), alone(1)])
    profiles = profiles_of(merge_worlds("made-up", worlds))
    one = profiles_of(merge_worlds("made-up", worlds[:1]))

    named = [trace_file(tmp_path / "trace.json", profile).name for profile in profiles]

    assert named == ["trace-world-1.json", "trace-world-2.json"]
    assert trace_file(tmp_path / "trace.json", one[0]).name == "trace.json"
