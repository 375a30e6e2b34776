#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The held-out test of ``isobath predict``: searches on made-up nodes, predicted, then looked at.

    .venv/bin/python benchmarks/held_out.py STORE             root, an idle machine
    .venv/bin/python benchmarks/held_out.py STORE --quick     a few cells, to see that it works
    .venv/bin/python benchmarks/held_out.py STORE --judge     judges what is in STORE alone
    ... --table benchmarks/held_out.csv                       keeps every row, misses first

Nodes are namespaces of one rank at 100 and 10 Mbit/s, as they are and with 0.2 and 2 ms (by netem,
else by isobath-delay). First rate and latency are shown to be true (held_out_limit.py). Then cells
are run: plans, grids, nodes, scales; 4 keys, no validation, the same forced algorithms everywhere
(held_out_cells.py).
Models are fitted to up to 8 nodes and scale 16 of each network; all else is held out: 16 nodes,
scale 18, both. At 10 Mbit/s plans of tuples stop at scale 16. What was measured is the median.

A cell counts where each node has a processor of its own, or else where one processor instead of two
moves its median by less than 5 %: then processors are not what was measured. The others are listed.
Cells run side by side where there are processors for all their nodes (held_out_turns.py). Nothing
is begun after --minutes; the same call goes on with what is missing. There are 900 launches of some
7 s on two processors, so one sitting takes some --networks. Prints misses first, each with its
error budget; ends with 1 where a promise is not kept (held_out_judged.py), with 2 where too few
cells count.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from held_out_cells import (  # noqa: E402
    LATENCIES,
    RATES,
    Cell,
    cells_of,
    forced_variables,
)
from held_out_judged import LEAST_CELLS, Judged, costs_by_network, judged, told  # noqa: E402
from held_out_limit import Limit, measured_limit, why_no_latency  # noqa: E402
from held_out_table import write_table  # noqa: E402
from held_out_turns import has_own_processors, processors, side_by_side  # noqa: E402

from isobath import api  # noqa: E402
from isobath.errors import EnvironmentProblem, IsobathError  # noqa: E402
from isobath.predicted.reading import read_observed  # noqa: E402
from isobath.prediction.observed import Observed  # noqa: E402
from isobath.study.home import shelf  # noqa: E402

KEYS = 4
MOVED = 0.05
ONE = "-one"
"""at the end of folders of runs on one processor"""


def networks_of(*, quick: bool) -> list[str]:
    """Rates, and rates with latency where it can be added."""
    rates = list(RATES)[: 1 if quick else None]
    refused = why_no_latency(LATENCIES[0])
    if refused:
        print(f"0.2 and 2 ms cannot be measured here: {refused}")
        return rates
    return [*rates, *(f"{rate}:{latency}" for rate in rates for latency in LATENCIES)]


def folder_of(store: Path, cell: Cell, *, one_processor: bool) -> Path:
    """Of its studies."""
    return store / (cell.name + ONE * one_processor)


def is_there(folder: Path) -> bool:
    """Whether it was measured already."""
    return any(folder.glob("*/MANIFEST.sha256"))


def measure(store: Path, cell: Cell, *, one_processor: bool) -> Path:
    """Runs it unless it is there. Returns its folder of studies."""
    folder = folder_of(store, cell, one_processor=one_processor)
    if not is_there(folder):
        with processors(1 if one_processor else None):
            api.run(
                store=folder,
                plan=cell.plan,
                grid=cell.grid,
                ranks=cell.nodes,
                nodes=cell.nodes,
                threads=1,
                scale=cell.scale,
                keys=KEYS,
                validation=False,
                transport=f"rate-limited:{cell.network}",
            )
    return folder


def observed(folder: Path) -> Observed:
    """What was measured. Raises: IsobathError where the run failed."""
    return read_observed(shelf(str(folder)), "last")[0]


def counts_alone(folder: Path) -> bool:
    """Whether each node of a run had a processor of its own: no second run is needed."""
    try:
        return not observed(folder).crowded
    except IsobathError:
        return False


def is_measured(store: Path, cell: Cell) -> bool:
    """All that judging needs of a cell."""
    folder = folder_of(store, cell, one_processor=False)
    if not is_there(folder):
        return False
    one = folder_of(store, cell, one_processor=True)
    return cell.is_fitted or is_there(one) or counts_alone(folder)


def measure_cell(store: Path, cell: Cell) -> None:
    """On the processors that there are, and on one where nodes share processors."""
    try:
        folder = measure(store, cell, one_processor=False)
        if not cell.is_fitted and not counts_alone(folder):
            measure(store, cell, one_processor=True)
    except EnvironmentProblem as problem:
        print(f"not measured: {cell.name}: {problem}")


