# SPDX-License-Identifier: Apache-2.0
"""Which of the processes that a command started are ranks of one MPI_COMM_WORLD.

Nobody numbers worlds, and the profiler sends no message to find it out: files of one size whose
ranks are all different are one world. Where a rank is there twice, worlds came one after the other
and are told apart by time, or ran side by side and are told apart by the launcher's process. What
is counted in several worlds is never added up.
"""

from collections import defaultdict
from dataclasses import dataclass

from isobath.errors import EnvironmentProblem
from isobath.profile.merge import Places, merge
from isobath.profile.rank_files import RankFile
from isobath.records.profile import AnyProfileRecord, ProfileRecord

World = list[RankFile]
"""the files of one MPI_COMM_WORLD, by rank"""


@dataclass(frozen=True)
class Mistake:
    """Worlds that are not what their launcher started."""

    what: str
    """for example: 2 worlds of one rank, not one of 2"""
    why: str
    cure: str

    @property
    def sentence(self) -> str:
        """All of it."""
        return f"{self.what}: {self.why}; {self.cure}"


def find_worlds(files: list[RankFile]) -> list[World]:
    """The worlds in the order in which they began.

    Raises: EnvironmentProblem where it cannot be told whose rank is whose.
    """
    of_jobs: dict[tuple[int, str], list[RankFile]] = defaultdict(list)
    for file in files:
        of_jobs[file.head["ranks"], file.head["job"]].append(file)
    worlds: list[World] = []
    for (size, _), members in of_jobs.items():
        worlds += [[member] for member in members] if size == 1 else _of_job(members)
    for world in worlds:
        world.sort(key=lambda member: member.rank)
    return sorted(worlds, key=lambda world: (min(map(_began, world)), world[0].head["task"]))


def only_world(files: list[RankFile]) -> World:
    """The world of a command that should have made one. Raises: EnvironmentProblem otherwise."""
    worlds = find_worlds(files)
    mistake = find_mistake(worlds, by_launcher=False)
    if mistake is not None:
        raise EnvironmentProblem(mistake.sentence)
    if len(worlds) > 1:
        raise EnvironmentProblem(
            f"the command started {len(worlds)} MPI programs; start them one by one"
        )
    return worlds[0]


def find_mistake(worlds: list[World], *, by_launcher: bool) -> Mistake | None:
    """What went wrong when the worlds were started; None where nothing is known to.

    Args: by_launcher tells that the command is one launcher, which was asked for one program: of it
        several worlds of one rank are a mistake also where no variable says how many it started.
    """
    wrong = [world for world in worlds if world[0].head["fault"]]
    if wrong:
        head = wrong[0][0].head
        sizes = {world[0].head["ranks"] for world in wrong}
        what = f"{_worlds(len(wrong), sizes)}, not one of {head['launched'] or 'those'}"
        return Mistake(what, head["fault"], head["cure"])
    singles = [world for world in worlds if world[0].head["ranks"] == 1]
    untold = [world for world in singles if not world[0].head["launched"]]
    if by_launcher and len(worlds) > 1 and len(untold) == len(worlds):
        return Mistake(
            f"{_worlds(len(worlds), {1})}, not one of {len(worlds)}",
            "the processes that the launcher started did not find each other",
            "start the program with the mpiexec of the MPI library that it runs with "
            f"({singles[0][0].head['library']}), under Slurm with srun --mpi=pmi2 or --mpi=pmix",
        )
    return None


def merge_worlds(
    run_id: str,
    worlds: list[World],
    mistake: Mistake | None = None,
    places: Places | None = None,
    *,
    with_timeline: bool = False,
    level_site: str | None = None,
) -> list[AnyProfileRecord]:
    """The records of each world after the other (``merge``), numbered where there are several.

    Raises: UsageError where a world has no such place as ``level_site`` names.
    """
    several = len(worlds) if len(worlds) > 1 else None
    said = mistake.sentence if mistake else None
    records: list[AnyProfileRecord] = []
    for number, world in enumerate(worlds):
        rows = merge(run_id, world, places, with_timeline=with_timeline, level_site=level_site)
        for row in rows:
            more: dict[str, int | str | None] = {} if several is None else {"world": number}
            if isinstance(row, ProfileRecord):
                more |= {"worlds": several, "mistake": said}
            records.append(row.model_copy(update=more) if more else row)
    return records


def _worlds(count: int, sizes: set[int]) -> str:
    ranks = "several sizes" if len(sizes) > 1 else _ranks(min(sizes))
    return f"a world of {ranks}" if count == 1 else f"{count} worlds of {ranks}"


def _ranks(size: int) -> str:
    return "one rank" if size == 1 else f"{size} ranks"


def _of_job(members: list[RankFile]) -> list[World]:
    if _are_distinct(members):
        return [members]
    return [world for episode in _episodes(members) for world in _of_episode(episode)]


def _of_episode(members: list[RankFile]) -> list[World]:
    """Worlds that ran at one time. The ranks of one have one launcher on a host."""
    if _are_distinct(members):
        return [members]
    of_launchers: dict[tuple[str, int], World] = defaultdict(list)
    for file in members:
        of_launchers[file.head["host"], file.head["parent"]].append(file)
    worlds = list(of_launchers.values())
    if any(not _are_distinct(world) or len(world) != world[0].head["ranks"] for world in worlds):
        raise EnvironmentProblem(
            "the command started several MPI programs at once, and whose rank is whose cannot be "
            "told; profile them one by one"
        )
    return worlds


def _episodes(members: list[RankFile]) -> list[World]:
    """Files whose times overlap, directly or by way of others: from before MPI began, where the
    ranks of a world wait for each other, to when the file was written.
    """
    episodes: list[World] = []
    until = 0
    for file in sorted(members, key=_began):
        if not episodes or _began(file) > until:
            episodes.append([])
        episodes[-1].append(file)
        until = max(until, int(file.head["now"]))
    return episodes


def _are_distinct(members: list[RankFile]) -> bool:
    return len({file.rank for file in members}) == len(members)


def _began(file: RankFile) -> int:
    return int(file.head["began"])
