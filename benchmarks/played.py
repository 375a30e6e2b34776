# SPDX-License-Identifier: Apache-2.0
"""Plays a schedule by SimGrid and keeps what the skeleton said, for files of `reproduce`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from isobath.errors import ExitCode
from isobath.kinds.simulate.files import simulation_in, write_files
from isobath.launch.interrupts import NeverStop
from isobath.launch.limits import NOTHING_ASKED, of_silent_program
from isobath.launch.simgrid import find_simgrid
from isobath.launch.simgrid import simulate as simulate_files
from isobath.prediction.calls import Layout
from isobath.records.codec import decode
from isobath.records.skeleton import SkeletonRecord
from isobath.settings.toml import toml_value
from isobath.simulation.platform import Platform
from isobath.simulation.schedule import Schedule
from isobath.simulation.simgrid import options


def play(
    schedule: Schedule,
    platform: Platform,
    layout: Layout,
    kept: Path,
    algorithms: Sequence[str] = (),
) -> int:
    """The exit code of the simulation; its file is there only where it ended well.

    Args: algorithms: forced ones, as ``allgather:rdb``; the others are MPICH's.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        of_simulator = options(platform, algorithms=algorithms)
        simulation = simulation_in(folder, schedule.grid.size, of_simulator, "figure")
        write_files(simulation, schedule, platform, layout)
        outcome, _ = simulate_files(
            simulation, find_simgrid(), stdout=folder / "out", stderr=folder / "err",
            limits=of_silent_program(NOTHING_ASKED), interrupts=NeverStop(),
        )  # fmt: skip
        if outcome.exit_code == ExitCode.DONE:
            kept.write_text((folder / "out").read_text(encoding="utf-8"), encoding="utf-8")
    return int(outcome.exit_code)


def steps_of(kept: Path) -> tuple[SkeletonRecord, ...] | None:
    """One for each step; None where it was not simulated."""
    if not kept.is_file():
        return None
    rows = []
    for line in kept.read_text(encoding="utf-8").splitlines():
        record = decode(line)
        assert isinstance(record, SkeletonRecord)
        rows.append(record)
    return tuple(rows)


def table_of(name: str, **values: str | float) -> list[str]:
    """A table of an array of tables, as TOML."""
    lines = ["", f"[[{name}]]"]
    for key, value in values.items():
        text = f"{value:.6g}" if isinstance(value, float) else toml_value(value)
        lines.append(f"{key} = {text}")
    return lines
