#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures every goal of benchmarks/goals.toml and prints one table: goal, achieved, interval.

Usage, on an idle machine, after ``./isobath setup``:

    .venv/bin/python benchmarks/goals.py                        ours alone, scales 20 to 24
    .venv/bin/python benchmarks/goals.py --scales 20 --rounds 5
    .venv/bin/python benchmarks/goals.py --scales 20 22 \\
        --riken "mpirun --bind-to none -n 2 /path/runnable {scale} -A -C -n 64" \\
        --gapbs "/path/bfs -f /path/s{scale}.sg -n 64" \\
        --gapbs-build "sh -c '.../isobath-edges --scale {scale} --output - | .../from_edges - -'" \\
        --gapbs-sssp "/path/sssp -f /path/s{scale}.wsg -d {delta} -n 64" \\
        --gapbs-sssp-build "sh -c '.../from_edges_weighted e{scale} w{scale} -'" \\
        --reference "mpirun -n 2 /path/graph500_reference_bfs {scale}"

Peers are built elsewhere; ``{scale}`` stands for the scale, ``{delta}`` for each of ``--deltas`` in
turn before the first round; the rounds take the fastest of them. A peer that is not named is
skipped, and so is a scale that was not asked for: the table says so. In every round ours and the
peers run once each, in an order that turns, so a slow minute falls on all alike. A figure is the
mean over rounds with Student's 95 % interval; where a peer is named, how many times as good as it:
the geometric mean of the ratios within a round with the interval of its logarithm. With one round
there is no interval. ``--gapbs-build`` prints GAPBS's own "Build Time" of the identical graph,
``--gapbs-sssp-build`` also the "Squish Time" that its searched graph takes. The reference's
generation time is for two processes (``--reference-cores``). Scale 26 takes 22 GB and hours, scale
25 for shortest paths nearly as much; they are measured only where they are named. Exit status 1
where a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

import grids  # noqa: E402
import walked_bytes  # noqa: E402
from peers import ratio_in_words  # noqa: E402

from isobath.stats.estimates import Estimate  # noqa: E402
from isobath.stats.intervals import estimate_interval  # noqa: E402

GOALS = ROOT / "benchmarks" / "goals.toml"
GIGA = 1e9
BYTES_OF_EDGE = 7
STREAM_GIGABYTES = 50.0
"""Of two threads that read, per second, on the machine that the goals were set on."""

SEARCHES = 64
"""That a construction is divided among."""
LINE = 80
"""Columns of the table; of them the two widest:"""
WHAT = 31
ACHIEVED = 25

PEER_PATTERNS = {
    "bfs_gteps": r"^(?:bfs\s+)?harmonic_mean_TEPS:[!\s]*([0-9.eE+-]+)",
    "search_seconds": r"^(?:(?:bfs\s+)?mean_time|Average Time):[!\s]*([0-9.eE+-]+)",
    "construction_seconds": r"^(?:construction_time|Build Time):\s*([0-9.eE+-]+)",
    "squish_seconds": r"^Squish Time:\s*([0-9.eE+-]+)",
    "generation_seconds": r"^graph_generation:\s*([0-9.eE+-]+)",
}
"""What peers print; GTEPS in TEPS."""

PEERS = ("riken", "gapbs", "gapbs_build", "gapbs_sssp", "gapbs_sssp_build", "reference")
DELTAS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1]
"""Around the best of GAPBS, on weights below 1 and 16 edges a vertex."""

Figures = dict[str, float]


@dataclass(frozen=True)
class Goal:
    """A bound for one figure at one scale."""

    what: str
    figure: str
    scale: int
    bound: float
    unit: str
    is_at_least: bool
    against: tuple[str, ...] = ()
    """peers, all of which are needed"""
    peer_figure: str = ""
    """of theirs, where it has another name than ours"""

    def is_met_by(self, value: float) -> bool:
        """Whether the figure keeps its bound."""
        return value >= self.bound if self.is_at_least else value <= self.bound


