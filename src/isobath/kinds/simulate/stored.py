# SPDX-License-Identifier: Apache-2.0
"""What is stored of a simulation, read without all that it takes to simulate."""

from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.kinds.simulate.model import SimulationResult

RESULT = "simulation.json"
SCHEDULE = "schedule.txt"
PLATFORM = "platform.xml"
HOSTS = "hosts.txt"


def result_of(folder: Path) -> SimulationResult:
    """What is stored. Raises: EnvironmentProblem where it is missing or damaged."""
    path = folder / RESULT
    try:
        return SimulationResult.model_validate_json(path.read_bytes())
    except OSError as error:
        why = "it did not end well" if not path.exists() else error.strerror
        raise EnvironmentProblem(f"cannot read {path}: {why}; simulate again") from error
    except ValueError as error:
        raise EnvironmentProblem(
            f"cannot read {path}: the file is damaged; simulate again"
        ) from error
