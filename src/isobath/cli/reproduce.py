# SPDX-License-Identifier: Apache-2.0
"""isobath reproduce: what others published, figure by figure."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.answer_options import AsJson, Format, Output, view_option
from isobath.cli.compared_output import Answer, check_wanted, put_answer
from isobath.cli.store_options import Store
from isobath.errors import UsageError
from isobath.settings.values import no_choice
from isobath.study.home import shelf

NAMES = ("tsubame", "deck", "stampede2", "k", "sharp")
VIEWS = {"summary": "", "all": "", "items": "items", "beside": "beside", "method": "method"}

Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help=f"Whose publication to go through: {', '.join(NAMES)}.",
        autocompletion=completion.one_of(NAMES),
    ),
]
List = Annotated[bool, typer.Option("--list", help="Print a line for each figure and table.")]
Studies = Annotated[
    list[str] | None,
    typer.Option(
        "--study",
        metavar="STUDY",
        help="Show this study of ours beside it: a run or benchmark of exchanges (stampede2), a "
        "benchmark of overlap with offload (sharp).",
        autocompletion=completion.studies,
    ),
]
View = Annotated[str | None, view_option(VIEWS)]


def reproduce(
    source: Source,
    *,
    only_list: List = False,
    study: Studies = None,
    view: View = None,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    store: Store = None,
) -> int:
    """Say of every figure and table of a publication how it can be had here, or why not.

    Closed forms are computed at once; what is measured names its command. Only numbers that the
    source states are taken from it; no point is read off a figure.
    """
    check_wanted(VIEWS, view=view, form=form, as_json=json_output, output=output)
    if source not in NAMES:
        raise no_choice("the source", source, NAMES)
    if view == "beside" and not study:
        raise UsageError("--view beside shows studies of ours: name one with --study")
    from isobath.reproduce import answer
    from isobath.reproduce.beside import beside

    found = beside(source, shelf(store), study or ())  # refusals come before what takes seconds
    told = answer.SOURCES[source]()
    put_answer(
        Answer(
            lambda: answer.facts_of(told, found),
            {name: (lambda name=name: answer.data_of(told, name, found)) for name in answer.TABLES},  # type: ignore[misc]
            lambda: answer.sections_of(told, found),
            lambda: answer.page_of(told, found),
            (),
            VIEWS,
        ),
        view="items" if only_list else view,
        form=form,
        as_json=json_output,
        output=output,
    )
    return 0
