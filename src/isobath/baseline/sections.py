# SPDX-License-Identifier: Apache-2.0
"""A baseline as sections: whose it is, its cells with their keys, what was added since."""

from collections.abc import Iterator
from datetime import UTC, datetime
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Acceptance, KeptCell
from isobath.compared.wording import value_words
from isobath.report.wording import count_of, listing
from isobath.units import format_bytes
from isobath.view.content import Block, Fact, Facts, Section, Table, columns, first_rows

MOST_ROWS = 30


def when(at: datetime) -> str:
    """To the minute."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def launches_of(baseline: Baseline) -> int:
    """Of all kinds."""
    return sum(len(member.launches) for member in baseline.archive.members)


def sections_of(baseline: Baseline, origin: str) -> Iterator[Section]:
    """All of them, in their order."""
    yield _summary(baseline, origin)
    yield _cells(baseline)
    if baseline.accepted:
        yield _accepted(baseline)
    if baseline.sittings or baseline.regressions:
        yield _since(baseline)


def _summary(baseline: Baseline, origin: str) -> Section:
    archive = baseline.archive
    kinds = [f"{member.kind} ({count_of(len(member.cells), 'cell')})" for member in archive.members]
    keys = [cell.key for cell in archive.cells]
    facts = (
        Fact("made", when(archive.at), f"by Isobath {archive.isobath_version}"),
        Fact("from", origin if origin != "made here" else archive.maker),
        Fact("machine", "; ".join(dict.fromkeys(key.machine for key in keys)) or "not known"),
        Fact("MPI", ", ".join(dict.fromkeys(key.mpi for key in keys))),
        Fact("measured", listing(kinds), count_of(launches_of(baseline), "launch", "launches")),
        Fact("digest", baseline.id[:16], f"of the archive; of all entries {baseline.head[:16]}"),
    )
    lead = f"{count_of(len(archive.cells), 'cell')} of reference, never changed since."
    title = f"Baseline {baseline.name}"
    return Section("baseline", title, (Facts(facts, style="pairs"),), lead=lead)


def _cells(baseline: Baseline) -> Section:
    heads = columns("cell", "#nodes", "#ranks a node", "=shape", "#size", "algorithm",
                    "#median", "#launches")  # fmt: skip
    rows = [_row(cell) for cell in baseline.archive.cells]
    first, left_out = first_rows(rows, MOST_ROWS, "--view all")
    blocks: list[Block] = [Table("Cells and their keys", heads, first, left_out=left_out)]
    if left_out:
        blocks.append(Table("All cells", heads, tuple(rows), folded=True))
    return Section("cells", "Reference results", tuple(blocks))


def _row(cell: KeptCell) -> tuple[str, ...]:
    key = cell.key
    return (
        cell.name,
        str(key.nodes or ""),
        str(key.ranks_per_node or ""),
        key.shape,
        "" if key.size_bytes is None else format_bytes(key.size_bytes),
        key.algorithm,
        value_words(median(sample.value for sample in cell.samples), cell.scale),
        str(len(cell.samples)),
    )


def _accepted(baseline: Baseline) -> Section:
    rows = tuple(
        (one.cell, f"{one.factor:.3f}{_as_under(one)}", f"by {one.chosen}" if one.chosen else "",
         when(one.at), one.who, one.reason)
        for one in baseline.accepted
    )  # fmt: skip
    heads = columns("cell", "#times as long", "algorithm", "=since", "who", "reason")
    return Section("accepted", "Accepted", (Table("Taken as it is", heads, rows),))


def _as_under(one: Acceptance) -> str:
    """What it is to, where that is not the baseline."""
    return f" as under {one.held_against}" if one.held_against else ""


def _since(baseline: Baseline) -> Section:
    rows = [
        ("sitting", when(one.at), one.study, f"noise, kept until {one.expires:%Y-%m-%d}")
        for one in baseline.sittings
    ]
    rows += [("regression", when(one.at), one.study, one.verdict) for one in baseline.regressions]
    rows.sort(key=lambda row: row[1])
    heads = columns("=what", "=when", "study", "what came of it")
    return Section("since", "Measured since", (Table("Entries", heads, tuple(rows)),))
