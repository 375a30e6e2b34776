# SPDX-License-Identifier: Apache-2.0
"""A comparison as sections: what changed first, then every verdict."""

from collections.abc import Iterator
from datetime import UTC, datetime

from isobath.compared.choice import Shown, counts_of
from isobath.compared.facts import name_alone
from isobath.compared.where_it_went import decisions_section, parts_section
from isobath.compared.wording import (
    OUTCOME_WORDS,
    counted,
    few,
    interval_words,
    launches_words,
    speed_words,
    value_words,
    whole_percent,
)
from isobath.comparison.measured import Side
from isobath.comparison.verdicts import Against, CellVerdict
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of, listing
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Listing,
    Page,
    Section,
    Table,
    columns,
    first_rows,
)

MOST_ROWS = 30
"""cells of a table; the others stand in ``--view cells`` and on the page behind a click"""

MOST_ALONE = 12
CHARTED = 24
LONGEST_NAME = 16
"""letters for which a chart has room"""


def sections_of(shown: Shown) -> Iterator[Section]:
    """All of them, in their order."""
    yield sides_section(shown)
    for against in shown.compared.others:
        yield changes_section(shown, against)
        yield cells_section(shown, against)
        parts = parts_section(shown, against)
        if parts is not None:
            yield parts
        decisions = decisions_section(shown, against)
        if decisions is not None:
            yield decisions
    yield method_section(shown)


def notices_of(shown: Shown) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    across = [
        f"NOT THE SAME WORK: {name} {ours} in {shown.compared.reference.name}, {theirs} in "
        f"{against.side.name}, compared because it was asked for."
        for against in shown.compared.others
        for name, (ours, theirs) in against.matched.differing.items()
    ]
    problems = [
        f"{side.name}: {problem}" for side in shown.compared.sides for problem in side.problems
    ]
    return (*across, *problems)


def page_of(shown: Shown) -> Page:
    """All sections, with what has to be known on top."""
    sides = shown.compared.sides
    names = [few(side.studies) for side in sides]
    nodes = dict.fromkeys(node for side in sides for node in side.facts.get("nodes", ()))
    return Page(
        title=f"Comparison: {' against '.join(reversed(names))}",
        heading="What became faster, slower, or stayed the same",
        place=", ".join(nodes),
        noun="comparison",
        name=" and ".join(names),
        made_from="records.jsonl",
        sections=tuple(sections_of(shown)),
        doubts=notices_of(shown),
    )


def sides_section(shown: Shown) -> Section:
    """Which studies stand behind the letters, and the verdict in a sentence."""
    sentences = [
        f"{against.side.name} against {shown.compared.reference.name}: "
        f"{counted(counts_of(shown.cells_of(against)), shown.compared.margin)}"
        for against in shown.compared.others
    ]
    facts = tuple(
        Fact(f"{side.name}{' (reference)' if side is shown.compared.reference else ''}",
             few(side.studies), _taken(side))
        for side in shown.compared.sides
    )  # fmt: skip
    return Section("sides", "Comparison", (Facts(facts, style="pairs"),),
                   lead="; ".join(sentences) + ".")  # fmt: skip


def _taken(side: Side) -> str:
    began = sorted(launch.began for launch in side.launches.values())
    if not began:
        return "no launch"
    first, last = (
        f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M}" for moment in (began[0], began[-1])
    )
    when = (
        first if first == last else f"{first} to {last[11:] if last[:10] == first[:10] else last}"
    )
    return f"{count_of(len(began), 'launch', 'launches')}, {when} UTC"


def changes_section(shown: Shown, against: Against) -> Section:
    """What is not alike: said before any number."""
    mine, other = shown.compared.reference.name, against.side.name
    identifier, title = f"changed-{other.lower()}", f"What changed from {mine} to {other}"
    if not against.changes:
        lead = "Nothing that is recorded: the same library, kernel, compiler, machine and settings."
        return Section(identifier, title, lead=lead, measured=False)
    rows = tuple((change.name, change.before, change.after) for change in against.changes)
    names = [change.name for change in against.changes]
    told = (
        listing(names) if len(names) <= 6 else f"{', '.join(names[:6])} and {len(names) - 6} more"
    )
    table = Table("What is not alike", columns("=what", mine, other), rows, measured=False)
    return Section(identifier, title, (table,), lead=f"{told}.", measured=False)


