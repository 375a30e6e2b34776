# SPDX-License-Identifier: Apache-2.0
"""isobath-search of the fake MPI: no graph of a file, but all that graph500.py does, and its
troubles (FAKE_DO).
"""

import runpy
import sys
from pathlib import Path

SCALE = "6"
"""of the graph, whatever file is named"""

GRAPH500 = runpy.run_path(str(Path(__file__).with_name("graph500.py")))
"""Interpreters of fakes are isolated: they import nothing of ours."""

if __name__ == "__main__":
    sys.argv += ["--scale", SCALE]
    sys.exit(GRAPH500["main"]())
