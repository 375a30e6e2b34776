# SPDX-License-Identifier: Apache-2.0
"""From what was read of a race to what the sections of its report draw."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from isobath.race.comparisons import changes
from isobath.race.folders import PLAN, RaceFolder
from isobath.race.ladder import STEP_NAMES
from isobath.race.plan import Value
from isobath.race.results import CellResult, RaceResults
from isobath.report.race_cell import CellRun, RacedCell
from isobath.report.race_data import RaceData
from isobath.report.run_data import run_data_of


def race_data_of(folder: RaceFolder, results: RaceResults, page: Path) -> RaceData:
    """A race as far as it has come. Runs that are left out of ``results`` are left out here.

    Args: page is where the report will lie; links lead from there.
    Returns: a race whose ``problems`` say which runs failed or are not as they were sealed.
    Raises: EnvironmentProblem where the plan cannot be read.
    """
    header, plan = folder.header(), results.plan
    return RaceData(
        race_id=results.name,
        created=header.created.strftime("%Y-%m-%d %H:%M %Z"),
        command=header.command,
        factors={name: tuple(map(word, values)) for name, values in plan.factors.items()},
        base={name: word(value) for name, value in plan.base.items()},
        reference={name: word(value) for name, value in plan.reference.items()},
        design=plan.design,
        scaling=plan.scaling or "",
        seed=plan.seed,
        repeats=plan.repeats,
        keys=plan.keys,
        official=plan.official,
        cells=tuple(_cell(result, page) for result in results.cells),
        audit=results.audit.lines,
        problems=tuple(_problems(results)),
        changes=changes(results),
        runs_left=results.to_do,
        links={
            place.name: link(place, page)
            for place in (folder.plan_path(PLAN.older), folder.audit_file.path)
            if place.is_file()
        },
    )


def _problems(results: RaceResults) -> Iterator[str]:
    yield from results.altered
    for result in results.cells:
        name = result.cell.cell if result.cell else ""
        yield from (f"FAILED: {name}: {message}" for message in result.problems)
    yield from results.audit.problems


def word(value: Value) -> str:
    """A setting as the page writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def link(place: Path, page: Path) -> str:
    """From the page to a file, as a relative address; it never begins with a scheme."""
    way = os.path.relpath(place.resolve(), page.parent.resolve())
    return f"./{quote(way)}"


def _cell(result: CellResult, page: Path) -> RacedCell:
    cell = result.cell
    assert cell is not None  # of a race that was read
    step = cell.step or ""
    runs = (
        CellRun(run_data_of(folder, records), link=link(folder.path / "records.jsonl", page))
        for folder, records in zip(result.folders, result.runs, strict=True)
    )
    return RacedCell(
        cell.cell,
        {name: word(value) for name, value in cell.factors.items()},
        cell.settings,
        cell.group,
        step,
        STEP_NAMES.index(step) if step in STEP_NAMES else len(STEP_NAMES),
        tuple(runs),
        result.audited,
    )
