#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what every switch of every plan brings, one at a time.

Usage, after ``./isobath setup``:

    .venv/bin/python benchmarks/switch_effects.py         runs switch_effects.toml, then prints
    .venv/bin/python benchmarks/switch_effects.py RACE    prints a race that was run

The table is docs/explanation/effects.md's: per cell of the design, against the plan's default on
the same grid, how many times as long a search takes (harmonic mean over the same keys, with its
95 % interval), and how many times the bytes and the messages. Runs are in random order, repeats
in another. Exit status 1 where a run was not validated or its bytes do not agree.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.plan.search_plans import SWITCHES, all_switches  # noqa: E402
from isobath.race.comparisons import rate_ratio  # noqa: E402
from isobath.race.folders import RaceFolder  # noqa: E402
from isobath.race.results import CellResult, RaceResults, read_results  # noqa: E402
from isobath.study.shelf import Shelf  # noqa: E402

SHELF = Shelf((ROOT / "studies", ROOT / "races"))
DESIGN = ROOT / "benchmarks" / "switch_effects.toml"
HEAD = ("plan", "grid", "switch", "GTEPS", "time", "bytes", "messages")


def place(cell: CellResult) -> tuple[str, str]:
    """Plan and grid."""
    run = cell.runs[0].run
    return run.plan, f"{run.grid_rows}x{run.grid_cols}"


def changed(cell: CellResult) -> dict[str, object]:
    """The switches that are not as the plan has them by default."""
    run = cell.runs[0].run
    usual = all_switches(run.plan, {})
    found = run.switches.model_dump()
    return {name: found[name] for name in SWITCHES if str(found[name]) != str(usual[name])}


def times(one: float, other: float) -> str:
    """How many times as much."""
    return f"{one / other:.3g}" if other else "-" if one else "1"


def row(cell: CellResult, usual: CellResult) -> tuple[str, ...]:
    """One line of the table."""
    plan, grid = place(cell)
    switch = ", ".join(f"{name} {value}" for name, value in changed(cell).items()) or "default"
    sent, messages = (cell.bytes_per_rank, usual.bytes_per_rank), (cell.messages, usual.messages)
    slower = rate_ratio(usual, cell)
    if slower is None or cell.teps is None or None in (*sent, *messages):
        raise SystemExit(f"{plan} on {grid} has no rates or no counts: see ./isobath show")
    within = (
        f" ({slower.interval.low:.2f} to {slower.interval.high:.2f})" if slower.interval else ""
    )
    return (
        plan,
        grid,
        switch,
        f"{cell.teps.value / 1e9:.3g}",
        "1" if cell is usual else f"{slower.value:.2f}{within}",
        times(*(one.value for one in sent if one)),
        times(*(one.value for one in messages if one)),
    )


def table(results: RaceResults) -> list[tuple[str, ...]]:
    """All rows, each plan's default first."""
    done = [cell for cell in results.matrix if cell.done]
    usual = {place(cell): cell for cell in done if not changed(cell)}
    order = sorted(done, key=lambda cell: (list(usual).index(place(cell)), bool(changed(cell))))
    return [row(cell, usual[place(cell)]) for cell in order]


def main() -> int:
    """Runs and prints."""
    if len(sys.argv) > 1:
        race = sys.argv[1]
    else:
        command = [str(ROOT / "isobath"), "race", str(DESIGN), "--no-report"]
        subprocess.run(command, check=True, stdout=subprocess.PIPE)
        race = "last"
    results = read_results(RaceFolder(SHELF.find(race, ("race",)).path))
    print("| " + " | ".join(HEAD) + " |")
    print("|" + "---|" * len(HEAD))
    for one in table(results):
        print("| " + " | ".join(one) + " |")
    sound = all(cell.validated and cell.audited for cell in results.cells)
    return 0 if sound and not results.to_do else 1


if __name__ == "__main__":
    sys.exit(main())
