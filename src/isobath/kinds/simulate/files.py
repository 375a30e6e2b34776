# SPDX-License-Identifier: Apache-2.0
"""The files that a simulator reads, in a folder of their own."""

from collections.abc import Sequence
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.kinds.simulate.engine import EngineSearch
from isobath.kinds.simulate.stored import HOSTS, PLATFORM, SCHEDULE
from isobath.launch.simgrid import EngineWords, Simulation
from isobath.prediction.calls import Layout
from isobath.simulation.platform import Platform
from isobath.simulation.schedule import Schedule
from isobath.simulation.simgrid import host_file, platform_xml


def simulation_in(
    folder: Path,
    ranks: int,
    options: Sequence[str],
    name: str,
    engine: EngineWords | None = None,
    *,
    message_costs: str = "",
) -> Simulation:
    """Where the files lie. Args: name is what the program calls itself in its records;
    message_costs are the platform's.
    """
    return Simulation(
        folder / SCHEDULE, folder / PLATFORM, folder / HOSTS, ranks, options, name, engine=engine,
        message_costs=message_costs,
    )  # fmt: skip


def write_files(
    simulation: Simulation, schedule: Schedule | EngineSearch, platform: Platform, layout: Layout
) -> None:
    """The engine needs no schedule. Raises: EnvironmentProblem where one cannot be written."""
    if not isinstance(schedule, EngineSearch):
        write(simulation.schedule, schedule.text())
    write(simulation.platform, platform_xml(platform))
    write(simulation.hosts, host_file(layout))


def write(path: Path, text: str) -> None:
    """Raises: EnvironmentProblem where it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; name another folder with --store, or with "
            "TMPDIR where this one is temporary"
        ) from error
