# SPDX-License-Identifier: Apache-2.0
"""isobath bench cg: does pipelining conjugate gradients pay, and is it the overlap?"""

import json
import random
import secrets
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.cli.bench_overlap import ALL_MODES, ASYNC_PROGRESS
from isobath.cli.cg_launches import describe, run_all
from isobath.cli.cg_petsc import build_program
from isobath.cli.cg_profile import profile_arm
from isobath.cli.cg_text import as_json, print_cg
from isobath.cli.overlap_options import MODES
from isobath.cli.places import bench_report_file, benches_folder, reports_folder, shown
from isobath.cli.seals import code_of_seals
from isobath.errors import ExitCode, UsageError
from isobath.krylov.reading import read_measured
from isobath.krylov.spec import PETSC, CgArm, CgFolder, CgSpec, find_cg_bench
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.petsc import Petsc, find_petsc
from isobath.machine.facts import read_machine


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

Preset = Annotated[str, typer.Option(metavar="NAME", help=f"{', '.join(PRESETS)}.")]
Elements = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Of a side of the mesh; else the preset's.")
]
Iterations = Annotated[int | None, typer.Option(metavar="N", min=1, help="Of each solve.")]
Repetitions = Annotated[int | None, typer.Option(metavar="N", min=1, help="Solves of a cell.")]
Launches = Annotated[int | None, typer.Option(metavar="N", min=1, help="Of every arm.")]
Ranks = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Ranks that compute; default: up to 2.")
]
Threads = Annotated[int, typer.Option(metavar="N", min=1, help="Threads of a rank.")]
Progress = Annotated[str, typer.Option(metavar="A,B,...", help=f"Of: {', '.join(MODES)}; none.")]
Tests = Annotated[str, typer.Option(metavar="K,K,...", help="Calls of MPI_Test per covering step.")]
Aggregators = Annotated[int, typer.Option(metavar="N", min=1, help="Ranks for offload.")]
Mpi = Annotated[str | None, typer.Option(metavar="A,B,...", help="The MPI libraries.")]
WithPetsc = Annotated[bool, typer.Option(help="PETSc's methods beside ours, where it is.")]
Profiled = Annotated[bool, typer.Option(help="One more launch, for shares of MPI calls.")]
Seed = Annotated[int | None, typer.Option(metavar="N", min=0, help="Of all orders; else drawn.")]
Of = Annotated[str | None, typer.Option(metavar="ID", help="Show one that is stored.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Benches = Annotated[str | None, typer.Option(metavar="DIR", help="Default: benches.")]
Reports = Annotated[str | None, typer.Option(metavar="DIR", help="Default: reports.")]
Report = Annotated[bool, typer.Option(help="Write the HTML report.")]


def cg(
    *,
    preset: Preset = "small",
    elements: Elements = None,
    iterations: Iterations = None,
    repetitions: Repetitions = None,
    launches: Launches = None,
    ranks: Ranks = None,
    threads: Threads = 1,
    progress: Progress = ALL_MODES,
    tests: Tests = "4",
    aggregators: Aggregators = 1,
    mpi: Mpi = None,
    petsc: WithPetsc = True,
    profile: Profiled = True,
    seed: Seed = None,
    of: Of = None,
    json_output: AsJson = False,
    benches: Benches = None,
    reports: Reports = None,
    report: Report = True,
) -> int:
    """Conjugate gradients against pipelined ones, on bilinear elements.

    Prints a table for each library, mesh and number of ranks: time of an iteration, what the
    algorithm does and what the overlap does, and where pipelining would break even.
    """
    if of is not None:
        stored = find_cg_bench(benches_folder(benches), of)
        if stored is None:
            raise UsageError(f"no benchmark of conjugate gradients is called {of}")
        return _tell(stored, ExitCode.DONE, json_output, reports, report=False)
    if preset not in PRESETS:
        raise UsageError(f"--preset {preset}: choose from {', '.join(PRESETS)}")
    named = PRESETS[preset]
    libraries = [choose_library(Installation.here(), one) for one in _names(mpi)]
    found = find_petsc() if petsc else "PETSc is left out, as asked"
    plan = Plan(
        elements=_numbers("--elements", elements) or named.elements,
        modes=_modes(progress),
        ranks=_numbers("--ranks", ranks)
        or (min(2, max(1, read_machine().usable_cpus // threads)),),
        threads=threads,
        aggregators=aggregators,
        cpus=read_machine().usable_cpus,
    )
    left_out = [*plan.left_out(libraries), *([found] if isinstance(found, str) else [])]
    for sentence in left_out:
        _say(sentence)
    spec = CgSpec(
        preset=preset,
        iterations=iterations or named.iterations,
        repetitions=repetitions or named.repetitions,
        tests=_numbers("--tests", tests),
        threads=threads,
        launches=launches or named.launches,
        seed=random.SystemRandom().randrange(2**31) if seed is None else seed,
        arms=plan.arms(libraries, with_petsc=isinstance(found, Petsc)),
        profiled=profile,
        left_out=tuple(left_out),
    )
    folder = CgFolder(
        benches_folder(benches) / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-cg-{secrets.token_hex(2)}"
    )
    folder.write_spec(spec)
    ready = (found, build_program(found, folder.path)) if isinstance(found, Petsc) else None
    with Interrupts() as interrupts:
        code = run_all(folder, spec, ready, interrupts, _say)
        for arm in spec.profiled_arms() if not interrupts.wants_end else ():
            came_to = profile_arm(folder, spec, arm, ready, interrupts)
            _say(f"profile of {describe(arm)}: {came_to}")
    return _tell(folder, code, json_output, reports, report=report)


def _tell(
    folder: CgFolder, code: ExitCode, json_output: bool, reports: str | None, *, report: bool
) -> int:
    measured = read_measured(folder)
    if json_output:
        print(json.dumps(as_json(measured) | {"bench": folder.path.name}, indent=1))
    else:
        print_cg(measured)
    for sentence in measured.problems:
        _say(sentence)
    if report:
        from isobath.report.cg_page import write_cg_report

        page = write_cg_report(
            folder.path, bench_report_file(reports_folder(reports), folder.path.name)
        )
        _say(f"report {shown(page)}")
    if code == ExitCode.DONE and measured.is_altered:
        return code_of_seals(is_altered=True)
    wrong = code == ExitCode.DONE and measured.problems
    return int(ExitCode.VIOLATIONS if wrong else code)


@dataclass(frozen=True)
class Plan:
    """What is wanted of every library."""

    elements: tuple[int, ...]
    modes: tuple[str, ...]
    ranks: tuple[int, ...]
    threads: int
    aggregators: int
    cpus: int

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


def _names(text: str | None) -> list[str | None]:
    return [*dict.fromkeys(text.split(","))] if text else [None]


def _modes(progress: str) -> tuple[str, ...]:
    """Raises: UsageError for a way to make progress that there is not."""
    chosen = tuple(name for name in dict.fromkeys(progress.split(",")) if name != "none")
    for name in chosen:
        if name not in MODES:
            raise UsageError(f"--progress {name}: choose from {', '.join(MODES)}, none")
    return chosen


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    """Raises: UsageError for what is no positive number."""
    if text is None:
        return ()
    try:
        found = tuple(dict.fromkeys(int(one) for one in text.split(",")))
    except ValueError:
        found = (0,)
    if min(found) < 1:
        raise UsageError(f"{option} {text} is not understood; write whole numbers, as 2,4")
    return found


def _say(words: str) -> None:
    print(f"isobath: {words}", file=sys.stderr, flush=True)
