# SPDX-License-Identifier: Apache-2.0
"""Reads a race folder for its report: the plan of the race, the sealed runs, the audit."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from isobath.errors import EnvironmentProblem
from isobath.race.folders import SPEC, RaceFolder
from isobath.race.ladder import STEP_NAMES
from isobath.race.spec import RaceCell, Value
from isobath.report.race_cell import CellRun, RacedCell
from isobath.report.race_data import AuditLine, RaceData
from isobath.report.run_data import read_run


def read_race(path: Path, page: Path) -> RaceData:
    """A race as far as it has come.

    Args: page is where the report will lie; links lead from there.
    Returns: a race whose ``problems`` say which runs failed or cannot be read.
    Raises: EnvironmentProblem where race.json cannot be read.
    """
    folder = RaceFolder(path)
    spec = folder.spec()
    problems: list[str] = []
    cells = tuple(_cell(folder, cell, spec.repeats, page, problems) for cell in spec.cells)
    return RaceData(
        race_id=spec.race_id,
        created=spec.created.strftime("%Y-%m-%d %H:%M %Z"),
        command=spec.command,
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
        audit=tuple(_audit(folder, problems)),
        problems=tuple(problems),
        links={
            place.name: link(place, page)
            for place in (folder.path / SPEC, folder.audit)
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


def _audit(folder: RaceFolder, problems: list[str]) -> Iterator[AuditLine]:
    """Lines of audit.jsonl; one that was torn by a kill is left out, its run is audited again."""
    try:
        lines = folder.audit.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"UNREAD: {folder.audit}: {error}")
        return
    for number, line in enumerate(lines, start=1):
        try:
            yield AuditLine.model_validate_json(line)
        except ValueError:
            if number < len(lines):
                problems.append(f"UNREAD: line {number} of {folder.audit.name}")
