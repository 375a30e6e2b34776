# SPDX-License-Identifier: Apache-2.0
"""The worlds that one command made, a row for each and no total."""

from collections.abc import Sequence

from isobath.report.profile_data import ProfileData
from isobath.report.wording import compact, count_of, percent, printable
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Block, Notice, Section, Table, columns, first_rows

TITLE = "Worlds"

SHOWN_WORLDS = 4
"""worlds with sections of their own"""


def render(worlds: Sequence[ProfileData]) -> Section:
    """What went wrong, if anything did, and the worlds side by side."""
    mistake = worlds[0].profile.whole.mistake
    blocks: list[Block] = [Notice(f"{printable(mistake)}.")] if mistake else []
    rows, left = first_rows([_row(one) for one in worlds], 512, "records.jsonl")
    blocks.append(
        Table(
            "Worlds side by side",
            columns("#world", "#ranks", "=host", "#process", "#launched as", "=ended", "#wall",
                    "#in MPI", "#calls", "#sent"),
            rows,
            left_out=left,
        )
    )  # fmt: skip
    return Section("worlds", TITLE, tuple(blocks), lead=lead(worlds))


def number(data: ProfileData) -> int:
    """Of a world, counted from 1."""
    return (data.profile.whole.world or 0) + 1


def lead(worlds: Sequence[ProfileData]) -> str:
    """How many there are, and which have sections."""
    text = (
        f"The command made {count_of(len(worlds), 'MPI_COMM_WORLD')}. What they did is not added "
        "up anywhere on this page"
    )
    if len(worlds) > SHOWN_WORLDS:
        return f"{text}; the first {SHOWN_WORLDS} have sections of their own."
    return f"{text}."


def _row(data: ProfileData) -> tuple[str, ...]:
    whole, first = data.profile.whole, data.profile.ranks[0]
    return (
        str(number(data)),
        str(whole.ranks),
        printable(first.host),
        "" if first.process is None else str(first.process),
        "" if first.launcher_rank is None else str(first.launcher_rank),
        printable(", ".join(whole.endings)),
        format_seconds(whole.wall_seconds.max),
        percent(whole.share_of_wall.mean),
        compact(whole.calls),
        format_bytes(sum(one.bytes_sent for one in data.profile.ranks)),
    )
