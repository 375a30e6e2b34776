# SPDX-License-Identifier: Apache-2.0
"""isobath calibrate noise: how launches of the same thing scatter here, and what that allows."""

import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.baseline.chain import BaselineShelf
from isobath.cli import completion
from isobath.cli.baseline import Name
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import front_door
from isobath.cli.store_options import Store
from isobath.cli.studies import Ending, perform
from isobath.cli.terminal import console, say
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError
from isobath.guard.hours import LEAST_LAUNCHES
from isobath.kinds.regress.noise_sections import sections_of
from isobath.kinds.regress.settings import parse_duration
from isobath.kinds.regress.sitting import planned_sitting
from isobath.launch.limits import Asked
from isobath.study.home import baselines_folder, shelf
from isobath.study.kinds import entry_of
from isobath.study.planned import Planning
from isobath.units import format_roughly

Sittings = Annotated[
    int, typer.Option("--sittings", metavar="N", min=0, help="Number of sittings to measure now.")
]
Gap = Annotated[
    str, typer.Option("--gap", metavar="TIME", help="Time between two sittings, for example 2h.")
]
Launches = Annotated[
    int, typer.Option("--launches", metavar="N", min=2, help="Number of launches in each sitting.")
]
Suite = Annotated[
    str,
    typer.Option(
        "--suite",
        metavar="WORD",
        autocompletion=completion.one_of(("quick", "full")),
        help="Cells to measure: quick, full, or a file.",
    ),
]
Budget = Annotated[
    str,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Time that a regression will have, to say what it can tell.",
    ),
]
Keep = Annotated[
    int, typer.Option("--keep", metavar="DAYS", min=1, help="Days for which the calibration holds.")
]
Mpi = Annotated[
    str | None,
    typer.Option(
        "--mpi",
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library to measure (default: that of the baseline).",
    ),
]


def noise(
    name: Name,
    *,
    sittings: Sittings = 1,
    gap: Gap = "0s",
    launches: Launches = LEAST_LAUNCHES,
    suite: Suite = "quick",
    budget: Budget = "10m",
    keep: Keep = 30,
    mpi: Mpi = None,
    store: Store = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Measure what a baseline holds under its own library, to learn how launches scatter.

    Three sittings or more, hours apart where there is time: call it again, and it adds one. What is
    less than 15 minutes apart counts as one, and 24 launches are the fewest that say how they
    scatter. Says how many launches changes of 5, 8 and 15 % need, and what a budget reaches; with
    --sittings 0 it measures nothing.
    """
    ending = Ending(with_report=False, asked=Asked(hang_seconds, time_limit))
    folder = BaselineShelf(baselines_folder(store)).find(name)
    seconds = parse_duration("--budget", budget)
    wait = 0.0 if gap in ("0", "0s") else parse_duration("--gap", gap)
    code = 0
    for number in range(sittings):
        if number and wait:
            say(f"the next sitting begins in {format_roughly(wait)}")
            time.sleep(wait)
        code = max(code, _sit(name, launches, suite, keep, mpi, store, ending))
        if code:
            return code
    baseline = folder.read()
    if not baseline.sittings:
        raise UsageError(f"{name} has no sitting yet; {front_door()} calibrate noise {name}")
    from isobath.view.terminal import printed

    out = console()
    parts = list(sections_of(baseline, suite, seconds, datetime.now(UTC)))
    for part in printed(parts, out.width, whole=False, notices=()):
        out.print(part, soft_wrap=bool(part.no_wrap))
    return code


def _sit(
    name: str,
    launches: int,
    suite: str,
    keep: int,
    mpi: str | None,
    store: str | None,
    ending: Ending,
) -> int:
    """One sitting, as a study."""
    place = shelf(store).folders[0]
    planning = Planning(place, shelf(store), say, say)
    baseline = BaselineShelf(baselines_folder(store)).find(name).read()
    planned = planned_sitting(baseline, launches, suite, keep, mpi, planning)
    entry = entry_of("regress")
    for sentence in planned.notes:
        say(sentence)
    study = planned.begin_in(place, entry.word, typed_command())
    return perform(entry, study, ending, planned.to_do(study, ending.driver))
