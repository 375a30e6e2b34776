# SPDX-License-Identifier: Apache-2.0
"""isobath show: a study of any kind in the terminal."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.store_options import Reports, StoreOrOlder
from isobath.cli.studies import export_study, show_study, typed_study
from isobath.cli.study_formats import FORMATS, TEXT, choose_format
from isobath.cli.terminal import say
from isobath.study.home import shelf
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
        help="View to show; --views lists those there are.",
        autocompletion=completion.views,
    ),
]
Views = Annotated[bool, typer.Option("--views", help="List the views that the study has.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print all findings as JSON instead of tables.")
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Write the study as text, csv, json or parquet; but for text, a table of --views.",
        autocompletion=completion.one_of(FORMATS),
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write a file whose ending says the format."
    ),
]
Settings = Annotated[
    bool,
    typer.Option("--settings", help="Print the TOML file that makes this study again."),
]


def show(
    study: Study = LAST,
    *,
    view: View = None,
    views: Views = False,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    settings: Settings = False,
    store: StoreOrOlder = None,
    reports: Reports = None,
) -> int:
    """Show a run, race, search, profile or benchmark: what came of it, and where its page is.

    A launch that is not as it was sealed is left out of every number; show then ends with 3.
    """
    where = shelf(store)
    stored = where.find(study, files=True)
    if views:
        _list_views(stored)
        return 0
    if settings:
        from isobath.cli.study_settings import print_settings  # takes a while, and is rarely asked

        return print_settings(stored)
    chosen = choose_format(form, output, json_output)
    if chosen != TEXT or output is not None:
        return export_study(stored, chosen, view, output)
    if study == LAST:
        for later in where.unsealed_after(stored):
            _say_unsealed(later)
    return show_study(stored, view=view, with_places=True, reports=reports)


def _list_views(study: StoredStudy) -> None:
    kind = study.entry.load()
    words = {name: view.words for name, view in kind.views.items()}
    words |= {name: table.words for name, table in kind.tables.items() if name not in words}

    for name, line in words.items():
        print(f"{name:<14} {line}{' (table)' if name in kind.tables else ''}")
    print("(table): also by --format csv, json or parquet")


def _say_unsealed(later: StoredStudy) -> None:
    say(
        f"a later {later.entry.noun} was never sealed, because it is still going on or was cut "
        f"off: ./isobath show {typed_study(later.path)}"
    )
