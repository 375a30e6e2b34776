# SPDX-License-Identifier: Apache-2.0
"""isobath history: the trend over all regressions of a baseline."""

from collections.abc import Mapping
from typing import Annotated

import typer

from isobath.baseline.chain import BaselineShelf
from isobath.baseline.history_model import history_facts
from isobath.baseline.history_sections import page_of, sections_of
from isobath.cli.answer_options import AsJson
from isobath.cli.baseline import Name
from isobath.cli.compared_output import Answer, check_wanted, put_answer
from isobath.cli.store_options import Store
from isobath.errors import UsageError
from isobath.study.home import baselines_folder

VIEWS: Mapping[str, str] = {"summary": "", "all": ""}

Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write a file whose ending says the format: .html."
    ),
]


def history(
    name: Name, *, json_output: AsJson = False, output: Output = None, store: Store = None
) -> int:
    """Show what became of every cell over all regressions; slow drift is flagged.

    Three times 3 % is not slower in any single regression, and is in this.
    """
    check_wanted(VIEWS, view=None, form=None, as_json=json_output, output=output)
    baseline = BaselineShelf(baselines_folder(store)).find(name).read()
    if not baseline.regressions:
        raise UsageError(f"{name} has no regression yet; ./isobath regress {name} makes one")
    answer = Answer(
        lambda: history_facts(baseline), {}, lambda: sections_of(baseline),
        lambda: page_of(baseline), (), VIEWS,
    )  # fmt: skip
    put_answer(answer, view=None, form=None, as_json=json_output, output=output)
    return 0
