# SPDX-License-Identifier: Apache-2.0
"""One launch of an engine program that has no heartbeat, from start to a known end."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.engine_run import last_sentence
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.processes import descendants, is_alive, send
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.watchdog import PATIENCE_SECONDS, death_in_text
from isobath.launch.with_parent import end_with_parent

POLL_SECONDS = 0.02


@dataclass(frozen=True)
class PlainOutcome:
    """How a launch ended."""

    exit_code: ExitCode
    message: str
    """one sentence where it did not end well; empty elsewhere"""
    elapsed_seconds: float
    interrupted: bool = False


def run_plainly(
    line: LaunchLine, stdout: Path, stderr: Path, *, limit_seconds: float, interrupts: Stop
) -> PlainOutcome:
    """Starts the ranks and waits until all are gone; an asked-for end ends them at once.

    Raises: EnvironmentProblem where the launcher cannot be started or a file cannot be written.
    """
    shared_memory = SharedMemory.look()
    started = time.monotonic()
    try:
        with stdout.open("wb") as out, stderr.open("wb") as err:
            process = subprocess.Popen(
                line.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, **line.environment},
                start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot start {line.command[0]}: {error.strerror}; see ./isobath doctor --mpi"
        ) from error
    try:
        late = _wait(process, started + limit_seconds, interrupts)
    finally:
        _end(process)
        shared_memory.clean()
    elapsed = time.monotonic() - started
    if interrupts.wants_end:
        return PlainOutcome(ExitCode.ENVIRONMENT, "interrupted", elapsed, interrupted=True)
    if late:
        return PlainOutcome(
            ExitCode.TIMEOUT,
            f"the launch was not over after {limit_seconds:.0f} s; take fewer cells or a smaller "
            "--budget, or see ./isobath doctor --mpi",
            elapsed,
        )
    code, message = _ending(process.returncode, line, stdout, stderr)
    return PlainOutcome(code, message, elapsed)


def _wait(process: subprocess.Popen[bytes], deadline: float, interrupts: Stop) -> bool:
    """Until it is over, or an end is asked for; whether it took too long."""
    while process.poll() is None and not interrupts.wants_end:
        if time.monotonic() > deadline:
            return True
        time.sleep(POLL_SECONDS)
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Nothing of the launch survives this."""
    pids = set()
    if process.poll() is None:
        pids = {process.pid, *descendants(process.pid)}
    send(pids, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(is_alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def _ending(status: int, line: LaunchLine, stdout: Path, stderr: Path) -> tuple[ExitCode, str]:
    """What the exit status of a launcher and its last words mean."""
    if status == 0:
        return ExitCode.DONE, ""
    text = stderr.read_text(encoding="utf-8", errors="replace")[-65536:]
    text += "\n" + stdout.read_text(encoding="utf-8", errors="replace")[-8192:]
    sentence = last_sentence(text)
    if status in {int(code) for code in ExitCode} and sentence:
        return ExitCode(status), sentence
    death = death_in_text(text, [])
    if death is not None:
        return death.exit_code, death.message
    last = text.strip().splitlines()[-1:] or ["it said nothing"]
    return ExitCode.ENVIRONMENT, (
        f"{line.launcher_name} ended with status {status}: {last[0]}; see stderr.txt in the run "
        "folder"
    )
