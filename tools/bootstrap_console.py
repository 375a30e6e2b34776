# SPDX-License-Identifier: Apache-2.0
"""What the set-up says, runs and logs. Standard library only; must parse on Python 3.9."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
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


class Steps:
    """How far a build is, from what ninja says: [57/63] Building CXX object ...; and the time left,
    if what is left takes as long as what was done.
    """

    SELDOM_SECONDS = 15.0
    _SHAPE = re.compile(r"\[(\d+)/(\d+)\] (.*)")

    def __init__(self) -> None:
        self._first: tuple[int, float] | None = None
        self._told = float("-inf")

    def words(self, line: str, now: float) -> str:
        """A line for the person; empty where the line says nothing of it."""
        found = self._SHAPE.match(line)
        if found is None:
            return ""
        done, total, what = int(found[1]), int(found[2]), found[3].rpartition(" ")[2]
        self._first = self._first or (done, now)
        begun, since = self._first
        left = ""
        if done > begun:
            left = f", {_roughly((now - since) / (done - begun) * (total - done))} left"
        return f"{done} of {total}{left}: {what.rpartition('/')[2]}"

    def is_due(self, now: float) -> bool:
        """Whether it is time for another line where every line stays."""
        if now - self._told < self.SELDOM_SECONDS:
            return False
        self._told = now
        return True


def _roughly(seconds: float) -> str:
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


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

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()

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
        trivial: re.Pattern[str] | None = None,
        headline: str = "",
        counts: bool = False,
    ) -> str:
        """Run a command, log its output, show the command and, on a terminal, its last line.

        ``quiet`` does not show the command. ``trivial`` keeps everything back, the log included,
        until a line comes that does not match it; then ``headline`` is said first. With ``counts``
        the command says how far it is, as ninja does, and that is shown with the time left.

        Returns standard output and standard error together.
        Raises: CommandFailed; also when it ran past ``timeout_seconds`` (status 124) or does not
        exist (127).
        """
        shown = " ".join(shlex.quote(part) for part in command)
        if trivial is None:
            self._begin(shown, "", quiet)
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})},
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
        expired = threading.Event()
        timer = threading.Timer(timeout_seconds or 0, _end_session, [process, expired])
        if timeout_seconds is not None:
            timer.start()
        lines: list[str] = []
        steps = Steps() if counts else None
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line)
                if trivial is not None:
                    if trivial.match(line):
                        continue
                    trivial = None
                    self._begin(shown, headline, quiet)
                self.record("  " + line.rstrip())
                self._show_step(steps, line.rstrip())
            status = process.wait()
        finally:
            timer.cancel()
            if process.poll() is None:
                if timeout_seconds is not None:
                    _end_session(process, expired)
                process.kill()
                process.wait()
            process.stdout.close()
        self._erase()
        output = "".join(lines)
        if expired.is_set():
            raise CommandFailed(command, 124, f"no end after {timeout_seconds:g} s")
        if status != 0:
            self.record(f"  status {status}")
            raise CommandFailed(command, status, output)
        return output

    def _begin(self, shown: str, headline: str, quiet: bool) -> None:
        if headline:
            self.say(headline)
        if not quiet:
            self._erase()
            short = shown if len(shown) <= 200 else shown[:197] + "..."
            print(f"  $ {short}", file=sys.stderr, flush=True)
        self.record(f"$ {shown}")

    def _show_step(self, steps: Steps | None, line: str) -> None:
        """On a terminal every step; elsewhere, as in a log of a job, now and then."""
        words = steps.words(line, time.monotonic()) if steps is not None else ""
        if self._live or steps is None:
            self._show_last(words or line)
        elif words and steps.is_due(time.monotonic()):
            print(f"isobath: {words}", file=sys.stderr, flush=True)

    def _show_last(self, line: str) -> None:
        if self._live:
            width = max(20, min(120, os.get_terminal_size(sys.stderr.fileno()).columns - 1))
            sys.stderr.write("\r\x1b[2K    " + line.strip()[: width - 4])
            sys.stderr.flush()

    def _erase(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[2K")


def _end_session(process: subprocess.Popen[str], expired: threading.Event) -> None:
    """End a command that was started in a session of its own, with everything it started.

    A launcher puts its ranks into process groups of their own, and one that is killed leaves them
    behind: so the members of the session are asked for, and killed where they do not go.
    """
    expired.set()
    for number in (signal.SIGTERM, signal.SIGKILL):
        for member in _session_members(process.pid):
            with contextlib.suppress(OSError):
                os.kill(member, number)
        for _ in range(20):
            if not _session_members(process.pid):
                return
            time.sleep(0.1)


def _session_members(session: int) -> list[int]:
    members = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                members.append(int(folder.name))
    return members
