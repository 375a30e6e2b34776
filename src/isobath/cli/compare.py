# SPDX-License-Identifier: Apache-2.0
"""isobath compare: studies laid side by side."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.answer_options import AsJson, Format, Output, view_option
from isobath.cli.compared_output import VIEWS, check_wanted, put_comparison
from isobath.cli.store_options import Store
from isobath.compared.choice import Shown, check_choice
from isobath.compared.sides import bounds_named, check_shared_cells, read_sides
from isobath.comparison.measured import BOUNDS
from isobath.comparison.verdicts import lay_side_by_side
from isobath.errors import ExitCode, UsageError
from isobath.study.home import shelf

Studies = Annotated[
    list[str],
    typer.Argument(
        metavar="STUDY...",
        help="The reference, then what is compared with it: ids, beginnings, tags, paths, last; "
        "several with commas count as one side.",
        autocompletion=completion.several_studies,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only", metavar="WORDS", help="Show cells that have these words in their names."
    ),
]
Worst = Annotated[
    int | None,
    typer.Option("--worst", metavar="N", help="Show the N cells that became slowest.", min=1),
]
Margin = Annotated[
    str,
    typer.Option(
        "--margin", metavar="PERCENT", help="Difference within which two times count as the same."
    ),
]
Across = Annotated[
    list[str] | None,
    typer.Option(
        "--across",
        metavar="WHAT,..",
        help=f"Compare cells that differ in this: {', '.join(BOUNDS)}.",
        autocompletion=completion.some_of(BOUNDS),
    ),
]
View = Annotated[str | None, view_option(VIEWS)]


def compare(
    studies: Studies,
    *,
    only: Only = None,
    worst: Worst = None,
    margin: Margin = "5",
    across: Across = None,
    view: View = None,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    store: Store = None,
) -> int:
    """Say what became faster, slower or stayed the same, and what changed, cell by cell.

    A launch that is not as it was sealed is left out of every number; compare then ends with 3.
    """
    check_wanted(VIEWS, view=view, form=form, as_json=json_output, output=output)
    bounds = bounds_named(across)
    share = share_of_percent("--margin", margin)
    sides = read_sides(shelf(store), studies)
    check_shared_cells(sides, bounds)
    compared = lay_side_by_side(sides[0], sides[1:], margin=share, across=bounds)
    words = tuple(word for text in only or () for word in text.replace(",", " ").split())
    shown = Shown(compared, words, worst)
    check_choice(shown)
    put_comparison(shown, view=view, form=form, as_json=json_output, output=output)
    return int(ExitCode.ENVIRONMENT if compared.is_altered else ExitCode.DONE)


def share_of_percent(option: str, text: str) -> float:
    """``5`` and ``5%`` are 0.05. Raises: UsageError for what is no share between 0 and 100 %."""
    try:
        percent = float(text.strip().removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 < percent < 100:
        raise UsageError(f"{option} {text}: write a number of per cent above 0 and below 100")
    return percent / 100
