# SPDX-License-Identifier: Apache-2.0
"""Which cells of a comparison are shown. Choosing changes no verdict: all were judged together."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.comparison.decisions import Decisions, decisions_of
from isobath.comparison.table_switches import MovedInTable, moved_in_tables
from isobath.comparison.verdicts import ORDER, Against, CellVerdict, Compared
from isobath.errors import UsageError
from isobath.settings.values import nearest
from isobath.study.kinds import entry_named


@dataclass(frozen=True)
class Shown:
    """A comparison, and what of it is wanted."""

    compared: Compared
    only: tuple[str, ...] = ()
    """words that stand in the name of a cell, all of them, or in its outcome"""
    worst: int | None = None
    """so many cells of each side, those that lost most first"""

    def cells_of(self, against: Against) -> list[CellVerdict]:
        """In the order in which they are told: what became slower first, most of all at the top."""
        cells = [cell for cell in against.cells if self._is_wanted(cell)]
        if self.worst is not None:
            cells = [cell for cell in cells if cell.speed is not None]
            return sorted(cells, key=_speed)[: self.worst]
        return sorted(cells, key=lambda cell: (ORDER.index(cell.outcome), _by_outcome(cell)))

    def decisions_of(self, against: Against) -> Decisions | None:
        """Of kinds where a library decides; None of others."""
        kind = entry_named(self.compared.reference.kind)
        if kind is None or not kind.library_chooses:
            return None
        return decisions_of(cell.pair for cell in against.cells if self._is_wanted(cell))

    def tables_of(self, against: Against) -> tuple[MovedInTable, ...]:
        """Switch points that moved in the tables of the library's file."""
        cells = ((cell.pair.words, cell.pair.reference)
                 for cell in against.cells if self._is_wanted(cell))  # fmt: skip
        return moved_in_tables(self.compared.reference.facts, against.side.facts, cells)

    def _is_wanted(self, cell: CellVerdict) -> bool:
        words = f"{cell.pair.words} {cell.outcome}".lower()
        return all(word.lower() in words for word in self.only)


def check_choice(shown: Shown) -> None:
    """Raises: UsageError where no cell has the words that are wanted."""
    if shown.only and not any(shown.cells_of(against) for against in shown.compared.others):
        there = dict.fromkeys(
            part for against in shown.compared.others for cell in against.cells
            for part in cell.pair.words.split(", ")
        )  # fmt: skip
        wanted = " ".join(shown.only)
        near = nearest(wanted, there)
        hint = f"did you mean {near}?" if near else "leave it out to see all of them"
        raise UsageError(f"--only {wanted}: no cell has these words; {hint}")


def counts_of(cells: Sequence[CellVerdict]) -> dict[str, int]:
    """How many cells of each outcome, in the order in which they are told."""
    return {
        outcome: number
        for outcome in ORDER
        if (number := sum(cell.outcome == outcome for cell in cells))
    }


def _speed(cell: CellVerdict) -> float:
    return cell.speed or 0.0


def _by_outcome(cell: CellVerdict) -> float:
    """Slowest first of those that became slower, fastest first of those that became faster."""
    speed = _speed(cell)
    return -speed if cell.outcome == "faster" else speed
