# SPDX-License-Identifier: Apache-2.0
"""One start of an engine program, from its nodes to its seal: the same for every benchmark."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from isobath.errors import ExitCode, IsobathError
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Asked, of_benchmark, of_silent_program
from isobath.launch.namespaces import Nodes
from isobath.launch.placement import opened
from isobath.launch.plain_run import PlainFiles, PlainOutcome, run_plainly
from isobath.records.codec import AnyRecord
from isobath.records.placement import Placement
from isobath.store.folders import OpenRun
from isobath.study.launches import Came
from isobath.study.sealing import Judgement, Origin, end_launch

Around = AbstractContextManager[tuple[LaunchLine, Callable[[OpenRun], None]]]
"""What is started in the place of a line, and what is appended once that ended well."""


def _nothing(_: OpenRun) -> None:
    """Of programs that write all their records themselves."""


def as_it_is(line: LaunchLine) -> Around:
    """The line itself, and nothing is appended."""
    return nullcontext((line, _nothing))


@dataclass(frozen=True)
class EngineLaunch:
    """A launch as its kind wants it."""

    ranks: int
    """all that are started"""
    placement: Placement
    line: Callable[[OpenRun, Nodes | None], LaunchLine]
    """what starts it; raises IsobathError where the MPI or its build is gone"""
    judge: Callable[[Sequence[AnyRecord]], Judgement]
    """what its records are worth"""
    origin: Origin
    around: Callable[[LaunchLine], Around] = as_it_is
    has_heartbeat: bool = True
    """else it shows by what it writes that it goes on"""

    def perform(self, run: OpenRun, stop: Stop, asked: Asked) -> Came:
        """Starts it, waits for its end and seals its folder, also where it goes wrong.

        Raises: EnvironmentProblem where nothing more can be written.
        """
        line = None
        try:
            with opened(self.placement) as nodes:
                line = self.line(run, nodes)
                with self.around(line) as (line, append):
                    outcome = self._run(line, run, stop, asked)
                    if outcome.exit_code == ExitCode.DONE:
                        append(run)
        except IsobathError as error:
            outcome = PlainOutcome(error.exit_code, str(error), 0.0)
        return end_launch(run, line, outcome, self.origin, self.judge)

    def _run(self, line: LaunchLine, run: OpenRun, stop: Stop, asked: Asked) -> PlainOutcome:
        beats = run.heartbeat if self.has_heartbeat else None
        limits = of_benchmark(asked) if self.has_heartbeat else of_silent_program(asked)
        return run_plainly(
            line,
            PlainFiles(run.stdout, run.stderr, beats, results=run.records),
            ranks=self.ranks,
            run_id=run.run_id,
            limits=limits,
            interrupts=stop,
        )
