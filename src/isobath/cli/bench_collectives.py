# SPDX-License-Identifier: Apache-2.0
"""isobath bench collectives: what the collectives of a machine and library cost."""

from typing import Annotated

import typer

from isobath.bench.folders import BenchFolder
from isobath.cli import completion
from isobath.cli.bench_views import (
    JSON,
    REPRODUCER,
    REPRODUCERS,
    BenchEnding,
    check_planned,
    check_view,
    show_arms,
)
from isobath.cli.beside_settings import HOW, AsJson, DryRun, Of, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.kinds.collectives.kind import KIND
from isobath.kinds.collectives.settings import COLLECTIVES
from isobath.kinds.collectives.work import CollectivesWork
from isobath.kinds.replay.plan import ReplayFolder
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import ToDo

REPLAY = "bench replay"

View = Annotated[
    str,
    typer.Option(
        metavar="VIEW",
        autocompletion=completion.one_of((*KIND.views, JSON, REPRODUCERS, REPRODUCER)),
        rich_help_panel=HOW,
        help="What to print: summary, sizes, algorithms, regret, rules, guidelines, imb, osu, "
        "json, reproducers, or reproducer:CELL.",
    ),
]


@takes_settings(COLLECTIVES)
def collectives(
    context: typer.Context,
    *,
    given: Given,
    resume: Resume = None,
    of: Of = None,
    view: View = "summary",
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Measure the collectives of an MPI library: medians over launches, in random order.

    Every option that takes several values is a factor. Data are checked after every repetition.
    """
    check_view(view)

    def resumed(kind: str, study: StudyFolder, driver: Driver) -> ToDo:
        folder = ReplayFolder(study.path) if kind == REPLAY else BenchFolder(study.path)
        check_planned(folder.plan(), ending)
        typed = given.options["refine"] or "0"
        rounds = COLLECTIVES.by_name["refine"].value(typed, "--refine", is_typed=True)
        return ToDo(CollectivesWork(folder, driver, rounds))

    ending = BenchEnding(view=view, as_json=json_output)
    command = StudyCommand(
        "bench collectives",
        also=(REPLAY,),
        resumed=resumed,
        check=check_planned,
        details=show_arms,
    )
    return command.run(context, given, Instead(of, resume, dry_run), ending)
