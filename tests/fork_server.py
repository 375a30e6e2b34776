# SPDX-License-Identifier: Apache-2.0
"""The command line as processes of their own, forked from one that has imported it.

To import what a command needs takes half a second of a processor, more than most of what tests ask
of it. A process that is forked has its own environment, folder, standard streams and end; what
differs from ``python -m isobath`` is what imports do, and that it was not started by exec. For
tests that wait for a command; a command that is disturbed is started as people do it (running.py).
"""

import atexit
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

STDIN, STDOUT, STDERR = 0, 1, 2


def run_command(
    words: Sequence[object],
    *,
    env: Mapping[str, str],
    timeout: float,
    cwd: Path | None = None,
) -> "subprocess.CompletedProcess[str]":
    """``isobath WORDS`` to its end. Args: env is all of its environment, as for subprocess.

    Raises: subprocess.TimeoutExpired after it was killed.
    """
    return _server().run([str(word) for word in words], dict(env), timeout, cwd)


class ForkServer:
    """The client's side: one command at a time, whose output goes through files."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="isobath-test-")
        self._is_used = threading.Lock()
        self._numbers = itertools.count()
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )

    def close(self) -> None:
        """It ends when nobody can ask any more."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()

    def run(
        self, words: list[str], env: dict[str, str], timeout: float, cwd: Path | None
    ) -> "subprocess.CompletedProcess[str]":
        number = next(self._numbers)  # what an earlier command left running may write for long
        out, err = (Path(self._folder.name, f"{number}-{name}") for name in ("out", "err"))
        asked = {"words": words, "env": env, "cwd": str(cwd or Path.cwd()),
                 "out": str(out), "err": str(err)}  # fmt: skip
        with self._is_used:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
            self._process.stdin.flush()
            pid = self._told()
            assert self._process.stdout is not None
            ends_in_time, _, _ = select.select([self._process.stdout], [], [], timeout)
            if not ends_in_time:
                os.kill(pid, signal.SIGKILL)
            code = self._told()
        said = out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
        for file in (out, err):
            file.unlink()
        if not ends_in_time:
            raise subprocess.TimeoutExpired(["isobath", *words], timeout, *said)
        return subprocess.CompletedProcess(["isobath", *words], code, *said)

    def _told(self) -> int:
        """A line of the server, unbuffered: what comes next is waited for by its file."""
        assert self._process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            letter = os.read(self._process.stdout.fileno(), 1)
            assert letter, "the server of commands has ended"
            line += letter
        return int(line)


@cache
def _server() -> ForkServer:
    started = ForkServer()
    atexit.register(started.close)
    return started


def serve() -> None:
    """The server's side: a line with what is to be run, answered by its process and its code."""
    import_the_command_line()
    while asked := read_line():
        pid = os.fork()
        if not pid:
            become(json.loads(asked))
        os.write(STDOUT, b"%d\n" % pid)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(STDOUT, b"%d\n" % code)


def import_the_command_line() -> None:
    """What most commands import sooner or later."""
    import importlib

    from isobath.cli.commands import COMMANDS
    from isobath.study.kinds import KINDS

    for command in COMMANDS.values():
        for entry in (command, *command.inner.values()):
            if entry.place:
                importlib.import_module(entry.place.partition(":")[0])
    for kind in KINDS:
        kind.load()
    for name in ("duckdb", "scipy.special"):
        importlib.import_module(name)


def read_line() -> bytes:
    """Empty where the client has gone."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(STDIN, 65536)
        if not piece:
            return b""
        line += piece
    return line


def become(asked: dict[str, Any]) -> NoReturn:
    """In the child: the command line, with nothing of the server's but what is imported."""
    from isobath.cli.main import main_and_exit

    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, path, how in (
        (STDIN, os.devnull, os.O_RDONLY), (STDOUT, asked["out"], write),
        (STDERR, asked["err"], write),
    ):  # fmt: skip
        opened = os.open(path, how)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.argv = ["isobath", *asked["words"]]
    main_and_exit()


if __name__ == "__main__":
    serve()
