# SPDX-License-Identifier: Apache-2.0
"""Reads a race folder for its report: the plan of the race, the sealed runs, the audit."""

import os
from pathlib import Path
from urllib.parse import quote

from isobath.errors import EnvironmentProblem
from isobath.race.audit_file import AuditLine
from isobath.race.folders import PLAN, RaceFolder
from isobath.race.ladder import STEP_NAMES
from isobath.race.spec import RaceCell, Value
from isobath.report.race_cell import CellRun, RacedCell
from isobath.report.race_data import RaceData
from isobath.report.run_data import read_run


def read_race(path: Path, page: Path) -> RaceData:
    """A race as far as it has come.

    Args: page is where the report will lie; links lead from there.
    Returns: a race whose ``problems`` say which runs failed or cannot be read.
    Raises: EnvironmentProblem where the plan cannot be read.
    """
    folder = RaceFolder(path)
    header, spec = folder.header(), folder.spec()
    problems: list[str] = []
    cells = tuple(_cell(folder, cell, spec.repeats, page, problems) for cell in spec.cells)
    return RaceData(
        race_id=header.study_id,
        created=header.created.strftime("%Y-%m-%d %H:%M %Z"),
        command=header.command,
        factors={name: tuple(map(word, values)) for name, values in spec.factors.items()},
        base={name: word(value) for name, value in spec.base.items()},
        reference={name: word(value) for name, value in spec.reference.items()},
        design=spec.design,
        scaling=spec.scaling or "",
        seed=spec.seed,
        repeats=spec.repeats,
        keys=spec.keys,
        official=spec.official,
        cells=cells,
        audit=_audit(folder, problems),
        problems=tuple(problems),
        links={
            place.name: link(place, page)
            for place in (folder.plan_path(PLAN.older), folder.audit_file.path)
            if place.is_file()
        },
    )


def word(value: Value) -> str:
    """A setting as the page writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def link(place: Path, page: Path) -> str:
    """From the page to a file, as a relative address; it never begins with a scheme."""
    way = os.path.relpath(place.resolve(), page.parent.resolve())
    return f"./{quote(way)}"


def _cell(
    folder: RaceFolder, cell: RaceCell, repeats: int, page: Path, problems: list[str]
) -> RacedCell:
    runs = []
    for repeat in range(1, repeats + 1):
        sealed = folder.sealed_run(cell, repeat)
        if sealed is None:
            continue
        try:
            data = read_run(sealed.path)
        except EnvironmentProblem as problem:
            problems.append(f"UNREAD: {cell.cell}: {problem}")
            continue
        if data.doubt:
            problems.append(f"{cell.cell}: {data.doubt}")
        for failure in data.records.failures:
            problems.append(f"FAILED: {cell.cell}: {failure.message}")
        if data.records.state == "complete" or data.records.verdict == "violations":
            runs.append(CellRun(data, link=link(sealed.path / "records.jsonl", page)))
    step = cell.step or ""
    return RacedCell(
        cell.cell,
        {name: word(value) for name, value in cell.factors.items()},
        cell.settings,
        cell.group,
        step,
        STEP_NAMES.index(step) if step in STEP_NAMES else len(STEP_NAMES),
        tuple(runs),
    )


def _audit(folder: RaceFolder, problems: list[str]) -> tuple[AuditLine, ...]:
    try:
        found = folder.audit_file.read()
    except EnvironmentProblem as problem:
        problems.append(f"UNREAD: {problem}")
        return ()
    problems += found.problems
    return found.lines
