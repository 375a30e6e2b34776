# SPDX-License-Identifier: Apache-2.0
"""The page of a profiled program, in the look of the others."""

import shlex
from pathlib import Path
from types import ModuleType

from isobath import __version__
from isobath.report.page import environment_of_templates
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
from isobath.report.wording import count_of, printable

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


def profile_page_html(data: ProfileData) -> str:
    """The whole page as text. The same profile gives the same page, letter for letter."""
    whole = data.profile.whole
    return (
        environment_of_templates()
        .get_template("profile.html")
        .render(
            run_id=whole.run_id,
            heading=f"Communication of {program(data)} on {count_of(whole.ranks, 'rank')}",
            place=printable(whole.hosts[0])
            + (f" and {len(whole.hosts) - 1} more" if len(whole.hosts) > 1 else ""),
            started=data.started,
            labels=data.labels,
            sections=[module.render(data) for module in SECTIONS],
            version=__version__,
            doubt="",
        )
    )


def program(data: ProfileData) -> str:
    """The program that was profiled: the first word behind the launcher that names a file."""
    words = list(data.command)
    behind = words[words.index("--") + 1 :] if "--" in words else words
    paths = [word for word in behind[1:] if "/" in word and not word.startswith("-")]
    named = paths[0] if paths else (behind[-1] if behind else "a program")
    return printable(Path(shlex.split(named)[0] if named else named).name)
