# SPDX-License-Identifier: Apache-2.0
"""Which sections of the page of a run a terminal shows."""

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from isobath.report.page import section_of, sections_of
from isobath.report.run_data import RunData
from isobath.report.sections import (
    construction,
    environment,
    headline,
    levels,
    phases,
    plainest,
    searches,
    validation,
)
from isobath.view.content import Section

LEAD_ALONE = slice(0, 0)

SUMMARY: tuple[tuple[ModuleType, slice], ...] = (
    (headline, slice(None)),
    (searches, slice(1, None)),
    (levels, slice(1)),
    (phases, slice(2)),
    (construction, slice(1)),
    (validation, LEAD_ALONE),
    (environment, LEAD_ALONE),
)
"""Which blocks of a section: statistics without every search, the levels of the typical search,
phases with what memory allows, phases of construction, one sentence each on trust and machine."""


def summary(data: RunData) -> Iterator[Section]:
    """The headline, levels, phases and validation; a section without records is left out."""
    for module, blocks in SUMMARY:
        section = section_of(module, data)
        if section.blocks or blocks == LEAD_ALONE:
            yield replace(section, blocks=section.blocks[blocks])
    if plainest.applies(data):
        yield plainest.render(data)


def whole_page(data: RunData) -> Iterator[Section]:
    """Every section."""
    yield from (section_of(module, data) for module in sections_of(data))
