# SPDX-License-Identifier: Apache-2.0
"""isobath show: a study of any kind in the terminal."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.streams import say
from isobath.cli.studies import shelf, show_study, typed_study
from isobath.study.shelf import LAST, StoredStudy

Study = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="What to show: an id, its beginning, a tag, a path, last, last:race.",
        autocompletion=completion.studies,
    ),
]
View = Annotated[
    str | None,
    typer.Option(
        "--view",
        metavar="NAME",
        help="How to look at it; see --views.",
        autocompletion=completion.views,
    ),
]
Views = Annotated[bool, typer.Option("--views", help="List the views that there are of it.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the findings as JSON instead of tables.")
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", "--races", "--benches", metavar="DIR",
        help="The folder of studies to look in (default: studies).",
    ),
]  # fmt: skip
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="The folder of pages (default: reports).")
]


def show(
    study: Study = LAST,
    *,
    view: View = None,
    views: Views = False,
    json_output: AsJson = False,
    store: Store = None,
    reports: Reports = None,
) -> int:
    """Show a run, race, search, profile or benchmark: what came of it, and where its page is.

    A launch that is not as it was sealed is left out of every number; show then ends with 3.
    """
    where = shelf(store)
    found = where.find(study)
    if views:
        for name, one in found.entry.load().views.items():
            print(f"{name:<14} {one.words}")
        return 0
    if study == LAST:
        for later in where.unsealed_after(found):
            _say_unsealed(later)
    return show_study(found, view=view, as_json=json_output, with_places=True, reports=reports)


def _say_unsealed(later: StoredStudy) -> None:
    say(
        f"a later {later.entry.noun} was never sealed, because it is still going on or was cut "
        f"off: ./isobath show {typed_study(later.path)}"
    )
