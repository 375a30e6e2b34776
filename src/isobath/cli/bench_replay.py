# SPDX-License-Identifier: Apache-2.0
"""isobath bench replay: the traffic of a search, level by level, measured by itself."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.bench.replay import replay_of
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import trusted_records
from isobath.cli.planned import refuse_measuring
from isobath.cli.studies import Ending, perform, show_study
from isobath.cli.terminal import console, say
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode, UsageError
from isobath.kinds.replay.plan import PLAN, ReplayFolder
from isobath.kinds.replay.sections import planned
from isobath.kinds.replay.wanted import ReplayRequest, plan_replay
from isobath.launch.limits import Asked
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from isobath.report.wording import count_of
from isobath.settings.values import split_words
from isobath.store.folders import RunFolder
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of
from isobath.view.terminal import printed

KIND = entry_of("bench replay")
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
    str | None,
    typer.Option(metavar="DIR", help="Folder of studies, of the run too (default: studies)."),
]
Benches = Annotated[str | None, typer.Option(metavar="DIR", help="Another folder for the replay.")]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports (default: reports).")
]
Report = Annotated[bool, typer.Option(help="Write the HTML report.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Of = Annotated[str | None, typer.Option(metavar="ID", help="Show a stored one: its id, or last.")]
Resume = Annotated[
    str | None, typer.Option(metavar="ID", help="Go on with one: its id, a path, or last.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the phases, and stop.")]


def replay(
    context: typer.Context,
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
    reports: Reports = None,
    report: Report = True,
    of: Of = None,
    resume: Resume = None,
    json_output: AsJson = False,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    dry_run: DryRun = False,
) -> int:
    """Measure what a search sent, by itself: each phase of each level as one collective.

    The run must keep who sent to whom: ./isobath run --ranks 4 --peer-records. Buffers are written
    and read around every call as a search does (dirty).
    """
    asked = Asked(hang_seconds, time_limit)
    ending = Ending(
        as_json=json_output, with_report=report, reports=reports, asked=asked, dry_run=dry_run
    )
    if of is not None or resume is not None:
        how = "--of shows what is stored" if of is not None else "--resume goes on with a replay"
        refuse_measuring(context, how, ("resume", "dry_run") if of is not None else ())
        stored = shelf(store).find(of or resume or "", (KIND.name,))
        if of is not None:
            return show_study(stored, as_json=json_output)
        return perform(KIND, ReplayFolder(stored.path), ending)
    if buffers not in BUFFERS:
        raise UsageError(f"--buffers {buffers}: choose one of {', '.join(BUFFERS)}")
    searched = RunFolder(shelf(store).find(run, ("run",)).path)
    records = RunRecords.of(read_records(trusted_records(searched)))
    found = replay_of(records, search, buffers=buffers)
    if dry_run:
        out = console()
        for part in printed([planned(found.phases)], out.width):
            out.print(part, soft_wrap=True)
        return int(ExitCode.DONE)
    wanted = ReplayRequest(split_words(mpi), launches, seed, budget)
    spec = plan_replay(found, searched.run_id, wanted)
    created = datetime.now(UTC)
    folder = ReplayFolder(shelf(benches or store).folders[0] / make_id(KIND.word, created))
    say(
        f"search {found.search.index} of {searched.run_id}: "
        f"{count_of(len(found.phases), 'phase')} on a {found.grid} grid, "
        f"{count_of(launches, 'launch', 'launches')}"
    )
    PLAN.begin(folder, spec, created=created, command=typed_command())
    return perform(KIND, folder, ending)
