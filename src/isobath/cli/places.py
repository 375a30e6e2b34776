# SPDX-License-Identifier: Apache-2.0
"""Where runs and reports go unless told otherwise."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.launch.installation import Installation
from isobath.study.home import reports_folder

__all__ = ["reports_folder"]

if TYPE_CHECKING:
    from isobath.bench.folders import BenchFolder
    from isobath.race.folders import RaceFolder
    from isobath.store.folders import RunFolder


def store_folder(store: str | Path | None = None) -> Path:
    """The folder of all runs: the one named, else ``runs`` of this checkout."""
    return Path(store).expanduser() if store else Installation.here().prefix / "runs"


def races_folder(races: str | Path | None = None) -> Path:
    """The folder of all races: the one named, else ``races`` of this checkout."""
    return Path(races).expanduser() if races else Installation.here().prefix / "races"


def benches_folder(benches: str | Path | None = None) -> Path:
    """The folder of all benchmarks: the one named, else ``benches`` of this checkout."""
    return Path(benches).expanduser() if benches else Installation.here().prefix / "benches"


def report_file(reports: Path, run_id: str) -> Path:
    """The page of a run; copies of the run's files lie beside it."""
    return reports / run_id / "report.html"


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


def typed(run: "RunFolder") -> str:
    """What a person types for a run: its id, or its path where it is not among the usual ones."""
    is_usual = run.path.parent.resolve() == store_folder().resolve()
    return run.run_id if is_usual else shlex.quote(shown(run.path))


def typed_race(race: "RaceFolder") -> str:
    """The same for a race."""
    is_usual = race.path.parent.resolve() == races_folder().resolve()
    return race.race_id if is_usual else shlex.quote(shown(race.path))


def typed_bench(bench: "BenchFolder") -> str:
    """The same for a benchmark."""
    is_usual = bench.path.parent.resolve() == benches_folder().resolve()
    return bench.bench_id if is_usual else shlex.quote(shown(bench.path))
