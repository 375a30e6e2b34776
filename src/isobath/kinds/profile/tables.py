# SPDX-License-Identifier: Apache-2.0
"""Tables of a profile in 80 columns: words are cut where it is narrow, numbers never."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.profile.profile import Profile
from isobath.records.profile import ProfileCellRecord

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN = 20
"""rows of a table that may be long"""

SPACE = 2
"""between two columns"""

SHORTEST_WORD = 8
"""to which a column of words is cut"""


def keep_numbers(part: "RenderableType", width: int) -> None:
    """Where a table is too wide, words are cut, the longest first, and numbers are not."""
    columns = getattr(part, "columns", ())
    wanted = [max(len(str(cell)) for cell in (one.header, *one.cells)) for one in columns]
    room = width - sum(wanted) - SPACE * len(columns)
    for column, length in sorted(zip(columns, wanted, strict=True), key=lambda pair: -pair[1]):
        column.min_width = length
        if column.justify != "right" and room < 0:
            column.min_width = column.max_width = max(SHORTEST_WORD, length + room)
            room += length - column.max_width


def say_more(table: "Table", rows: int) -> None:
    """Says under a table how many rows it leaves out."""
    if rows > SHOWN:
        table.caption = f"and {rows - SHOWN} more, all in records.jsonl"


def table_of(title: str, *heads: str) -> "Table":
    """A table; heads with # stand above numbers, and words are cut before numbers are."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for head in heads:
        is_number = head.startswith("#")
        table.add_column(
            head.removeprefix("#"),
            justify="right" if is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
        )
    return table


def site_of(cell: ProfileCellRecord) -> str:
    """A call site in a word: function and line where they are known."""
    if cell.module is None:
        return "-"
    if cell.line is not None:
        path, _, line = cell.line.rpartition(":")
        return f"{cell.symbol or ''} {Path(path).name}:{line}".strip()
    place = f"{Path(cell.module).name}+{cell.offset or 0:#x}"
    return f"{cell.symbol} ({place})" if cell.symbol else place


def grouped(
    profile: Profile, key: Callable[[ProfileCellRecord], tuple[str, ...]]
) -> dict[tuple[str, ...], list[ProfileCellRecord]]:
    """Cells of one key together, the key with the most time first."""
    groups: dict[tuple[str, ...], list[ProfileCellRecord]] = defaultdict(list)
    for cell in profile.cells:
        groups[key(cell)].append(cell)
    return dict(
        sorted(groups.items(), key=lambda item: -sum(cell.seconds.mean for cell in item[1]))
    )
