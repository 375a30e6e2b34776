# SPDX-License-Identifier: Apache-2.0
"""mpiexec of the fake MPI: starts ranks as hydra does, each in a session of its own."""

import ctypes
import os
import signal
import subprocess
import sys
import time

FLAGS_WITH_VALUE = ("-bind-to", "--bind-to", "--map-by")

OWN_PID = os.getpid()


def end_with_launcher() -> None:
    """Hydra's proxies end their ranks when it is gone."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != OWN_PID:  # it ended before the kernel was asked
        os._exit(1)


def main(words: list[str]) -> int:
    ranks = 1
    if "FAKE_TELLS" in os.environ:  # as hydra does with HYDRA_DEBUG
        print(*(f"{name}={value}" for name, value in os.environ.items()), sep="\n", file=sys.stderr)
    while words and words[0].startswith("-"):
        name = words.pop(0)
        if name == "-n":
            ranks = int(words.pop(0))
        elif name in FLAGS_WITH_VALUE:
            words.pop(0)
    started = [
        subprocess.Popen(
            words,
            env={
                **os.environ,
                "FAKE_RANK": str(rank),
                "FAKE_SIZE": str(ranks),
                "PMI_RANK": str(rank),
            },
            start_new_session=True,
            preexec_fn=end_with_launcher,  # noqa: PLW1509 (no threads)
        )
        for rank in range(ranks)
    ]
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # not as Python, which shows where it was
    while True:
        states = [process.poll() for process in started]
        killed = [n for n, state in enumerate(states) if state is not None and state < 0]
        if killed:
            return report(started, killed[0])
        if all(state is not None for state in states):
            return max(state for state in states if state is not None)
        time.sleep(0.01)


def report(started: list[subprocess.Popen[bytes]], rank: int) -> int:
    number = -started[rank].returncode
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()
    if os.environ.get("FAKE_DIALECT") == "openmpi":
        print(
            f"mpirun noticed that process rank {rank} with PID {started[rank].pid} on node here "
            f"exited on\nsignal {number} ({signal.Signals(number).name}).",
            file=sys.stderr,
        )
        return 128 + number
    print(
        f"\n{'=' * 83}\n"
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
        f"=   PID {started[rank].pid} RUNNING AT here\n"
        f"=   EXIT CODE: {number}\n"
        f"=   CLEANING UP REMAINING PROCESSES\n{'=' * 83}\n"
        f"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal {number})"
    )  # on standard output, as hydra does
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
