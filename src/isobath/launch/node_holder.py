# SPDX-License-Identifier: Apache-2.0
"""Holds a network namespace with a host name of its own until its standard input ends.

Started as a program of its own, with the host name as its argument. Whoever started it keeps the
other end of its standard input; when that process is gone, however it went, so is the namespace.
"""

import ctypes
import os
import socket
import sys

CLONE_NEWUTS = 0x04000000
CLONE_NEWNET = 0x40000000
READY = "ready"


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
    return 0


if __name__ == "__main__":
    sys.exit(hold(sys.argv[1]))
