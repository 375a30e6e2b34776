#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How alike the trees of different keys are: what an array of likely parents can be right about.

Usage, after ``./isobath setup``:

    .venv/bin/python benchmarks/likely_parents.py --scale 17

Searches from 64 keys, validated, and says in what share of the searches that reach it a vertex has
the parent that it has most often, a mean over all reached vertices (the key itself left out). No
array with one parent for each vertex can be right more often. Counts, not times: a busy machine
changes little (threads race for some parents). Takes 8 bytes for each vertex and key.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build" / "mpich-wheel" / "bin" / "isobath-graph500"
MPIEXEC = ROOT / ".venv" / "bin" / "mpiexec"
BLOCK = 4096
"""vertices looked at together"""


def search(scale: int, keys: int, folder: Path) -> npt.NDArray[np.int64]:
    """Parents of shape (keys, vertices) of validated searches; -1 where not reached."""
    path = folder / "parents"
    options = ["--scale", str(scale), "--keys", str(keys), "--parents", str(path)]
    command = [str(MPIEXEC), "-n", "1", str(PROGRAM), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
    return np.memmap(path, dtype=np.int64, mode="r").reshape(-1, 1 << scale)


def commonest_shares(parents: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Of every vertex that a search reached: how often it has its commonest parent."""
    shares = []
    for first in range(0, parents.shape[1], BLOCK):
        block = np.array(parents[:, first : first + BLOCK])
        block[block == np.arange(first, first + block.shape[1])] = -1  # the key of a search
        for found in block.T:
            reached = found[found >= 0]
            if len(reached):
                shares.append(np.unique(reached, return_counts=True)[1].max() / len(reached))
    return np.array(shares)


def main() -> None:
    """Says it for one scale."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=17)
    parser.add_argument("--keys", type=int, default=64)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shares = commonest_shares(search(asked.scale, asked.keys, Path(folder)))
    print(
        f"scale {asked.scale}, {asked.keys} keys: {len(shares):,} vertices were reached; one has "
        f"its commonest parent in {100 * shares.mean():.1f} % of the searches, mean; in all of "
        f"them: {100 * np.mean(shares == 1):.1f} % of the vertices"
    )


if __name__ == "__main__":
    main()
