# SPDX-License-Identifier: Apache-2.0
"""A benchmark of collectives on disk: a study, and files of the arms that were added to it.

Arms that narrow switch points are added in files of their own, for the plan is never changed.
"""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import TypeAdapter

from isobath.bench.plan import Arm, BenchPlan, run_name
from isobath.errors import EnvironmentProblem
from isobath.store.folders import RunFolder
from isobath.study.folder import Header, PlanFile, StudyFolder

PLAN = PlanFile(
    "bench collectives",
    "benchmark of collectives",
    BenchPlan,
    older="bench.json",
    older_id="bench_id",
)
REFINEMENT = "refine-{}.json"

SpecT = TypeVar("SpecT", bound=BenchPlan)


class BenchFolder(StudyFolder):
    """One benchmark."""

    def header(self) -> Header:
        """When and how it was asked for. Raises: EnvironmentProblem where that is damaged."""
        return PLAN.header(self)

    def plan(self) -> BenchPlan:
        """The plan with what was added to it.

        Raises: EnvironmentProblem where a file is missing or damaged.
        """
        return self.with_added(PLAN.read(self))

    def with_added(self, plan: SpecT) -> SpecT:
        """Raises: EnvironmentProblem where a file of added arms is missing or damaged."""
        arms = list(plan.arms)
        for number in range(1, self.refinements() + 1):
            path = self.path / REFINEMENT.format(number)
            try:
                arms += _ARMS.validate_json(path.read_bytes())
            except OSError as error:
                raise EnvironmentProblem(
                    f"cannot read {path}: {error.strerror}; check the path"
                ) from error
            except ValueError as error:
                raise EnvironmentProblem(
                    f"cannot read {path}: the file is damaged; start the benchmark again"
                ) from error
        return plan.model_copy(update={"arms": tuple(arms)})

    def refinements(self) -> int:
        """How often arms were added."""
        return len(list(self.path.glob(REFINEMENT.format("*"))))

    def add_arms(self, arms: Sequence[Arm]) -> None:
        """Adds arms, as another refinement. Raises: EnvironmentProblem where it cannot."""
        text = _ARMS.dump_json(tuple(arms), indent=1, exclude_none=True).decode()
        self.write_durably(REFINEMENT.format(self.refinements() + 1), text)

    def sealed_run(self, arm: Arm, launch: int) -> RunFolder | None:
        """A launch, or None where it is still to do."""
        return self.sealed(run_name(arm.arm, launch))


_ARMS: TypeAdapter[tuple[Arm, ...]] = TypeAdapter(tuple[Arm, ...])
