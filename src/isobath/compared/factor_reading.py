# SPDX-License-Identifier: Apache-2.0
"""From studies to what was varied in them: all their launches on one side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isobath.compared.sides import check_together, side_of, studies_meant
from isobath.compared.wording import few
from isobath.comparison.factors import Table, tables_of
from isobath.comparison.gains import Gain, Interaction, gains_of, interactions_of
from isobath.comparison.measured import Side
from isobath.errors import UsageError
from isobath.race.comparisons import FOLLOWS
from isobath.study.shelf import Shelf

COMES_WITH = {name: (*others, *(("ranks per node",) if name == "ranks" else ()))
              for name, others in FOLLOWS.items()}  # fmt: skip
"""What comes with another plan, or another number of ranks, by itself."""


@dataclass(frozen=True)
class Varied:
    """One measure: what each factor brings, and which depend on each other."""

    measure: str
    table: Table
    gains: tuple[Gain, ...]
    interactions: tuple[Interaction, ...]
    tried: int
    """interactions that could be tested"""


@dataclass(frozen=True)
class FactorsFound:
    """All that was varied in some studies."""

    side: Side
    varied: tuple[Varied, ...]
    left_out: int
    """cells without a result"""


def read_factors(
    where: Shelf, words: Sequence[str], references: Mapping[str, str], only: Sequence[str] = ()
) -> FactorsFound:
    """Args: references are levels by factor; only are words in the names of cells.

    Raises: UsageError where nothing was varied, studies do not go together, or a reference is none;
        EnvironmentProblem where nothing can be read.
    """
    studies = [study for word in words for study in studies_meant(where, word)]
    check_together(studies)
    side = side_of("all", studies)
    cells = tuple(
        cell for cell in side.cells if all(word.lower() in cell.title.lower() for word in only)
    )
    if not cells:
        raise UsageError(f"--only {' '.join(only)}: no cell has these words; leave it out")
    chosen = Side(side.name, side.studies, side.kind, cells, side.launches)
    tables = tables_of(chosen, COMES_WITH)
    varied = tuple(_varied(name, table.referring_to(references)) for name, table in tables.items())
    _check(varied, references, side)
    return FactorsFound(side, varied, sum(bool(cell.trouble) for cell in cells))


def _varied(name: str, table: Table) -> Varied:
    interactions, tried = interactions_of(table)
    return Varied(name, table, gains_of(table), interactions, tried)


def _check(varied: Sequence[Varied], references: Mapping[str, str], side: Side) -> None:
    factors = {name for measure in varied for each in measure.table.factors for name in each.names}
    if not factors:
        raise UsageError(
            f"nothing was varied in {few(side.studies)}: take a race, a benchmark of several "
            "libraries, or studies that differ in a setting, the library or the machine"
        )
    for name, wanted in references.items():
        if name not in factors:
            there = ", ".join(sorted(factors))
            raise UsageError(f"--reference {name}: that was not varied; there are {there}")
        levels = {
            level[each.names.index(name)]: measure.table.described.get(name, {})
            for measure in varied
            for each in measure.table.factors
            if name in each.names
            for level in each.levels
        }
        known = {words for described in levels.values() for words in described.values()}
        if wanted not in levels and wanted not in known:
            raise UsageError(f"--reference {name}={wanted}: there are {', '.join(levels)}")
