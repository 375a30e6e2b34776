# SPDX-License-Identifier: Apache-2.0
"""The levels that were found in a program, in the terminal."""

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from isobath.kinds.profile.tables import SHOWN, say_more, table_of
from isobath.profile.levels import place_words
from isobath.profile.profile import Profile
from isobath.records.profile import ProfileLevelsRecord
from isobath.report.wording import compact, count_of
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType

NONE = (
    "No levels were found: no small allreduce of all ranks repeats in rounds. A program announces "
    "its levels by isobath_region.h, and --view regions shows them."
)

ANNOUNCED = (
    "This program announces its regions: --view regions and --view searches show them. "
    "--level-site looks for levels all the same."
)


def by_level(profile: Profile) -> "Iterator[RenderableType]":
    """The levels of searches that the program does not announce."""
    from rich.text import Text

    found = profile.rounds
    if found is None:
        named = any(one.region is not None for one in profile.cells)
        yield Text(fill(ANNOUNCED if named else NONE, 80))
        return
    yield Text(fill(in_words(found), 80))
    table = table_of(
        "Levels", "#level", "#searches", "#time", "#in MPI", "#expand",
        "#fold", "#agree", "#sent", "#whole",
    )  # fmt: skip
    for one in profile.levels[:SHOWN]:
        table.add_row(
            str(one.level),
            compact(one.searches),
            format_seconds(one.seconds),
            format_seconds(one.mpi_seconds),
            format_seconds(one.expand_seconds) if one.expand_seconds else "",
            format_seconds(one.fold_seconds) if one.fold_seconds else "",
            format_seconds(one.agree_seconds),
            format_bytes(one.bytes_sent) if one.bytes_sent else "",
            compact(one.whole_frontiers) if one.whole_frontiers else "",
        )
    say_more(table, len(profile.levels))
    yield table
    yield Text(
        "median over searches; time: of the first rank; in MPI and its parts: mean over ranks; "
        "sent: by all ranks, mean; whole: searches in which the expand moved as "
        "much as in any level, a bitmap, as bottom-up levels do.",
        style="dim",
    )


def in_words(found: ProfileLevelsRecord) -> str:
    """What was found, how, and how sure it is."""
    ends = " and ".join(f"{one.call} at {place_words(one)}" for one in found.ends)
    low, high = found.levels.min, found.levels.max
    levels = f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
    words = (
        f"{count_of(found.searches, 'search', 'searches')} of {levels} levels, "
        f"{format_seconds(found.seconds)} in all. A level ends with {ends}"
    )
    if found.marker is not None:
        words += f"; between searches comes {found.marker.call} at {place_words(found.marker)}"
    words += f". Inferred from the order of collective calls, confidence {found.confidence}."
    if found.others:
        others = ", ".join(list(dict.fromkeys(map(place_words, found.others)))[:4])
        words += f" Levels might also end at {others}: --level-site says where."
    if found.reason:
        words += f" Counted on {count_of(found.ranks_counted, 'rank')}: {found.reason}."
    return words
