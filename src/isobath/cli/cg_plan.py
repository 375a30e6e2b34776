# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench cg to its plan. Makes nothing."""

import random
from dataclasses import dataclass

from isobath.cli.bench_overlap import ALL_MODES, ASYNC_PROGRESS
from isobath.cli.overlap_options import MODES
from isobath.errors import UsageError
from isobath.krylov.spec import PETSC, CgArm, CgSpec
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.petsc import Petsc, find_petsc
from isobath.machine.facts import read_machine

MOST_ELEMENTS = 100_000
MOST_TESTS = 100_000


@dataclass(frozen=True)
class CgPreset:
    """A benchmark with a name."""

    elements: tuple[int, ...]
    iterations: int
    repetitions: int
    launches: int


PRESETS = {
    "small": CgPreset((128, 512), iterations=100, repetitions=5, launches=3),
    "paper": CgPreset((1536, 3072), iterations=500, repetitions=3, launches=3),
}

DEFAULT_PRESET = "small"
DEFAULT_TESTS = "4"


@dataclass(frozen=True)
class CgRequest:
    """What the options of measuring say; None where they are not given."""

    preset: str | None
    elements: str | None
    iterations: int | None
    repetitions: int | None
    launches: int | None
    ranks: str | None
    threads: int | None
    progress: str | None
    tests: str | None
    aggregators: int | None
    mpi: str | None
    petsc: bool | None
    profile: bool | None
    seed: int | None


def plan_cg(wanted: CgRequest) -> tuple[CgSpec, Petsc | None]:
    """The whole plan, and PETSc where it takes part. Raises: UsageError, EnvironmentProblem."""
    name = wanted.preset or DEFAULT_PRESET
    if name not in PRESETS:
        raise UsageError(f"--preset {name}: choose from {', '.join(PRESETS)}")
    named = PRESETS[name]
    tests = _numbers("--tests", wanted.tests or DEFAULT_TESTS, 1, MOST_TESTS)
    threads = wanted.threads or 1
    cpus = read_machine().usable_cpus
    plan = Plan(
        elements=_numbers("--elements", wanted.elements, 2, MOST_ELEMENTS) or named.elements,
        modes=_modes(ALL_MODES if wanted.progress is None else wanted.progress),
        ranks=_numbers("--ranks", wanted.ranks, 1) or (min(2, max(1, cpus // threads)),),
        threads=threads,
        aggregators=wanted.aggregators or 1,
        cpus=cpus,
    )
    plan.refuse_few_rows()
    libraries = _libraries(wanted.mpi)
    found = "PETSc is left out, as asked" if wanted.petsc is False else find_petsc()
    petsc = found if isinstance(found, Petsc) else None
    spec = CgSpec(
        preset=name,
        iterations=wanted.iterations or named.iterations,
        repetitions=wanted.repetitions or named.repetitions,
        tests=tests,
        threads=threads,
        launches=wanted.launches or named.launches,
        seed=random.SystemRandom().randrange(2**31) if wanted.seed is None else wanted.seed,
        arms=plan.arms(libraries, with_petsc=petsc is not None),
        profiled=wanted.profile is not False,
        left_out=(*plan.left_out(libraries), *([found] if isinstance(found, str) else [])),
    )
    return spec, petsc


@dataclass(frozen=True)
class Plan:
    """What is wanted of every library."""

    elements: tuple[int, ...]
    modes: tuple[str, ...]
    ranks: tuple[int, ...]
    threads: int
    aggregators: int
    cpus: int

    def refuse_few_rows(self) -> None:
        """Raises: UsageError where ranks would have no row of a mesh."""
        elements, ranks = min(self.elements), max(self.ranks)
        if elements + 1 < ranks:
            raise UsageError(
                f"a mesh of {elements} elements a side has fewer rows than {ranks} ranks; use more "
                "--elements or fewer --ranks"
            )

    def left_out(self, libraries: list[MpiLibrary]) -> list[str]:
        """Modes that a library does not have."""
        return [
            f"library_thread is left out: {one.kind} has no progress thread"
            for one in libraries
            if "library_thread" in self.modes and one.family not in ASYNC_PROGRESS
        ]

    def arms(self, libraries: list[MpiLibrary], *, with_petsc: bool) -> tuple[CgArm, ...]:
        """Ways that make every call slower have launches of their own; a plain one is always."""
        arms: list[CgArm] = []

        def add(mpi: str, modes: tuple[str, ...], count: int, helpers: int, aggregators: int = 0,
                environment: dict[str, str] | None = None) -> None:  # fmt: skip
            crowded = (count * self.threads + helpers) > self.cpus
            arms.append(CgArm(
                arm=len(arms), mpi=mpi, modes=modes, ranks=count, aggregators=aggregators,
                elements=self.elements[:1] if crowded else self.elements,
                environment=environment or {}, crowded=crowded,
            ))  # fmt: skip

        for count in self.ranks:
            for library in libraries:
                add(library.id, self._of("library", "tests"), count, 0)
                if self._of("thread", "spare_thread"):
                    add(library.id, self._of("thread", "spare_thread"), count, count)
                if "library_thread" in self.modes and library.family in ASYNC_PROGRESS:
                    add(library.id, ("library_thread",), count, count,
                        environment=ASYNC_PROGRESS[library.family])  # fmt: skip
                if "offload" in self.modes:
                    add(library.id, ("offload",), count, self.aggregators, self.aggregators)
            if with_petsc:
                add(PETSC, ("library",), count, 0)
        return tuple(arms)

    def _of(self, *names: str) -> tuple[str, ...]:
        return tuple(mode for mode in self.modes if mode in names)


def _libraries(text: str | None) -> list[MpiLibrary]:
    """Each once, by whatever names."""
    names = text.split(",") if text else [None]
    found = (choose_library(Installation.here(), one) for one in names)
    return list({one.id: one for one in found}.values())


def _modes(progress: str) -> tuple[str, ...]:
    """Each once. Raises: UsageError for a way to make progress that there is not."""
    chosen = tuple(dict.fromkeys(name for name in progress.split(",") if name != "none"))
    for name in chosen:
        if name not in MODES:
            raise UsageError(f"--progress {name}: choose from {', '.join(MODES)}, none")
    return chosen


def _numbers(option: str, text: str | None, least: int, most: int | None = None) -> tuple[int, ...]:
    """Each once. Raises: UsageError for what is no whole number of the range."""
    if text is None:
        return ()
    reach = f"from {least}" + ("" if most is None else f" to {most:,}")
    try:
        found = tuple(dict.fromkeys(int(one) for one in text.split(",")))
    except ValueError:
        found = (least - 1,)
    if min(found) < least or (most is not None and max(found) > most):
        raise UsageError(f"{option} {text} is not understood; write whole numbers {reach}, as 2,4")
    return found
