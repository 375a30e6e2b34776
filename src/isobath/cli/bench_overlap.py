# SPDX-License-Identifier: Apache-2.0
"""isobath bench overlap: does non-blocking communication hide anything here?"""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.overlap_text import lines_of
from isobath.cli.places import shown
from isobath.errors import EnvironmentProblem, ExitCode, UsageError
from isobath.launch.installation import Installation
from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.offload_hardware import offload_hardware
from isobath.machine.facts import read_machine
from isobath.overlap.reading import groups_of, rows_of
from isobath.records.codec import read_records
from isobath.records.overlap import OverlapRecord

PROGRAM = "isobath-overlap"
OFFLOADED = ("allreduce", "reduce", "bcast", "barrier")
MODES = ("library", "tests", "thread", "spare_thread", "library_thread", "offload")
ALL_MODES = ",".join(MODES)
LONGEST_LAUNCH_SECONDS = 1800.0

ASYNC_PROGRESS = {
    "hydra": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    "intel": {"I_MPI_ASYNC_PROGRESS": "1"},
}
"""What switches a library's own progress thread on, by family."""


@dataclass(frozen=True)
class Launch:
    """One launch of the engine program."""

    modes: tuple[str, ...]
    collectives: tuple[str, ...]
    workers: int
    aggregators: int = 0
    environment: dict[str, str] = field(default_factory=dict)
    is_crowded: bool = False
    """a thread for each rank, and no processors for them: the middle of the sweep has to do"""


Collectives = Annotated[
    str, typer.Option(metavar="A,B,...", help="Collectives, or all: every one.")
]
Sizes = Annotated[str, typer.Option(metavar="N,N,...", help="Bytes of a vector or block.")]
Ranks = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Ranks that compute; default: up to 2.")
]
Threads = Annotated[int, typer.Option(metavar="N", min=1, help="Threads of a rank.")]
Progress = Annotated[str, typer.Option(metavar="A,B,...", help=f"Of: {', '.join(MODES)}.")]
Work = Annotated[str, typer.Option(metavar="A,B,...", help="product, triad, scan.")]
Ratios = Annotated[str, typer.Option(metavar="X,X,...", help="Of work to call.")]
Tests = Annotated[str, typer.Option(metavar="K,K,...", help="Calls of MPI_Test in the work.")]
Aggregators = Annotated[int, typer.Option(metavar="N", min=1, help="Ranks for offload.")]
Trees = Annotated[int, typer.Option(metavar="N", min=1, max=255, help="Of offload.")]
Repetitions = Annotated[int, typer.Option(metavar="N", min=1, help="Of each setting.")]
Order = Annotated[int, typer.Option(metavar="N", min=1, help="Of the matrices of product.")]
Mpi = Annotated[str | None, typer.Option(metavar="NAME", help="The MPI to run under.")]
Output = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder for the records; default: in benches.")
]


