# SPDX-License-Identifier: Apache-2.0
"""isobath-edges, which makes edges, weights and keys without MPI."""

import contextlib
import io
import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.launch.with_parent import end_with_parent
from isobath.units import Bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PROGRAM = "isobath-edges"
PARTIAL = ".part"
"""What the program appends to the name of a file until it is complete."""

POLL_SECONDS = 0.1
PIPE_BYTES = 1 << 20
STDOUT = 1


class EdgeProgramFailed(IsobathError):
    """It ended with an exit code of its own; the text is what it said."""

    def __init__(self, said: bytes, code: int) -> None:
        words = said.decode(errors="replace").strip().removeprefix(f"{PROGRAM}: ")
        super().__init__(words or f"{PROGRAM} ended with status {code}")
        with contextlib.suppress(ValueError):
            self.exit_code = ExitCode(code)


def run_edge_program(
    arguments: list[str],
    *,
    mpi: str | None,
    files: tuple[str, ...] = (),
    progress: Callable[[Bytes], None] | None = None,
) -> None:
    """Runs it to its end, with our own standard output.

    Whatever ends us ends it too; where that is an exception, unfinished ``files`` are removed.

    Args: progress is told again and again how many bytes it has written.
    Raises: EdgeProgramFailed, BrokenPipeError when its reader has gone, EnvironmentProblem when it
        died.
    """
    prints = not files or "-" in files
    with contextlib.ExitStack() as stack:
        stack.enter_context(_unfinished_removed(files))
        process = stack.enter_context(
            subprocess.Popen(
                _command(arguments, mpi),
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
        )
        assert process.stderr is not None  # a pipe was asked for
        stack.enter_context(_killed_on_error(process))
        code = _wait(process, progress)
        said = process.stderr.read()
    if code == -signal.SIGPIPE or (code != 0 and prints and _reader_has_gone()):
        raise BrokenPipeError  # its sentence is for those who did not want that
    _raise_where_it_failed(said, code)


class _Awaited(io.RawIOBase):
    """The end of a pipe that is read once there is something: what handles a signal that comes just
    before a read would be called when the read is over, which may be never.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._there = select.poll()
        self._there.register(number, select.POLLIN)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """As that of a file."""
        while not self._there.poll(1000 * POLL_SECONDS):
            pass
        return os.readv(self._number, [buffer])


@contextlib.contextmanager
def edge_output(arguments: list[str], *, mpi: str | None) -> Iterator[IO[bytes]]:
    """Its standard output as a stream.

    Raises: EdgeProgramFailed, EnvironmentProblem when it died.
    """
    with subprocess.Popen(
        _command(arguments, mpi),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
    ) as process:
        assert process.stdout is not None  # pipes were asked for
        assert process.stderr is not None
        with _killed_on_error(process):
            yield io.BufferedReader(_Awaited(process.stdout.fileno()), PIPE_BYTES)
            process.stdout.close()
            said = process.stderr.read()
            code = process.wait()
        _raise_where_it_failed(said, code)


def _raise_where_it_failed(said: bytes, code: int) -> None:
    if code < 0:
        raise EnvironmentProblem(f"{PROGRAM} was killed by signal {-code}; memory may have run out")
    if code != 0:
        raise EdgeProgramFailed(said, code)


def _wait(process: subprocess.Popen[bytes], progress: Callable[[Bytes], None] | None) -> int:
    while True:
        try:
            return process.wait(timeout=POLL_SECONDS)
        except subprocess.TimeoutExpired:
            if progress:
                progress(_bytes_written(process.pid))


def _bytes_written(pid: int) -> Bytes:
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
