# SPDX-License-Identifier: Apache-2.0
"""The report of a benchmark: sections in their order, one HTML file like that of a run."""

from collections.abc import Callable, Sequence

from isobath.records.placement import host_words
from isobath.report.bench_data import SHOWN, BenchData, notices_of
from isobath.report.bench_sections import (
    algorithms,
    cross_check,
    curves,
    distributions,
    findings,
    headline,
    method,
    nodes,
    placement,
    ranks,
    regret,
    throughput,
    transports,
)
from isobath.report.wording import count_of, listing
from isobath.view import html
from isobath.view.content import Page, Section

SECTIONS: tuple[Callable[[BenchData], Section], ...] = (
    headline.render,
    curves.overview,
    findings.render,
    curves.render,
    throughput.render,
    transports.render,
    nodes.render,
    ranks.render,
    regret.render,
    algorithms.render,
    distributions.render,
    cross_check.render,
    placement.render,
    method.render,
)
"""What forms the sections, in the order of the page."""


def bench_page_html(
    bench: BenchData, *, first: Sequence[Section] = (), heading: str = "What collectives cost"
) -> str:
    """The whole page as text. The same benchmark gives the same page, letter for letter.

    Args: first are sections of who has more to say.
    """
    header = bench.measured.header
    hosts = {
        host_words(host.hostname) for row in bench.measured.launch_records for host in row.hosts
    }
    launches = count_of(bench.measured.launches_done, "launch", "launches")
    page = Page(
        title=f"Collectives: {header.study_id}",
        heading=f"{heading}: {listing(bench.libraries)}",
        place=listing(sorted(hosts)) or "nothing was launched yet",
        noun="benchmark",
        name=header.study_id,
        made_from=f"its plan and {launches}",
        sections=(*first, *(render(bench) for render in SECTIONS)),
        doubts=(*notices_of(bench.measured), *bench.measured.problems[:SHOWN]),
        labels=bench.labels,
        begun=(header.created.isoformat(), header.created.strftime("%Y-%m-%d %H:%M %Z")),
    )
    return html.page_html(page)
