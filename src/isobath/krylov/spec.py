# SPDX-License-Identifier: Apache-2.0
"""The plan of a benchmark of conjugate gradients: arms, launches, seed. Written first, kept."""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from isobath.errors import EnvironmentProblem, UsageError
from isobath.store.folders import RunFolder
from isobath.store.studies import locked, read_plan, set_aside, write_durably

SPEC = "cg.json"
PETSC = "petsc"


class CgArm(BaseModel):
    """What is launched alike each time."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    arm: int
    mpi: str
    """of the library, or petsc"""
    modes: tuple[str, ...]
    """beside blocking reductions"""
    ranks: int = Field(ge=1)
    aggregators: int = 0
    elements: tuple[int, ...]
    environment: dict[str, str] = {}
    crowded: bool = False
    """more ranks and threads than processors: launched once, to see that it works"""

    @property
    def is_base(self) -> bool:
        """Its cells with blocking reductions are those that gains are counted from."""
        slow = any("thread" in mode for mode in self.modes)
        return not (slow or self.aggregators or self.environment)


class CgSpec(BaseModel):
    """The whole plan."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    preset: str
    iterations: int = Field(ge=1)
    repetitions: int = Field(ge=1)
    tests: tuple[int, ...]
    threads: int = Field(ge=1)
    launches: int = Field(ge=1)
    seed: int
    arms: tuple[CgArm, ...]
    profiled: bool = False
    """whether plain arms have one more launch, under the profiler, whose times do not count"""
    left_out: tuple[str, ...] = ()
    """what is not measured, a sentence each"""

    def runs(self) -> Iterator[tuple[CgArm, int]]:
        """Every arm has its turn before the first has its next; their order is drawn each time."""
        for launch in range(self.launches):
            arms = [arm for arm in self.arms if launch == 0 or not arm.crowded]
            random.Random(f"{self.seed} {launch}").shuffle(arms)
            for arm in arms:
                yield arm, launch

    def profiled_arms(self) -> tuple[CgArm, ...]:
        """Those that have one more launch."""
        return tuple(arm for arm in self.arms if self.profiled and arm.is_base and not arm.crowded)

    def cell_seed(self, arm: CgArm, launch: int) -> int:
        """Of the order of the cells in a launch; not 0, which would be the order of the list."""
        return random.Random(f"{self.seed} {arm.arm} {launch}").randrange(1, 2**31)


def profile_name(arm: CgArm) -> str:
    """``a01-profile``."""
    return f"a{arm.arm:02}-profile"


def run_name(arm: CgArm, launch: int) -> str:
    """``a01-2``: arm 1, launch 2."""
    return f"a{arm.arm:02}-{launch}"


@dataclass(frozen=True)
class CgFolder:
    """One benchmark on disk: cg.json and a sealed run folder for each launch."""

    path: Path

    @property
    def runs(self) -> Path:
        """The store of its launches."""
        return self.path / "runs"

    def spec(self) -> CgSpec:
        """Raises: EnvironmentProblem where the plan is missing or damaged."""
        return read_plan(self.path / SPEC, CgSpec.model_validate_json, "benchmark")

    def write_spec(self, spec: CgSpec) -> None:
        """Begins the benchmark. Raises: EnvironmentProblem where it cannot be written."""
        try:
            self.runs.mkdir(parents=True)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self.path}: {error.strerror}; name another folder with --benches"
            ) from error
        write_durably(self.path, SPEC, spec.model_dump_json(indent=1))

    def locked(self) -> AbstractContextManager[None]:
        """One program at a time runs it. Raises: EnvironmentProblem where another does."""
        return locked(self.path, f"the benchmark {self.path.name}")

    def sealed_run(self, arm: CgArm, launch: int) -> RunFolder | None:
        """A launch, or None where there is none yet."""
        return self._sealed(run_name(arm, launch))

    def sealed_profile(self, arm: CgArm) -> RunFolder | None:
        """The launch under the profiler, or None where there is none."""
        return self._sealed(profile_name(arm))

    def set_aside(self, name: str) -> None:
        """Moves what was cut off out of the way. Raises: EnvironmentProblem where it cannot be."""
        set_aside(self.path, self.runs, name)

    def _sealed(self, name: str) -> RunFolder | None:
        folder = RunFolder(self.runs / name)
        return folder if folder.is_sealed else None


def list_cg_benches(benches: Path) -> list[CgFolder]:
    """All of them, the newest last."""
    return [CgFolder(one.parent) for one in sorted(benches.glob(f"*/{SPEC}"))]


def _named(benches: Path, wanted: str) -> list[CgFolder]:
    """Those whose id is so, else those whose id begins so."""
    there, name = list_cg_benches(benches), wanted.rstrip("/")
    found = [one for one in there if one.path.name == name]
    return found or [one for one in there if name and one.path.name.startswith(name)]


def find_cg_bench(benches: Path, wanted: str) -> CgFolder | None:
    """The benchmark that a path, an id or the unique beginning of an id names; None for none."""
    if (Path(wanted) / SPEC).is_file():
        return CgFolder(Path(wanted).resolve())
    found = _named(benches, wanted)
    return found[0] if len(found) == 1 else None


def resolve_cg_bench(benches: Path, wanted: str) -> CgFolder:
    """The same, also for "last". Raises: UsageError naming what there is."""
    one = find_cg_bench(benches, wanted)
    if one is not None:
        return one
    there = list_cg_benches(benches)
    if not there:
        raise UsageError(
            f"there is no benchmark of conjugate gradients in {benches}; make one with ./isobath "
            "bench cg"
        )
    if wanted == "last":
        return there[-1]
    several = ", ".join(found.path.name for found in _named(benches, wanted))
    if several:
        raise UsageError(
            f"{wanted} begins the names of several benchmarks: {several}; write more of it"
        )
    latest = ", ".join(found.path.name for found in there[-3:])
    raise UsageError(
        f"no benchmark of conjugate gradients is called {wanted} in {benches}; the latest are "
        f"{latest}"
    )
