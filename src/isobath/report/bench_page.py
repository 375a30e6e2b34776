# SPDX-License-Identifier: Apache-2.0
"""The report of a benchmark: sections in their order, one HTML file like that of a run."""

from collections.abc import Sequence
from types import ModuleType

from isobath import __version__
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
from isobath.report.content import Section
from isobath.report.page import environment_of_templates
from isobath.report.wording import listing

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
    template = environment_of_templates().get_template("bench.html")
    hosts = {host.hostname for row in bench.measured.launch_records for host in row.hosts}
    return template.render(
        study=bench.measured.header,
        labels=bench.labels,
        sections=[*first, *(module.render(bench) for module in SECTIONS)],
        version=__version__,
        heading=f"{heading}: {listing(bench.libraries)}",
        place=listing(sorted(hosts)) or "nothing was launched yet",
        launches=bench.measured.launches_done,
        doubt="",
    )
