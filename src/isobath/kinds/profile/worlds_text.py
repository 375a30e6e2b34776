# SPDX-License-Identifier: Apache-2.0
"""The profile of a command that made several MPI_COMM_WORLDs: each for itself, no total."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.kinds.profile.tables import SHOWN, say_more, table_of
from isobath.kinds.profile.text import VIEWS
from isobath.profile.profile import Profile
from isobath.report.wording import compact, count_of, percent, printable
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN_WORLDS = 4
"""worlds whose view is printed; of more, the table says the rest"""


def parts_of(profiles: tuple[Profile, ...], view: str) -> "Iterator[RenderableType]":
    """One view of the profile of each world, and before them what they are."""
    from rich.text import Text

    yield from _head(profiles)
    for profile in profiles[:SHOWN_WORLDS]:
        if len(profiles) > 1:
            yield Text(f"World {_number(profile)} of {len(profiles)}", style="bold")
        yield from VIEWS[view](profile)


def trace_file(output: Path, profile: Profile) -> Path:
    """Where the timeline of a world goes: of several, each into a file of its own."""
    if profile.whole.worlds is None:
        return output
    return output.with_name(f"{output.stem}-world-{_number(profile)}{output.suffix}")


def _number(profile: Profile) -> int:
    """Counted from 1."""
    return (profile.whole.world or 0) + 1


def _head(profiles: tuple[Profile, ...]) -> "Iterator[RenderableType]":
    from rich.text import Text

    mistake = profiles[0].whole.mistake
    if mistake is not None:
        yield Text(printable(mistake) + ".", style="bold red")
    if len(profiles) > 1:
        yield _worlds_table(profiles)


def _worlds_table(profiles: tuple[Profile, ...]) -> "Table":
    table = table_of(
        f"{count_of(len(profiles), 'world')}, which are not added up",
        "#world",
        "#ranks",
        "host",
        "#process",
        "#launched as",
        "ended",
        "#wall",
        "#in MPI",
        "#calls",
        "#sent",
    )
    for profile in profiles[:SHOWN]:
        whole, first = profile.whole, profile.ranks[0]
        table.add_row(
            str(_number(profile)),
            str(whole.ranks),
            printable(first.host),
            "" if first.process is None else str(first.process),
            "" if first.launcher_rank is None else str(first.launcher_rank),
            ", ".join(whole.endings),
            format_seconds(whole.wall_seconds.max),
            percent(whole.share_of_wall.mean),
            compact(whole.calls),
            format_bytes(sum(one.bytes_sent for one in profile.ranks)),
        )
    say_more(table, len(profiles))
    return table
