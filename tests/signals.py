# SPDX-License-Identifier: Apache-2.0
"""Programs that hear the signals which tests send them, whoever started the tests.

Under nohup, and as a background job of a shell script, programs begin with SIGHUP or SIGINT
ignored, and so do those that they start.
"""

import signal
import subprocess
from collections.abc import Sequence
from typing import Any

SENT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def started(command: Sequence[str], **more: Any) -> subprocess.Popen[str]:
    """A program that ends by these signals unless it says otherwise; ``more`` is for Popen."""
    return subprocess.Popen(
        command,
        text=True,
        preexec_fn=hear,  # noqa: PLW1509 (takes no lock)
        **more,
    )


def hear() -> None:
    """In the child, before it becomes the program."""
    for number in SENT:
        signal.signal(number, signal.SIG_DFL)


def hear_as_in_a_terminal() -> None:
    """The tests themselves, and all that they start: Ctrl-C is Ctrl-C, the others end a program."""
    hear()
    signal.signal(signal.SIGINT, signal.default_int_handler)
