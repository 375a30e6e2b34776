# SPDX-License-Identifier: Apache-2.0
"""isobath report: one offline HTML page of a study of any kind."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.store_options import Reports, StoreOrOlder
from isobath.cli.studies import report_study
from isobath.study.home import shelf
from isobath.study.shelf import LAST

Study = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="What to report: an id, its beginning, a tag, a path, last.",
        autocompletion=completion.studies,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write the page to; default: reports/STUDY/report.html.",
    ),
]


def report(
    study: Study = LAST,
    *,
    output: Output = None,
    store: StoreOrOlder = None,
    reports: Reports = None,
) -> int:
    """Write the page of a run, race, profile or benchmark: one HTML file without network.

    Without -o the records, texts, environment, log and hashes of a run or profile are laid beside
    it. Standard output is the path of the page.
    """
    return report_study(shelf(store).find(study, files=True), output, reports)
