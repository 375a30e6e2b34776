# SPDX-License-Identifier: Apache-2.0
"""What the set-up says, runs and logs. Standard library only; must parse on Python 3.9."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

LOGS_KEPT = 20


class SetupError(Exception):
    """Set-up cannot go on: one sentence of cause, one of remedy."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


class CommandFailed(Exception):
    """A command of the set-up failed; the caller knows what it means."""

    def __init__(self, command: list[str], status: int, output: str) -> None:
        super().__init__(f"{command[0]} ended with status {status}")
        self.status = status
        self.output = output

    def first_error(self) -> str:
        """The line of the output that most likely names the cause."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        for mark in ("error:", "ERROR", "E: ", "CMake Error", "FAILED", "rror"):
            for line in lines:
                if mark in line:
                    return line[:300]
        return lines[-1][:300] if lines else str(self)


class Console:
    """Lines for the person on standard error, everything else into the log.

    The log file appears with the first line, so a start that has nothing to do leaves no trace.
    """

    def __init__(self, log_folder: Path) -> None:
        self._folder = log_folder
        self._log: IO[str] | None = None
        self._start = time.monotonic()
        self._live = sys.stderr.isatty()
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.log_path = log_folder / f"{stamp}-{os.getpid()}.log"

    def say(self, text: str) -> None:
        """One line for the person, also logged."""
        self._erase()
        print(f"isobath: {text}", file=sys.stderr, flush=True)
        self.record(text)

    def record(self, text: str) -> None:
        """One line for the log alone."""
        if self._log is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in sorted(self._folder.glob("*.log"))[: -LOGS_KEPT + 1]:
                old.unlink(missing_ok=True)
            self._log = self.log_path.open("a", encoding="utf-8", errors="replace")
        self._log.write(f"[{time.monotonic() - self._start:7.1f}] {text}\n")
        self._log.flush()

    @property
    def has_log(self) -> bool:
        """Whether anything was written."""
        return self._log is not None

    def run(
        self,
        command: list[str],
        *,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        timeout_seconds: float | None = None,
        quiet: bool = False,
    ) -> str:
        """Run a command, log its output, show the command (unless quiet) and, on a terminal, its last line.

        Returns standard output and standard error together.
        Raises: CommandFailed; also when it ran past ``timeout_seconds`` (status 124) or does not exist (127).
        """
        shown = " ".join(shlex.quote(part) for part in command)
        if not quiet:
            self._erase()
            print(
                f"  $ {shown if len(shown) <= 200 else shown[:197] + '...'}",
                file=sys.stderr,
                flush=True,
            )
        self.record(f"$ {shown}")
        environment = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=timeout_seconds is not None,
            )
        except OSError as error:
            self.record(str(error))
            raise CommandFailed(command, 127, str(error)) from error
        timer = None
        expired = threading.Event()
        if timeout_seconds is not None:

            def stop() -> None:
                expired.set()
                os.killpg(process.pid, 9)

            timer = threading.Timer(timeout_seconds, stop)
            timer.start()
        lines: list[str] = []
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line)
                self.record("  " + line.rstrip())
                self._show_last(line.rstrip())
            status = process.wait()
        finally:
            if timer is not None:
                timer.cancel()
            if process.poll() is None:
                process.kill()
        self._erase()
        output = "".join(lines)
        if expired.is_set():
            raise CommandFailed(command, 124, f"no end after {timeout_seconds:g} s")
        if status != 0:
            raise CommandFailed(command, status, output)
        return output

    def _show_last(self, line: str) -> None:
        if self._live:
            width = max(20, min(120, os.get_terminal_size(sys.stderr.fileno()).columns - 1))
            sys.stderr.write("\r\x1b[2K    " + line.strip()[: width - 4])
            sys.stderr.flush()

    def _erase(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[2K")
