# SPDX-License-Identifier: Apache-2.0
"""Benchmark folders: bench.json, refinements, and one sealed run folder per launch.

A launch without its sealed folder is still to do; that is how a benchmark is resumed. Arms that
narrow switch points are added in files of their own, for bench.json is never changed.
"""

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from isobath.bench.spec import Arm, BenchSpec, run_name
from isobath.errors import UsageError
from isobath.store.folders import RunFolder
from isobath.store.studies import locked, read_plan, set_aside, write_durably

SPEC = "bench.json"
REFINEMENT = "refine-{}.json"


def make_bench_id(now: datetime | None = None) -> str:
    """Sorts by time, unique on this machine: ``20261121-081500-bench-3fa9``."""
    started = now or datetime.now(UTC)
    return f"{started:%Y%m%d-%H%M%S}-bench-{secrets.token_hex(2)}"


@dataclass(frozen=True)
class BenchFolder:
    """One benchmark on disk."""

    path: Path

    @property
    def bench_id(self) -> str:
        """The name of the folder."""
        return self.path.name

    @property
    def runs(self) -> Path:
        """The store of its launches."""
        return self.path / "runs"

    def spec(self) -> BenchSpec:
        """The plan with what was added to it.

        Raises: EnvironmentProblem where a file is missing or damaged.
        """
        spec = read_plan(self.path / SPEC, BenchSpec.model_validate_json, "benchmark")
        arms = list(spec.arms)
        for number in range(1, self.refinements() + 1):
            path = self.path / REFINEMENT.format(number)
            arms += read_plan(path, _ARMS.validate_json, "benchmark")
        return spec.model_copy(update={"arms": tuple(arms)})

    def refinements(self) -> int:
        """How often arms were added."""
        return len(list(self.path.glob(REFINEMENT.format("*"))))

    def write_spec(self, spec: BenchSpec) -> None:
        """Begins the benchmark. Raises: EnvironmentProblem where it cannot be written."""
        text = spec.model_dump_json(indent=1, by_alias=True, exclude_none=True)
        write_durably(self.path, SPEC, text)

    def add_arms(self, arms: Sequence[Arm]) -> None:
        """Adds arms, as another refinement. Raises: EnvironmentProblem as ``write_spec``."""
        text = _ARMS.dump_json(tuple(arms), indent=1, exclude_none=True).decode()
        write_durably(self.path, REFINEMENT.format(self.refinements() + 1), text)

    def sealed_run(self, arm: Arm, launch: int) -> RunFolder | None:
        """A launch, or None where it is still to do."""
        folder = RunFolder(self.runs / run_name(arm.arm, launch))
        return folder if folder.is_sealed else None

    def to_do(self, spec: BenchSpec) -> list[tuple[Arm, int]]:
        """What is left of the benchmark, in its order."""
        return [(arm, n) for arm, n in spec.runs() if self.sealed_run(arm, n) is None]

    def set_aside(self, name: str) -> None:
        """Moves what was cut off out of the way. Raises: EnvironmentProblem where it cannot be."""
        set_aside(self.path, self.runs, name)

    def locked(self) -> AbstractContextManager[None]:
        """One program at a time runs a benchmark. Raises: EnvironmentProblem where another does."""
        return locked(self.path, f"the benchmark {self.bench_id}")


_ARMS: TypeAdapter[tuple[Arm, ...]] = TypeAdapter(tuple[Arm, ...])


def list_benches(benches: Path) -> list[BenchFolder]:
    """All benchmarks of a folder, oldest first."""
    if not benches.is_dir():
        return []
    found = [BenchFolder(path) for path in benches.iterdir() if (path / SPEC).is_file()]
    return sorted(found, key=lambda bench: bench.bench_id)


def find_bench(benches: Path, wanted: str) -> BenchFolder | None:
    """The benchmark that a path, an id or the unique beginning of an id names; None for none."""
    path = Path(wanted)
    if (path / SPEC).is_file():
        return BenchFolder(path.resolve())
    name = wanted.rstrip("/")
    there = list_benches(benches)
    found = [bench for bench in there if bench.bench_id == name]
    found = found or [bench for bench in there if name and bench.bench_id.startswith(name)]
    return found[0] if len(found) == 1 else None


def resolve_bench(benches: Path, wanted: str) -> BenchFolder:
    """The same, also for "last". Raises: UsageError naming what there is."""
    there = list_benches(benches)
    if not there and not (Path(wanted) / SPEC).is_file():
        raise UsageError(
            f"there is no benchmark in {benches}; make one with ./isobath bench collectives"
        )
    found = there[-1] if wanted == "last" else find_bench(benches, wanted)
    if found is None:
        latest = ", ".join(bench.bench_id for bench in there[-3:])
        raise UsageError(f"no benchmark is called {wanted} in {benches}; the latest are {latest}")
    return found
