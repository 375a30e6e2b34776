# SPDX-License-Identifier: Apache-2.0
"""The short run behind every time estimate, measured once per machine and build."""

import hashlib
import json
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from isobath.cli.engine_arguments import PROGRAM, engine_arguments
from isobath.cli.run_settings import RunSettings
from isobath.errors import EnvironmentProblem, IsobathError
from isobath.launch.engine_run import Files, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.watchdog import Limits
from isobath.machine.facts import Machine
from isobath.plan.duration import Calibration, calibration_of
from isobath.plan.layout import Layout
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords

FIRST_SCALE = 14
STEP = 2
SECONDS = 3.0
"""What all short runs together may take."""

GROWTH = 5.0
"""A run of STEP scales more takes about this much longer."""


def calibrate(
    installation: Installation,
    machine: Machine,
    mpi: MpiLibrary,
    layout: Layout,
    say: Callable[[str], None],
) -> Calibration:
    """The kept calibration, or a new one of at most SECONDS.

    Raises: IsobathError where the engine does not run here.
    """
    key = _key(machine, mpi, layout)
    path = installation.state_folder / "calibration.json"
    kept = _read(path)
    if key in kept:
        return kept[key]
    say(f"calibrating with a short run ({SECONDS:.0f} s at most, kept for this machine and build)")
    started = time.monotonic()
    scale = FIRST_SCALE
    while True:
        begin = time.monotonic()
        found = _measure(mpi, layout, scale, key)
        now = time.monotonic()
        if (now - started) + GROWTH * (now - begin) > SECONDS or scale >= 24:
            break
        scale += STEP
    _write(path, kept | {key: found})
    return found


def _measure(mpi: MpiLibrary, layout: Layout, scale: int, key: str) -> Calibration:
    with tempfile.TemporaryDirectory(prefix="isobath-calibration-") as name:
        folder = Path(name)
        run_id = f"calibration-{secrets.token_hex(4)}"
        settings = replace(RunSettings(), keys=4)
        arguments = engine_arguments(settings, layout, scale, run_id=run_id, folder=folder)
        line = launch_line(
            mpi,
            mpi.program(PROGRAM),
            arguments,
            ranks=layout.ranks,
            threads=layout.threads,
            cpus=layout.cpus,
        )
        files = Files(
            records=folder / "records.jsonl",
            stdout=folder / "stdout.txt",
            stderr=folder / "stderr.txt",
            heartbeat=folder / "heartbeat.bin",
        )
        with Interrupts() as interrupts:
            outcome = run_engine(
                line,
                files,
                ranks=layout.ranks,
                run_id=run_id,
                limits=Limits(hang_seconds=60, start_seconds=60),
                watch=lambda _: None,
                interrupts=interrupts,
            )
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.trouble:
            problem = IsobathError(f"the calibration failed: {outcome.trouble.message}")
            problem.exit_code = outcome.trouble.exit_code
            raise problem
        records = RunRecords.of(read_records(files.records))
        found = calibration_of(records, key=key, elapsed_seconds=outcome.elapsed_seconds)
    if found is None:
        raise EnvironmentProblem(
            "the calibration ended without a search; see what the engine says: ./isobath doctor"
        )
    return found


def _key(machine: Machine, mpi: MpiLibrary, layout: Layout) -> str:
    """Changes with the machine, the build and the layout."""
    program = mpi.program(PROGRAM)
    state = program.stat()
    facts = (
        machine.hostname,
        machine.cpu_model,
        machine.cpus,
        machine.cpu_limit,
        mpi.id,
        mpi.version,
        str(program),
        state.st_size,
        state.st_mtime_ns,
        layout.grid,
        layout.threads,
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def _read(path: Path) -> dict[str, Calibration]:
    """What is kept; a damaged file counts as none."""
    try:
        entries = json.loads(path.read_bytes())
        return {key: Calibration.model_validate(entry) for key, entry in entries.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def _write(path: Path, entries: dict[str, Calibration]) -> None:
    text = json.dumps({key: entry.model_dump() for key, entry in entries.items()}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError:
        return  # it is measured again next time
