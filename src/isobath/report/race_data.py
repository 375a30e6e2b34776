# SPDX-License-Identifier: Apache-2.0
"""What the sections of a race report read: the design, the cells with their runs, the audit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from isobath.race.audit_file import AuditLine
from isobath.race.comparisons import Change
from isobath.report.race_cell import RacedCell
from isobath.report.race_wording import plan_place

MATRIX = "matrix"

MATRIX_AXES = ("plan", "ranks")
"""factors that the charts have axes or colours for; others stand at their first value there"""


WHOSE = ("mpi", "transport")
"""factors that say whose a time is: named in sentences, and compared in tables of their own"""


@dataclass(frozen=True)
class RaceData:
    """One race, read once, for all sections."""

    race_id: str
    created: str = ""
    command: tuple[str, ...] = ()
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """what is varied, and the values in the order that was asked for"""
    base: Mapping[str, str] = field(default_factory=dict)
    """settings that all cells share"""
    reference: Mapping[str, str] = field(default_factory=dict)
    """what rates are compared with: the cell of these values, all else equal"""
    design: str = "full"
    scaling: str = ""
    seed: int = 0
    repeats: int = 1
    keys: int = 0
    official: bool = False
    cells: tuple[RacedCell, ...] = ()
    audit: tuple[AuditLine, ...] = ()
    problems: tuple[str, ...] = ()
    """what could not be read, one sentence each"""
    changes: tuple[Change, ...] = ()
    """what each factor of two values changes, all else equal"""
    runs_left: int = 0
    """still to do"""
    links: Mapping[str, str] = field(default_factory=dict)
    """files of the race, relative to the page: name to place"""

    @cached_property
    def done(self) -> tuple[RacedCell, ...]:
        """Cells with at least one completed search."""
        return tuple(cell for cell in self.cells if cell.done)

    @cached_property
    def matrix(self) -> tuple[RacedCell, ...]:
        """Cells of the design proper that are done."""
        return tuple(cell for cell in self.done if cell.group == MATRIX)

    @cached_property
    def ladder(self) -> tuple[RacedCell, ...]:
        """Cells that are steps of the ladder and done, in its order; some are of the matrix too."""
        return tuple(sorted((c for c in self.done if c.step), key=lambda cell: cell.step_place))

    @cached_property
    def main(self) -> tuple[RacedCell, ...]:
        """One cell per plan and number of ranks, for charts: every other factor at its first value.

        Where that leaves several, or none, the fastest is taken.
        """
        chosen: dict[tuple[str, int], RacedCell] = {}
        for cell in sorted(self.matrix, key=self._preference):
            chosen.setdefault((cell.plan, cell.ranks), cell)
        return tuple(sorted(chosen.values(), key=lambda cell: (plan_place(cell.plan), cell.ranks)))

    def _preference(self, cell: RacedCell) -> tuple[int, float]:
        """Cells whose other factors stand at their first values come first, then the fastest."""
        others = (name for name in self.other_factors if name in cell.factors)
        away = sum(cell.factors[name] != self.factors[name][0] for name in others)
        return away, -cell.teps.value if cell.teps else 0.0

    @property
    def other_factors(self) -> tuple[str, ...]:
        """Factors that the charts have no axis for."""
        return tuple(
            name
            for name, values in self.factors.items()
            if name not in MATRIX_AXES and len(values) > 1
        )

    def under(self, cell: RacedCell) -> str:
        """Library and transport of a cell, as far as several were raced; empty where none was."""
        names = (name for name in WHOSE if name in self.other_factors and name in cell.factors)
        return ", ".join(cell.factors[name] for name in names)

    @property
    def plans(self) -> tuple[str, ...]:
        """Plans with a cell in the charts, as the report lists them."""
        return in_order(cell.plan for cell in self.main)

    def of_plan(self, plan: str) -> tuple[RacedCell, ...]:
        """The cells of the charts of a plan, by ranks."""
        return tuple(cell for cell in self.main if cell.plan == plan)

    def at(self, ranks: int) -> tuple[RacedCell, ...]:
        """The cells of the charts with so many ranks, by plan."""
        return tuple(cell for cell in self.main if cell.ranks == ranks)

    @cached_property
    def most_ranks(self) -> int:
        """The largest number of ranks that most plans ran with; 0 without cells."""
        counts = sorted({cell.ranks for cell in self.main})
        if not counts:
            return 0
        most = max(len(self.at(ranks)) for ranks in counts)
        return max(ranks for ranks in counts if len(self.at(ranks)) == most)

    @cached_property
    def timed_ranks(self) -> int:
        """The same among cells whose times describe the machine; 0 where there are none."""
        fair = [cell for cell in self.main if not cell.oversubscribed]
        counts = {cell.ranks for cell in fair}
        numbers = {ranks: sum(cell.ranks == ranks for cell in fair) for ranks in counts}
        most = max(numbers.values(), default=0)
        return max((ranks for ranks in counts if numbers[ranks] == most), default=0)

    @cached_property
    def profiled(self) -> tuple[RacedCell, ...]:
        """One cell per plan for everything that is drawn plan by plan: with the most ranks."""
        last = {cell.plan: cell for cell in self.main}
        at_most = {cell.plan: cell for cell in self.at(self.most_ranks)}
        return tuple((last | at_most)[plan] for plan in self.plans)

    @property
    def oversubscribed(self) -> tuple[RacedCell, ...]:
        """Cells whose times describe no machine."""
        return tuple(cell for cell in self.done if cell.oversubscribed)

    @property
    def validated(self) -> bool:
        """Every search of every cell passed all rules."""
        return all(cell.validated for cell in self.done)

    @property
    def labels(self) -> tuple[str, ...]:
        """Words that must stand beside every number of this race; none for a sound one."""
        words = [] if self.validated else ["UNVALIDATED"]
        if self.oversubscribed:
            all_of_them = len(self.oversubscribed) == len(self.done)
            words.append("OVERSUBSCRIBED" if all_of_them else "PARTLY OVERSUBSCRIBED")
        return tuple(words)

    @property
    def words(self) -> tuple[str, ...]:
        """Words that must stand inside every picture."""
        return () if self.validated else ("UNVALIDATED",)

    def with_run(self, run_id: str) -> RacedCell | None:
        """The cell that a run belongs to."""
        return self._cells_by_run.get(run_id)

    @cached_property
    def _cells_by_run(self) -> Mapping[str, RacedCell]:
        return {run.records.run.run_id: cell for cell in self.cells for run in cell.runs}


def in_order(plans: Iterable[str]) -> tuple[str, ...]:
    """Different plans as the report lists them."""
    return tuple(sorted(set(plans), key=plan_place))


def fastest(cells: Sequence[RacedCell]) -> RacedCell | None:
    """The cell of the highest rate; None where none has one."""
    rated = [cell for cell in cells if cell.teps is not None]
    return max(rated, key=lambda cell: cell.teps.value if cell.teps else 0.0, default=None)
