# SPDX-License-Identifier: Apache-2.0
"""isobath resume: goes on with a study of any kind."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.store_options import Reports, Store
from isobath.cli.studies import Ending, perform
from isobath.launch.limits import Asked
from isobath.study.folder import StudyFolder
from isobath.study.home import shelf

Study = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="The study to go on with: an id, its beginning, a tag, a path, last.",
        autocompletion=completion.studies,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the findings as JSON instead of tables.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the launches that are left, and stop.")
]
Report = Annotated[bool, typer.Option(help="Write the page of the study at the end.")]


def resume(
    study: Study = "last",
    *,
    json_output: AsJson = False,
    dry_run: DryRun = False,
    report: Report = True,
    store: Store = None,
    reports: Reports = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Go on with a study that was interrupted, or of which launches failed.

    What is sealed and whole is kept. What failed, was cut off or was changed since is done again.
    """
    stored = shelf(store).find(study)
    asked = Asked(hang_seconds, time_limit)
    ending = Ending(
        as_json=json_output, with_report=report, reports=reports, asked=asked, dry_run=dry_run
    )
    return perform(stored.entry, StudyFolder(stored.path), ending)