def cells_section(shown: Shown, against: Against) -> Section:
    """Every verdict, what became slower first."""
    mine, other = shown.compared.reference.name, against.side.name
    cells = shown.cells_of(against)
    counts = counts_of(cells)
    heads = columns("cell", "=verdict", "#speed", "#interval", f"#{mine}",
                    f"#{other}", "#launches")  # fmt: skip
    names, shared = short_names([cell.pair.words for cell in cells])
    rows = [_row(cell, name) for cell, name in zip(cells, names, strict=True)]
    first, left_out = first_rows(rows, MOST_ROWS, "--view cells")
    caption = f"Cells, all of {shared}" if shared else "Cells"
    blocks: list[Block] = [Table(caption, heads, first, left_out=left_out)]
    if left_out:
        blocks.append(Table("All cells", heads, tuple(rows), folded=True))
    reasons = dict.fromkeys(cell.reason for cell in cells if cell.reason and cell.comparison)
    if reasons:
        told = [
            f"{reason}: {count_of(sum(cell.reason == reason for cell in cells), 'cell')}"
            for reason in reasons
        ]
        blocks.append(Listing("Why nothing can be told", tuple(told)))
    blocks += _figure(cells, names, mine, other)
    for side, alone in (
        (mine, against.matched.only_reference),
        (other, against.matched.only_other),
    ):
        names = [name_alone(cell) for cell in alone]
        if names:
            more = [f"and {len(names) - MOST_ALONE} more"] if len(names) > MOST_ALONE else []
            blocks.append(Listing(f"In {side} alone", (*names[:MOST_ALONE], *more)))
    said = counted(counts, shown.compared.margin)
    lead = f"{said[:1].upper()}{said[1:]}. Speed: how many times as fast {other} is as {mine}."
    return Section(f"cells-{other.lower()}", f"{other} against {mine}", tuple(blocks), lead=lead)


def short_names(names: list[str]) -> tuple[list[str], str]:
    """Names of cells without what stands in all of them, and that.

    >>> short_names(["bcast, 8 B, 2 ranks", "reduce, 8 B, 2 ranks"])
    (['bcast', 'reduce'], '8 B, 2 ranks')
    """
    parts = [name.split(", ") for name in names]
    shared = (
        [part for part in parts[0][1:] if all(part in each[1:] for each in parts)] if parts else []
    )
    if len(names) < 2 or not shared:
        return names, ""
    return [", ".join(part for part in each if part not in shared) for each in parts], ", ".join(
        shared
    )


def _row(cell: CellVerdict, name: str) -> tuple[str, ...]:
    if cell.comparison is None:
        return name, OUTCOME_WORDS[cell.outcome], cell.reason
    scale = cell.pair.reference.scale
    return (
        name,
        OUTCOME_WORDS[cell.outcome],
        speed_words(cell.speed),
        interval_words(cell),
        value_words(cell.pair.reference.value, scale),
        value_words(cell.pair.other.value, scale),
        launches_words(cell),
    )


def _figure(cells: list[CellVerdict], names: list[str], mine: str, other: str) -> list[Block]:
    """Those that are surely faster or slower, with their intervals."""
    clear = [
        (f"row {number}", name, cell)
        for number, (name, cell) in enumerate(zip(names, cells, strict=True), start=1)
        if cell.outcome in ("slower", "faster") and cell.speed
    ]
    if not clear:
        return []
    is_short = all(len(name) <= LONGEST_NAME for _, name, _ in clear)
    bars = tuple(
        Bar(
            name if is_short else row,
            cell.speed or 0.0,
            speed_words(cell.speed),
            "bad" if cell.outcome == "slower" else "good",
            low=cell.bounds[0] if cell.bounds else None,
            high=cell.bounds[1] if cell.bounds else None,
            limit=1.0,
        )
        for row, name, cell in clear[:CHARTED]
    )
    caption = f"How many times as fast {other} is as {mine}; the mark at 1 is no change."
    caption += "" if is_short else " Rows are those of the table."
    return [Figure(BarChart(bars, axis=f"times as fast as {mine}"), caption)]


def method_section(shown: Shown) -> Section:
    """What the words promise."""
    compared = shown.compared
    margin, alpha = whole_percent(compared.margin), whole_percent(compared.alpha)
    words = {
        "cell": "one thing that was measured, under settings that both sides have",
        "faster, slower": "launches of both sides differ by more than chance explains: Wilcoxon's "
        "signed ranks where they were taken in turns, else Mann-Whitney; the factor is the shift "
        "of their logarithms by Hodges and Lehmann",
        "the same": f"two one-sided tests exclude a difference of {margin} or more, either way",
        "cannot tell": "neither can be said; it is never called the same",
        "together": f"{count_of(compared.tests, 'cell')} had launches enough to be tested. Of all "
        f"claims of a difference one is wrong with a probability of {alpha} at most, and the same "
        "holds of all claims to be the same (Holm)",
        "interval": "of this cell alone, of launches: with its level behind it where so few bear "
        "no 95 %",
        "not covered": "what else changed between two times of measuring, where launches were not "
        "taken in turns",
    }
    facts = tuple(Fact(name, meaning) for name, meaning in words.items())
    return Section(
        "method", "What the words promise", (Facts(facts, style="words"),), measured=False
    )
