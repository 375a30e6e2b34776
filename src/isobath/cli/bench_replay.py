# SPDX-License-Identifier: Apache-2.0
"""isobath bench replay: the traffic of a search, level by level, measured by itself."""

import os
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, cast

import typer

from isobath.bench.folders import BenchFolder, make_bench_id
from isobath.bench.measured import read_measured
from isobath.bench.replay import Comparison, Replay, compared, replay_of
from isobath.bench.spec import Arm, BenchSpec, Family, StopRule
from isobath.cli.bench_execution import run_bench
from isobath.cli.bench_preparation import PROGRAM
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import (
    benches_folder,
    shown,
    store_folder,
    trusted_records,
    typed_bench,
)
from isobath.cli.race_design import split_words
from isobath.cli.race_preparation import libraries_of
from isobath.cli.run_output import say
from isobath.cli.terminal import console
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode, UsageError
from isobath.kinds.collectives.text import OVERSUBSCRIBED
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked
from isobath.machine.facts import read_machine
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from isobath.report.wording import count_of, percent
from isobath.store.folders import resolve
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.table import Table

BUFFERS = ("warm", "offcache", "dirty")

Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="The run to replay: a folder, an id or its beginning, or last."
    ),
]
Search = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Index of the search; default: that of the median time."),
]
Mpi = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME,..", help="MPI libraries to measure: wheel, system, ..., or all."),
]
Buffers = Annotated[
    str, typer.Option(metavar="B", help=f"State of the buffers: {', '.join(BUFFERS)}.")
]
Launches = Annotated[
    int, typer.Option(metavar="N", min=1, help="How often everything is launched again.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed of all orders; default: drawn.")]
Budget = Annotated[
    float, typer.Option(metavar="S", min=0.01, help="Seconds that a cell may take in a launch.")
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of run folders; default: runs.")
]
Benches = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of benchmarks; default: benches.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the phases, and stop.")]


def replay(
    run: Run = "last",
    *,
    search: Search = None,
    mpi: Mpi = None,
    buffers: Buffers = "dirty",
    launches: Launches = 3,
    seed: Seed = None,
    budget: Budget = 0.5,
    store: Store = None,
    benches: Benches = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    dry_run: DryRun = False,
) -> int:
    """Measure what a search sent, by itself: each phase of each level as one collective.

    The run must keep who sent to whom: ./isobath run --ranks 4 --peer-records. Buffers are written
    and read around every call as a search does (dirty).
    """
    asked = Asked(hang_seconds, time_limit)
    if buffers not in BUFFERS:
        raise UsageError(f"--buffers {buffers}: choose one of {', '.join(BUFFERS)}")
    folder = resolve(store_folder(store), run)
    records = RunRecords.of(read_records(trusted_records(folder)))
    found = replay_of(records, search, buffers=buffers)
    if dry_run:
        console().print(table_of(compared(found, ())))
        return int(ExitCode.DONE)
    spec = _spec(found, folder.run_id, split_words(mpi) or [], launches, seed, budget)
    bench = BenchFolder(benches_folder(benches) / spec.bench_id)
    say(
        f"search {found.search.index} of {folder.run_id}: {count_of(len(found.phases), 'phase')} "
        f"on a {found.grid} grid, {count_of(launches, 'launch', 'launches')}"
    )
    bench.write_spec(spec)
    with bench.locked(), Interrupts() as interrupts:
        outcome = run_bench(bench, spec, interrupts, say, asked=asked)
    if outcome.done:
        _print(found, bench)
    if outcome.interrupted:
        say(f"interrupted: ./isobath bench collectives --resume {typed_bench(bench)}")
    print(f"benchmark {shown(bench.path)}")
    return int(outcome.exit_code)


def _spec(
    found: Replay,
    run_id: str,
    mpi: list[str],
    launches: int,
    seed: int | None,
    budget: float,
) -> BenchSpec:
    machine = read_machine()
    created = datetime.now(UTC)
    cells = tuple(one.cell for one in found.phases)
    arms: list[Arm] = []
    for library in libraries_of(
        Installation.here(), tuple(mpi) or (os.environ.get("ISOBATH_MPI", ""),)
    ):
        library.program(PROGRAM)
        arms.append(
            Arm(
                arm=f"a{len(arms) + 1:02}",
                mpi=library.id,
                family=cast(Family, library.family),
                version=library.version,
                ranks=found.ranks,
                cells=cells,
            )
        )
    return BenchSpec(
        bench_id=make_bench_id(created),
        created=created,
        command=typed_command(),
        preset="replay",
        replayed=run_id,
        replayed_search=found.search.index,
        matrices=found.matrices(),
        seed=secrets.randbelow(1 << 31) if seed is None else seed,
        launches=launches,
        stop=StopRule(budget_seconds=budget),
        memory_limit_bytes=int(machine.available_bytes * 0.5),
        cpus=machine.usable_cpus,
        arms=tuple(arms),
    )


def _print(found: Replay, bench: BenchFolder) -> None:
    measured = read_measured(bench)
    out = console()
    for problem in measured.problems:
        out.print(problem)
    for arm in measured.spec.arms:
        cells = [one for one in measured.cells if one.arm.arm == arm.arm]
        rows = compared(found, cells)
        out.print(table_of(rows, arm.mpi if len(measured.spec.arms) > 1 else ""))
        if any(one.oversubscribed for one in cells):
            out.print(OVERSUBSCRIBED)
        else:
            out.print(sentence(rows))


def table_of(rows: tuple[Comparison, ...], title: str = "") -> "Table":
    """A row for each phase, at 80 columns."""
    from rich import box
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.caption = "expand as allgatherv along columns, the others as alltoallv along rows"
    table.caption_justify = "left"
    table.add_column("level", justify="right", no_wrap=True)
    table.add_column("phase", no_wrap=True)
    for head in ("bytes", "largest", "in the run", "by itself", "95 %"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        part, one = row.part, row.measured
        spent = part.recorded_seconds
        low, high = one.bounds if one else (0.0, 0.0)
        table.add_row(
            str(part.level),
            part.phase,
            format_bytes(part.bytes),
            format_bytes(max(map(max, part.matrix))),
            "" if spent is None else format_seconds(spent),
            "" if one is None else format_seconds(one.seconds),
            "" if one is None else f"{format_seconds(low)} to {format_seconds(high)}",
        )
    return table


def sentence(rows: tuple[Comparison, ...]) -> str:
    """How much of the phases the calls take."""
    both = [
        (row.part.recorded_seconds, row.measured.seconds)
        for row in rows
        if row.measured is not None and row.part.recorded_seconds is not None
    ]
    if not both:
        return "No phase has both times, so nothing can be said of their difference."
    spent = sum(one for one, _ in both)
    calls = sum(one for _, one in both)
    if calls >= spent:
        return (
            f"The calls by themselves take {format_seconds(calls)}, not less than the "
            f"{format_seconds(spent)} that the search spent in these phases: it does not wait "
            "here, or moves the same bytes in a better way."
        )
    return (
        f"Of {format_seconds(spent)} that the search spent in these phases the calls by themselves "
        f"take {format_seconds(calls)}, {percent(calls / spent)}; the rest is packing, waiting for "
        "the slowest rank, and what other work leaves of the caches."
    )
