# SPDX-License-Identifier: Apache-2.0
"""isobath bench overlap: does non-blocking communication hide anything here?"""

import secrets
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, get_args

import typer

from isobath.cli.overlap_execution import PROGRAM, run_overlap
from isobath.cli.overlap_text import print_overlap
from isobath.cli.places import benches_folder, shown
from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.offload_hardware import offload_hardware
from isobath.machine.facts import read_machine
from isobath.overlap.folders import (
    OverlapFolder,
    find_overlap,
    list_overlaps,
    make_overlap_id,
    read_overlap,
)
from isobath.overlap.plan import ENOUGH_LAUNCHES, OverlapArm, OverlapPlan
from isobath.records.overlap import OverlapRecord, Progress

OFFLOADED = ("allreduce", "reduce", "bcast", "barrier")
MODES: tuple[Progress, ...] = get_args(Progress)
ALL_MODES = ",".join(MODES)

ASYNC_PROGRESS = {
    "hydra": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    "intel": {"I_MPI_ASYNC_PROGRESS": "1"},
}
"""What switches a library's own progress thread on, by family."""


Collectives = Annotated[
    str, typer.Option(metavar="A,B,...", help="Collectives, or all: every one.")
]
Sizes = Annotated[str, typer.Option(metavar="N,N,...", help="Bytes of a vector or block.")]
Ranks = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Ranks that compute; default: up to 2.")
]
Threads = Annotated[int, typer.Option(metavar="N", min=1, help="Threads of a rank.")]
Modes = Annotated[str, typer.Option(metavar="A,B,...", help=f"Of: {', '.join(MODES)}.")]
Work = Annotated[str, typer.Option(metavar="A,B,...", help="product, triad, scan.")]
Ratios = Annotated[str, typer.Option(metavar="X,X,...", help="Of work to call.")]
Tests = Annotated[str, typer.Option(metavar="K,K,...", help="Calls of MPI_Test in the work.")]
Aggregators = Annotated[int, typer.Option(metavar="N", min=1, help="Ranks for offload.")]
Trees = Annotated[int, typer.Option(metavar="N", min=1, max=255, help="Of offload.")]
Repetitions = Annotated[int, typer.Option(metavar="N", min=1, help="Of each setting.")]
Order = Annotated[int, typer.Option(metavar="N", min=1, help="Of the matrices of product.")]
Mpi = Annotated[str | None, typer.Option(metavar="NAME", help="The MPI to run under.")]
Launches = Annotated[int, typer.Option(metavar="N", min=1, help="Of each way to make progress.")]
Seed = Annotated[int | None, typer.Option(metavar="N", min=0, help="Of the order of launches.")]
Resume = Annotated[
    str | None, typer.Option(metavar="ID", help="Go on with one: id, path, or last.")
]
Output = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder to make; default: in benches.")
]


