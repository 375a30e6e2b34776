# SPDX-License-Identifier: Apache-2.0
"""Time of a search before and after the mend: ``benchmarks/hangs.py --time``, on an idle machine.

Two ranks of two threads that wait passively, both plans on 1x2, nothing preloaded. First it is
counted how many of 20 old runs end in 120 s, several at once, for those that hang only wait. If
fewer than 15 do, the old code is taken with nothing mended but who may stop waiting for room
(hangs/exit_only.patch), and the output says so. Then old and new run in pairs, alone, the first of
a pair drawn by lot; where the old engine hangs it is no pair. The ratio is that of the mean search
times, paired, with Student's 95 % interval; its upper end is to be at most 1.03.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hang_engines import EXIT_ONLY, old_engine, say
from hang_runs import HANG_SECONDS

from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.processes import descendants, send
from isobath.stats.intervals import estimate_interval
from isobath.stats.ratios import ratio_of_means

RANKS = 2
THREADS = 2
KEYS = 16
FIRST = 20
ENOUGH = 15
"""of the first old runs must end"""

BOUND = 1.03
SEED = 1


def main(
    mpi: MpiLibrary,
    old: Path,
    new: Path,
    commit: str,
    *,
    pairs: int,
    scale: int,
    at_once: int,
) -> int:
    """Both plans; exit status 1 where the upper end of an interval is above the bound."""
    say(f"load average {os.getloadavg()[0]:.1f}: on a busy machine these times say little")
    print("| plan | against | pairs | old, ms | new, ms | new / old | |")
    print("|---|---|---|---|---|---|---|")
    good = True
    for plan in ("two-dim", "simple"):
        ended, tried = _old_runs_that_end(mpi, old, plan, scale, at_once)
        against, base = f"commit {commit}, of which {ended} of {tried} runs ended", old
        if ended < ENOUGH:
            against += ", with its exit mended"
            base = old_engine(mpi, commit, EXIT_ONLY)
        found = _pairs(mpi, base, new, plan, pairs, scale)
        good = _line(plan, against, found) and good
    return 0 if good else 1


def _old_runs_that_end(
    mpi: MpiLibrary, old: Path, plan: str, scale: int, at_once: int
) -> tuple[int, int]:
    """How many do, of how many: no more are tried than decide whether they are enough."""
    ended = tried = 0
    with ThreadPoolExecutor(at_once) as pool:
        while tried < FIRST and tried - ended <= FIRST - ENOUGH:
            some = min(at_once, FIRST - tried)
            runs = [pool.submit(_mean_seconds, mpi, old, plan, scale) for _ in range(some)]
            ended += sum(run.result() is not None for run in runs)
            tried += some
            say(f"{plan}: {ended} of {tried} old runs ended")
    return ended, tried


def _pairs(
    mpi: MpiLibrary, old: Path, new: Path, plan: str, wanted: int, scale: int
) -> list[tuple[float, float]]:
    """Complete pairs of mean search times."""
    lot = random.Random(f"{SEED} {plan}")
    found: list[tuple[float, float]] = []
    while len(found) < wanted:
        programs = [old, new]
        lot.shuffle(programs)
        seconds = {program: _mean_seconds(mpi, program, plan, scale) for program in programs}
        before, after = seconds[old], seconds[new]
        if after is None:
            raise SystemExit(f"{plan}: the new engine did not end in {HANG_SECONDS:.0f} s")
        if before is None:
            say(f"{plan}: the old engine hung")
            continue
        found.append((before, after))
        say(f"{plan}, pair {len(found)}: {before * 1e3:.2f} ms, {after * 1e3:.2f} ms")
    return found


def _mean_seconds(mpi: MpiLibrary, program: Path, plan: str, scale: int) -> float | None:
    """Of one run's searches; None where it hangs. Raises: SystemExit where it fails."""
    with tempfile.TemporaryDirectory(prefix="isobath-hangs-") as place:
        records = Path(place) / "records.jsonl"
        words = ["--plan", plan, "--grid", "1x2", "--scale", str(scale), "--keys", str(KEYS)]
        words += ["--threads", str(THREADS), "--no-validation", "--record", str(records)]
        line = launch_line(mpi, program, words, ranks=RANKS, threads=THREADS, cpus=1)
        environment = {**os.environ, **line.environment, "OMP_WAIT_POLICY": "passive"}
        with subprocess.Popen(
            line.command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            try:
                _, said = process.communicate(timeout=HANG_SECONDS)
            except subprocess.TimeoutExpired:
                send({process.pid, *descendants(process.pid)}, signal.SIGKILL)
                return None
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(line.command)} failed: {said.decode()}")
        found = [json.loads(text) for text in records.read_bytes().splitlines()]
    return statistics.fmean(
        one["seconds"] for one in found if one["kind"] == "search" and not one["warmup"]
    )


def _line(plan: str, against: str, pairs: list[tuple[float, float]]) -> bool:
    """One row; whether the bound is kept."""
    old, new = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    ratio = ratio_of_means(new, old, paired=True)
    interval = estimate_interval(ratio)
    if interval is None:
        print(f"| {plan} | {against} | {len(pairs)} | | | {ratio.value:.3f} | too few pairs |")
        return False
    means = f"{statistics.fmean(old) * 1e3:.2f} | {statistics.fmean(new) * 1e3:.2f}"
    kept = interval.high <= BOUND
    within = f"{ratio.value:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    verdict = f"{'at most' if kept else 'MORE THAN'} {BOUND}"
    print(f"| {plan} | {against} | {len(pairs)} | {means} | {within} | {verdict} |", flush=True)
    return kept
