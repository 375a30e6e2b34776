# SPDX-License-Identifier: Apache-2.0
"""The byte audit of the runs of a race: what isobath-audit expects against what was counted."""

import json
import os
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from isobath.cli.run_preparation import chosen_build
from isobath.errors import EnvironmentProblem, ExitCode, InternalError, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.launch.with_parent import end_with_parent
from isobath.plan.search_plans import SWITCHES
from isobath.race.folders import RaceFolder
from isobath.race.results import audited_runs
from isobath.race.spec import RaceCell, RaceSpec
from isobath.records.run_records import RunRecords
from isobath.store.folders import RunFolder

PROGRAM = "isobath-audit"
OUTSIDE = -1
"""Level of what is sent outside of levels."""

ANY_PHASE = "reset"
"""Stands for all phases outside of levels where they cannot be told apart."""

LARGEST_SCALE = 20
"""The serial walk that knows tuples takes too long beyond."""

TWO_LEVEL = "two-level"
"""Exchange whose bytes depend on who shares a node."""

Key = tuple[int, int, str]
"""search, level, phase"""


@dataclass(frozen=True)
class AuditOutcome:
    """What an audit found."""

    words: str
    code: ExitCode
    """0 where all is equal, 1 where not, 3 where there was no audit"""


class Auditor:
    """Audits runs and appends what it finds to audit.jsonl."""

    def __init__(self, folder: RaceFolder) -> None:
        self._folder = folder
        _drop_torn_run(folder.audit)
        self._known = audited_runs(folder)

    def audit(self, run: RunFolder, cell: RaceCell) -> AuditOutcome:
        """The audit of a run that was completed; one that was made before is not made again."""
        known = self._known.get(run.run_id)
        if known is not None:
            return _equal() if known else _unequal("a byte, see audit.jsonl")
        scale = cast(int, cell.settings["scale"])
        if scale > LARGEST_SCALE:
            return AuditOutcome(f"no audit beyond scale {LARGEST_SCALE}", ExitCode.DONE)
        try:
            records = run.records()
            expected = expected_bytes(audit_program(cell), records, cell)
        except IsobathError as error:
            return AuditOutcome(f"not audited: {error}", error.exit_code)
        found = list(compared(run.run_id, records, expected))
        self._append(found)
        wrong = [one for one in found if not one["equal"]]
        if not wrong:
            return _equal()
        first = wrong[0]
        where = f"level {first['level']}" if first["level"] != OUTSIDE else "outside of levels"
        return _unequal(
            f"search {first['search']}, {where}, phase {first['phase']}: "
            f"{first['counted_bytes']:,} bytes counted, {first['expected_bytes']:,} expected"
        )

    def _append(self, records: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in records)
        try:
            with self._folder.audit.open("a", encoding="utf-8") as out:
                out.write(text)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self._folder.audit}: {error.strerror}; free some space"
            ) from error


