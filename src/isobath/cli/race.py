# SPDX-License-Identifier: Apache-2.0
"""isobath race: the same graph and keys under every plan."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.planned import refuse_measuring, show_order
from isobath.cli.studies import Ending, perform
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.kinds.race.auditor import check_audit_programs
from isobath.kinds.race.wanted import check_cells, plan_race, rough_calibration
from isobath.kinds.race.wish import Wish, read_wish
from isobath.kinds.race.work import RaceWork
from isobath.launch.limits import Asked
from isobath.race.folders import PLAN, RaceFolder
from isobath.settings.values import split_words, whole_numbers
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kind import ToDo
from isobath.study.kinds import entry_of
from isobath.units import format_bytes

RACE = entry_of("race")

DesignFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="DESIGN.toml", help="A race in a file: settings, lists of values, [[cells]]."
    ),
]
Scale = Annotated[
    list[str] | None, typer.Option(metavar="N,..", help="log2 of the vertices; default 16.")
]
Ranks = Annotated[
    list[str] | None,
    typer.Option(metavar="N,..", help="Numbers of MPI ranks to race; default 1,2,4,16."),
]
Plans = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME,..", help="Search plans to race; default: all six."),
]
Grids = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RxC,..", help="Grids of ranks to race, for plans that take any: 2x2,1x4."
    ),
]
Exchanges = Annotated[
    list[str] | None,
    typer.Option(metavar="WAY,..", help="Ways that messages travel, for plans that take several."),
]
Threads = Annotated[
    list[str] | None,
    typer.Option(metavar="N,..", help="Threads of each rank; default: all processors."),
]
Mpi = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME,..", help="MPI libraries to race: wheel, system, ..., or all."),
]
Transport = Annotated[
    list[str] | None,
    typer.Option(metavar="WAY,..", help="What carries messages: shared-memory, tcp, rate-limited."),
]
Keys = Annotated[int | None, typer.Option(metavar="N", help="Searches of each run; default 8.")]
Full = Annotated[bool, typer.Option("--full", help="Search from 64 keys, as an official run does.")]
Repeats = Annotated[int | None, typer.Option(metavar="N", help="Runs of each cell; default 1.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of the order of runs; default: drawn.")
]
ScalingWord = Annotated[
    str | None,
    typer.Option(
        "--scaling", metavar="WORD", help="weak: the graph grows with the ranks; strong: it stays."
    ),
]
Ladder = Annotated[
    bool | None, typer.Option(help="Race what lies between two-dim and hybrid, step by step.")
]
Audit = Annotated[bool | None, typer.Option(help="Account for every byte (the default).")]
Resume = Annotated[
    str | None, typer.Option(metavar="RACE", help="Go on with a race: its id, path, or last.")
]
Store = Annotated[
    str | None,
    typer.Option("--store", "--races", metavar="DIR", help="Folder of studies; default: studies."),
]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports; default: reports.")
]
Report = Annotated[bool, typer.Option(help="Write the HTML report (the default).")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print all runs in their order, and stop.")]


def race(
    context: typer.Context,
    *,
    design: DesignFile = None,
    scale: Scale = None,
    ranks: Ranks = None,
    plans: Plans = None,
    grids: Grids = None,
    exchanges: Exchanges = None,
    threads: Threads = None,
    mpi: Mpi = None,
    transport: Transport = None,
    keys: Keys = None,
    full: Full = False,
    repeats: Repeats = None,
    seed: Seed = None,
    scaling: ScalingWord = None,
    ladder: Ladder = None,
    audit: Audit = None,
    resume: Resume = None,
    store: Store = None,
    reports: Reports = None,
    report: Report = True,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    dry_run: DryRun = False,
) -> int:
    """Race the published partitionings and ours: the same graph and keys, in random order.

    Every option that takes several values is a factor; all combinations are run, each once. The
    table goes to standard output.
    """
    if resume is not None:
        refuse_measuring(context, "--resume goes on with a race as it was planned")
        asked = Asked(hang_seconds, time_limit)
        folder = RaceFolder(shelf(store).find(resume, (RACE.name,)).path)
        if dry_run:
            return show_order(folder, RaceWork.of(folder).launches())
        return perform(RACE, folder, Ending(with_report=report, reports=reports, asked=asked))
    options: dict[str, Any] = {
        "scale": whole_numbers("--scale", scale, 0),
        "ranks": whole_numbers("--ranks", ranks, 0),
        "plan": split_words(plans),
        "grid": split_words(grids),
        "exchange": split_words(exchanges),
        "threads": whole_numbers("--threads", threads, 0),
        "mpi": split_words(mpi),
        "transport": split_words(transport),
        "keys": keys,
        "full": full or None,
        "repeats": repeats,
        "seed": seed,
        "scaling": scaling,
        "ladder": ladder,
        "audit": audit,
        "hang_seconds": hang_seconds,
        "time_limit": time_limit,
    }
    wish = read_wish(file=design, variables=os.environ, options=options)
    ending = Ending(with_report=report, reports=reports)
    return _start(wish, shelf(store).folders[0], ending, dry_run=dry_run)


def _start(wish: Wish, store: Path, ending: Ending, *, dry_run: bool) -> int:
    """Raises: IsobathError where a cell cannot be run; nothing has been started then."""
    spec = plan_race(wish)
    calibration = rough_calibration(spec, say)
    created = datetime.now(UTC)
    folder = RaceFolder(store / make_id(RACE.word, created))
    prepared = check_cells(spec, folder.runs, calibration)
    if spec.audit:
        check_audit_programs(spec)
    work = RaceWork(folder, spec, ending.driver, calibration)
    if dry_run:
        return show_order(folder, work.launches())
    most = max(prepared, key=lambda one: one.memory.peak_bytes)
    say(
        f"{len(spec.cells) * spec.repeats} runs of {len(spec.cells)} cells in random order (seed "
        f"{spec.seed}), at most {format_bytes(most.memory.peak_bytes)} of memory at a time"
    )
    PLAN.begin(folder, spec, created=created, command=typed_command())
    return perform(RACE, folder, ending, ToDo(work))
