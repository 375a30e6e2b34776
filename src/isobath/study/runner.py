# SPDX-License-Identifier: Apache-2.0
"""Every study from its first launch to its last: lock, order, time left, resume, ending.

What is sealed, whole and did not fail is kept. What was cut off, failed or was changed since is set
aside in ``cut-off`` and done again. Wrong data are no failure but a finding: they are kept.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from isobath.errors import ExitCode
from isobath.launch.interrupts import Stop
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.codes import KEPT, worst_of
from isobath.study.folder import StudyFolder
from isobath.study.launches import Came, Launch, Work
from isobath.study.progress import StudyProgress, forget_progress
from isobath.units import Seconds, format_roughly


@dataclass
class StudyOutcome:
    """How far a study came, and what went wrong."""

    done: int = 0
    """launches that are sealed, of earlier sittings too"""
    total: int = 0
    failed: int = 0
    """of those done in this sitting; they are tried again when the study is resumed"""
    interrupted: bool = False
    codes: set[ExitCode] = field(default_factory=set)

    @property
    def exit_code(self) -> ExitCode:
        """0 where every launch ended well, all data were right and none is missing."""
        missing = {ExitCode.ENVIRONMENT} if self.interrupted else set()
        return worst_of(self.codes | missing)

    @property
    def is_complete(self) -> bool:
        """Nothing is left to be resumed."""
        return self.done == self.total and not self.failed


def to_do(folder: StudyFolder, launches: Sequence[Launch]) -> list[Launch]:
    """What is missing, failed or was changed since, in its order; what follows a launch that it
    cannot be done without is done again with it.
    """
    left: list[Launch] = []
    is_without = False
    for launch in launches:
        if is_without or not _is_kept(folder, launch):
            left.append(launch)
            is_without = is_without or launch.is_needed
    return left


def _is_kept(folder: StudyFolder, launch: Launch) -> bool:
    place, name = launch.place(folder)
    sealed = place.sealed(name)
    if sealed is None or sealed.differences():
        return False
    return (sealed.summary().exit_code or 0) in KEPT


def run_study(
    folder: StudyFolder,
    work: Work,
    *,
    noun: str,
    stop: Stop,
    say: Callable[[str], None],
) -> StudyOutcome:
    """Does every launch that is left; ends early where that is asked for.

    Args: noun names the kind in a sentence; say takes a line for each launch.
    Raises: EnvironmentProblem where another program runs it or nothing more can be written.
    """
    with folder.locked(noun):
        return _Sitting(folder, work, stop, say).run()


class _Sitting:
    """One go at a study."""

    def __init__(
        self, folder: StudyFolder, work: Work, stop: Stop, say: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._work = work
        self._stop = stop
        self._say = say
        self._took: list[tuple[Launch, Seconds]] = []

    def run(self) -> StudyOutcome:
        """Raises: EnvironmentProblem where nothing more can be written."""
        try:
            return self._run()
        finally:
            forget_progress(self._folder.path)

    def _run(self) -> StudyOutcome:
        launches = self._work.launches()
        left = to_do(self._folder, launches)
        outcome = StudyOutcome(done=len(launches) - len(left), total=len(launches))
        if outcome.done:
            self._say(_earlier(outcome))
        names = {undone.name for undone in left}
        for launch in launches:
            if launch.name not in names:
                self._count_earlier(launch, outcome)
        self._all(left, outcome)
        while not self._stop.wants_end and self._work.grow():
            known = {planned.name for planned in launches}
            launches = self._work.launches()
            outcome.total = len(launches)
            self._all([planned for planned in launches if planned.name not in known], outcome)
        outcome.interrupted = self._stop.wants_end and outcome.done < outcome.total
        return outcome

    def _all(self, left: Sequence[Launch], outcome: StudyOutcome) -> None:
        for place, launch in enumerate(left):
            if self._stop.wants_end:
                break
            self._tell_progress(left[place:], outcome)
            if not self._one(launch, left[place + 1 :], outcome):
                break

    def _tell_progress(self, left: Sequence[Launch], outcome: StudyOutcome) -> None:
        seconds = self._time_left(left) if self._took else None
        StudyProgress(outcome.done, outcome.total, seconds).write(self._folder.path)

    def _count_earlier(self, launch: Launch, outcome: StudyOutcome) -> None:
        sealed = self._sealed(launch)
        assert sealed is not None
        outcome.codes.add(ExitCode(sealed.summary().exit_code or 0))
        self._after(launch, outcome)

    def _one(self, launch: Launch, rest: Sequence[Launch], outcome: StudyOutcome) -> bool:
        """Whether the study can go on."""
        place, name = launch.place(self._folder)
        place.set_aside(name)
        begin = time.monotonic()
        came = self._work.perform(launch, OpenRun(place.runs, name), self._stop)
        if self._stop.wants_end and came.code != ExitCode.DONE:
            place.set_aside(name)
            return False
        outcome.done += 1
        outcome.failed += came.code not in KEPT
        outcome.codes.add(came.code)
        words = came.words + self._after(launch, outcome)
        self._took.append((launch, time.monotonic() - begin))
        left = self._time_left(rest)
        about = f"; about {format_roughly(left)} left" if rest else ""
        self._say(f"[{outcome.done}/{outcome.total}] {launch.words}: {words}{about}")
        return came.code in KEPT or not launch.is_needed

    def _after(self, launch: Launch, outcome: StudyOutcome) -> str:
        sealed = self._sealed(launch)
        after: Came | None = None
        if sealed is not None:
            after = self._work.after(launch, sealed, self._stop)
        if after is None:
            return ""
        outcome.codes.add(after.code)
        return f"; {after.words}" if after.words else ""

    def _sealed(self, launch: Launch) -> RunFolder | None:
        place, name = launch.place(self._folder)
        return place.sealed(name)

    def _time_left(self, rest: Sequence[Launch]) -> Seconds:
        return sum(self._usual(launch) for launch in rest)

    def _usual(self, launch: Launch) -> Seconds:
        """As long as the launches that were most alike took; where none was, as all took."""
        for place, shared in enumerate(launch.alike):
            took = [
                seconds
                for earlier, seconds in self._took
                if earlier.alike[place : place + 1] == (shared,)
            ]
            if took:
                return fmean(took)
        return fmean(seconds for _, seconds in self._took)


def _earlier(outcome: StudyOutcome) -> str:
    if outcome.is_complete:
        return f"complete: all {outcome.total} launches are done"
    return f"{outcome.done} of {outcome.total} launches are done, going on"


def closing_words(outcome: StudyOutcome, typed: str) -> str:
    """How a study goes on, where something is left; empty where it is complete.

    Args: typed is how a person names the study on the command line.
    """
    again = f"./isobath resume {typed}"
    if outcome.interrupted:
        return (
            f"interrupted after {outcome.done} of {outcome.total} launches; they are kept: go on "
            f"with {again}"
        )
    if not outcome.is_complete:
        return f"launches failed or were not begun; they are tried again with {again}"
    return ""
