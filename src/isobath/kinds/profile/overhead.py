# SPDX-License-Identifier: Apache-2.0
"""What the profiler costs a program, by running it with and without."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from isobath.errors import EnvironmentProblem, IsobathError, StoppedError, UsageError
from isobath.launch.interrupts import NeverStop, Stop
from isobath.launch.limits import NOTHING_ASKED, Asked, of_profiled_program
from isobath.launch.profiled_run import FOLDER, run_program, status_of
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


def measure_overhead(
    prepared: ProfiledCommand,
    typed: Sequence[str],
    rounds: int,
    asked: Asked = NOTHING_ASKED,
    stop: Stop | None = None,
) -> list[Round]:
    """Runs the command so often both ways, in an order that turns from round to round.

    What it prints is dropped. Args: stop asks for an end before all rounds are done.
    Raises: UsageError for fewer than two rounds, EnvironmentProblem where the command fails or
        makes other worlds than it was to, StoppedError where ``stop`` asked for an end.
    """
    if rounds < FEWEST_ROUNDS:
        raise UsageError(f"--overhead takes at least {FEWEST_ROUNDS} rounds, not {rounds}")
    stop = stop or NeverStop()
    measured = []
    for number in range(rounds):
        seconds = {}
        with tempfile.TemporaryDirectory(dir=prepared.environment[FOLDER]) as folder:
            plain, profiled = {FOLDER: folder}, prepared.environment | {FOLDER: folder}
            turns = [(False, list(typed), plain), (True, list(prepared.command), profiled)]
            for is_profiled, words, environment in turns if number % 2 else reversed(turns):
                seconds[is_profiled] = _seconds(words, environment, asked, stop)
            files = read_rank_files(Path(folder))
        mistake = find_mistake(find_worlds(files), by_launcher=False)
        if mistake is not None:
            raise EnvironmentProblem(mistake.sentence)
        costliest = max(files, key=lambda rank_file: rank_file.overhead_seconds)
        measured.append(
            Round(
                seconds[False],
                seconds[True],
                costliest.overhead_seconds,
                costliest.head["nanoseconds"] * 1e-9,
            )
        )
    return measured


def _seconds(words: list[str], environment: dict[str, str], asked: Asked, stop: Stop) -> float:
    """Raises: IsobathError where it did not end well, StoppedError where it was ended."""
    complaints = Path(environment[FOLDER]) / "stderr"
    ended = run_program(
        words,
        environment,
        limits=of_profiled_program(asked),
        interrupts=stop,
        stderr=complaints,
    )
    code = status_of(ended, stop)
    if ended.interrupted or stop.wants_end:
        raise StoppedError(
            "interrupted; what the profiler costs is not known, for rounds are missing"
        )
    if ended.trouble is not None:
        problem = IsobathError(ended.trouble.message)
        problem.exit_code = ended.trouble.exit_code
        raise problem
    if code != 0:
        last = complaints.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        raise EnvironmentProblem(
            f"the command ended with {code}"
            + (f" ({last[0]})" if last else "")
            + "; it must end well to be compared"
        )
    return ended.elapsed_seconds


def overhead_text(rounds: list[Round]) -> str:
    """The rounds in two sentences."""
    without, with_it = [pair.without for pair in rounds], [pair.with_it for pair in rounds]
    ratio = ratio_of_means(with_it, without, paired=True)
    interval = estimate_interval(ratio)
    assert interval is not None  # there are two rounds at least
    own = max(pair.own_seconds / pair.wall_seconds for pair in rounds)
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
