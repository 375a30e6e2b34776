# SPDX-License-Identifier: Apache-2.0
"""Holds a network namespace with a host name of its own until its standard input ends.

Started as a program of its own, with the host name as its argument. Whoever started it keeps the
other end of its standard input; when that process is gone, however it went, so is the namespace,
and whatever runs in it: ranks there would wait for each other for ever.
"""

import contextlib
import ctypes
import os
import signal
import socket
import sys
import time

CLONE_NEWUTS = 0x04000000
CLONE_NEWNET = 0x40000000
READY = "ready"
PATIENCE = 20.0
"""seconds; a program that the kernel does not let go by then stays"""


def hold(name: str) -> int:
    """Says READY, or why there is no namespace, on standard output; then waits."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        if libc.unshare(CLONE_NEWNET | CLONE_NEWUTS) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        socket.sethostname(name)
    except OSError as error:
        print(error.strerror, flush=True)
        return 1
    print(READY, flush=True)
    sys.stdin.read()
    end_inhabitants()
    return 0


def end_inhabitants() -> None:
    """Kills what else is in our network namespace; again, for it may start more meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while (others := inhabitants() - {os.getpid()}) and time.monotonic() < deadline:
        for pid in others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def inhabitants() -> set[int]:
    """Processes in our network namespace."""
    ours = os.stat("/proc/self/ns/net").st_ino
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}/ns/net").st_ino == ours:
                found.add(int(name))
        except OSError:  # it is gone, or not ours to see
            pass
    return found


if __name__ == "__main__":
    sys.exit(hold(sys.argv[1]))
