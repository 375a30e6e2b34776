# SPDX-License-Identifier: Apache-2.0
"""Programs of ours that have no ranks: asked, waited for, and ended by a limit."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from isobath.errors import EnvironmentProblem, TimeoutProblem
from isobath.launch.limits import Limits
from isobath.launch.with_parent import end_with_parent


def answer_of(command: Sequence[str], limits: Limits) -> "subprocess.CompletedProcess[str]":
    """Runs a program to its end; what it said and its status.

    It shows nothing of what it does before it ends: all of its time is silence.

    Raises: TimeoutProblem where a limit ended it, EnvironmentProblem where it cannot be started.
    """
    name = Path(command[0]).name
    given = [one for one in (limits.hang_seconds, limits.time_limit) if one is not None]
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=min(given) if given else None,
            preexec_fn=end_with_parent(),
        )
    except subprocess.TimeoutExpired as error:
        is_silence = limits.hang_seconds == min(given)
        option = "--hang-seconds" if is_silence else "--time-limit"
        raise TimeoutProblem(
            f"{name} was not over after {min(given):g} s and was ended; if the machine is only "
            f"slow, allow more with {option}"
        ) from error
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot start {name}: {error.strerror}; set up again: ./isobath setup"
        ) from error
