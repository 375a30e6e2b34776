# SPDX-License-Identifier: Apache-2.0
"""The page of a profiled program, in the look of the others."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from isobath.report.profile_data import ProfileData
from isobath.report.profile_sections import (
    calls,
    headline,
    matrix,
    method,
    ranks,
    regions,
    sizes,
    timeline,
)
from isobath.report.profile_sections import worlds as worlds_section
from isobath.report.wording import count_of, printable
from isobath.view import html
from isobath.view.content import Page, Section

SECTIONS: tuple[ModuleType, ...] = (
    headline,
    calls,
    ranks,
    sizes,
    regions,
    matrix,
    timeline,
    method,
)
"""Sections in the order of the page. Each has TITLE and render."""


def page_of_worlds(worlds: tuple[ProfileData, ...]) -> str:
    """The whole page as text: of one world, or of several that are not added up."""
    whole = worlds[0].profile.whole
    if len(worlds) == 1 and whole.mistake is None:
        return profile_page_html(worlds[0])
    return worlds_page_html(worlds)


def profile_page_html(data: ProfileData) -> str:
    """The whole page as text. The same profile gives the same page, letter for letter."""
    whole = data.profile.whole
    heading = f"Communication of {program(data)} on {count_of(whole.ranks, 'rank')}"
    return _html(data, heading, [module.render(data) for module in SECTIONS])


def worlds_page_html(worlds: Sequence[ProfileData]) -> str:
    """The same of several worlds, or of one that is not what was to be started."""
    sections = [worlds_section.render(worlds)]
    for data in worlds[: worlds_section.SHOWN_WORLDS]:
        number = worlds_section.number(data)
        for module in SECTIONS:
            section = module.render(data)
            title = f"{section.title}, world {number}"
            name = f"world-{number}-{section.identifier}"
            sections.append(replace(section, identifier=name, title=title))
    heading = f"Communication of {program(worlds[0])} in {count_of(len(worlds), 'world')}"
    return _html(worlds[0], heading, sections)


def _html(data: ProfileData, heading: str, sections: list[Section]) -> str:
    whole = data.profile.whole
    others = f" and {len(whole.hosts) - 1} more" if len(whole.hosts) > 1 else ""
    page = Page(
        title=f"Profile {whole.run_id}",
        heading=heading,
        place=printable(whole.hosts[0]) + others,
        noun="profile",
        name=whole.run_id,
        made_from="records.jsonl",
        sections=tuple(sections),
        labels=data.labels,
        begun=(data.started, data.started),
    )
    return html.page_html(page)


def program(data: ProfileData) -> str:
    """The program that was profiled: the first word behind the launcher that names a file."""
    words = list(data.command)
    behind = words[words.index("--") + 1 :] if "--" in words else words
    paths = [word for word in behind[1:] if "/" in word and not word.startswith("-")]
    named = paths[0] if paths else (behind[-1] if behind else "a program")
    return printable(Path(shlex.split(named)[0] if named else named).name)
