# SPDX-License-Identifier: Apache-2.0
"""Time, calls and bytes by place of the program: call sites, regions, communicators."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from isobath.records.profile import ProfileCellRecord
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import compact, milliseconds, percent, printable
from isobath.units import Seconds, format_bytes
from isobath.view.content import Table, columns, first_rows

MOST_ROWS = 64


class Total(NamedTuple):
    """What is added up of a place."""

    seconds: Seconds
    """a rank, mean"""
    calls: int
    bytes_sent: int


Place: TypeAlias = tuple[str, ...]
"""the words that name a place, one in each column"""

Totals: TypeAlias = dict[Place, Total]
"""by place, that with the most time first"""


def totals(
    cells: Iterable[ProfileCellRecord], place_of: Callable[[ProfileCellRecord], Place]
) -> Totals:
    """Sums over the cells of each place."""
    cells_of: dict[Place, list[ProfileCellRecord]] = defaultdict(list)
    for cell in cells:
        cells_of[place_of(cell)].append(cell)
    sums = {
        place: Total(
            sum(cell.seconds.mean for cell in there),
            sum(cell.calls for cell in there),
            sum(cell.bytes_sent for cell in there),
        )
        for place, there in cells_of.items()
    }
    return dict(sorted(sums.items(), key=lambda item: (-item[1].seconds, item[0])))


def place_table(
    caption: str, headings: tuple[str, ...], sums: Totals, data: ProfileData, *, keys: int = 1
) -> Table:
    """A row for each place. Args: headings are those of the words that name it."""
    whole = data.profile.whole.mpi_seconds.mean or 1.0
    rows, left_out = first_rows(
        [
            (
                *map(printable, place),
                compact(total.calls),
                milliseconds(total.seconds),
                percent(total.seconds / whole),
                format_bytes(total.bytes_sent) if total.bytes_sent else "",
            )
            for place, total in sums.items()
        ],
        MOST_ROWS,
        "records.jsonl",
    )
    return Table(
        caption,
        columns(*headings, "#calls", "#ms a rank", "#of MPI", "#sent"),
        rows,
        folded=True,
        left_out=left_out,
        keys=keys,
    )


def site(cell: ProfileCellRecord) -> str:
    """A call and the place that made it: function and line where they are known."""
    call = mpi_name(cell.call)
    if cell.module is None:
        return f"{call}, place not kept"
    if cell.line is not None:
        path, _, line = cell.line.rpartition(":")
        function = function_name(cell.symbol) if cell.symbol else "?"
        return printable(f"{call} in {function}, {Path(path).name}:{line}")
    place = f"{Path(cell.module).name}+{cell.offset or 0:#x}"
    if cell.symbol is None:
        return printable(f"{call} in {place}")
    return printable(f"{call} in {function_name(cell.symbol)} ({place})")


def function_name(symbol: str) -> str:
    """A function without its parameters and what encloses it.

    >>> function_name("a::(anonymous namespace)::Calls::reduce(std::byte*, long) const")
    'Calls::reduce'
    >>> function_name("main")
    'main'
    """
    plain = symbol.replace("(anonymous namespace)::", "")
    return "::".join(plain.partition("(")[0].split("::")[-2:])
