# SPDX-License-Identifier: Apache-2.0
"""What would be simulated, in a file for LogGOPSim. Needs no SimGrid and makes no study."""

from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem, UsageError
from isobath.files import replacing
from isobath.kinds.simulate.engine import EngineSearch
from isobath.kinds.simulate.settings import SimulateSettings
from isobath.kinds.simulate.wanted import prepared_simulation
from isobath.simulation.goal import check_length, goal_lines, messages_of
from isobath.simulation.schedule import Schedule
from isobath.study.shelf import Shelf


@dataclass(frozen=True)
class WrittenGoal:
    """What the file holds."""

    messages: int
    ranks: int
    notes: tuple[str, ...]


def write_search(settings: SimulateSettings, where: Shelf, path: Path) -> WrittenGoal:
    """Raises: UsageError for what cannot be simulated or is too long; EnvironmentProblem where the
    file cannot be written, or a run cannot be read.
    """
    schedule = prepared_simulation(settings, where).schedule
    if isinstance(schedule, EngineSearch):
        raise UsageError("--goal writes the calls that are played; leave --engine out")
    write_goal(schedule, path)
    return WrittenGoal(messages_of(schedule), schedule.grid.size, schedule.notes)


def write_goal(schedule: Schedule, path: Path) -> None:
    """Raises: UsageError, EnvironmentProblem as ``write_search``."""
    check_length(schedule)
    try:
        with replacing(path) as fresh, fresh.open("w", encoding="ascii") as file:
            file.writelines(f"{line}\n" for line in goal_lines(schedule))
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; name another file with --goal"
        ) from error
