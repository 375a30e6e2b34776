# SPDX-License-Identifier: Apache-2.0
"""Programs that end with us, however we end."""

import ctypes
import os
import signal
from collections.abc import Callable

PR_SET_PDEATHSIG = 1

LIBC = ctypes.CDLL(None)
"""Loaded here: between fork and exec nothing may be looked up."""


def end_with_parent(number: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """What a child calls before it becomes another program, as preexec_fn of subprocess.

    The kernel sends the child this signal when the thread that started it ends. A killed laboratory
    has no other way to take its programs with it.
    """
    parent = os.getpid()

    def ask() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it ended before the kernel was asked
            os._exit(1)

    return ask