def overlap(
    *,
    collectives: Collectives = "allreduce,alltoall",
    sizes: Sizes = "16,512,4096,8192",
    ranks: Ranks = None,
    threads: Threads = 1,
    progress: Progress = ALL_MODES,
    work: Work = "product,triad,scan",
    ratios: Ratios = "0.25,0.5,1,2,4",
    tests: Tests = "0,1,10,100,1000",
    aggregators: Aggregators = 1,
    trees: Trees = 1,
    repetitions: Repetitions = 20,
    order: Order = 32,
    mpi: Mpi = None,
    output: Output = None,
) -> int:
    """Measure what non-blocking collectives hide behind fixed work, way by way.

    Prints a table for each number of ranks and size, and one sentence: hidden, or only faster?
    """
    machine = read_machine()
    library = choose_library(Installation.here(), mpi)
    modes = _chosen(progress)
    workers = ranks or min(2, max(1, machine.usable_cpus // threads))
    folder = _new_folder(output)
    records = folder / "records.jsonl"
    same_of_all = ["--tests", tests, "--threads", str(threads), "--sizes", sizes,
              "--repetitions", str(repetitions), "--order", str(order),
              "--trees", str(trees)]  # fmt: skip
    names = _collectives(library, collectives)
    _say(offload_hardware(library).sentence)
    launches = _launches(
        library, modes, names, workers, aggregators, machine.usable_cpus // threads
    )
    started = datetime.now(UTC)
    for number, one in enumerate(launches):
        swept = ["--work", work, "--ratios", ratios]
        middle = ["--work", work.split(",")[0], "--ratios", "1"]
        words = [*same_of_all, *(middle if one.is_crowded else swept),
                 "--collectives", ",".join(one.collectives), "--progress", ",".join(one.modes),
                 "--aggregators", str(one.aggregators),
                 "--launch", str(number), "--record", str(records),
                 "--run-id", folder.name, *_references(records, one.workers)]  # fmt: skip
        _run(library, words, one, threads, machine.usable_cpus, folder)
    found = [one for one in read_records(records) if isinstance(one, OverlapRecord)]
    for group in groups_of(rows_of(found)):
        print("\n".join(lines_of(group)), end="\n\n", flush=True)
    for reason in dict.fromkeys(f"{one.progress} {one.not_runnable}" for one in found
                                if one.not_runnable):  # fmt: skip
        _say(f"not runnable: {reason}")
    from isobath.report.overlap_page import write_overlap_report

    page = write_overlap_report(records, folder / "report.html")
    seconds = (datetime.now(UTC) - started).total_seconds()
    wrong = [one for one in found if one.data_check == "failed"]
    for bad in wrong:
        _say(f"{bad.collective} of {bad.size_bytes} B, {bad.progress}: {bad.data_check_failure}")
    _say(f"{len(found)} settings in {seconds:.0f} s; report {shown(page)}")
    return int(ExitCode.VIOLATIONS if wrong else ExitCode.DONE)


def _new_folder(output: Path | None) -> Path:
    """A folder that was not there. Raises: UsageError where it was, EnvironmentProblem."""
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-overlap-{secrets.token_hex(2)}"
    folder = output or Installation.here().prefix / "benches" / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise UsageError(f"{folder} is there already; name another with --output") from error
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot make {folder}: {error.strerror}; name another with --output"
        ) from error
    return folder


def _chosen(progress: str) -> tuple[str, ...]:
    """Raises: UsageError for a way to make progress that there is not."""
    chosen = tuple(progress.split(","))
    for name in chosen:
        if name not in MODES:
            raise UsageError(f"--progress {name}: choose from {', '.join(MODES)}")
    return chosen


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


def _launches(
    library: MpiLibrary,
    modes: tuple[str, ...],
    names: tuple[str, ...],
    workers: int,
    aggregators: int,
    room: int,
) -> list[Launch]:
    """Ways that make every call slower have a launch of their own; so has each number of ranks.

    Threads and aggregators are measured with as many ranks as leave processors for them, and,
    marked, with all.
    """
    plain = tuple(mode for mode in modes if mode in ("library", "tests"))
    threaded = tuple(mode for mode in modes if mode in ("thread", "spare_thread"))
    launches = []
    if plain:
        launches.append(Launch(plain, names, workers))
    if "library_thread" in modes and library.family not in ASYNC_PROGRESS:
        _say(f"library_thread is left out: {library.kind} has no progress thread")
    for count in dict.fromkeys((max(1, min(workers, room // 2)), workers)):
        crowded = 2 * count > room
        if threaded:
            launches.append(Launch(threaded, names, count, is_crowded=crowded))
        if "library_thread" in modes and library.family in ASYNC_PROGRESS:
            switch = ASYNC_PROGRESS[library.family]
            launches.append(
                Launch(("library_thread",), names, count, environment=switch, is_crowded=crowded)
            )
    trees_can = tuple(name for name in names if name in OFFLOADED)
    if "offload" in modes and trees_can:
        fitting = max(1, min(workers, room - aggregators))
        launches += [
            Launch(("library", "offload"), trees_can, count, aggregators,
                   is_crowded=count + aggregators > room)
            for count in dict.fromkeys((fitting, workers))
        ]  # fmt: skip
    return launches


def _references(records: Path, workers: int) -> list[str]:
    """So that all launches do the same work: how long units took in the first launch, and calls in
    the first of as many ranks.
    """
    if not records.exists():
        return []
    calls: dict[str, float] = {}
    units: dict[str, float] = {}
    for one in read_records(records):
        if not isinstance(one, OverlapRecord) or one.parts is None:
            continue
        units.setdefault(one.work, one.unit_nanoseconds)
        if one.ranks == workers:
            calls.setdefault(f"{one.collective}:{one.size_bytes}", one.reference_call_nanoseconds)
    words: list[str] = []
    for option, found in (("--reference", calls), ("--unit", units)):
        for name, nanoseconds in found.items():
            words += [option, f"{name}={nanoseconds!r}"]
    return words


def _run(
    library: MpiLibrary, words: list[str], one: Launch, threads: int, cpus: int, folder: Path
) -> None:
    """Raises: EnvironmentProblem where the launch fails, with its last words."""
    line = launch_line(
        library,
        library.program(PROGRAM),
        words,
        ranks=one.workers + one.aggregators,
        threads=threads,
        cpus=cpus,
    )
    _say(f"measuring {', '.join(one.modes)} with ranks {one.workers}"
         + (f", aggregators {one.aggregators}" if one.aggregators else ""))  # fmt: skip
    log = folder / "stderr.txt"
    with log.open("a", encoding="utf-8") as errors:
        try:
            code = subprocess.run(
                line.command,
                env={**os.environ, **line.environment, **one.environment},
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                timeout=LONGEST_LAUNCH_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise EnvironmentProblem(
                f"{PROGRAM} did not end within {LONGEST_LAUNCH_SECONDS:.0f} s; see {log}"
            ) from error
    if code not in (ExitCode.DONE, ExitCode.VIOLATIONS):
        last = _last(log.read_text(encoding="utf-8", errors="replace").splitlines())
        if code == ExitCode.USAGE:
            raise UsageError(last)
        raise EnvironmentProblem(f"{PROGRAM} ended with {code}: {last}; see {log}")


def _last(lines: Iterable[str]) -> str:
    own = [line.removeprefix("isobath: ") for line in lines if line.startswith("isobath:")]
    return own[-1] if own else "it said nothing"


def _say(words: str) -> None:
    print(f"isobath: {words}", file=sys.stderr, flush=True)
