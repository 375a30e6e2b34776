# SPDX-License-Identifier: Apache-2.0
"""isobath factors: what each thing that was varied brings."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.answer_options import AsJson, Format, Output, view_option
from isobath.cli.compared_output import Answer, check_wanted, put_answer
from isobath.cli.store_options import Store
from isobath.compared.factor_facts import TABLES, factor_data, factor_facts
from isobath.compared.factor_reading import read_factors
from isobath.compared.factor_sections import factor_notices, factor_page, factor_sections
from isobath.errors import ExitCode, UsageError
from isobath.study.home import shelf

VIEWS = {"summary": "", "all": "", "gains": "gains", "interactions": "interactions",
         "method": "method"}  # fmt: skip

Studies = Annotated[
    list[str],
    typer.Argument(
        metavar="STUDY...",
        help="Studies of one kind in which something was varied: ids, beginnings, tags, paths.",
        autocompletion=completion.several_studies,
    ),
]
Reference = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        metavar="FACTOR=LEVEL",
        help="Count gains of a factor from this level; may be repeated.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only", metavar="WORDS", help="Take cells that have these words in their names."
    ),
]
View = Annotated[str | None, view_option(VIEWS)]


def factors(
    studies: Studies,
    *,
    reference: Reference = None,
    only: Only = None,
    view: View = None,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    store: Store = None,
) -> int:
    """Say what each thing that was varied brings, in per cent: plan, ranks, MPI, compiler.

    A gain is told where cells differ in one factor alone; otherwise it is confounded, and named.
    """
    check_wanted(VIEWS, view=view, form=form, as_json=json_output, output=output)
    words = tuple(word for text in only or () for word in text.replace(",", " ").split())
    analysis = read_factors(shelf(store), studies, _references(reference), words)
    put_answer(
        Answer(
            lambda: factor_facts(analysis),
            {name: (lambda name=name: factor_data(analysis, name)) for name in TABLES},  # type: ignore[misc]
            lambda: factor_sections(analysis),
            lambda: factor_page(analysis),
            factor_notices(analysis),
            VIEWS,
        ),
        view=view,
        form=form,
        as_json=json_output,
        output=output,
    )
    return int(ExitCode.ENVIRONMENT if analysis.side.is_altered else ExitCode.DONE)


def _references(words: list[str] | None) -> dict[str, str]:
    references = {}
    for word in words or ():
        name, equals, level = word.partition("=")
        if not (name and equals and level):
            raise UsageError(f"--reference {word}: write FACTOR=LEVEL, for example plan=simple")
        references[name] = level
    return references
