# SPDX-License-Identifier: Apache-2.0
"""A baseline as sections: whose it is, its cells with their keys, what was added since."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Acceptance, KeptCell, Regression, Sitting
from isobath.baseline.outside import outside_settings, value_words
from isobath.baseline.provenance import OURS
from isobath.compared.wording import value_words as number_words
from isobath.report.wording import count_of, listing
from isobath.units import format_bytes
from isobath.view.content import Block, Column, Fact, Facts, Section, Table, columns, first_rows

MOST_ROWS = 30


def when(at: datetime) -> str:
    """To the minute."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def launches_of(baseline: Baseline) -> int:
    """Of all kinds."""
    return sum(len(member.launches) for member in baseline.archive.members)


def sections_of(baseline: Baseline) -> Iterator[Section]:
    """All of them, in their order."""
    yield _summary(baseline)
    yield _cells(baseline)
    if any(member.settings for member in baseline.archive.members):
        yield _settings(baseline)
    if baseline.accepted:
        yield _accepted(baseline)
    if baseline.sittings or baseline.regressions:
        yield _since(baseline)


def _summary(baseline: Baseline) -> Section:
    archive = baseline.archive
    kinds = [f"{member.kind} ({count_of(len(member.cells), 'cell')})" for member in archive.members]
    keys = [cell.key for cell in archive.cells]
    origin = baseline.provenance.words(len(baseline.lines))
    facts = (
        Fact("made", when(archive.at), f"by Isobath {archive.isobath_version}"),
        Fact("from", archive.maker if origin == OURS else origin),
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
        number_words(median(sample.value for sample in cell.samples), cell.scale),
        str(len(cell.samples)),
    )


def _settings(baseline: Baseline) -> Section:
    """What measures it again; what that reaches for stands beside it."""
    rows = []
    for member in baseline.archive.members:
        outside = dict(outside_settings(member))
        rows += [
            (member.kind, name, value_words(value),
             "program, folder or machine" if name in outside else "")
            for name, value in (member.settings or {}).items()
        ]  # fmt: skip
    heads = columns("kind", "setting", "value", "names a")
    table = Table("How it is measured again", heads, tuple(rows), measured=False)
    return Section("settings", "Settings", (table,), measured=False)


def _accepted(baseline: Baseline) -> Section:
    rows = [
        (entry.cell, f"{entry.factor:.3f}{_as_under(entry)}",
         f"by {entry.chosen}" if entry.chosen else "",
         when(entry.at), entry.who, entry.reason, baseline.provenance.whose(number))
        for number, entry in enumerate(baseline.entries) if isinstance(entry, Acceptance)
    ]  # fmt: skip
    heads = columns("cell", "#times as long", "algorithm", "=since", "who", "reason", "whose")
    return Section("accepted", "Accepted", (_told(baseline, "Taken as it is", heads, rows),))


def _as_under(one: Acceptance) -> str:
    """What it is to, where that is not the baseline."""
    return f" as under {one.held_against}" if one.held_against else ""


def _since(baseline: Baseline) -> Section:
    rows = [
        (*_measured(entry), baseline.provenance.whose(number))
        for number, entry in enumerate(baseline.entries) if isinstance(entry, Sitting | Regression)
    ]  # fmt: skip
    rows.sort(key=lambda row: row[1])
    heads = columns("=what", "=when", "study", "what came of it", "whose")
    return Section("since", "Measured since", (_told(baseline, "Entries", heads, rows),))


def _measured(entry: Sitting | Regression) -> tuple[str, str, str, str]:
    if isinstance(entry, Sitting):
        return "sitting", when(entry.at), entry.study, f"noise, kept until {entry.expires:%Y-%m-%d}"
    return "regression", when(entry.at), entry.study, entry.verdict


def _told(
    baseline: Baseline, title: str, heads: tuple[Column, ...], rows: Sequence[tuple[str, ...]]
) -> Table:
    """The last column, whose each entry is, only where it is not ours alone."""
    if baseline.provenance.words(len(baseline.lines)) != OURS:
        return Table(title, heads, tuple(rows))
    return Table(title, heads[:-1], tuple(row[:-1] for row in rows))
