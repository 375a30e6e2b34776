# SPDX-License-Identifier: Apache-2.0
"""A machine without what tests/packages.toml lists, for whoever has it installed.

Usage: python tools/bare_programs.py FOLDER. Fills FOLDER with links to every program of PATH but
those of the list and whatever else leads to the same files, and prints the names of the list, one
a line; then PATH=FOLDER shows a machine on which nothing of the list was installed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bootstrap_test_packages import found, packages_of


def main(folder: Path) -> int:
    """Returns the exit status."""
    listed = packages_of(Path(__file__).resolve().parents[1])
    packages = [one for one in listed if not one.only_slow]
    words = [word for one in packages for alternatives in one.programs
             for word in alternatives.split("|") if not word.startswith("$")]  # fmt: skip
    hidden = {os.path.realpath(found(word)) for word in words if found(word)}
    folder.mkdir(parents=True, exist_ok=True)
    for place in os.environ["PATH"].split(":"):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            link = folder / program.name
            if os.path.realpath(program) not in hidden and not link.is_symlink():
                link.symlink_to(program)
    for one in packages:
        if one.works_here:
            print(one.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
