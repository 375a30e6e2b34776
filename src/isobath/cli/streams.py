# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed, full, or read by somebody who has gone."""

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator

from isobath.errors import EnvironmentProblem

STDIN, STDOUT, STDERR = 0, 1, 2

CLOSED_PIPE = 128 + signal.SIGPIPE
"""Exit code where the reader of standard output went away, as the shell shows it of others."""


class OutputProblem(EnvironmentProblem):
    """Standard output cannot be written; ``reason`` says why."""

    def __init__(self, error: OSError) -> None:
        closed = error.errno == errno.EBADF
        self.reason = "standard output " + (
            "is closed" if closed else f"says: {error.strerror or error}"
        )
        super().__init__(f"the output cannot be written ({self.reason}); send it elsewhere")


def repair_streams() -> None:
    """Makes all three standard streams safe to use; called once, before anything else.

    A closed stream is opened on the null device, or the next file that is opened takes its number
    and receives what was meant for the stream. Standard output is opened for reading only: writing
    fails, as it does on a closed stream. Notes on standard error that cannot be written are
    dropped, because no run shall end for want of a reader of its notes.
    """
    for descriptor, mode in ((STDIN, os.O_RDONLY), (STDOUT, os.O_RDONLY), (STDERR, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            _put(os.open(os.devnull, mode), descriptor)
    if sys.stdin is None:
        sys.stdin = open(STDIN, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = Output(
        open(STDOUT, "wb", closefd=False),  # noqa: SIM115
        encoding=sys.stdout.encoding if sys.stdout else "utf-8",
        errors=sys.stdout.errors if sys.stdout else None,
        line_buffering=os.isatty(STDOUT),
    )
    binary = open(STDERR, "wb", closefd=False)  # noqa: SIM115
    sys.stderr = Notes(binary, errors="backslashreplace", line_buffering=True)


class Output(io.TextIOWrapper):
    """Standard output, whose errors are told from those of files."""

    def write(self, text: str, /) -> int:
        """Raises: OutputProblem, or BrokenPipeError where the reader has gone."""
        with _told_apart():
            return super().write(text)

    def flush(self) -> None:
        """Raises: OutputProblem, or BrokenPipeError where the reader has gone."""
        with _told_apart():
            super().flush()


@contextlib.contextmanager
def _told_apart() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputProblem(error) from error


class Notes(io.TextIOWrapper):
    """Standard error: what cannot be written is dropped."""

    def write(self, text: str, /) -> int:
        """Writes what it can."""
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flushes what it can."""
        with contextlib.suppress(OSError):
            super().flush()


def give_up_stdout() -> None:
    """Drops what standard output holds and gets; else the interpreter would complain at its end."""
    _put(os.open(os.devnull, os.O_WRONLY), STDOUT)
    with contextlib.suppress(OSError, ValueError, OutputProblem):
        sys.stdout.flush()


def _put(source: int, descriptor: int) -> None:
    if source != descriptor:
        os.dup2(source, descriptor)
        os.close(source)
    os.set_inheritable(descriptor, True)
