# SPDX-License-Identifier: Apache-2.0
"""isobath bench overlap: does non-blocking communication hide anything here?"""

import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.overlap_execution import run_overlap
from isobath.cli.overlap_options import (
    MODES,
    MOST_ORDER,
    MOST_RANKS,
    MOST_REPETITIONS,
    PROGRAM,
    chosen_collectives,
    chosen_modes,
    chosen_ratios,
    chosen_sizes,
    chosen_tests,
    chosen_work,
    refuse_measuring,
)
from isobath.cli.places import benches_folder, shown
from isobath.cli.studies import Ending, show_found, try_report
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError
from isobath.kinds.overlap.kind import KIND
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.offload_hardware import offload_hardware
from isobath.machine.facts import read_machine
from isobath.overlap.folders import (
    OverlapFolder,
    find_overlap,
    list_overlaps,
    make_overlap_id,
)
from isobath.overlap.plan import ENOUGH_LAUNCHES, OverlapArm, OverlapPlan
from isobath.records.overlap import Progress
from isobath.report.wording import count_of

OFFLOADED = ("allreduce", "reduce", "bcast", "barrier")
ALL_MODES = ",".join(MODES)

ASYNC_PROGRESS = {
    "hydra": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    "intel": {"I_MPI_ASYNC_PROGRESS": "1"},
}
"""What switches a library's own progress thread on, by family."""


