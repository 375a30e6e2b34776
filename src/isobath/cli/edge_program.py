# SPDX-License-Identifier: Apache-2.0
"""isobath-edges, which makes edges, weights and keys without MPI."""

import contextlib
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import IO

from isobath.cli.export_progress import ExportProgress
from isobath.cli.streams import STDOUT
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.launch.with_parent import end_with_parent

PROGRAM = "isobath-edges"
PARTIAL = ".part"
"""What the program appends to the name of a file until it is complete."""

POLL_SECONDS = 0.1


def run_edge_program(
    arguments: list[str],
    *,
    mpi: str | None,
    files: tuple[str, ...] = (),
    progress: ExportProgress | None = None,
) -> int:
    """Runs it with our own standard output and error; returns its exit code.

    Whatever ends us ends it too; where that is an exception, unfinished ``files`` are removed.

    Raises: BrokenPipeError when its reader has gone, IsobathError when it died.
    """
    prints = not files or "-" in files
    with contextlib.ExitStack() as stack:
        stack.enter_context(_unfinished_removed(files))
        process = stack.enter_context(
            subprocess.Popen(
                _command(arguments, mpi),
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE if prints else None,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
        )
        stack.enter_context(_killed_on_error(process))
        code = _wait(process, progress)
        said = process.stderr.read() if process.stderr else b""
    if code == -signal.SIGPIPE or (code != 0 and prints and _reader_has_gone()):
        raise BrokenPipeError  # its sentence is for those who did not want that
    sys.stderr.write(said.decode(errors="replace"))
    if code < 0:
        raise EnvironmentProblem(f"{PROGRAM} was killed by signal {-code}; memory may have run out")
    return code


@contextlib.contextmanager
def edge_output(arguments: list[str], *, mpi: str | None) -> Iterator[IO[bytes]]:
    """Its standard output as a stream.

    Raises: IsobathError with its exit code when it fails; it has said why on standard error.
    """
    with subprocess.Popen(
        _command(arguments, mpi),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
    ) as process:
        assert process.stdout is not None  # a pipe was asked for
        with _killed_on_error(process):
            yield process.stdout
        if process.wait() != 0:
            problem = IsobathError(f"{PROGRAM} ended with status {process.returncode}")
            with contextlib.suppress(ValueError):
                problem.exit_code = ExitCode(process.returncode)
            raise problem


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP end a block as Ctrl-C does, so that it can put away what it began.

    Ignored when we began (nohup), they stay ignored.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    caught = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) != signal.SIG_IGN
    ]
    before = {number: signal.signal(number, interrupt) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait(process: subprocess.Popen[bytes], progress: ExportProgress | None) -> int:
    while True:
        try:
            return process.wait(timeout=POLL_SECONDS)
        except subprocess.TimeoutExpired:
            if progress:
                progress.show(_bytes_written(process.pid))


def _bytes_written(pid: int) -> int:
    """What the process has handed to the kernel, wherever it goes; 0 where that is not told."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/io").read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(": ")
            if name == "wchar":
                return int(value)
    return 0


@contextlib.contextmanager
def _killed_on_error(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        process.kill()
        process.wait()
        raise


@contextlib.contextmanager
def _unfinished_removed(files: tuple[str, ...]) -> Iterator[None]:
    """The program removes them itself where it fails; killed, it cannot."""
    try:
        yield
    except BaseException:
        for file in files:
            Path(file + PARTIAL).unlink(missing_ok=True)
        raise


def _reader_has_gone() -> bool:
    """Whether our standard output is a pipe that nobody reads."""
    poll = select.poll()
    poll.register(STDOUT, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _command(arguments: list[str], mpi: str | None) -> list[str]:
    program = choose_library(Installation.here(), mpi).program(PROGRAM)
    return [str(program), *arguments]
