# SPDX-License-Identifier: Apache-2.0
"""Where runs and reports go unless told otherwise."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.cli.terminal import plain
from isobath.launch.installation import Installation
from isobath.study.home import reports_folder

__all__ = ["reports_folder"]

if TYPE_CHECKING:
    from isobath.store.folders import RunFolder


def store_folder(store: str | Path | None = None) -> Path:
    """The folder of all runs: the one named, else ``runs`` of this checkout."""
    return Path(store).expanduser() if store else Installation.here().prefix / "runs"


def races_folder(races: str | Path | None = None) -> Path:
    """The folder of races of before: the one named, else ``races`` of this checkout."""
    return Path(races).expanduser() if races else Installation.here().prefix / "races"


def benches_folder(benches: str | Path | None = None) -> Path:
    """The folder of all benchmarks: the one named, else ``benches`` of this checkout."""
    return Path(benches).expanduser() if benches else Installation.here().prefix / "benches"


def shown(path: Path) -> str:
    """A path as short as it can be typed here."""
    try:
        return plain(str(path.resolve().relative_to(Path.cwd())))
    except (ValueError, OSError):
        return plain(str(path))


def front_door() -> str:
    """What a person types for ./isobath from where they stand."""
    here = Installation.here()
    if not here.is_checkout:
        return "isobath"
    near = _near(here.root / "isobath")
    words = [near if os.sep in near else os.path.join(".", near)]
    if here.prefix.resolve() != here.root:
        words += ["--prefix", _near(here.prefix)]
    return shlex.join(words)


def _near(path: Path) -> str:
    """Relative where that is at most one folder up."""
    steps = os.path.relpath(path)
    return str(path) if steps.startswith(os.path.join("..", "..", "")) else steps


def trusted_records(run: "RunFolder") -> Path:
    """The file of records of a run that is as it was sealed; says what else is wrong with it.

    Raises: EnvironmentProblem where the records are not those that were sealed.
    """
    from isobath.report.run_data import doubt_of

    doubt = doubt_of(run)
    if doubt:
        print(f"isobath: {run.run_id}: {doubt}", file=sys.stderr, flush=True)
    return run.path / "records.jsonl"
