# SPDX-License-Identifier: Apache-2.0
"""The run behind every time estimate: a short one once a day for each machine and build.

A time taken while others were at work says little: such a calibration serves once and is not kept.
A complete run of a larger scale knows better than the short one, and takes its place.
"""

import hashlib
import json
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError, StoppedError
from isobath.files import replace_file
from isobath.kinds.nodes import OnNodes, placement_of
from isobath.kinds.run.engine_arguments import PROGRAM, engine_arguments, engine_line
from isobath.kinds.run.settings import RunSettings
from isobath.launch.engine_run import Files, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts, Stop
from isobath.launch.limits import of_calibration
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.placement import opened
from isobath.machine.facts import Machine
from isobath.machine.load import is_busy, load_of_others
from isobath.plan.duration import Calibration, calibration_of
from isobath.plan.layout import Layout
from isobath.plan.search_plans import SWITCHES
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from isobath.units import Seconds

CALIBRATIONS = "calibration.json"
"""In the folder of states: one entry for each machine, build and layout."""

FIRST_SCALE = 14
STEP = 2
SECONDS = 3.0
"""What all short runs together may take."""

GROWTH = 5.0
"""A run of STEP scales more takes about this much longer."""

KEPT_SECONDS = 86400.0
"""Machines are tuned, move and get neighbours: what was measured yesterday is measured again."""

PLACES = tuple(field.name for field in fields(OnNodes))
TIMED = ("plan", *SWITCHES, "count_nodes_of", "instruction_set", *PLACES)
"""Settings whose every value has times of its own."""


def calibrate(
    installation: Installation,
    machine: Machine,
    mpi: MpiLibrary,
    layout: Layout,
    say: Callable[[str], None],
    settings: RunSettings | None = None,
    stop: Stop | None = None,
) -> Calibration:
    """The kept calibration, or a new one of at most SECONDS.

    On a busy machine an old one serves longer, because a new one would be worse. Of the settings
    only those of TIMED count; default: those of a plain run.

    Args: stop is who may ask for its end; without, signals do.

    Raises: IsobathError where the engine does not run here; StoppedError where stop asked for an
        end, KeyboardInterrupt where a signal did.
    """
    settings = settings or RunSettings()
    key = calibration_key(machine, mpi, layout, settings)
    path = installation.state_folder / CALIBRATIONS
    kept = _read(path)
    if key in kept and _is_fresh(kept[key]):
        return kept[key]
    load = load_of_others()
    if key in kept and is_busy(load, layout.cpus):
        return kept[key]
    say(f"calibrating with a short run ({SECONDS:.0f} s at most, kept for this machine and build)")
    started = time.monotonic()
    scale = FIRST_SCALE
    while True:
        begin = time.monotonic()
        records, elapsed = short_run(mpi, layout, scale, settings, stop)
        now = time.monotonic()
        if (now - started) + GROWTH * (now - begin) > SECONDS or scale >= 24:
            break
        scale += STEP
    load = max(load, load_of_others())
    busy = is_busy(load, layout.cpus)
    calibration = calibration_of(
        records, key=key, elapsed_seconds=elapsed, measured_at=time.time(), load=load, busy=busy
    )
    if calibration is None:
        raise EnvironmentProblem(
            "the calibration ended without a search; see what the engine says: ./isobath doctor"
        )
    if not busy:
        _write(path, kept | {key: calibration})
    return calibration


def kept_calibration(
    installation: Installation,
    machine: Machine,
    mpi: MpiLibrary,
    layout: Layout,
    settings: RunSettings,
) -> Calibration | None:
    """What was measured before, where it is not too old; starts nothing."""
    kept = _read(installation.state_folder / CALIBRATIONS)
    calibration = kept.get(calibration_key(machine, mpi, layout, settings))
    return calibration if calibration is not None and _is_fresh(calibration) else None


def refine(
    installation: Installation,
    machine: Machine,
    mpi: MpiLibrary,
    layout: Layout,
    settings: RunSettings,
    records: RunRecords,
    elapsed_seconds: Seconds,
) -> None:
    """Keeps what a complete run took, where it tells more than what is kept.

    Only runs like the short one count: other edges, roots or thresholds have times of their own.

    Args: machine as it was before the run.
    """
    usual = replace(RunSettings(), keys=settings.keys)
    compared = ("edgefactor", "edges", "root", "validation", "alpha", "beta")
    if any(getattr(settings, name) != getattr(usual, name) for name in compared):
        return
    load = max(machine.load, load_of_others())
    if records.state != "complete" or is_busy(load, layout.cpus):
        return
    key = calibration_key(machine, mpi, layout, settings)
    path = installation.state_folder / CALIBRATIONS
    kept = _read(path)
    if key in kept and kept[key].scale > records.run.scale:
        return
    calibration = calibration_of(
        records, key=key, elapsed_seconds=elapsed_seconds, measured_at=time.time(), load=load
    )
    if calibration is not None:
        _write(path, kept | {key: calibration})


def _is_fresh(kept: Calibration) -> bool:
    return 0 <= time.time() - kept.measured_at < KEPT_SECONDS


def short_run(
    mpi: MpiLibrary, layout: Layout, scale: int, wanted: RunSettings, stop: Stop | None,
    what: str = "calibration",
) -> tuple[RunRecords, Seconds]:  # fmt: skip
    """Records of a short run, and how long it took with everything. Nothing is kept of it.

    Args: of the settings those of TIMED count; what it is called where it fails.

    Raises: IsobathError where it fails; StoppedError or KeyboardInterrupt as ``calibrate``.
    """
    with tempfile.TemporaryDirectory(prefix="isobath-calibration-") as name:
        folder = Path(name)
        run_id = f"calibration-{secrets.token_hex(4)}"
        alike = {name: getattr(wanted, name) for name in TIMED}
        settings = replace(RunSettings(), keys=4, **alike)
        arguments = engine_arguments(settings, layout, scale, run_id=run_id, folder=folder)
        placement = placement_of(settings, layout.ranks)
        files = Files(
            records=folder / "records.jsonl",
            stdout=folder / "stdout.txt",
            stderr=folder / "stderr.txt",
            heartbeat=folder / "heartbeat.bin",
        )
        listening = Interrupts() if stop is None else nullcontext(stop)
        with listening as interrupts, opened(placement) as nodes:
            outcome = run_engine(
                engine_line(mpi, settings, layout, arguments, placement, nodes),
                files,
                ranks=layout.ranks,
                run_id=run_id,
                limits=of_calibration(wanted.asked_limits),
                watch=lambda _: None,
                interrupts=interrupts,
            )
        if outcome.interrupted and stop is not None:
            raise StoppedError(f"the end was asked for during the {what}; nothing was measured")
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.trouble:
            problem = IsobathError(f"the {what} failed: {outcome.trouble.message}")
            problem.exit_code = outcome.trouble.exit_code
            raise problem
        return RunRecords.of(read_records(files.records)), outcome.elapsed_seconds


def calibration_key(
    machine: Machine, mpi: MpiLibrary, layout: Layout, settings: RunSettings | None = None
) -> str:
    """Changes with the machine, the build, the layout and what the search does."""
    settings = settings or RunSettings()
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
        *(getattr(settings, name) for name in TIMED),
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
        replace_file(path, text + "\n")
    except OSError:
        return  # it is measured again next time
