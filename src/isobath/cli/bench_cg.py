# SPDX-License-Identifier: Apache-2.0
"""isobath bench cg: does pipelining conjugate gradients pay, and is it the overlap?"""

from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.planned import refuse_measuring
from isobath.cli.studies import Ending, perform, show_study
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.kinds.cg.plan import PLAN
from isobath.kinds.cg.wanted import PRESETS, CgRequest, plan_cg
from isobath.kinds.progress import MODES
from isobath.launch.limits import Asked
from isobath.study.folder import StudyFolder
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of

KIND = PLAN.kind

Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"A set of values with a name: {', '.join(PRESETS)}."),
]
Elements = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Elements of a side of the mesh.")
]
Iterations = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=1_000_000, help="Iterations of each solve.")
]
Repetitions = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=100_000, help="Solves of a setting in a launch."),
]
Launches = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="How often all is launched again.")
]
Ranks = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Ranks that compute (default: up to 2).")
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Threads of a rank (default 1).")
]
Progress = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help=f"Ways to make progress: {', '.join(MODES)}, none."),
]
Tests = Annotated[
    str | None,
    typer.Option(metavar="K,K,...", help="Calls of MPI_Test in a step that hides a sum (4)."),
]
Aggregators = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=4096, help="Ranks that sum for others (offload)."),
]
Mpi = Annotated[str | None, typer.Option(metavar="A,B,...", help="MPI libraries to compare.")]
WithPetsc = Annotated[
    bool | None,
    typer.Option("--petsc/--no-petsc", help="Measure PETSc's methods too, where it is."),
]
Profiled = Annotated[
    bool | None,
    typer.Option("--profile/--no-profile", help="Launch once more for shares of MPI calls."),
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Seed of all orders; drawn if not given.")
]
Of = Annotated[str | None, typer.Option(metavar="ID", help="Show a stored one: its id, or last.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Resume = Annotated[
    str | None, typer.Option(metavar="ID", help="Go on with one: its id, a path, or last.")
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


def cg(
    context: typer.Context,
    *,
    preset: Preset = None,
    elements: Elements = None,
    iterations: Iterations = None,
    repetitions: Repetitions = None,
    launches: Launches = None,
    ranks: Ranks = None,
    threads: Threads = None,
    progress: Progress = None,
    tests: Tests = None,
    aggregators: Aggregators = None,
    mpi: Mpi = None,
    petsc: WithPetsc = None,
    profile: Profiled = None,
    seed: Seed = None,
    of: Of = None,
    resume: Resume = None,
    json_output: AsJson = False,
    store: Store = None,
    reports: Reports = None,
    report: Report = True,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Conjugate gradients against pipelined ones, on bilinear elements.

    Prints a table for each library, mesh and number of ranks: time of an iteration, what the
    algorithm does and what the overlap does, and where pipelining would break even.
    """
    asked = Asked(hang_seconds, time_limit)
    if of is not None:
        started = ("resume", "hang_seconds", "time_limit")
        refuse_measuring(context, "--of shows what is stored", started)
        return show_study(shelf(store).find(of, (KIND,)), as_json=json_output)
    ending = Ending(as_json=json_output, with_report=report, reports=reports, asked=asked)
    if resume is not None:
        refuse_measuring(context, "--resume goes on with a benchmark as it was planned")
        stored = shelf(store).find(resume, (KIND,))
        return perform(stored.entry, StudyFolder(stored.path), ending)
    plan = plan_cg(
        CgRequest(
            preset=preset,
            elements=elements,
            iterations=iterations,
            repetitions=repetitions,
            launches=launches,
            ranks=ranks,
            threads=threads,
            progress=progress,
            tests=tests,
            aggregators=aggregators,
            mpi=mpi,
            petsc=petsc,
            profile=profile,
            seed=seed,
        )
    )
    for sentence in plan.left_out:
        say(sentence)
    created = datetime.now(UTC)
    folder = StudyFolder(shelf(store).folders[0] / make_id("cg", created))
    PLAN.begin(folder, plan, created=created, command=typed_command())
    return perform(entry_of(KIND), folder, ending)
