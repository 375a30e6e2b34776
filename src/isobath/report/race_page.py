# SPDX-License-Identifier: Apache-2.0
"""The race report: sections in their order, put into one HTML file like that of a run."""

from types import ModuleType

from isobath.report.race_data import RaceData
from isobath.report.race_sections import (
    audit,
    bytes_by_nodes,
    calls,
    environment,
    glossary,
    headline,
    ladder,
    levels,
    method,
    results,
    speed,
    traffic,
)
from isobath.report.wording import count_of, listing
from isobath.view.content import Page

SECTIONS: tuple[ModuleType, ...] = (
    headline,
    speed,
    bytes_by_nodes,
    calls,
    levels,
    traffic,
    ladder,
    results,
    audit,
    method,
    environment,
    glossary,
)
"""Sections in the order of the page. Each has TITLE and render."""


def race_page_html(race: RaceData) -> str:
    """The whole page as text. The same race gives the same page, letter for letter."""
    from isobath.view import html

    runs = count_of(sum(len(cell.runs) for cell in race.cells), "run folder")
    page = Page(
        title=f"{'' if race.official else 'NOT OFFICIAL '}Race {race.race_id}",
        heading=heading(race),
        place=place(race),
        noun="race",
        name=race.race_id,
        made_from=f"its plan, audit.jsonl and {runs}",
        sections=tuple(module.render(race) for module in SECTIONS),
        doubts=headline.doubts(race),
        labels=race.labels,
        begun=(race.created, race.created) if race.created else None,
    )
    return html.page_html(page)


def heading(race: RaceData) -> str:
    """What was raced, as a title."""
    scales = sorted({cell.scale for cell in race.done})
    number = len({cell.plan for cell in race.done})
    what = f"{number} search plans" if number != 1 else "One search plan"
    if not scales:
        return "Race of search plans"
    where = f"scale {scales[0]}" if len(scales) == 1 else f"scale {listing(map(str, scales))}"
    return f"{what} on the same graph, {where}"


def place(race: RaceData) -> str:
    """The machines by name."""
    hosts = {host.hostname for cell in race.done for run in cell.runs
             for host in run.records.run.hosts}  # fmt: skip
    named = sorted(hosts)
    if not named:
        return "nothing was run yet"
    return named[0] if len(named) == 1 else f"{named[0]} and {len(named) - 1} more"