@dataclass
class Rounds:
    """What the rounds of one scale gave: figures of ours, and of every peer that was named."""

    ours: list[Figures] = field(default_factory=list)
    peers: dict[str, list[Figures]] = field(default_factory=dict)


def goals_of(path: Path) -> list[Goal]:
    """The goals, one for each scale. Raises: KeyError for a row that says too little."""
    found = []
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["goal"]:
        for scale, bound in row["scales"].items():
            found.append(
                Goal(
                    row["what"],
                    row["figure"],
                    int(scale),
                    float(bound),
                    row["unit"],
                    row["bound"] == "at_least",
                    tuple(row.get("against", ())),
                    row.get("peer_figure", row["figure"]),
                )
            )
    return found


def records_of(*words: str) -> tuple[list[dict[str, Any]], float]:
    """Records of one ./isobath run, and the seconds of the whole command."""
    with tempfile.TemporaryDirectory(prefix="isobath-goals-") as place:
        command = [str(ROOT / "isobath"), "run", *words, "--store", place, "--reports", place]
        began = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
        (path,) = Path(place).glob("*/records.jsonl")
        return [json.loads(line) for line in path.read_bytes().splitlines()], seconds


def figures_of_run(records: list[dict[str, Any]]) -> Figures:
    """What a run's records say.

    >>> figures_of_run([
    ...     {"kind": "construction", "seconds": 0.5, "generation_seconds": 0.1, "num_edges": 100},
    ...     {"kind": "search", "warmup": False, "seconds": 2e-9, "traversed_edges": 10},
    ...     {"kind": "finish", "peak_bytes_per_rank": [3_000_000_000]},
    ... ])["bfs_gteps"]
    5.0
    """
    (construction,) = [record for record in records if record["kind"] == "construction"]
    (finish,) = [record for record in records if record["kind"] == "finish"]
    searches = [r for r in records if r["kind"] == "search" and not r["warmup"]]
    per_edge = [search["seconds"] / search["traversed_edges"] for search in searches]
    checks = [s["validation"]["seconds"] for s in searches if s.get("validation")]
    figures = {
        "bfs_gteps": 1 / statistics.fmean(per_edge) / GIGA,
        "bfs_seconds": statistics.fmean(search["seconds"] for search in searches),
        "construction_seconds": construction["seconds"],
        "generation_seconds": construction["generation_seconds"],
        "peak_gigabytes": sum(finish["peak_bytes_per_rank"]) / GIGA,
    }
    if checks:
        streamed = BYTES_OF_EDGE * construction["num_edges"] / (STREAM_GIGABYTES * GIGA)
        figures["validation_milliseconds"] = statistics.median(checks) * 1e3
        figures["validation_of_streaming"] = statistics.median(checks) / streamed
    return figures


def of_shortest_paths(prefix: str, *options: str) -> Callable[[int], Figures]:
    """64 keys for shortest paths, validated; figures begin with ``prefix``."""

    def measure(scale: int) -> Figures:
        words = ("--scale", str(scale), "--kernel", "sssp", *options, "--no-report")
        found = figures_of_run(records_of(*words)[0])
        seconds = found["bfs_seconds"]
        return {
            f"{prefix}_gteps": found["bfs_gteps"],
            f"{prefix}_seconds": seconds,
            f"{prefix}_whole_seconds": found["construction_seconds"] + SEARCHES * seconds,
            f"{prefix}_validation_milliseconds": found["validation_milliseconds"],
        }

    return measure


def of_weighted_construction(scale: int) -> Figures:
    """What weights, and then pruning, add to construction."""

    def seconds(*options: str) -> float:
        words = ("--scale", str(scale), "--keys", "1", "--no-validation", *options, "--no-report")
        return figures_of_run(records_of(*words)[0])["construction_seconds"]

    unweighted = seconds()
    all_edges = seconds("--kernel", "sssp", "--sssp-plan", "delta-stepping")
    return {
        "weighted_construction_ratio": all_edges / unweighted,
        "pruned_construction_ratio": seconds("--kernel", "sssp") / unweighted,
    }


