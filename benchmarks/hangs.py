#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does every search of two-dim and simple end, whatever their threads meet with?

Usage, after ``./isobath setup``:

    .venv/bin/python benchmarks/hangs.py                  all runs; goes on where it left off
    .venv/bin/python benchmarks/hangs.py --show           counts what is finished
    .venv/bin/python benchmarks/hangs.py --time           time of a search, old against new

First the engine of an old commit, which could hang: 20 runs of each plan on 1x2 at scale 14 with
two threads, some of which must hang, or the delays are no test. Then this engine: both plans on
1 to 9 ranks with 2 and 3 threads, 100 runs each at scale 10, 10 at scale 14, 3 at scale 18, with 4
keys, all validated. hangs/delays.cpp is preloaded and holds every thread up around sched_yield,
MPI_Isend, MPI_Testsome and MPI_Waitsome, in another way for every seed, rank and thread. Two ranks
run with OMP_WAIT_POLICY=active FI_PROVIDER=tcp, more as ``isobath run`` starts them.

A run of more than 120 s hangs if for 30 s more every rank takes processor time (/proc) and none
gets to another search, level or phase (the heartbeat), one of them being inside a level; otherwise
it is run again with 600 s and listed. So is one that ended after more than 120 s before anybody
looked at it, as on a machine that slept. If five runs of each shape foretell more than an hour, 4x2
and 3x3 take 30 runs for 100, and the log says so; later sessions keep to it.

Every finished seed is a line of hangs/runs.jsonl, behind the commit, compiler and MPI that it ran
with; none is run twice. Exit status 1 where a run of this engine did not end as it should, or the
old one never hung.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

import hang_times  # noqa: E402
from hang_cases import (  # noqa: E402
    MOST_MINUTES,
    REDUCED,
    REDUCED_RUNS,
    Case,
    Log,
    Seeded,
    is_left_out,
    new_runs,
    old_runs,
)
from hang_engines import PROGRAM, built_delays, facts, old_engine, say  # noqa: E402
from hang_runs import HANG_SECONDS, run_seed  # noqa: E402

from isobath.launch.installation import Installation  # noqa: E402
from isobath.launch.mpi_library import choose_library  # noqa: E402

OLD = "4185809"
"""The last commit whose loops could hang."""


def run_all(
    runs: list[Seeded], log: Log, start: Callable[[Seeded], dict[str, Any]], at_once: int
) -> None:
    """Those that are not finished, some at a time, each written down as it ends."""
    pending = [run for run in runs if run not in log.runs]
    under_way: dict[Future[dict[str, Any]], Seeded] = {}
    with ThreadPoolExecutor(at_once) as pool:
        while pending or under_way:
            if log.leaves_out():
                pending = [run for run in pending if not is_left_out(run)]
            while pending and len(under_way) < at_once:
                run = pending.pop(0)
                under_way[pool.submit(start, run)] = run
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                run = under_way.pop(future)
                outcome = future.result()
                log.add_run(run, outcome)
                left = len(pending) + len(under_way)
                words = f"{outcome['end']}, {outcome['seconds']} s; {left} left"
                say(f"{run.case}, seed {run.seed}: {words}")
            if not log.leaves_out():
                _foretell(runs, log, at_once)


def _foretell(runs: list[Seeded], log: Log, at_once: int) -> None:
    """Where the whole takes too long some of it is left out, and the log says so."""
    minutes = log.foretold_minutes(runs, at_once) if runs[0].case.engine == "new" else None
    if minutes is None or minutes <= MOST_MINUTES:
        return
    words = f"{minutes:.0f} minutes are foretold: {' and '.join(sorted(REDUCED))} take "
    words += f"{REDUCED_RUNS} runs at the smallest scale"
    log.add_note(words)
    say(words)


def show(log: Log) -> bool:
    """The counts; whether all is as it should be so far."""
    good = True
    for case in dict.fromkeys(run.case for run in [*old_runs(), *new_runs()]):
        ends = log.ends(case)
        print(f"{case!s:50} {_counts(ends) or 'not run'}")
        good = good and (case.engine == "old" or set(ends) <= {"done"})
    for plan in ("two-dim", "simple"):
        old = log.ends(Case(plan, "1x2", 14, 2, "old"))
        if old and not old.get("hang"):
            print(f"the old engine never hung with {plan}: these delays prove nothing")
            good = False
    for run, entry in log.runs.items():
        is_over_limit = "repeated_after" in entry or entry["seconds"] > HANG_SECONDS
        if run.case.engine == "new" and (entry["end"] != "done" or is_over_limit):
            print(f"{run.case}, seed {run.seed}: {entry}")
            good = good and "repeated_after" in entry
    for note in log.notes:
        print(f"session {note['session']}: {note['text']}")
    total = sum(run.case.engine == "new" for run in log.runs)
    asked = [run for run in new_runs() if not (log.leaves_out() and is_left_out(run))]
    print(f"{total} of {len(asked)} runs of this engine are finished")
    return good


def _counts(ends: dict[str, int]) -> str:
    return ", ".join(f"{number} {end}" for end, number in sorted(ends.items()))


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mpi", help="as for ./isobath")
    parser.add_argument("--old", default=OLD, metavar="COMMIT", help="the engine that could hang")
    parser.add_argument(
        "--engines", nargs="+", choices=("old", "new"), default=("old", "new"), help="to run"
    )
    parser.add_argument("--old-at-once", type=int, default=4, help="of its runs, which wait long")
    parser.add_argument("--at-once", type=int, default=1, help="runs of this engine")
    parser.add_argument("--show", action="store_true", help="count what is finished, run nothing")
    parser.add_argument("--time", action="store_true", help="time searches, old against new")
    parser.add_argument("--pairs", type=int, default=20, help="complete pairs of --time")
    parser.add_argument("--scale", type=int, default=18, help="of --time")
    return parser.parse_args()


def main() -> int:
    """Runs what is not finished, then counts."""
    asked = parse()
    log = Log()
    if asked.show:
        return 0 if show(log) else 1
    mpi = choose_library(Installation.here(), asked.mpi)
    new = mpi.program(PROGRAM)
    if asked.time:
        old = old_engine(mpi, asked.old)
        return hang_times.main(
            mpi,
            old,
            new,
            asked.old,
            pairs=asked.pairs,
            scale=asked.scale,
            at_once=asked.old_at_once,
        )
    delays = built_delays(mpi)
    log.add_session(facts(mpi, asked.old))
    if "old" in asked.engines:
        old = old_engine(mpi, asked.old)
        run_all(old_runs(), log, partial(run_seed, mpi, old, delays), asked.old_at_once)
    if "new" in asked.engines:
        run_all(new_runs(), log, partial(run_seed, mpi, new, delays), asked.at_once)
    return 0 if show(log) else 1


if __name__ == "__main__":
    sys.exit(main())
