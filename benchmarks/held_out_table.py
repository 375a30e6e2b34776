# SPDX-License-Identifier: Apache-2.0
"""Held-out cells row by row in a file that is kept: misses first, each with its error budget."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from held_out_judged import Judged, misses_first

NETWORK = "network"
COLUMNS = (
    NETWORK, "plan", "grid", "nodes", "scale", "part", "measured_seconds", "predicted_seconds",
    "low_seconds", "high_seconds", "is_inside", "error", "volume", "cost_model", "application",
)  # fmt: skip
"""The last three are shares of what was measured, as the error is; together they are the error."""

INSIDE, ERROR = COLUMNS.index("is_inside"), COLUMNS.index("error")


def write_table(path: Path, rows: Sequence[Judged]) -> None:
    """In the place of what it says of the same networks; of others it stays as it was."""
    judged = {row.cell.network for row in rows}
    kept = [row for row in _read(path) if row[0] not in judged]
    lines = [*kept, *(_line(row) for row in misses_first(rows))]
    lines.sort(key=lambda line: (line[INSIDE] != "no", -abs(float(line[ERROR]))))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *lines])


def _read(path: Path) -> Iterator[list[str]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    if tuple(head) != COLUMNS:
        raise SystemExit(f"{path} is no table of held-out cells; name another file with --table")
    yield from lines


def _line(row: Judged) -> list[str]:
    cell, spread, budget = row.cell, row.prediction.spread, row.budget
    seconds = (row.measured.seconds, row.prediction.seconds, spread.low, spread.high)
    shares = (row.error, *(part / budget.measured for part in
                           (budget.volume, budget.cost_model, budget.application)))  # fmt: skip
    return [
        cell.network, cell.plan, cell.grid, str(cell.nodes), str(cell.scale), cell.part,
        *(f"{value:.5g}" for value in seconds), "yes" if row.is_covered else "no",
        *(f"{value:.4f}" for value in shares),
    ]  # fmt: skip
