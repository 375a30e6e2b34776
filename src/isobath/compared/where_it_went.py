# SPDX-License-Identifier: Apache-2.0
"""Where a difference is, and what a library decided otherwise, as sections."""

from collections.abc import Sequence

from isobath.compared.choice import Shown
from isobath.compared.wording import speed_words
from isobath.comparison.decisions import Decisions, SwitchChange
from isobath.comparison.drill_down import Cut, cuts_of, path_of
from isobath.comparison.table_switches import MovedInTable
from isobath.comparison.verdicts import Against, CellVerdict
from isobath.report.wording import count_of
from isobath.units import format_seconds, size_words
from isobath.view.content import Block, Listing, Section, Table, columns, first_rows

MOST_PARTS = 8
MOST_CELLS = 5
"""cells whose time is taken apart: those of the largest differences"""


def parts_section(shown: Shown, against: Against) -> Section | None:
    """From the whole down to sizes of messages; None where no cell knows where its time went."""
    cells = [cell for cell in shown.cells_of(against) if cell.comparison and cuts_of(cell.pair)]
    if not cells:
        return None
    mine, other = shown.compared.reference.name, against.side.name
    chosen = sorted(cells, key=_size_of_difference, reverse=True)[:MOST_CELLS]
    blocks: list[Block] = []
    for cell in chosen:
        cuts = cuts_of(cell.pair)
        blocks.append(Listing(cell.pair.words, (path_words(cell, mine, other),)))
        blocks += [_table(cut, mine, other, folded=bool(place)) for place, cut in enumerate(cuts)]
    lead = "Differences of medians over launches, the largest first; nothing of it is tested."
    if len(cells) > len(chosen):
        lead += f" {count_of(len(cells) - len(chosen), 'cell')} more: --only, --json."
    title = f"Where the time of {other} went"
    return Section(f"parts-{other.lower()}", title, tuple(blocks), lead=lead)


def _size_of_difference(cell: CellVerdict) -> float:
    return abs(sum(row.difference for row in cuts_of(cell.pair)[0].rows))


def path_words(cell: CellVerdict, mine: str, other: str) -> str:
    """``0.9 times as fast; phase expand +2.1 ms; of that level 3 +1.9 ms; ...``."""
    steps = ""
    for place, (name, part, row) in enumerate(path_of(cuts_of(cell.pair))):
        # A cut that does not know all that was told before speaks of all of it.
        link = (
            "; of that "
            if len(row.part) > place
            else f"; in the whole {cell.pair.reference.title}, "
        )
        steps += f"{link if steps else '; '}{name} {part} {signed(row.difference)}"
    verdict = "" if cell.outcome in ("faster", "slower") else f" ({cell.outcome})"
    beginning = f"{other} is {speed_words(cell.speed)} times as fast as {mine}{verdict}"
    return beginning + steps


def signed(seconds: float) -> str:
    """A difference with its sign: ``+2.1 ms``."""
    return f"{'+' if seconds >= 0 else '-'}{format_seconds(abs(seconds))}"


def _table(cut: Cut, mine: str, other: str, *, folded: bool) -> Table:
    rows = [
        (*row.part, signed(row.difference), format_seconds(row.before), format_seconds(row.after))
        for row in cut.rows
        if row.before or row.after
    ]
    shown, left_out = first_rows(rows, MOST_PARTS, "--json")
    heads = columns(*(f"={name}" for name in cut.of), "#difference", f"#{mine}", f"#{other}")
    return Table(f"By {' and '.join(cut.of)}", heads, shown, folded=folded, left_out=left_out,
                 keys=len(cut.of))  # fmt: skip


def decisions_section(shown: Shown, against: Against) -> Section | None:
    """Other algorithms, other switch points; None of kinds where no library decides."""
    decisions = shown.decisions_of(against)
    if decisions is None:
        return None
    mine, other = shown.compared.reference.name, against.side.name
    blocks: list[Block] = []
    if decisions.algorithms:
        rows = tuple(
            (each.curve, _range(each.first_bytes, each.last_bytes), each.before, each.after)
            for each in decisions.algorithms
        )
        blocks.append(
            Table("Another algorithm", columns("collective", "=sizes", mine, other), rows)
        )
    if decisions.switches:
        rows_of_switches = tuple(map(switch_row, decisions.switches))
        heads = columns("collective", "=what", f"={mine}", f"={other}", "algorithms")
        blocks.append(Table("Switch points", heads, rows_of_switches))
    tables = shown.tables_of(against)
    if tables:
        blocks.append(tables_block(tables, mine, other))
    identifier, title = f"decisions-{other.lower()}", "What the library decides otherwise"
    lead = decisions_words(decisions)
    if tables:
        lead += f" In the library's own tables {count_of(len(tables), 'switch point')} moved."
    return Section(identifier, title, tuple(blocks), lead=lead)


def switch_row(switch: SwitchChange) -> tuple[str, ...]:
    """A row of the table of switch points: by names, or by times."""
    before, after = _where(switch.before), _where(switch.after)
    return switch.curve, switch.fate, before, after, switch.words or "by times"


def tables_block(tables: Sequence[MovedInTable], mine: str, other: str) -> Table:
    """Each lies where the second algorithm begins."""
    rows = tuple(
        (moved.switch.curve, moved.switch.fate, _begin(moved.switch.before),
         _begin(moved.switch.after), moved.switch.words, "; ".join(moved.cells) or "none")
        for moved in tables
    )  # fmt: skip
    heads = columns("collective", "=what", f"#{mine}, from", f"#{other}, from", "algorithms",
                    "cells between")  # fmt: skip
    return Table("Switch points in the library's own tables", heads, rows, measured=False)


def _begin(switch: tuple[int, int] | None) -> str:
    return "none" if switch is None else size_words(switch[1])


def decisions_words(decisions: Decisions) -> str:
    """In a sentence, with how far it could be known."""
    cells = count_of(decisions.cells, "cell")
    known = f"The algorithm of {decisions.cells_known} of {cells} is known on both sides"
    if not decisions.algorithms and not decisions.switches:
        return f"{known}; none is another."
    others = count_of(len(decisions.algorithms), "stretch of sizes", "stretches of sizes")
    moved = count_of(len(decisions.switches), "switch point")
    return f"{known}: {others} with another algorithm, {moved} elsewhere, gone or new."


def _range(first: int, last: int) -> str:
    return size_words(first) if first == last else f"{size_words(first)} to {size_words(last)}"


def _where(switch: tuple[int, int] | None) -> str:
    return "none" if switch is None else f"{size_words(switch[0])} to {size_words(switch[1])}"
