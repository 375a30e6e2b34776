# SPDX-License-Identifier: Apache-2.0
"""The worlds that one command made, a row for each and no total."""

from collections.abc import Sequence

from isobath.report.profile_data import ProfileData, in_mpi
from isobath.report.wording import compact, count_of, printable
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Section, Table, columns, first_rows

TITLE = "Worlds"

SHOWN_WORLDS = 4
"""worlds with sections of their own"""


def render(worlds: Sequence[ProfileData]) -> Section:
    """The worlds side by side."""
    rows, left_out = first_rows([_row(world) for world in worlds], 512, "records.jsonl")
    table = Table(
        "Worlds side by side",
        columns("#world", "#ranks", "=host", "#process", "#launched as", "=ended", "#wall",
                "#in MPI", "#calls", "#sent"),
        rows,
        left_out=left_out,
    )  # fmt: skip
    return Section("worlds", TITLE, (table,), lead=lead(worlds))


def is_one_world(worlds: Sequence[ProfileData]) -> bool:
    """The command made one, and was to make no other."""
    return len(worlds) == 1 and worlds[0].profile.whole.mistake is None


def number(data: ProfileData) -> int:
    """Of a world, counted from 1."""
    return (data.profile.whole.world or 0) + 1


def lead(worlds: Sequence[ProfileData]) -> str:
    """How many there are, and which have sections."""
    text = (
        f"The command made {count_of(len(worlds), 'MPI_COMM_WORLD')}. What they did is not added "
        "up anywhere"
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
        in_mpi(whole),
        compact(whole.calls),
        format_bytes(sum(rank.bytes_sent for rank in data.profile.ranks)),
    )