def of_memory_for_paths(scale: int) -> Figures:
    """Peak memory of shortest paths, edges and weights in memory."""
    words = ("--scale", str(scale), "--kernel", "sssp", "--keys", "4", "--no-report")
    return {"sssp_peak_gigabytes": figures_of_run(records_of(*words)[0])["peak_gigabytes"]}


def of_two_threads(scale: int) -> Figures:
    """64 keys, validated, as users run it."""
    return figures_of_run(records_of("--scale", str(scale), "--no-report")[0])


def of_one_thread(scale: int) -> Figures:
    """The same on one thread: its rates."""
    words = ("--scale", str(scale), "--threads", "1", "--no-report")
    figures = figures_of_run(records_of(*words)[0])
    return {
        "bfs_gteps_of_one_thread": figures["bfs_gteps"],
        "generation_seconds_of_one_thread": figures["generation_seconds"],
    }


def of_official_run(scale: int) -> Figures:
    """The whole command with its report."""
    return {"official_seconds": records_of("--scale", str(scale), "--official")[1]}


def of_other_storage(storage: str, name: str) -> Callable[[int], Figures]:
    """Peak memory with the edges elsewhere."""

    def measure(scale: int) -> Figures:
        words = ("--scale", str(scale), "--keys", "4", "--edges", storage, "--no-report")
        return {name: figures_of_run(records_of(*words)[0])["peak_gigabytes"]}

    return measure


MEASUREMENTS: list[tuple[set[str], Callable[[int], Figures]]] = [
    (
        {
            "bfs_gteps",
            "bfs_seconds",
            "construction_seconds",
            "validation_milliseconds",
            "validation_of_streaming",
            "peak_gigabytes",
        },
        of_two_threads,
    ),
    ({"bfs_gteps_of_one_thread", "generation_seconds_of_one_thread"}, of_one_thread),
    ({"official_seconds"}, of_official_run),
    ({"peak_gigabytes_with_file"}, of_other_storage("file", "peak_gigabytes_with_file")),
    (
        {"peak_gigabytes_regenerated"},
        of_other_storage("regenerate", "peak_gigabytes_regenerated"),
    ),
    *(
        (
            {
                f"{prefix}_{figure}"
                for figure in ("gteps", "seconds", "whole_seconds", "validation_milliseconds")
            },
            of_shortest_paths(prefix, *options),
        )
        for prefix, options in (
            ("sssp", ()),
            ("sssp_unpruned", ("--sssp-plan", "delta-stepping")),
        )
    ),
    ({"weighted_construction_ratio", "pruned_construction_ratio"}, of_weighted_construction),
    ({"sssp_peak_gigabytes"}, of_memory_for_paths),
]
"""Figures, and what measures them."""


def figures_of_peer(output: str, cores: int = 1) -> Figures:
    """What a peer printed, by the names of our figures.

    >>> figures_of_peer("harmonic_mean_TEPS:   3e9\\nconstruction_time:    8.5\\n")
    {'bfs_gteps': 3.0, 'construction_seconds': 8.5}
    >>> figures_of_peer("graph_generation:  3.0", cores=2)["generation_seconds_of_one_thread"]
    6.0
    """
    found = {}
    for name, pattern in PEER_PATTERNS.items():
        matches = re.findall(pattern, output, re.MULTILINE)
        if matches:
            found[name] = float(matches[-1]) / (GIGA if name == "bfs_gteps" else 1)
    if "generation_seconds" in found:
        found["generation_seconds_of_one_thread"] = found.pop("generation_seconds") * cores
    return found


def measure_peer(name: str, command: str, scale: int, cores: int) -> Figures:
    """Runs a peer once. Raises: SystemExit where it fails or says nothing that is known."""
    words = shlex.split(command.replace("{scale}", str(scale)))
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    found = figures_of_peer(done.stdout + "\n" + done.stderr, cores)
    if done.returncode != 0 or not found:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-5:])
        raise SystemExit(f"{name} failed or printed no known figure: {shlex.join(words)}\n{tail}")
    return found


