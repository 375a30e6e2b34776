# SPDX-License-Identifier: Apache-2.0
"""The report of a benchmark: sections in their order, one HTML file like that of a run."""

from collections.abc import Sequence
from types import ModuleType

from isobath.report.bench_data import BenchData
from isobath.report.bench_sections import (
    algorithms,
    cross_check,
    curves,
    distributions,
    findings,
    headline,
    method,
    ranks,
    regret,
)
from isobath.report.wording import count_of, listing
from isobath.view import html
from isobath.view.content import Page, Section

SECTIONS: tuple[ModuleType, ...] = (
    headline,
    findings,
    curves,
    ranks,
    regret,
    algorithms,
    distributions,
    cross_check,
    method,
)
"""Sections in the order of the page. Each has TITLE and render."""


def bench_page_html(
    bench: BenchData, *, first: Sequence[Section] = (), heading: str = "What collectives cost"
) -> str:
    """The whole page as text. The same benchmark gives the same page, letter for letter.

    Args: first are sections of who has more to say.
    """
    header = bench.measured.header
    hosts = {host.hostname for row in bench.measured.launch_records for host in row.hosts}
    launches = count_of(bench.measured.launches_done, "launch", "launches")
    page = Page(
        title=f"Collectives: {header.study_id}",
        heading=f"{heading}: {listing(bench.libraries)}",
        place=listing(sorted(hosts)) or "nothing was launched yet",
        noun="benchmark",
        name=header.study_id,
        made_from=f"its plan and {launches}",
        sections=(*first, *(module.render(bench) for module in SECTIONS)),
        labels=bench.labels,
        begun=(header.created.isoformat(), header.created.strftime("%Y-%m-%d %H:%M %Z")),
    )
    return html.page_html(page)
