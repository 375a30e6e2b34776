# SPDX-License-Identifier: Apache-2.0
"""Levels of searches that a program does not announce, found in the order of its calls."""

from isobath.profile.levels import place_words
from isobath.records.profile import ProfileLevelRecord, ProfileLevelsRecord
from isobath.report.profile_data import ProfileData
from isobath.report.wording import compact, count_of, milliseconds, printable
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Paragraph, Section, Table, columns, first_rows, nothing

TITLE = "Levels"

NONE = (
    "No levels were found: no small allreduce of all ranks repeats in rounds. A program announces "
    "its levels by isobath_region.h; they are regions then."
)

ANNOUNCED = (
    "This program announces its regions and searches, which are shown as such. --level-site looks "
    "for levels all the same."
)

MEANING = (
    "Medians over searches. Time: of the first rank; in MPI and its parts: mean over ranks; sent: "
    "by all ranks, mean; whole: searches in which the expand moved as much as in any level, a "
    "bitmap, as bottom-up levels do."
)


def render(data: ProfileData) -> Section:
    """What every level cost."""
    rounds = data.profile.rounds
    if rounds is None:
        is_announced = any(cell.region is not None for cell in data.profile.cells)
        return nothing("levels", TITLE, ANNOUNCED if is_announced else NONE)
    rows, left_out = first_rows(
        [_row(level) for level in data.profile.levels], 128, "records.jsonl"
    )
    table = Table(
        f"Levels of {count_of(rounds.searches, 'search', 'searches')}",
        columns("#level", "#searches", "#ms", "#ms in MPI", "#ms expand", "#ms fold", "#ms agree",
                "#sent", "#whole"),
        rows,
        left_out=left_out,
    )  # fmt: skip
    return Section("levels", TITLE, (table, Paragraph(MEANING)), lead=printable(in_words(rounds)))


def _row(level: ProfileLevelRecord) -> tuple[str, ...]:
    return (
        str(level.level),
        compact(level.searches),
        milliseconds(level.seconds),
        milliseconds(level.mpi_seconds),
        milliseconds(level.expand_seconds) if level.expand_seconds else "",
        milliseconds(level.fold_seconds) if level.fold_seconds else "",
        milliseconds(level.agree_seconds),
        format_bytes(level.bytes_sent) if level.bytes_sent else "",
        compact(level.whole_frontiers) if level.whole_frontiers else "",
    )


def in_words(rounds: ProfileLevelsRecord) -> str:
    """What was found, how, and how sure it is."""
    ends = " and ".join(f"{place.call} at {place_words(place)}" for place in rounds.ends)
    low, high = rounds.levels.min, rounds.levels.max
    levels = f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
    words = (
        f"{count_of(rounds.searches, 'search', 'searches')} of {levels} levels, "
        f"{format_seconds(rounds.seconds)} in all. A level ends with {ends}"
    )
    if rounds.marker is not None:
        words += f"; between searches comes {rounds.marker.call} at {place_words(rounds.marker)}"
    words += f". Inferred from the order of collective calls, confidence {rounds.confidence}."
    if rounds.others:
        others = ", ".join(list(dict.fromkeys(map(place_words, rounds.others)))[:4])
        words += f" Levels might also end at {others}: --level-site says where."
    if rounds.reason:
        words += f" Counted on {count_of(rounds.ranks_counted, 'rank')}: {rounds.reason}."
    return words