Collectives = Annotated[
    str,
    typer.Option(metavar="A,B,...", help="Collectives to measure, separated by commas, or all."),
]
Sizes = Annotated[str, typer.Option(metavar="N,N,...", help="Bytes of a vector or block.")]
Ranks = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Ranks that compute; default: up to 2.")
]
Threads = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST_RANKS, help="Threads that each rank works with.")
]
Modes = Annotated[
    str, typer.Option(metavar="A,B,...", help=f"Ways to make progress: {', '.join(MODES)}.")
]
Work = Annotated[
    str, typer.Option(metavar="A,B,...", help="Work that is done meanwhile: product, triad, scan.")
]
Ratios = Annotated[
    str, typer.Option(metavar="X,X,...", help="Time of the work by that of the call: 0.5,1,2.")
]
Tests = Annotated[str, typer.Option(metavar="K,K,...", help="Calls of MPI_Test in the work.")]
Aggregators = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_RANKS,
        help="Ranks beside the others that work for them (offload).",
    ),
]
Trees = Annotated[
    int,
    typer.Option(
        metavar="N", min=1, max=255, help="Trees in which those ranks are arranged (offload)."
    ),
]
Repetitions = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_REPETITIONS,
        help="How often each setting is repeated in a launch.",
    ),
]
Order = Annotated[
    int,
    typer.Option(
        metavar="N", min=1, max=MOST_ORDER, help="Order of the matrices of the work product."
    ),
]
Mpi = Annotated[str | None, typer.Option(metavar="NAME", help="The MPI to run under.")]
Launches = Annotated[
    int, typer.Option(metavar="N", min=1, help="How often each way to make progress is launched.")
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Seed of the order of launches.")
]
Resume = Annotated[
    str | None, typer.Option(metavar="ID", help="Go on with one: id, path, or last.")
]
Of = Annotated[
    str | None, typer.Option(metavar="ID", help="Show a stored benchmark: its id, a path, or last.")
]
Output = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder to make; default: in benches.")
]
Benches = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of benchmarks; default: benches.")
]
Report = Annotated[bool, typer.Option(help="Write the HTML report.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def overlap(
    context: typer.Context,
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
    of: Of = None,
    output: Output = None,
    benches: Benches = None,
    report: Report = True,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    json_output: AsJson = False,
) -> int:
    """Measure what non-blocking collectives hide behind fixed work, way by way.

    Prints a table for each number of ranks and size, and one sentence: hidden, or only faster?
    """
    asked = Asked(hang_seconds, time_limit)
    if of is not None:
        refuse_measuring(
            context, "--of shows what is stored", ("resume", "hang_seconds", "time_limit")
        )
        return _tell(_stored(benches, of), as_words=not json_output)
    if resume is not None:
        refuse_measuring(context, "--resume goes on with a benchmark as it was planned")
        return _perform(_stored(benches, resume), asked, report=report, as_words=not json_output)
    if output is not None and benches is not None:
        raise UsageError("--output is the folder itself; leave --benches out")
    machine = read_machine()
    modes = chosen_modes(progress)
    method = ("--tests", chosen_tests(tests), "--sizes", chosen_sizes(sizes), "--repetitions",
              str(repetitions), "--order", str(order), "--trees", str(trees))  # fmt: skip
    works, swept = chosen_work(work), chosen_ratios(ratios)
    library = choose_library(Installation.here(), mpi)
    library.program(PROGRAM)
    names = chosen_collectives(library, collectives)
    workers = ranks or min(2, max(1, machine.usable_cpus // threads))
    _say(offload_hardware(library).sentence)
    created = datetime.now(UTC)
    bench_id = make_overlap_id(created) if output is None else output.name
    plan = OverlapPlan(
        bench_id=bench_id,
        created=created,
        command=typed_command(),
        mpi=library.id,
        threads=threads,
        seed=secrets.randbelow(1 << 31) if seed is None else seed,
        launches=launches,
        method=method,
        work=works,
        ratios=swept,
        arms=arms_of(library, modes, names, workers, aggregators, machine.usable_cpus // threads),
    )
    if not plan.arms:
        raise UsageError("nothing is left to measure: no way to make progress has a collective")
    folder = OverlapFolder(output or benches_folder(benches) / bench_id)
    folder.write_plan(plan)
    return _perform(folder, asked, report=report, as_words=not json_output)


def go_on(path: str, *, report: bool, as_words: bool) -> int:
    """What is left of a stored one; returns the exit code."""
    return _perform(OverlapFolder(Path(path)), NOTHING_ASKED, report=report, as_words=as_words)


def _stored(benches: str | None, wanted: str) -> OverlapFolder:
    """Raises: UsageError where there is no such benchmark."""
    there = list_overlaps(benches_folder(benches))
    name = str(there[-1]) if wanted == "last" and there else wanted
    folder = find_overlap(benches_folder(benches), name)
    if folder is None:
        raise UsageError(
            f"no benchmark of overlap is called {wanted} in {benches_folder(benches)}; begin one "
            "with ./isobath bench overlap"
        )
    return folder


def _perform(folder: OverlapFolder, asked: Asked, *, report: bool, as_words: bool) -> int:
    """What is missing of a benchmark, then its tables and its page."""
    plan = folder.plan()
    started = datetime.now(UTC)
    with folder.locked(), Interrupts() as interrupts:
        outcome = run_overlap(folder, plan, interrupts, _say, asked=asked)
    told = _tell(folder, as_words=as_words)
    if report:
        found = KIND.read(folder.path)
        written = int(try_report(KIND, folder.path, found, Ending()))
        told = told or written
    seconds = (datetime.now(UTC) - started).total_seconds()
    again = f"./isobath bench overlap --resume {shown(folder.path)}"
    if outcome.interrupted:
        _say(
            f"interrupted after {outcome.done} of {outcome.total} launches; they are kept: go on "
            f"with {again}"
        )
    elif folder.to_do(plan):
        _say(f"launches failed or were not begun; they are tried again with {again}")
    _say(f"{count_of(outcome.done, 'launch', 'launches')}, {seconds:.0f} s; {shown(folder.path)}")
    return int(outcome.exit_code) or told


def _tell(folder: OverlapFolder, *, as_words: bool) -> int:
    """What is stored, as tables or JSON. Returns 3 where a launch is not as it was sealed."""
    found = KIND.read(folder.path)
    show_found(KIND, folder.path, found, as_json=not as_words)
    return int(KIND.code(found))


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