def measure_all(store: Path, cells: Sequence[Cell], seconds: float) -> int:
    """Until the time is used up. Returns how many cells are left."""
    ends = time.monotonic() + seconds
    missing = [cell for cell in cells if not is_measured(store, cell)]
    apart = [cell for cell in missing if has_own_processors(cell.nodes)]
    if has_own_processors(2 * min((cell.nodes for cell in cells), default=0)):
        side_by_side(apart, lambda cell: cell.nodes, partial(measure_cell, store), seconds)
    for cell in missing:
        if time.monotonic() < ends and not is_measured(store, cell):
            measure_cell(store, cell)
    return sum(not is_measured(store, cell) for cell in cells)


def read_all(
    store: Path, cells: Sequence[Cell], *, quick: bool
) -> tuple[list[tuple[Cell, Observed]], list[tuple[Cell, Observed]]]:
    """Cells that models see, and those held out that count, with what was measured."""
    fitted: list[tuple[Cell, Observed]] = []
    held: list[tuple[Cell, Observed]] = []
    for cell in cells:
        if not is_measured(store, cell):
            continue
        try:
            two = observed(folder_of(store, cell, one_processor=False))
            if cell.is_fitted or not two.crowded:
                (fitted if cell.is_fitted else held).append((cell, two))
                continue
            one = observed(folder_of(store, cell, one_processor=True))
        except IsobathError as problem:
            print(f"does not count: {cell.name}: {problem}")
            continue
        moved = one.seconds / two.seconds - 1
        if abs(moved) < MOVED or quick:
            held.append((cell, two))
        else:
            print(f"does not count: {cell.name}, {100 * moved:+.1f} % on one processor")
    return fitted, held


def write(path: Path, rows: Sequence[Judged]) -> None:
    """What was judged, for programs."""
    told_rows = [
        {
            **asdict(row.cell),
            "part": row.cell.part,
            "measured_seconds": row.measured.seconds,
            "predicted_seconds": asdict(row.prediction.spread),
            "budget_seconds": asdict(row.budget),
        }
        for row in rows
    ]
    path.write_text(json.dumps(told_rows, indent=1) + "\n", encoding="utf-8")


def keep_limit(store: Path, limit: Limit) -> None:
    """For simulations (held_out_simulated.py), beside those of other networks."""
    path = store / "limits.json"
    limits = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    limits[limit.network] = asdict(limit)
    path.write_text(json.dumps(limits, indent=1) + "\n", encoding="utf-8")


def load_words() -> str:
    """How busy the machine is."""
    return f"load {' '.join(f'{value:.2f}' for value in os.getloadavg())}, {os.cpu_count()} cores"


def main() -> int:
    """Returns 0, 1 where a promise is not kept, 2 where too few cells count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--judge", action="store_true", help="measure nothing")
    parser.add_argument("--minutes", type=float, default=30, help="no run begins after these")
    parser.add_argument("--networks", nargs="+", help="these alone, for example 100mbit 10mbit:2ms")
    parser.add_argument("--table", type=Path, help="CSV file that keeps rows by cell")
    wanted = parser.parse_args()
    wanted.store.mkdir(parents=True, exist_ok=True)
    print(f"machine at the beginning: {load_words()}")
    networks = wanted.networks or networks_of(quick=wanted.quick)
    cells = cells_of(networks, quick=wanted.quick)
    os.environ.update(forced_variables())
    if not wanted.judge:
        for network in networks:
            limit = measured_limit(network, RATES[network.partition(":")[0]])
            print(limit)
            if not limit.is_true:
                raise SystemExit(f"{network} is no such link; nothing is tested")
            keep_limit(wanted.store, limit)
        left = measure_all(wanted.store, cells, 60 * wanted.minutes)
        if left:
            print(f"{left} of {len(cells)} cells are left: the same command goes on with them")
        print(f"machine at the end: {load_words()}")
    fitted, held = read_all(wanted.store, cells, quick=wanted.quick)
    known = {(cell.network, cell.plan) for cell, _ in fitted}
    costs = costs_by_network(fitted)
    rows = [
        judged(cell, fitted, costs, run) for cell, run in held if (cell.network, cell.plan) in known
    ]
    kept = told(rows)
    write(wanted.store / "held-out.json", rows)
    if wanted.table is not None:
        write_table(wanted.table, rows)
    if not wanted.quick and len(rows) < LEAST_CELLS:
        print(f"{len(rows)} cells count; {LEAST_CELLS} are asked for")
        return 2
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
