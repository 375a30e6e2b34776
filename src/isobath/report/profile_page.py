# SPDX-License-Identifier: Apache-2.0
"""The sections of a profiled program, and the page that has all of them."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from isobath.report.profile_data import ProfileData
from isobath.report.profile_doubts import doubts_of
from isobath.report.profile_sections import (
    calls,
    communicators,
    headline,
    ipm,
    levels,
    matrix,
    method,
    mpip,
    ranks,
    regions,
    searches,
    sites,
    sizes,
    threads,
    timeline,
)
from isobath.report.profile_sections import worlds as worlds_section
from isobath.report.wording import count_of, printable
from isobath.view.content import Page, Section

SECTIONS: tuple[ModuleType, ...] = (
    headline,
    calls,
    ranks,
    threads,
    sizes,
    sites,
    regions,
    searches,
    levels,
    communicators,
    matrix,
    timeline,
    ipm,
    mpip,
    method,
)
"""Sections in the order of the page. Each has TITLE and render."""


def sections_of(
    worlds: Sequence[ProfileData], modules: Sequence[ModuleType] = SECTIONS
) -> Iterator[Section]:
    """Sections of one world; of several, which are not added up, those of each."""
    if worlds_section.is_one_world(worlds):
        yield from (module.render(worlds[0]) for module in modules)
        return
    yield worlds_section.render(worlds)
    for data in worlds[: worlds_section.SHOWN_WORLDS]:
        number = worlds_section.number(data)
        for module in modules:
            section = module.render(data)
            title = f"{section.title}, world {number}"
            identifier = f"world-{number}-{section.identifier}"
            yield replace(section, identifier=identifier, title=title)


def page_of(worlds: Sequence[ProfileData], doubts: tuple[str, ...] = ()) -> Page:
    """All sections. Args: doubts are those of the folder."""
    data = worlds[0]
    whole = data.profile.whole
    others = f" and {len(whole.hosts) - 1} more" if len(whole.hosts) > 1 else ""
    where = (
        f"on {count_of(whole.ranks, 'rank')}"
        if worlds_section.is_one_world(worlds)
        else f"in {count_of(len(worlds), 'world')}"
    )
    return Page(
        title=f"Profile {whole.run_id}",
        heading=f"Communication of {program(data)} {where}",
        place=printable(whole.hosts[0]) + others,
        noun="profile",
        name=whole.run_id,
        made_from="records.jsonl",
        sections=tuple(sections_of(worlds)),
        doubts=(*doubts, *doubts_of(worlds)),
        labels=data.labels,
        begun=(data.started, data.started) if data.started else None,
    )


def program(data: ProfileData) -> str:
    """The program that was profiled: the first word behind the launcher that names a file."""
    words = list(data.command)
    behind = words[words.index("--") + 1 :] if "--" in words else words
    paths = [word for word in behind[1:] if "/" in word and not word.startswith("-")]
    named = paths[0] if paths else (behind[-1] if behind else "a program")
    return printable(Path(shlex.split(named)[0] if named else named).name)
