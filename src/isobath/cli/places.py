# SPDX-License-Identifier: Apache-2.0
"""Where runs and reports go unless told otherwise."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def trusted_records(run: "RunFolder") -> Path:
    """The file of records of a run that is as it was sealed; says what else is wrong with it.

    Raises: EnvironmentProblem where the records are not those that were sealed.
    """
    from isobath.report.run_data import doubt_of

    doubt = doubt_of(run)
    if doubt:
        print(f"isobath: {run.run_id}: {doubt}", file=sys.stderr, flush=True)
    return run.path / "records.jsonl"
