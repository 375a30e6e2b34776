# SPDX-License-Identifier: Apache-2.0
"""isobath-edges, which makes edges, weights and keys without MPI."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from typing import IO

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library

PROGRAM = "isobath-edges"


def run_edge_program(arguments: list[str], *, mpi: str | None) -> int:
    """Runs it with our own standard output and error; returns its exit code.

    Raises: BrokenPipeError when its reader has gone, IsobathError when it died.
    """
    done = subprocess.run(_command(arguments, mpi), stdin=subprocess.DEVNULL, check=False)
    if done.returncode == -signal.SIGPIPE:
        raise BrokenPipeError
    if done.returncode < 0:
        raise EnvironmentProblem(
            f"{PROGRAM} was killed by signal {-done.returncode}; memory may have run out"
        )
    return done.returncode


@contextlib.contextmanager
def edge_output(arguments: list[str], *, mpi: str | None) -> Iterator[IO[bytes]]:
    """Its standard output as a stream.

    Raises: IsobathError with its exit code when it fails; it has said why on standard error.
    """
    with subprocess.Popen(
        _command(arguments, mpi), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None  # a pipe was asked for
        try:
            yield process.stdout
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            problem = IsobathError(f"{PROGRAM} ended with status {process.returncode}")
            with contextlib.suppress(ValueError):
                problem.exit_code = ExitCode(process.returncode)
            raise problem


def _command(arguments: list[str], mpi: str | None) -> list[str]:
    program = choose_library(Installation.here(), mpi).program(PROGRAM)
    return [str(program), *arguments]
