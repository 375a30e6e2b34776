# SPDX-License-Identifier: Apache-2.0
"""The limits of this machine's memory: measured by isobath-limits, kept, and laid to every run."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from isobath.errors import EnvironmentProblem
from isobath.files import replace_file
from isobath.launch.limits import NOTHING_ASKED, Asked, of_memory_limits
from isobath.launch.serial_program import answer_of
from isobath.machine.facts import Machine
from isobath.machine.load import load_of_others
from isobath.records.memory_limits import ENVIRONMENT_KEY, MemoryLimits

PROGRAM = "isobath-limits"
FILE = "limits.json"


def measure_limits(
    program: Path,
    machine: Machine,
    load: Callable[[], float] = load_of_others,
    asked: Asked = NOTHING_ASKED,
) -> MemoryLimits:
    """With all processors, some seconds.

    Raises: EnvironmentProblem where the program fails, TimeoutProblem where it does not end.
    """
    before = load()
    command = [str(program), "--threads", str(machine.usable_cpus)]
    done = answer_of(command, of_memory_limits(asked))
    if done.returncode != 0:
        reason = done.stderr.strip() or "no reason given"
        raise EnvironmentProblem(f"{PROGRAM} ended with {done.returncode}: {reason}")
    try:
        measured = dict(json.loads(done.stdout)) | {
            "hostname": machine.hostname,
            "cpu_model": machine.cpu_model,
            "measured_at": time.time(),
            "load": max(before, load()),
        }
        return MemoryLimits.model_validate_json(json.dumps(measured))
    except (TypeError, ValueError) as error:
        raise EnvironmentProblem(
            f"{PROGRAM} did not measure: {error}; set up again: ./isobath setup"
        ) from error


def keep_limits(folder: Path, limits: MemoryLimits) -> Path:
    """Lays them into the folder of state. Raises: EnvironmentProblem where that cannot be."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(path, limits.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep the limits in {path}: {error}") from error
    return path


def kept_limits(folder: Path, machine: Machine) -> MemoryLimits | None:
    """What was measured on this machine; None where nothing was, and where it is damaged."""
    try:
        limits = MemoryLimits.model_validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError):
        return None
    is_here = (limits.hostname, limits.cpu_model) == (machine.hostname, machine.cpu_model)
    return limits if is_here else None


def limits_for_environment(folder: Path, machine: Machine) -> dict[str, Any]:
    """The part of a node's facts that they make; empty where nothing was measured."""
    limits = kept_limits(folder, machine)
    return {} if limits is None else {ENVIRONMENT_KEY: limits.model_dump(mode="json")}