def with_best_delta(name: str, command: str, scale: int, deltas: list[float]) -> str:
    """The command with the delta whose searches were fastest; as it is where it has none."""
    if "{delta}" not in command:
        return command
    found = {}
    for delta in deltas:
        tried = command.replace("{delta}", f"{delta:g}")
        found[delta] = measure_peer(name, tried, scale, 1)["search_seconds"]
        say(f"scale {scale}: {name} with delta {delta:g}: {found[delta]:.4g} s a search")
    return command.replace("{delta}", f"{min(found, key=lambda delta: found[delta]):g}")


def run_rounds(
    goals: list[Goal], peers: dict[str, str], rounds: int, cores: int, deltas: list[float]
) -> Rounds:
    """Ours and the peers in turns, at the one scale of `goals`."""
    scale = goals[0].scale
    asked = [goal for goal in goals if set(goal.against) <= set(peers)]
    wanted = {goal.figure for goal in asked}
    needed = sorted({name for goal in asked for name in goal.against})
    commands = {name: with_best_delta(name, peers[name], scale, deltas) for name in needed}

    def ours() -> Figures:
        figures: Figures = {}
        for names, measure in MEASUREMENTS:
            if names & wanted:
                figures |= measure(scale)
        return figures

    found = Rounds(peers={name: [] for name in needed})
    for number in range(rounds):
        turns = ["isobath", *needed]
        turn = number % len(turns)
        for name in [*turns[turn:], *turns[:turn]]:
            say(f"scale {scale}, round {number + 1}: {name}")
            if name == "isobath":
                found.ours.append(ours())
            else:
                found.peers[name].append(measure_peer(name, commands[name], scale, cores))
    return found


def of_peers(goal: Goal, peers: dict[str, list[Figures]]) -> list[float]:
    """What the peers of a goal took, round by round.

    >>> goal = Goal("", "whole", 20, 1, "x", True, ("search", "build"), "whole_seconds")
    >>> of_peers(
    ...     goal,
    ...     {
    ...         "search": [{"search_seconds": 0.5}],
    ...         "build": [{"construction_seconds": 2.0, "squish_seconds": 1.0}],
    ...     },
    ... )
    [35.0]
    """
    if goal.peer_figure != "whole_seconds":
        return [one[goal.peer_figure] for one in peers[goal.against[0]]]
    search, build = goal.against
    return [
        SEARCHES * s["search_seconds"] + b["construction_seconds"] + b.get("squish_seconds", 0)
        for s, b in zip(peers[search], peers[build], strict=True)
    ]


def ratio(goal: Goal, ours: list[float], theirs: list[float]) -> tuple[float, str]:
    """How many times as good as a peer's ours is."""
    is_time = "seconds" in goal.figure
    words = ratio_in_words(ours, theirs, lower_is_better=is_time)
    times = statistics.geometric_mean(a / b for a, b in zip(ours, theirs, strict=True))
    return (1 / times if is_time else times), words


def achieved(goal: Goal, rounds: Rounds) -> tuple[float, str]:
    """The figure of a goal and how it is written, with its interval."""
    ours = [figures[goal.figure] for figures in rounds.ours]
    if goal.against:
        return ratio(goal, ours, of_peers(goal, rounds.peers))
    mean = statistics.fmean(ours)
    words = f"{mean:.3g}"
    if len(ours) > 1:
        error = statistics.stdev(ours) / len(ours) ** 0.5
        interval = estimate_interval(Estimate(mean, len(ours), error))
        words += f" ({interval.low:.3g} to {interval.high:.3g})" if interval else ""
    return mean, words


