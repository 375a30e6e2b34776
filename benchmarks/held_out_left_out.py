#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How wrong predictions are of fitted cells that are left out: by these the model is chosen.

    .venv/bin/python benchmarks/held_out_left_out.py STORE [--network 100mbit] [--cells]

STORE is that of held_out.py; nothing is measured, and no held-out cell is looked at. Of the cells
that models see, scale 16 is predicted by scale 14, 8 nodes by 2 and 4, and 8 nodes at scale 16 by
fewer nodes at scale 14.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

import numpy as np  # noqa: E402
from held_out import folder_of, is_there, observed  # noqa: E402
from held_out_cells import FITTED_NODES, FITTED_SCALE, Cell, cells_of  # noqa: E402
from held_out_judged import costs_by_network, judged  # noqa: E402

SMALLER: Callable[[Cell], bool] = lambda cell: cell.scale < FITTED_SCALE  # noqa: E731
FEWER: Callable[[Cell], bool] = lambda cell: cell.nodes < FITTED_NODES  # noqa: E731


def main() -> None:
    """Prints a line for each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--network", default="100mbit")
    parser.add_argument("--cells", action="store_true", help="each cell, too, misses first")
    wanted = parser.parse_args()
    folders = {
        cell: folder_of(wanted.store, cell, one_processor=False)
        for cell in cells_of([wanted.network])
        if cell.is_fitted
    }
    cells = [(cell, observed(folder)) for cell, folder in folders.items() if is_there(folder)]
    parts = {
        "larger scale": (SMALLER, lambda cell: not SMALLER(cell)),
        "more nodes": (FEWER, lambda cell: not FEWER(cell)),
        "both": (
            lambda cell: SMALLER(cell) and FEWER(cell),
            lambda cell: not SMALLER(cell) and not FEWER(cell),
        ),
    }
    for name, (is_known, is_out) in parts.items():
        known = [(cell, run) for cell, run in cells if is_known(cell)]
        costs = costs_by_network(known)
        rows = [judged(cell, known, costs, run) for cell, run in cells if is_out(cell)]
        if not rows:
            print(f"{name}: no cell")
            continue
        errors = np.array([row.error for row in rows])
        scatter = float(np.sqrt(np.mean(np.log1p(errors) ** 2)))
        covered = sum(row.is_covered for row in rows)
        print(
            f"{name}: {len(rows)} cells, median error {100 * np.median(abs(errors)):.1f} %, root "
            f"mean square of logarithms {scatter:.3f}, {covered} inside"
        )
        if wanted.cells:
            for row in sorted(rows, key=lambda row: -abs(row.error)):
                print(f"  {row.cell.name:<44} {100 * row.error:>+6.1f} %")


if __name__ == "__main__":
    main()
