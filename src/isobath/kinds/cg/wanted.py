# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench cg to its plan. Makes nothing."""

import random
from dataclasses import dataclass

from isobath.errors import UsageError
from isobath.kinds.cg.plan import PETSC, CgArm, CgPlan
from isobath.kinds.progress import ALL_MODES, ASYNC_PROGRESS, MODES
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.petsc import Petsc, find_petsc
from isobath.machine.facts import read_machine
from isobath.settings.values import names_of, no_choice, split_words, whole_numbers

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


def plan_cg(wanted: CgRequest) -> CgPlan:
    """The whole plan, PETSc in it where it is here. Raises: UsageError, EnvironmentProblem."""
    name = wanted.preset or DEFAULT_PRESET
    if name not in PRESETS:
        raise no_choice("--preset", name, PRESETS)
    named = PRESETS[name]
    tests = whole_numbers("--tests", wanted.tests or DEFAULT_TESTS, 1, MOST_TESTS)
    threads = wanted.threads or 1
    cpus = read_machine().usable_cpus
    design = Design(
        elements=whole_numbers("--elements", wanted.elements, 2, MOST_ELEMENTS) or named.elements,
        modes=tuple(
            mode
            for mode in names_of("--progress", wanted.progress or ALL_MODES, MODES, "none")
            if mode != "none"
        ),
        ranks=whole_numbers("--ranks", wanted.ranks, 1) or (min(2, max(1, cpus // threads)),),
        threads=threads,
        aggregators=wanted.aggregators or 1,
        cpus=cpus,
    )
    design.refuse_few_rows()
    libraries = _libraries(wanted.mpi)
    found = "PETSc is left out, as asked" if wanted.petsc is False else find_petsc()
    return CgPlan(
        preset=name,
        iterations=wanted.iterations or named.iterations,
        repetitions=wanted.repetitions or named.repetitions,
        tests=tests,
        threads=threads,
        launches=wanted.launches or named.launches,
        seed=random.SystemRandom().randrange(2**31) if wanted.seed is None else wanted.seed,
        arms=design.arms(libraries, with_petsc=isinstance(found, Petsc)),
        profiled=wanted.profile is not False,
        left_out=(*design.left_out(libraries), *([found] if isinstance(found, str) else [])),
    )


@dataclass(frozen=True)
class Design:
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
    names = split_words(text) or (None,)
    found = (choose_library(Installation.here(), one) for one in names)
    return list({one.id: one for one in found}.values())
