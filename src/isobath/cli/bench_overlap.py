# SPDX-License-Identifier: Apache-2.0
"""isobath bench overlap: does non-blocking communication hide anything here?"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.planned import refuse_measuring
from isobath.cli.studies import Ending, perform, show_study
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError
from isobath.kinds.overlap.options import MOST_ORDER, MOST_RANKS, MOST_REPETITIONS
from isobath.kinds.overlap.wanted import OverlapRequest, plan_overlap
from isobath.kinds.progress import ALL_MODES, MODES
from isobath.launch.limits import Asked
from isobath.overlap.folders import PLAN, OverlapFolder
from isobath.overlap.plan import ENOUGH_LAUNCHES
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of

KIND = entry_of("bench overlap")

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
    Path | None, typer.Option(metavar="DIR", help="Folder to make; default: in studies.")
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", "--benches", metavar="DIR", help="Folder of studies (default: studies)."
    ),
]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports (default: reports).")
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
    store: Store = None,
    reports: Reports = None,
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
        started = ("resume", "hang_seconds", "time_limit")
        refuse_measuring(context, "--of shows what is stored", started)
        return show_study(shelf(store).find(of, (KIND.name,)), as_json=json_output)
    ending = Ending(as_json=json_output, with_report=report, reports=reports, asked=asked)
    if resume is not None:
        refuse_measuring(context, "--resume goes on with a benchmark as it was planned")
        return perform(KIND, OverlapFolder(shelf(store).find(resume, (KIND.name,)).path), ending)
    if output is not None and store is not None:
        raise UsageError("--output is the folder itself; leave --store out")
    plan = plan_overlap(
        OverlapRequest(
            collectives=collectives,
            sizes=sizes,
            ranks=ranks,
            threads=threads,
            progress=progress,
            work=work,
            ratios=ratios,
            tests=tests,
            aggregators=aggregators,
            trees=trees,
            repetitions=repetitions,
            order=order,
            mpi=mpi,
            launches=launches,
            seed=seed,
        ),
        say,
    )
    created = datetime.now(UTC)
    folder = OverlapFolder(output or shelf(store).folders[0] / make_id(KIND.word, created))
    PLAN.begin(folder, plan, created=created, command=typed_command())
    return perform(KIND, folder, ending)
