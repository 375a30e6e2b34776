# SPDX-License-Identifier: Apache-2.0
"""smpirun of a SimGrid that simulates nothing: it starts one process, called smpimain, with the
program in it.
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

WITHOUT_VALUE = ("-no-privatize",)

OWN_PID = os.getpid()


def end_with_us() -> None:
    """A killed smpirun leaves no simulator behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != OWN_PID:  # it ended before the kernel was asked
        os._exit(1)


def main(words: list[str]) -> int:
    if words == ["-version"]:
        print("SimGrid version 3.32.0")
        return 0
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # not as Python, which shows where it was
    ranks = ""
    while words[0].startswith("-"):
        name = words.pop(0)
        if name not in WITHOUT_VALUE:
            value = words.pop(0)
            ranks = value if name == "-np" else ranks
    simulator = Path(sys.executable).with_name("smpimain")  # beside it, or Python is lost
    return subprocess.call(
        [simulator, *words, "--ranks", ranks], executable=sys.executable, preexec_fn=end_with_us
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
