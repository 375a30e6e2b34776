# SPDX-License-Identifier: Apache-2.0
"""isobath model fit: a formula of time held against what was measured."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.beside_settings import HOW, AsJson, DryRun
from isobath.cli.declared import Given, takes_settings
from isobath.cli.places import front_door, shown
from isobath.cli.planned import say_reading
from isobath.cli.studies import Ending, choose_view, try_report, typed_study
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.kinds.model.settings import FIT, FitSettings
from isobath.report.wording import count_of
from isobath.study.driver import Driver
from isobath.study.home import shelf
from isobath.study.kinds import entry_of

View = Annotated[
    str | None,
    typer.Option(
        metavar="VIEW",
        help="View to print: summary, formulas, residuals, points, method, all.",
        rich_help_panel=HOW,
        autocompletion=completion.views_of("model fit"),
    ),
]


@takes_settings(FIT)
def fit(
    *, given: Given, view: View = None, dry_run: DryRun = False, json_output: AsJson = False
) -> int:
    """Fit a formula of time to studies, and say whether it holds.

    Every family that applies is fitted beside it; all are judged on what they were not fitted to:
    holds, wrong form, wrong parameters, no skill.
    """
    # scipy, which help does not wait for
    from isobath.kinds.model.session import fit_studies, read_studies

    merged = given.merged()
    settings = FitSettings(**merged.values)
    kind = entry_of("model fit").load()
    choose_view(kind, view)
    where = shelf(settings.store)
    if dry_run:
        read = read_studies(settings, where)
        fitted = settings.formula or "families of the literature"
        reads = [f"{shown(study.path)}  {study.entry.noun}" for study in read.studies]
        reads += [f"{subject.title}: {count_of(len(subject.samples), 'point')}, to fit {fitted}"
                  for subject in read.subjects.subjects]  # fmt: skip
        return say_reading("model fit", reads, where, vars(settings), as_json=json_output)
    folder = fit_studies(settings, where, merged.origins, typed_command(), Driver(say=say))
    ending = Ending(json_output, settings.report, settings.reports, view)
    reading = kind.read(folder.path)
    ending.show(kind, folder.path, reading)
    codes = {kind.code(reading)}
    if settings.report:
        codes.add(try_report(kind, folder.path, ending, reading))
    say(f"fitted; {shown(folder.path)}")
    say(f"next: {front_door()} show {typed_study(folder.path)} --view formulas")
    return int(max(codes))
