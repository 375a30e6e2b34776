# SPDX-License-Identifier: Apache-2.0
"""isobath resume: goes on with a study of any kind."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.places import reports_folder
from isobath.cli.studies import Ending, perform, shelf
from isobath.errors import UsageError
from isobath.study.folder import StudyFolder
from isobath.study.shelf import StoredStudy

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
Store = Annotated[str | None, typer.Option(metavar="DIR", help="The folder of studies to look in.")]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="The folder for the page; default: reports.")
]


OLDER = ("race", "bench collectives", "bench overlap")
"""Kinds whose launches still have a life of their own."""


def resume(
    study: Study = "last",
    *,
    json_output: AsJson = False,
    dry_run: DryRun = False,
    report: Report = True,
    store: Store = None,
    reports: Reports = None,
) -> int:
    """Go on with a study that was interrupted, or of which launches failed.

    What is sealed and whole is kept. What failed, was cut off or was changed since is done again.
    """
    found = shelf(store).find(study)
    if found.entry.name in OLDER:
        return _with_older_life(
            found, report=report, json_output=json_output, reports=reports, dry_run=dry_run
        )
    ending = Ending(as_json=json_output, with_report=report, reports=reports, dry_run=dry_run)
    return perform(found.entry, StudyFolder(found.path), ending)


def _with_older_life(
    found: StoredStudy, *, report: bool, json_output: bool, reports: str | None, dry_run: bool
) -> int:
    """The same through the command that measures."""
    path = str(found.path)
    if found.entry.name == "race":
        from isobath.cli import race_output

        places = race_output.Places(found.path.parent, reports_folder(reports), report)
        return race_output.go_on(places, path, dry_run=dry_run)
    if found.entry.name == "bench collectives":
        from isobath.cli import bench_output

        bench_places = bench_output.Places(found.path.parent, reports_folder(reports), report)
        view = bench_output.JSON if json_output else "summary"
        return bench_output.go_on(bench_places, path, view, rounds=0, dry_run=dry_run)
    from isobath.cli.bench_overlap import go_on

    if dry_run:
        raise UsageError(f"--dry-run is not known of a {found.entry.noun}; leave it out")

    return go_on(path, report=report, as_words=not json_output)