def line(what: str, scale: str, bound: str, achieved: str, verdict: str) -> str:
    """A row within 80 columns: what does not fit into its column goes on below.

    >>> print(line("peak memory", "26", "<= 24 GB", "21.8 (21.7 to 21.9)", "met"))
    peak memory                     26 <= 24 GB     21.8 (21.7 to 21.9)       met
    """
    first, *more = textwrap.wrap(what, WHAT) or [""]
    text = f"{first:{WHAT}} {scale:>2} {bound:12} {achieved:{ACHIEVED}} {verdict}".rstrip()
    return "\n".join([text, *(f"  {words}" for words in more)])


def row(goal: Goal, rounds: Rounds | None, peers: dict[str, str]) -> tuple[str, bool]:
    """A line of the table, and whether the goal is missed."""
    bound = f"{'>=' if goal.is_at_least else '<='} {goal.bound:g} {goal.unit}"
    head = goal.what, str(goal.scale), bound
    for peer in goal.against:
        if peer not in peers:
            return line(*head, f"--{peer.replace('_', '-')} is not given", ""), False
    if rounds is None:
        return line(*head, "scale not asked for", ""), False
    value, words = achieved(goal, rounds)
    is_met = goal.is_met_by(value)
    return line(*head, words, "met" if is_met else "MISSED"), not is_met


def say(words: str) -> None:
    """Progress."""
    print(words, file=sys.stderr, flush=True)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scales", type=int, nargs="+", default=[20, 22, 24])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--goals", type=Path, default=GOALS, help="another table")
    parser.add_argument("--only", help="only goals whose figure has this in its name (grids: row)")
    for peer in PEERS:
        option = f"--{peer.replace('_', '-')}"
        parser.add_argument(option, metavar="COMMAND", help="as above; {scale} is the scale")
    parser.add_argument(
        "--deltas", type=float, nargs="+", default=DELTAS, help="that {delta} of a peer stands for"
    )
    parser.add_argument("--reference-cores", type=int, default=2)
    parser.add_argument("--grids", action="store_true", help="grids against each other (grids.py)")
    parser.add_argument(
        "--bytes-grids", nargs="*", default=["4x4"], help="with --grids: whose bytes are counted"
    )
    parser.add_argument("--list", action="store_true", help="the figures there are")
    return parser.parse_args()


def of_grids(wanted: argparse.Namespace) -> int:
    """Measures grids against each other, and prints their table."""
    rows = []
    only = wanted.only or ""
    for scale in wanted.scales:
        found = grids.measured(scale, wanted.rounds, only, records_of, say)
        rows += grids.ratio_rows(scale, only, found, line)
    rows += grids.byte_rows(wanted.bytes_grids, only, records_of, line)
    rows += walked_bytes.rows(only, line)
    print(line("goal", "2^", "bound", "achieved (95 %)", ""), "-" * LINE, sep="\n")
    print("\n".join(text for text, _ in rows))
    return 1 if any(is_missed for _, is_missed in rows) else 0


def main() -> int:
    """Measures and prints."""
    wanted = parse()
    if wanted.list:
        print("\n".join(sorted(name for names, _ in MEASUREMENTS for name in names)))
        return 0
    if wanted.grids:
        return of_grids(wanted)
    named = {name: getattr(wanted, name) for name in PEERS}
    peers = {name: command for name, command in named.items() if command}
    goals = [goal for goal in goals_of(wanted.goals) if (wanted.only or "") in goal.figure]
    rounds: dict[int, Rounds] = {}
    for scale in wanted.scales:
        of_scale = [goal for goal in goals if goal.scale == scale]
        if of_scale:
            rounds[scale] = run_rounds(
                of_scale, peers, max(1, wanted.rounds), wanted.reference_cores, wanted.deltas
            )
    print(line("goal", "2^", "bound", "achieved (95 %)", ""), "-" * LINE, sep="\n")
    missed = 0
    for goal in goals:
        text, is_missed = row(goal, rounds.get(goal.scale), peers)
        missed += is_missed
        print(text)
    return 1 if missed else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
