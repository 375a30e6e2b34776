# SPDX-License-Identifier: Apache-2.0
"""What the end of a launcher means: its exit status, and the last words of it and its ranks.

One reading for every launch. A launcher that was killed is told from a rank that was; a number that
is no signal is never told as one.
"""

import contextlib
import os
import re
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from isobath.errors import ExitCode
from isobath.launch.supervised import Ended
from isobath.launch.watchdog import Trouble, death_in_text, death_of, signal_name

BY_SIGNAL = 128
"""Shells and most launchers return this plus the signal of a program that was killed."""

LOST_PROXY = re.compile(r"^\[mpiexec@[^\]]*\] .*assert \(!closed\) failed", re.M)
"""Hydra's mpiexec when a proxy, which starts the ranks of a node, closed its connection."""

BANNER = re.compile(
    r"\n?^=+\n=\s+(?:BAD TERMINATION OF ONE OF YOUR|RANK \d+ PID \d+ RUNNING AT).*\Z", re.M | re.S
)
"""What Hydra and Intel's launcher write on standard output when a rank ended badly."""


@dataclass(frozen=True)
class Said:
    """Where a launch wrote."""

    stdout: Path
    stderr: Path

    def separate(self) -> None:
        """Moves a launcher's banner from standard output, where results are, to standard error."""
        with contextlib.suppress(OSError):
            text = self.stdout.read_bytes().decode("utf-8", errors="surrogateescape")
            banner = BANNER.search(text)
            if banner is None:
                return
            with self.stderr.open("ab") as out:
                out.write(banner[0].encode("utf-8", errors="surrogateescape"))
            kept = text[: banner.start()].encode("utf-8", errors="surrogateescape")
            self.stdout.write_bytes(kept)

    def text(self) -> str:
        """The last words on standard error, and behind them those on standard output."""
        try:
            with self.stderr.open("rb") as source:
                out = self.stdout.read_bytes()[-8192:]  # Open MPI reports there at times
                source.seek(max(0, self.stderr.stat().st_size - 65536))
                return (source.read() + b"\n" + out).decode("utf-8", errors="replace")
        except OSError:
            return ""


def trouble_of(ended: Ended, launcher: str, said: Said) -> Trouble | None:
    """Why a launch did not end well; None where it did, or where we were asked to end it.

    Args: launcher is its name.
    """
    if ended.trouble is not None and ended.trouble.is_guess:
        return _better_told(ended.trouble, said.text(), ended)
    if ended.trouble is not None or not ended.status:
        return ended.trouble
    text = said.text()
    return (
        death_in_text(text, ended.ranks)
        or _of_the_launcher(ended, launcher, text)
        or _of_a_sentence(ended, text)
        or _of_a_signal(ended)
        or _of_what_was_said(ended, launcher, text, said.stderr.parent)
    )


def _better_told(guess: Trouble, text: str, ended: Ended) -> Trouble:
    """What was said before we ended it; until ranks begin they say nothing but why they cannot."""
    sentence = last_sentence(text) if guess.phase == "start" else ""
    told = replace(guess, message=sentence) if sentence else guess
    return death_in_text(text, ended.ranks) or told


def _of_the_launcher(ended: Ended, launcher: str, text: str) -> Trouble | None:
    """It was killed itself, or a process of its own was."""
    assert ended.status is not None
    advice = "somebody ended it, or memory ran out: see dmesg; what was complete is kept"
    if ended.status < 0:
        return Trouble(
            f"the launcher {launcher} was killed by {signal_name(-ended.status)} "
            f"{_when(ended)}, and its ranks ended with it; {advice}",
            ExitCode.ENVIRONMENT,
            phase=ended.phase,
            signal=-ended.status,
        )
    if not LOST_PROXY.search(text):
        return None
    return Trouble(
        f"the launcher {launcher} ended with status {ended.status} {_when(ended)}: it lost "
        f"a process of its own, hydra_pmi_proxy; {advice}",
        ExitCode.ENVIRONMENT,
        phase=ended.phase,
    )


def _when(ended: Ended) -> str:
    """By the rank that had been silent for longest."""
    return f"while its ranks measured {ended.cell}" if ended.cell else f"in phase {ended.phase}"


def _of_a_sentence(ended: Ended, text: str) -> Trouble | None:
    """The programs' own, with one of our exit codes."""
    sentence, status = last_sentence(text), ended.status
    if status == ExitCode.VIOLATIONS:
        # Violations come with a finish record. Without one it is a launcher (MPICH 4.0's) that
        # forgot the code of an abort.
        status = int(ExitCode.ENVIRONMENT)
    if not sentence or status not in {int(code) for code in ExitCode}:
        return None
    return Trouble(sentence, ExitCode(status), phase=ended.phase)


def _of_a_signal(ended: Ended) -> Trouble | None:
    number = (ended.status or 0) - BY_SIGNAL
    return death_of(None, number) if number in set(signal.Signals) else None


def _of_what_was_said(ended: Ended, launcher: str, text: str, folder: Path) -> Trouble:
    last = text.strip().splitlines()[-1:] or ["it said nothing"]
    advice = "see stderr.txt in the run folder, and ./isobath doctor --libraries"
    if is_full(folder):
        advice = f"the disk of {folder} is full, so it may have had no room for its reason: free "
        advice += "space and start it again"
    return Trouble(
        f"{launcher} ended with status {ended.status}: {last[0]}; {advice}",
        ExitCode.ENVIRONMENT,
        phase=ended.phase,
    )


def is_full(folder: Path) -> bool:
    """Whether not one block is free for us."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return False
    return state.f_bavail == 0 < state.f_blocks


def last_sentence(text: str) -> str:
    """The engine's own error sentence, without its prefix; empty where there is none."""
    for said in reversed(text.splitlines()):
        match = re.match(r"isobath\S*: (?:rank \d+ of \d+: )?(.+)", said)
        if match:
            return match[1].strip()
    return ""
