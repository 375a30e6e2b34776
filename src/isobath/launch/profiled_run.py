# SPDX-License-Identifier: Apache-2.0
"""One launch of a person's own program, with or without the profiler."""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from isobath.launch.heartbeat import Beats
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.processes import variables
from isobath.launch.supervised import Ended, Launch, OnInterrupt, supervise

FOLDER = "ISOBATH_PROFILE_DIR"
"""Variable that tells ranks where they write; who has it is one of ours."""


def run_program(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    limits: Limits,
    interrupts: Stop,
    stderr: Path | None = None,
) -> Ended:
    """Runs it as if we were not there: our own standard streams, and every signal handed on.

    Args: environment is what is added to ours, with FOLDER in it. With stderr the program's own is
        kept there, and its standard output is dropped.
    Raises: EnvironmentProblem where it cannot be started.
    """
    folder = environment[FOLDER]
    launch = Launch(
        LaunchLine(tuple(command), dict(environment)),
        limits,
        interrupts,
        OnInterrupt.HAND_ON,
        has_heartbeat=False,
        stdout=Path(os.devnull) if stderr else None,
        stderr=stderr,
        owns=lambda pid: variables(pid).get(FOLDER) == folder,
    )
    beats = Beats(Path(folder))
    return supervise(launch, lambda _: beats, lambda _: False)


def status_of(ended: Ended, interrupts: Stop) -> int:
    """The program's exit status as a shell would say it; of one that was ended, the reason's.

    One that who called us ended, without a signal, is told as SIGTERM: it was sent one.
    """
    if ended.trouble is not None:
        return int(ended.trouble.exit_code)
    if ended.status is None:
        return 128 + int((*interrupts.received, signal.SIGTERM)[0])
    return ended.status if ended.status >= 0 else 128 - ended.status
