# SPDX-License-Identifier: Apache-2.0
"""How long is too long: every limit of everything that is started to measure, in this one place.

A person's ``--hang-seconds`` and ``--time-limit`` come before all of them. What a limit ended has
exit code 7. Silence, and who is blamed for it, is the watchdog's.
"""

import math
import os
from dataclasses import dataclass

from isobath.errors import UsageError

HANG_SECONDS = 120.0
"""Silence after which ranks hang. No phase of ours takes as long, except where a function below
knows of one; a cell of a benchmark shows progress with each repetition."""

TRIAL_SECONDS = 60.0
"""A calibration and the doctor's quick run, from start to end: each takes a second or two, and
nobody asked for them. Half a minute of it may pass while an MPI starts on a busy machine."""

START_SECONDS = 60.0
"""Until the first rank says that it runs: MPI_Init of 64 ranks on two processors takes 20."""

STOP_SECONDS = 3.0
"""Silence of ranks that were asked to stop, after which they are ended; the engine's own default,
too."""

STOP_VARIABLE = "ISOBATH_STOP_SECONDS"
"""Sets STOP_SECONDS, for the engine programs and for us."""

GRACE_SECONDS = 10.0
"""A foreign program that was sent a signal may take so long to end, before it is sent a harder
one: ten times what a profiler needs to write what a rank recorded."""

PATIENCE_SECONDS = 3.0
"""How long a rank may look dead or stopped before it counts: ranks leave in turn."""

FAREWELL_SECONDS = 30.0
"""How long a launcher may linger after the last record of its ranks, or after their end."""

READING_BYTES_PER_SECOND = 2e6
"""A rank that reads a file shows no other progress; this is a slow disk with compressed text."""

ESTIMATE_FACTOR = 2.0
"""A run that was estimated may be silent for so many times what all of it was to take."""

MEMORY_SECONDS = 120.0
"""isobath-limits, from start to end: it measures for some seconds."""

WALKED_EDGES_PER_SECOND = 1e6
"""isobath-audit, which shows no progress: a twentieth of what a serial walk does on an idle
machine."""

OUTPUT_SECONDS = 1800.0
"""Silence of a program that has no heartbeat (IMB, PETSc): it shows progress by what it writes
alone, a line for each size or cell; a cell of PETSc at 3072 elements takes minutes."""


@dataclass(frozen=True)
class Asked:
    """What a person asked for; None: nothing."""

    hang_seconds: float | None = None
    time_limit: float | None = None

    def __post_init__(self) -> None:
        for option, value in (
            ("--hang-seconds", self.hang_seconds),
            ("--time-limit", self.time_limit),
        ):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise UsageError(f"{option} {value:g} is out of range; give seconds above 0")


NOTHING_ASKED = Asked()


@dataclass(frozen=True)
class Limits:
    """How long is too long for one launch, in seconds. None: it may take for ever."""

    hang_seconds: float | None = HANG_SECONDS
    """silence, as the watchdog defines it"""
    time_limit: float | None = None
    """from the start of the launcher"""
    start_seconds: float = START_SECONDS
    """until the first rank says that it runs"""
    stop_seconds: float = STOP_SECONDS
    """silence after it was asked to stop"""


def of_run(asked: Asked, estimated_seconds: float = 0.0) -> Limits:
    """A run of the benchmark, alone or in a race."""
    return _limits(asked, max(HANG_SECONDS, ESTIMATE_FACTOR * estimated_seconds))


def of_search(asked: Asked, file_bytes: int) -> Limits:
    """Searches of a file, which one rank reads while the others wait."""
    return _limits(asked, HANG_SECONDS + file_bytes / READING_BYTES_PER_SECOND)


def of_benchmark(asked: Asked) -> Limits:
    """A launch of a program of ours that measures the network."""
    return _limits(asked, HANG_SECONDS)


def of_silent_program(asked: Asked) -> Limits:
    """A launch of a program that shows what it does only by what it writes."""
    return _limits(asked, OUTPUT_SECONDS)


def of_profiled_program(asked: Asked) -> Limits:
    """A person's own program: it may compute as long as it likes, unless the person says else."""
    return _limits(asked, None)


def of_calibration(asked: Asked) -> Limits:
    """Each short run of a calibration, which nobody asked for: what a person allows the run behind
    it can make it shorter, not longer.
    """
    hang_seconds = min(TRIAL_SECONDS, asked.hang_seconds or TRIAL_SECONDS)
    time_limit = min(TRIAL_SECONDS, asked.time_limit or TRIAL_SECONDS)
    return _limits(Asked(hang_seconds, time_limit), None)


def of_listing(asked: Asked) -> Limits:
    """A program that says what it knows: nobody asked for it, and it takes no time."""
    return of_calibration(asked)


def of_memory_limits(asked: Asked) -> Limits:
    """The program that measures the memory, for the doctor."""
    return _limits(Asked(asked.hang_seconds, asked.time_limit or MEMORY_SECONDS), MEMORY_SECONDS)


def of_walk(asked: Asked, edges: int, searches: int) -> Limits:
    """A serial walk of a graph: its edges for every search, and once to make it."""
    return _limits(asked, HANG_SECONDS + edges * (searches + 1) / WALKED_EDGES_PER_SECOND)


def of_doctor(asked: Asked) -> Limits:
    """The doctor's quick run."""
    return _limits(Asked(asked.hang_seconds, asked.time_limit or TRIAL_SECONDS), TRIAL_SECONDS)


def stop_seconds() -> float:
    """STOP_SECONDS, or what the variable says. Raises: UsageError where that is no time."""
    text = os.environ.get(STOP_VARIABLE, "")
    if not text:
        return STOP_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (math.isfinite(seconds) and seconds > 0):
        raise UsageError(
            f"{STOP_VARIABLE} is '{text}'; set it to a number of seconds above 0, or unset it"
        )
    return seconds


def _limits(asked: Asked, hang_seconds: float | None) -> Limits:
    return Limits(
        hang_seconds=asked.hang_seconds or hang_seconds,
        time_limit=asked.time_limit,
        stop_seconds=stop_seconds(),
    )
