# SPDX-License-Identifier: Apache-2.0
"""MPI libraries beside each other: the same calls and the same work under each."""

from collections.abc import Iterator
from itertools import groupby

from isobath.kinds.overlap.printed_sections import CROWDED, percentage_words
from isobath.overlap import definitions
from isobath.overlap.folders import OverlapRead
from isobath.overlap.reading import Group, Row, name_of
from isobath.report.wording import count_of, listing
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Block, Paragraph, Section, Table, columns, nothing

TITLE = "Libraries beside each other"

ONE_LIBRARY = nothing(
    "libraries", TITLE, "Measured under one MPI library: --mpi wheel,openmpi compares several."
)

HEADS = columns("=library", "=progress", "#C_b", "#C_n", "#work", "#T_nov", "#T_ov", "#hidden",
                "#OSU, %")  # fmt: skip


def by_library(read: OverlapRead) -> list[Section]:
    """One section; none where there is one library."""
    if len(read.plan.libraries) < 2:
        return []
    blocks: list[Block] = []
    for _, several in groupby(read.groups, key=lambda group: group.but_library):
        groups = list(several)
        blocks.append(Table(_title(groups[0]), HEADS, tuple(_rows(groups)), keys=2))
        said = _first_done(groups)
        if said:
            blocks.append(Paragraph(said))
    first, *_ = read.plan.libraries
    return [
        Section(
            "libraries", TITLE, tuple(blocks),
            lead=f"All do the same work: as long as calls take under {first}. Signs as in the "
            "tables of each; symbols of the Overlap Test: --view overlap-test.",
        )
    ]  # fmt: skip


def _title(group: Group) -> str:
    size = f" of {format_bytes(group.size_bytes)}" if group.size_bytes else ""
    where = f" on {group.place.words}" if group.place.words else ""
    return f"{group.collective}{size}, {count_of(group.ranks, 'rank')}{where}"


def _rows(groups: list[Group]) -> Iterator[tuple[str, ...]]:
    for group in groups:
        for row in group.middle:
            named = (group.place.mpi, name_of(row.record))
            if row.record.oversubscribed:
                yield (*named, CROWDED)
                continue
            times = row.times
            yield (
                *named,
                *map(format_seconds, (times.blocking, times.nonblocking, times.work,
                                      times.no_overlap, times.overlap)),
                f"{row.hidden_share:.0%}",
                percentage_words(row.percentages.osu),
            )  # fmt: skip


def _first_done(groups: list[Group]) -> str:
    """Which library is done first, and whether intervals leave that open; empty of one alone."""
    best = [(group.place.mpi, group.best) for group in groups]
    known = [(mpi, row) for mpi, row in best if row is not None]
    if len(known) < 2:
        return ""
    known.sort(key=lambda pair: pair[1].times.overlap)
    (mpi, first), *others = known
    as_fast = [other for other, row in others if _overlap(first, row)]
    words = (
        f"{mpi} is done first, with {name_of(first.record)} after "
        f"{format_seconds(first.times.overlap)} "
        f"({definitions.clamped(first.hidden_share):.0%} of what can be hidden is)"
    )
    return f"{words}; intervals do not tell it from {listing(as_fast)}." if as_fast else f"{words}."


def _overlap(first: Row, other: Row) -> bool:
    """Whether intervals of both reach into each other; true where one has none."""
    own, its = first.overlap_interval, other.overlap_interval
    return own is None or its is None or (own[0] <= its[1] and its[0] <= own[1])
