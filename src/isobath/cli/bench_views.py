# SPDX-License-Identifier: Apache-2.0
"""Views that isobath bench collectives has beside those of its kind, and its dry run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.bench.design import WITHOUT_SIZE
from isobath.bench.design_checks import is_planned
from isobath.bench.flagged import file_name, flagged_cells
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.plan import BenchPlan
from isobath.bench.reproducer import reproducer
from isobath.cli.places import shown
from isobath.cli.studies import Ending, show_found
from isobath.cli.terminal import fitted, say
from isobath.errors import UsageError
from isobath.kinds.collectives.kind import KIND
from isobath.report.wording import count_of
from isobath.study.kind import Kind
from isobath.study.planned import Planned

SUMMARY = "summary"
REPRODUCER = "reproducer:"
JSON = "json"
REPRODUCERS = "reproducers"

ARM_INDENT = 6
"""of what is in an arm, in columns"""


def show_arms(planned: Planned) -> None:
    """What is in each arm, before the launches of a dry run."""
    assert isinstance(planned.plan, BenchPlan)
    for arm in planned.plan.arms:
        names = dict.fromkeys(cell.collective for cell in arm.cells)
        forced = " ".join(f"{name}={value}" for name, value in sorted(arm.environment.items()))
        ranks, cells = count_of(arm.ranks, "rank"), count_of(len(arm.cells), "cell")
        print(fitted(f"{arm.arm}  {arm.mpi}, {ranks}, {cells}  {forced}".rstrip(), ARM_INDENT))
        print(fitted(f"{'':{ARM_INDENT}}{', '.join(names)}", ARM_INDENT))


def check_view(view: str) -> None:
    """Raises: UsageError for one that there is not."""
    if view in (*KIND.views, JSON, REPRODUCERS) or view.startswith(REPRODUCER):
        return
    there = ", ".join((*KIND.views, JSON, REPRODUCERS, f"{REPRODUCER}CELL"))
    raise UsageError(f"there is no view {view}; there are {there}")


def check_planned(plan: BenchPlan, ending: Ending) -> None:
    """Raises: UsageError for the reproducer of a cell that will not be measured."""
    view = ending.view or SUMMARY
    wanted = view.removeprefix(REPRODUCER)
    if view.startswith(REPRODUCER) and not is_planned(plan, wanted):
        raise UsageError(
            f"--view {view}: no such cell is in this benchmark; write for example "
            f"{REPRODUCER}alltoall:4096 with a collective and size that are measured"
        )


@dataclass(frozen=True)
class BenchEnding(Ending):
    """Views of collectives may be JSON, or programs that measure a cell again."""

    def show(self, kind: Kind[Any], path: Path, reading: Any) -> None:
        """A view, findings or programs."""
        view = self.view or SUMMARY
        if view.startswith(REPRODUCER):
            cell = find_cell(reading.measured.cells, view.removeprefix(REPRODUCER))
            print(_program(reading.measured, cell), end="")
        elif view == REPRODUCERS:
            _write_reproducers(reading.measured, path / REPRODUCERS)
        elif view == JSON or self.as_json:
            show_found(kind, path, reading, as_json=True)
        else:
            show_found(kind, path, reading, view=view)
            if kind.views[view].has_places:
                print(f"bench   {shown(path)}")


def _program(measured: Measured, cell: MeasuredCell) -> str:
    """The reproducer of a cell. Raises: UsageError where it cannot be written as a file."""
    libraries = {row.run_id: row.mpi.library_version for row in measured.launch_records}
    library = libraries.get(cell.first.run_id, cell.arm.mpi)
    return reproducer(cell, library, measured.plan.matrices)


def _write_reproducers(measured: Measured, folder: Path) -> None:
    """A program for every cell that some finding is about; prints their paths."""
    flagged = flagged_cells(measured)
    if not flagged:
        say("no cell is flagged: there is nothing to measure again")
    for cell in flagged:
        try:
            text = _program(measured, cell)
        except UsageError as problem:
            say(f"left out: {problem}")
            continue
        folder.mkdir(exist_ok=True)
        path = folder / file_name(cell)
        path.write_text(text, encoding="utf-8")
        print(shown(path))


def find_cell(cells: Sequence[MeasuredCell], wanted: str) -> MeasuredCell:
    """The cell that ``COLLECTIVE[:SIZE[:ALGORITHM]]`` names; the first where several are alike.

    Raises: UsageError where there is none.
    """
    words = wanted.split(":")
    for cell in cells:
        named = [cell.cell.collective, str(cell.cell.size_bytes), cell.choice]
        if words == named[: len(words)] and (len(words) > 2 or cell.cell.algorithm is None):
            if len(words) < 2 and cell.cell.collective not in WITHOUT_SIZE:
                continue
            return cell
    raise UsageError(
        f"there is no cell {wanted}; write for example {REPRODUCER}alltoall:4096 with a size that "
        "was measured"
    )
