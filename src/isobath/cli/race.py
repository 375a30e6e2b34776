# SPDX-License-Identifier: Apache-2.0
"""isobath race: the same graph and keys under every plan."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.race_design import read_wish, split_words, whole_numbers
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError

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
Races = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of race folders; default: races.")
]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports; default: reports.")
]
Report = Annotated[bool, typer.Option(help="Write the HTML report (the default).")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print all runs in their order, and stop.")]


def race(
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
    races: Races = None,
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
    options: dict[str, Any] = {
        "scale": whole_numbers(scale, "--scale"),
        "ranks": whole_numbers(ranks, "--ranks"),
        "plan": split_words(plans),
        "grid": split_words(grids),
        "exchange": split_words(exchanges),
        "threads": whole_numbers(threads, "--threads"),
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
    from isobath.cli import race_output

    places = race_output.Places.of(races, reports, with_report=report)
    if resume is not None:
        given = [name for name, value in options.items() if value not in (None, [])]
        if design is not None or given:
            first = "a design" if design is not None else "--" + given[0]
            raise UsageError(
                f"--resume goes on with a race as it was planned; leave {first} out, or start "
                "another race"
            )
        return race_output.go_on(places, resume, dry_run=dry_run)
    wish = read_wish(file=design, variables=os.environ, options=options)
    return race_output.start(places, wish, typed_command(), dry_run=dry_run)