def _drop_torn_run(path: Path) -> None:
    """A killed race may leave half an audit of its last run: that run is audited again.

    Raises: EnvironmentProblem where the file cannot be written.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if not lines or lines[-1].endswith("\n"):
            return
        found = re.search(r'"run_id":"([^"]*)"', lines[-1])
        torn = json.dumps(found[1]) if found else None
        kept = [one for one in lines[:-1] if torn is None or f'"run_id":{torn}' not in one]
        fresh = path.with_suffix(".new")
        fresh.write_text("".join(kept), encoding="utf-8")
        fresh.replace(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; mend the permissions"
        ) from error


def check_audit_programs(spec: RaceSpec) -> None:
    """Whether every build can be audited. Raises: EnvironmentProblem saying how to do without."""
    for cell in spec.cells:
        try:
            audit_program(cell)
        except EnvironmentProblem as error:
            raise EnvironmentProblem(f"{error}, or leave the audit out: --no-audit") from error


def audit_program(cell: RaceCell) -> Path:
    """isobath-audit of the build that the cell runs.

    Raises: EnvironmentProblem where it is not built.
    """
    library = choose_library(Installation.here(), cast(str | None, cell.settings.get("mpi")))
    build = cell.settings.get("engine_build")
    return chosen_build(library, cast(str | None, build)).program(PROGRAM)


def audit_arguments(cell: RaceCell, records: RunRecords, searches: Path) -> list[str]:
    """Options of isobath-audit for a cell; where two-level exchanges went, its run knows."""
    settings = cell.settings
    words = ["--scale", str(settings["scale"])]
    words += ["--edgefactor", str(settings.get("edgefactor", 16))]
    words += ["--plan", str(settings["plan"]), "--grid", str(settings["grid"])]
    for name in (*SWITCHES, "alpha", "beta"):
        if name in settings:
            words += [f"--{name}", str(settings[name])]
    if settings["exchange"] == TWO_LEVEL and records.run.node_of_rank:
        words += ["--node-map", ",".join(map(str, records.run.node_of_rank))]
    return [*words, "--searches", str(searches)]


def expected_bytes(program: Path, records: RunRecords, cell: RaceCell) -> list[dict[str, Any]]:
    """Lines of isobath-audit for the timed searches of a run.

    Raises: EnvironmentProblem where it cannot be run or fails.
    """
    directions: dict[int, dict[int, str]] = defaultdict(dict)
    for level in records.levels:
        directions[level.search][level.level] = level.direction
    with tempfile.TemporaryDirectory(prefix="isobath-audit-") as name:
        path = Path(name) / "searches.jsonl"
        with path.open("w", encoding="utf-8") as out:
            for search in records.timed_searches:
                levels = directions[search.index]
                ways = [levels[number] for number in sorted(levels)]
                line = {"search": search.index, "root": search.root, "directions": ways}
                out.write(json.dumps(line) + "\n")
        try:
            done = subprocess.run(
                [str(program), *audit_arguments(cell, records, path)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                start_new_session=True,
                env={**os.environ},
                preexec_fn=end_with_parent(),
            )
        except OSError as error:
            raise EnvironmentProblem(f"cannot start {program}: {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise EnvironmentProblem(f"{PROGRAM} ended with {done.returncode}: {said[0]}")
    try:
        return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    except ValueError as error:
        raise InternalError(f"{PROGRAM} wrote what is no JSON: {error}") from error


def compared(
    run_id: str, records: RunRecords, expected: Iterable[dict[str, Any]]
) -> Iterable[dict[str, Any]]:
    """One audit record for every search, level and phase in which a byte is expected or counted.

    Where there is none, one record says so. Without a ledger, what is sent outside of levels is not
    told apart by phase.
    """
    by_phase = bool(records.calls)
    wanted: dict[Key, int] = defaultdict(int)
    classes: dict[Key, str] = {}
    for line in expected:
        level = int(line["level"])
        phase = str(line["phase"]) if by_phase or level != OUTSIDE else ANY_PHASE
        key = (int(line["search"]), level, phase)
        wanted[key] += int(line["bytes"])
        classes[key] = max(classes.get(key, "a"), str(line["audit_class"]))
    counted = _of_calls(records) if by_phase else _of_levels(records)
    keys = [key for key in sorted(wanted.keys() | counted.keys()) if wanted[key] or counted[key]]
    for key in keys or [(0, OUTSIDE, ANY_PHASE)]:
        expected_here, counted_here = wanted[key], counted[key]
        yield {
            "schema": 1,
            "kind": "audit",
            "run_id": run_id,
            "origin": "measured",
            "search": key[0],
            "level": key[1],
            "phase": key[2],
            "audit_class": classes.get(key, "a"),
            "expected_bytes": expected_here,
            "counted_bytes": counted_here,
            "equal": expected_here == counted_here,
        }


def _of_calls(records: RunRecords) -> dict[Key, int]:
    """Bytes that the ledger counted."""
    found: dict[Key, int] = defaultdict(int)
    for record in records.calls:
        for cell in record.cells:
            found[record.search, cell.level, cell.phase] += cell.bytes_sent
    return found


def _of_levels(records: RunRecords) -> dict[Key, int]:
    """The same from the records of levels; what is left of a search was sent outside of them."""
    found: dict[Key, int] = defaultdict(int)
    for search in records.timed_searches:
        found[search.index, OUTSIDE, ANY_PHASE] = search.bytes_sent
    for record in records.levels:
        outside = (record.search, OUTSIDE, ANY_PHASE)
        if outside in found:
            for phase, number in record.bytes_sent.items():
                found[record.search, record.level, phase] = number
                found[outside] -= number
    return found


def _equal() -> AuditOutcome:
    return AuditOutcome("audit equal", ExitCode.DONE)


def _unequal(where: str) -> AuditOutcome:
    return AuditOutcome(f"AUDIT UNEQUAL, {where}", ExitCode.VIOLATIONS)