def overlap(
    *,
    collectives: Collectives = "allreduce,alltoall",
    sizes: Sizes = "16,512,4096,8192",
    ranks: Ranks = None,
    threads: Threads = 1,
    progress: Modes = ALL_MODES,
    work: Work = "product,triad,scan",
    ratios: Ratios = "0.25,0.5,1,2,4",
    tests: Tests = "0,1,10,100,1000",
    aggregators: Aggregators = 1,
    trees: Trees = 1,
    repetitions: Repetitions = 10,
    order: Order = 32,
    mpi: Mpi = None,
    launches: Launches = ENOUGH_LAUNCHES,
    seed: Seed = None,
    resume: Resume = None,
    output: Output = None,
) -> int:
    """Measure what non-blocking collectives hide behind fixed work, way by way.

    Prints a table for each number of ranks and size, and one sentence: hidden, or only faster?
    """
    if resume is not None:
        there = list_overlaps(benches_folder())
        wanted = str(there[-1]) if resume == "last" and there else resume
        folder = find_overlap(benches_folder(), wanted)
        if folder is None:
            raise UsageError(
                f"no benchmark of overlap is called {resume} in {benches_folder()}; begin one "
                "without --resume"
            )
        return _perform(folder)
    machine = read_machine()
    library = choose_library(Installation.here(), mpi)
    library.program(PROGRAM)
    modes = _chosen(progress)
    workers = ranks or min(2, max(1, machine.usable_cpus // threads))
    names = _collectives(library, collectives)
    _say(offload_hardware(library).sentence)
    created = datetime.now(UTC)
    bench_id = make_overlap_id(created) if output is None else output.name
    plan = OverlapPlan(
        bench_id=bench_id,
        created=created,
        command=("isobath", *sys.argv[1:]),
        mpi=library.id,
        threads=threads,
        seed=secrets.randbelow(1 << 31) if seed is None else seed,
        launches=launches,
        method=("--tests", tests, "--sizes", sizes, "--repetitions", str(repetitions),
                "--order", str(order), "--trees", str(trees)),
        work=work,
        ratios=ratios,
        arms=arms_of(library, modes, names, workers, aggregators, machine.usable_cpus // threads),
    )  # fmt: skip
    if not plan.arms:
        raise UsageError("nothing is left to measure: no way to make progress has a collective")
    folder = OverlapFolder(output or benches_folder() / bench_id)
    folder.write_plan(plan)
    return _perform(folder)


def _perform(folder: OverlapFolder) -> int:
    """What is missing of a benchmark, then its tables and its page."""
    from isobath.report.overlap_page import write_overlap_report

    plan = folder.plan()
    started = datetime.now(UTC)
    with folder.locked(), Interrupts() as interrupts:
        outcome = run_overlap(folder, plan, interrupts, _say)
    found = read_overlap(folder)
    records = [one for one in found.records if isinstance(one, OverlapRecord)]
    print_overlap(found)
    page = write_overlap_report(folder, folder.report)
    seconds = (datetime.now(UTC) - started).total_seconds()
    if outcome.interrupted:
        _say(
            f"interrupted after {outcome.done} of {outcome.total} launches; they are kept: go on "
            f"with ./isobath bench overlap --resume {shown(folder.path)}"
        )
    _say(f"{len(records)} settings of {outcome.done} launches, {seconds:.0f} s; "
         f"report {shown(page)}")  # fmt: skip
    return int(outcome.exit_code)


def _chosen(progress: str) -> tuple[Progress, ...]:
    """Raises: UsageError for a way to make progress that there is not."""
    chosen = progress.split(",")
    for name in chosen:
        if name not in MODES:
            raise UsageError(f"--progress {name}: choose from {', '.join(MODES)}")
    return tuple(mode for mode in MODES if mode in chosen)


def _collectives(library: MpiLibrary, collectives: str) -> tuple[str, ...]:
    """The names, ``all`` spelt out by the engine program."""
    if collectives != "all":
        return tuple(collectives.split(","))
    listed = subprocess.run(
        [str(library.program(PROGRAM)), "--list"], capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        raise EnvironmentProblem(f"{PROGRAM} cannot list its collectives: {listed.stderr.strip()}")
    return tuple(listed.stdout.split())


def arms_of(
    library: MpiLibrary,
    modes: tuple[Progress, ...],
    names: tuple[str, ...],
    workers: int,
    aggregators: int,
    room: int,
) -> tuple[OverlapArm, ...]:
    """Ways that make every call slower have launches of their own; so has each number of ranks.

    Threads and aggregators are measured with as many ranks as leave processors for them, and,
    marked, with all. Beside offload the library alone is measured where no other launch has it
    with as many ranks: aggregators that sleep change nothing where there is a processor for each.

    Args: room is the number of ranks that there are processors for.
    """
    arms: list[OverlapArm] = []

    def add(
        modes: tuple[Progress, ...],
        names: tuple[str, ...],
        ranks: int,
        beside: int = 0,
        environment: dict[str, str] | None = None,
        *,
        is_crowded: bool = False,
    ) -> None:
        arms.append(
            OverlapArm(
                arm=f"o{len(arms) + 1:02}", modes=modes, collectives=names, ranks=ranks,
                aggregators=beside, environment=environment or {}, is_crowded=is_crowded,
            )
        )  # fmt: skip

    plain = tuple(mode for mode in modes if mode in ("library", "tests"))
    threaded = tuple(mode for mode in modes if mode in ("thread", "spare_thread"))
    if plain:
        add(plain, names, workers)
    if "library_thread" in modes and library.family not in ASYNC_PROGRESS:
        _say(f"library_thread is left out: {library.kind} has no progress thread")
    for count in dict.fromkeys((max(1, min(workers, room // 2)), workers)):
        crowded = 2 * count > room
        if threaded:
            add(threaded, names, count, is_crowded=crowded)
        if "library_thread" in modes and library.family in ASYNC_PROGRESS:
            switch = ASYNC_PROGRESS[library.family]
            add(("library_thread",), names, count, environment=switch, is_crowded=crowded)
    trees_can = tuple(name for name in names if name in OFFLOADED)
    if "offload" in modes and trees_can:
        fitting = max(1, min(workers, room - aggregators))
        for count in dict.fromkeys((fitting, workers)):
            is_measured = "library" in plain and count == workers
            add(("offload",) if is_measured else ("library", "offload"), trees_can, count,
                aggregators, is_crowded=count + aggregators > room)  # fmt: skip
    return tuple(arms)


def _say(words: str) -> None:
    print(f"isobath: {words}", file=sys.stderr, flush=True)
