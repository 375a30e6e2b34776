# SPDX-License-Identifier: Apache-2.0
"""isobath report: one offline HTML page of a run."""

from pathlib import Path
from typing import Annotated

import typer

from isobath.bench.folders import BenchFolder, find_bench
from isobath.cli.places import (
    bench_report_file,
    benches_folder,
    race_report_file,
    races_folder,
    report_file,
    reports_folder,
    shown,
    store_folder,
    trusted_records,
)
from isobath.cli.seals import say_changes
from isobath.cli.studies import report_study, stored_study
from isobath.errors import EnvironmentProblem, UsageError
from isobath.overlap.folders import OverlapFolder, find_overlap
from isobath.profile.profile import is_profile
from isobath.race.folders import RaceFolder, find_race
from isobath.records.run_records import NoRunRecord
from isobath.store.folders import resolve

Run = Annotated[
    str, typer.Argument(metavar="RUN", help="A folder, an id or its beginning, or last.")
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The page; default: reports/RUN/report.html."
    ),
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of run folders; default: runs.")
]
Races = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of race folders; default: races.")
]
Benches = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of benchmarks; default: benches.")
]
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of reports; default: reports.")
]


def report(
    run: Run = "last",
    *,
    output: Output = None,
    store: Store = None,
    races: Races = None,
    benches: Benches = None,
    reports: Reports = None,
) -> int:
    """Write the report of a run, race, profile or benchmark: one HTML file without network.

    Without -o a run's records, official texts, environment, log and hashes are laid beside it.
    Standard output is the path of the page.
    """
    bench = find_bench(benches_folder(benches), run)
    if bench is not None:
        return _report_bench(bench, reports, output)
    study = stored_study(run, (store, benches))
    if study is not None:
        return report_study(study, output, reports)
    overlap = find_overlap(benches_folder(benches), run)
    if overlap is not None:
        return _report_overlap(overlap, output)
    race = find_race(races_folder(races), run)
    if race is not None:
        return _report_race(race, reports, output)
    folder = resolve(store_folder(store), run)
    if output is None:
        page = report_file(reports_folder(reports), folder.run_id)
    else:
        page = Path(output).expanduser()
    if page.is_dir():
        raise UsageError(f"{page} is a folder; name a file, for example {page / 'report.html'}")

    if is_profile(folder.path / "records.jsonl"):
        from isobath.report.profile_page import write_profile_report

        trusted_records(folder)
        print(shown(write_profile_report(folder.path, page, with_files=output is None)))
        return 0

    from isobath.report.page import write_report

    try:
        written = write_report(folder.path, page, with_files=output is None)
    except NoRunRecord as problem:
        log = shown(folder.path / "stderr.txt")
        raise EnvironmentProblem(f"{problem}; the log is {log}") from problem
    print(shown(written))
    return 0


def _report_race(race: RaceFolder, reports: str | None, output: str | None) -> int:
    """The page of a race."""
    from isobath.report.race_page import write_race_report

    page = Path(output).expanduser() if output else None
    if page is not None and page.is_dir():
        raise UsageError(f"{page} is a folder; name a file, for example {page / 'race.html'}")
    page = page or race_report_file(reports_folder(reports), race.race_id)
    print(shown(write_race_report(race.path, page)))
    return 0


def _report_overlap(folder: OverlapFolder, output: str | None) -> int:
    """The page of a benchmark of overlap; it stands in its folder."""
    from isobath.report.overlap_page import write_overlap_report

    page = Path(output).expanduser() if output else folder.report
    if page.is_dir():
        raise UsageError(f"{page} is a folder; name a file, for example {page / 'overlap.html'}")
    print(shown(write_overlap_report(folder, page)))
    return say_changes(folder.sealed_run(arm, n) for arm, n in folder.plan().runs())


def _report_bench(bench: BenchFolder, reports: str | None, output: str | None) -> int:
    """The page of a benchmark."""
    from isobath.report.bench_page import write_bench_report

    page = Path(output).expanduser() if output else None
    if page is not None and page.is_dir():
        raise UsageError(f"{page} is a folder; name a file, for example {page / 'bench.html'}")
    page = page or bench_report_file(reports_folder(reports), bench.bench_id)
    print(shown(write_bench_report(bench.path, page)))
    return say_changes(bench.sealed_run(arm, n) for arm, n in bench.spec().runs())
