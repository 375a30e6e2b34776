# SPDX-License-Identifier: Apache-2.0
"""What the profiler costs a program, by running it with and without."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.profiling import ProfiledCommand
from isobath.profile.rank_files import read_rank_files
from isobath.profile.worlds import find_mistake, find_worlds
from isobath.stats.intervals import estimate_interval
from isobath.stats.ratios import ratio_of_means
from isobath.units import format_seconds

FEWEST_ROUNDS = 2
"""of which an interval can be said"""


@dataclass(frozen=True)
class Round:
    """The whole command's seconds without and with the profiler, and what that says of itself."""

    without: float
    with_it: float
    own_seconds: float
    """largest of the ranks"""
    wall_seconds: float
    """of that rank, from MPI_Init to MPI_Finalize"""


def measure_overhead(prepared: ProfiledCommand, typed: list[str], rounds: int) -> list[Round]:
    """Runs the command so often both ways, in an order that turns from round to round.

    Raises: UsageError for fewer than two rounds, EnvironmentProblem where the command fails or
    makes other worlds than it was to.
    """
    if rounds < FEWEST_ROUNDS:
        raise UsageError(f"--overhead takes at least {FEWEST_ROUNDS} rounds, not {rounds}")
    found = []
    for number in range(rounds):
        seconds = {}
        with tempfile.TemporaryDirectory(dir=prepared.environment["ISOBATH_PROFILE_DIR"]) as folder:
            profiled = {**os.environ, **prepared.environment, "ISOBATH_PROFILE_DIR": folder}
            turns = [(False, typed, dict(os.environ)), (True, list(prepared.command), profiled)]
            for is_profiled, words, environment in turns if number % 2 else reversed(turns):
                seconds[is_profiled] = _seconds(words, environment)
            files = read_rank_files(Path(folder))
        mistake = find_mistake(find_worlds(files), by_launcher=False)
        if mistake is not None:
            raise EnvironmentProblem(mistake.sentence)
        costliest = max(files, key=lambda one: one.overhead_seconds)
        found.append(
            Round(
                seconds[False],
                seconds[True],
                costliest.overhead_seconds,
                costliest.head["nanoseconds"] * 1e-9,
            )
        )
    return found


def _seconds(words: list[str], environment: dict[str, str]) -> float:
    began = time.monotonic()
    try:
        done = subprocess.run(
            words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
    except OSError as error:
        raise EnvironmentProblem(f"cannot start {words[0]}: {error.strerror}") from error
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise EnvironmentProblem(
            f"the command ended with {done.returncode}"
            + (f" ({last[0]})" if last else "")
            + "; it must end well to be compared"
        )
    return time.monotonic() - began


def overhead_text(rounds: list[Round]) -> str:
    """The rounds in two sentences."""
    without, with_it = [one.without for one in rounds], [one.with_it for one in rounds]
    ratio = ratio_of_means(with_it, without, paired=True)
    interval = estimate_interval(ratio)
    assert interval is not None  # there are two rounds at least
    own = max(one.own_seconds / one.wall_seconds for one in rounds)
    low, high = (_change(bound) for bound in (interval.low, interval.high))
    verdict = (
        "which cannot be told from nothing"
        if interval.low <= 1 <= interval.high
        else "which is more than chance"
    )
    return (
        f"Mean of {len(rounds)} rounds: {format_seconds(fmean(without))} without the profiler, "
        f"{format_seconds(fmean(with_it))} with it: {_change(ratio.value)} "
        f"(95 % interval {low} to {high}), "
        f"{verdict}. By its own measure it cost {own * 100:.2g} % of the time between MPI_Init and "
        "MPI_Finalize."
    )


def _change(ratio: float) -> str:
    change = (ratio - 1) * 100
    return f"{change:+.0f} %" if abs(change) >= 10 else f"{change:+.2g} %"
