# SPDX-License-Identifier: Apache-2.0
"""All records of one run, sorted by kind, and what may be said of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from isobath.errors import EnvironmentProblem
from isobath.records.codec import AnyRecord
from isobath.records.communication import (
    CallsRecord,
    MessageSizesRecord,
    MpiTimeRecord,
    TrafficMatrixRecord,
)
from isobath.records.construction import ConstructionRecord, PathPlan
from isobath.records.ending import FailureRecord, FinishRecord
from isobath.records.profile import ProfileRecord
from isobath.records.run import RunRecord
from isobath.records.search import Kernel, LevelRecord, RoundRecord, SearchRecord

Verdict = Literal["validated", "violations", "unvalidated"]


class NoRunRecord(EnvironmentProblem):
    """The run ended before its first record; ``failures`` say why, where something does."""

    def __init__(self, failures: tuple[FailureRecord, ...]) -> None:
        self.failures = failures
        why = f": {failures[0].message}" if failures else ""
        super().__init__(f"there is no run record: the run ended before it began{why}")


@dataclass(frozen=True)
class RunRecords:
    """The records of one run. All but the run record may be missing when a run ended early."""

    run: RunRecord
    construction: ConstructionRecord | None
    """the first, of bfs where it ran"""
    searches: tuple[SearchRecord, ...]
    """of all kernels"""
    levels: tuple[LevelRecord, ...]
    finish: FinishRecord | None
    failures: tuple[FailureRecord, ...]
    calls: tuple[CallsRecord, ...] = ()
    traffic_matrices: tuple[TrafficMatrixRecord, ...] = ()
    """of parts of the run, and of single levels where the run was asked for them"""
    message_sizes: tuple[MessageSizesRecord, ...] = ()
    mpi_times: tuple[MpiTimeRecord, ...] = ()
    constructions: tuple[ConstructionRecord, ...] = ()
    """one for each kernel"""
    rounds: tuple[RoundRecord, ...] = ()

    @classmethod
    def of(cls, records: Iterable[AnyRecord]) -> "RunRecords":
        """Sorts records by kind. Raises: NoRunRecord where there is no run record."""
        rows = list(records)
        failures = tuple(row for row in rows if isinstance(row, FailureRecord))
        run = next((row for row in rows if isinstance(row, RunRecord)), None)
        if run is None:
            if any(isinstance(row, ProfileRecord) for row in rows):
                raise EnvironmentProblem(
                    "this is the profile of a program, not a run of the benchmark; "
                    "see ./isobath show"
                )
            raise NoRunRecord(failures)
        constructions = tuple(row for row in rows if isinstance(row, ConstructionRecord))
        return cls(
            run=run,
            construction=constructions[0] if constructions else None,
            constructions=constructions,
            rounds=tuple(row for row in rows if isinstance(row, RoundRecord)),
            searches=tuple(row for row in rows if isinstance(row, SearchRecord)),
            levels=tuple(row for row in rows if isinstance(row, LevelRecord)),
            finish=next((row for row in rows if isinstance(row, FinishRecord)), None),
            failures=failures,
            calls=tuple(row for row in rows if isinstance(row, CallsRecord)),
            traffic_matrices=tuple(row for row in rows if isinstance(row, TrafficMatrixRecord)),
            message_sizes=tuple(row for row in rows if isinstance(row, MessageSizesRecord)),
            mpi_times=tuple(row for row in rows if isinstance(row, MpiTimeRecord)),
        )

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """What was searched for, in the order of the run."""
        return ("bfs", "sssp") if self.run.kernel == "both" else (self.run.kernel,)

    def timed_searches_of(self, kernel: Kernel) -> tuple[SearchRecord, ...]:
        """The searches of one kernel that count: no warm-ups."""
        return tuple(
            search for search in self.searches if search.kernel == kernel and not search.warmup
        )

    @property
    def timed_searches(self) -> tuple[SearchRecord, ...]:
        """The searches that count, of the run's first kernel."""
        return self.timed_searches_of(self.kernels[0])

    @property
    def path_searches(self) -> tuple[SearchRecord, ...]:
        """The searches for shortest paths that count."""
        return self.timed_searches_of("sssp")

    @property
    def plan(self) -> str:
        """The search plan: where only sssp ran, that for shortest paths."""
        paths = self.path_plan if self.run.kernel == "sssp" else None
        return paths.plan if paths is not None else self.run.plan

    @property
    def path_plan(self) -> PathPlan | None:
        """How shortest paths were searched for: as construction says, else as it was asked for."""
        built = self.construction_of("sssp")
        if built is not None and built.path_plan is not None:
            return built.path_plan
        asked = self.run.paths
        return None if asked is None else PathPlan(plan=asked.plan, pruned=bool(asked.pruned))

    def construction_of(self, kernel: Kernel) -> ConstructionRecord | None:
        """Kernel 1 for that kernel."""
        return next((built for built in self.constructions if built.kernel == kernel), None)

    def calls_of(self, search: int) -> CallsRecord | None:
        """The calls of the first kernel's timed search of that index; None in older records."""
        of_kernel = (record for record in self.calls if record.kernel == self.kernels[0])
        return next((record for record in of_kernel if record.search == search), None)

    @property
    def run_matrices(self) -> tuple[TrafficMatrixRecord, ...]:
        """The matrices of parts of the whole run, without those of single levels."""
        return tuple(matrix for matrix in self.traffic_matrices if matrix.search is None)

    @property
    def state(self) -> Literal["complete", "unfinished", "failed"]:
        """How the run ended: failed with a failure record, unfinished without a last line."""
        if self.failures:
            return "failed"
        return self.finish.state if self.finish else "unfinished"

    @property
    def verdict(self) -> Verdict:
        """``validated`` only if there is a timed search and every one passed all rules."""
        searches = tuple(
            search for kernel in self.kernels for search in self.timed_searches_of(kernel)
        )
        complete = all(self.timed_searches_of(kernel) for kernel in self.kernels)
        check = self.construction.check if self.construction else None
        failed = [s for s in searches if s.validation is not None and not s.validation.passed]
        if failed or (check is not None and not check.passed):
            return "violations"
        if not complete or any(s.validation is None for s in searches):
            return "unvalidated"
        return "validated"

    @property
    def label(self) -> str:
        """The word that must stand beside every number of this run: empty or UNVALIDATED."""
        return "" if self.verdict == "validated" else "UNVALIDATED"
