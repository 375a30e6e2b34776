#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each idea of the search brings, one on top of the other: the ladder from plain top-down up.

Usage, on an idle machine, after ``./isobath setup``:

    .venv/bin/python benchmarks/ladder.py
    .venv/bin/python benchmarks/ladder.py --scale 18 --graphs road grid --rounds 5
    .venv/bin/python benchmarks/ladder.py --gapbs "/path/bfs -f {graph} -n 64"

On the Graph500 graph and on three without its luck (benchmarks/other_graphs.py: 2D grid, road-like
with high diameter, uniform random) the same roots are searched with plain top-down in portable code
on small pages, then with one thing more at a time: direction, relabelling by degree class, leaves
out, streams, families of hubs, vectors, huge pages; the last step is the search as it is by
default. A gain is the time of the step before over that of the step, a mean over roots paired root
by root, with Student's 95 % interval.
In every round all steps run once, in an order that turns. Before, each step searches from two roots
whose results are validated; the rounds are not validated, as a peer's are not.

With ``--gapbs`` the last line of a graph says how many times as fast as GAPBS the whole search is:
a .sg of the identical graph stands for ``{graph}``, the mean time of its searches is read, the
ratio is the geometric mean over rounds with the interval of its logarithm. "loses" stands where
even the upper end is below 1.

Exit status 1 where a search was wrong or Isobath loses. ``--folder`` keeps the graphs, 0.3 GB at
scale 20; those that are there already are taken as they are.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

import other_graphs  # noqa: E402
from peers import figures_of, ratio_in_words  # noqa: E402

from isobath.launch.installation import Installation  # noqa: E402
from isobath.launch.mpi_library import choose_library  # noqa: E402
from isobath.stats.intervals import estimate_interval  # noqa: E402
from isobath.stats.ratios import ratio_of_means  # noqa: E402

GRAPH500 = "graph500"
KINDS = (GRAPH500, *other_graphs.KINDS)
PEER = "GAPBS"
PORTABLE = {"ISOBATH_INSTRUCTION_SET": "portable"}


@dataclass(frozen=True)
class Step:
    """What is set, on top of all steps before it."""

    name: str
    options: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


STEPS = (
    Step(
        "plain top-down",
        {"direction": "top-down", "relabel": "off", "leaves": "in", "streams": "off"}
        | {"huge-pages": "off"},
        PORTABLE,
    ),
    Step("+ direction", {"direction": "policy"}),
    Step("+ relabelling", {"relabel": "classes"}),
    Step("+ leaves out", {"leaves": "out"}),
    Step("+ streams", {"streams": "on"}),
    Step("+ families of hubs", {"relabel": "on"}),
    Step("+ vectors", variables={"ISOBATH_INSTRUCTION_SET": ""}),
    Step("+ huge pages", {"huge-pages": "on"}),
)


def climb() -> list[Step]:
    """Every step with all that is set when it is reached.

    >>> climb()[1].options["direction"], climb()[1].options["streams"]
    ('policy', 'off')
    """
    found: list[Step] = []
    for step in STEPS:
        before = found[-1] if found else Step("")
        options = before.options | step.options
        found.append(Step(step.name, options, before.variables | step.variables))
    return found


@dataclass
class Searched:
    """What one step's searches took: by root, and on average in each round."""

    seconds: dict[int, list[float]] = field(default_factory=dict)
    rounds: list[float] = field(default_factory=list)
    levels: float = 0
    """of the two searches that were validated"""

    def add(self, searches: list[dict[str, Any]]) -> None:
        """The timed searches of one run."""
        for one in searches:
            self.seconds.setdefault(one["root"], []).append(one["seconds"])
        self.rounds.append(statistics.fmean(one["seconds"] for one in searches))

    def by_root(self) -> list[float]:
        """The mean over rounds for each root, in order of roots."""
        return [statistics.fmean(self.seconds[root]) for root in sorted(self.seconds)]


class Engine:
    """Runs isobath-search on one graph."""

    def __init__(self, folder: Path, graph: Path, keys: int, threads: int | None) -> None:
        self.program = folder / "isobath-search"
        self.words = [str(graph), "--format", "sg"]
        self.keys = keys
        if threads:
            self.words += ["--threads", str(threads)]

    def run(self, step: Step, *, validated: bool) -> list[dict[str, Any]]:
        """The timed searches' records. Raises: SystemExit where one fails or is wrong."""
        options = [f"--{name}={value}" for name, value in step.options.items()]
        options += ["--keys", "2" if validated else str(self.keys)]
        options += [] if validated else ["--no-validation"]
        with tempfile.TemporaryDirectory(prefix="isobath-ladder-") as place:
            records = Path(place) / "records.jsonl"
            command = [str(self.program), *self.words, *options, "--record", str(records)]
            done = subprocess.run(
                command,
                env=os.environ | step.variables,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                raise SystemExit(f"{shlex.join(command)}: {done.returncode}\n{done.stderr}")
            found = [json.loads(line) for line in records.read_bytes().splitlines()]
        return [one for one in found if one["kind"] == "search" and not one["warmup"]]


def measure_peer(command: str, graph: Path) -> float:
    """Mean seconds of its searches. Raises: SystemExit where it fails or does not say them."""
    words = shlex.split(command.replace("{graph}", str(graph)))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    found = figures_of(done.stdout)
    if done.returncode != 0 or "seconds" not in found:
        raise SystemExit(f"GAPBS failed or printed no average time: {shlex.join(words)}")
    return found["seconds"]


def climbed(engine: Engine, rounds: int, gapbs: str | None, graph: Path) -> dict[str, Searched]:
    """All steps, and the peer where there is one, in turns."""
    steps = {step.name: step for step in climb()}
    found = {name: Searched() for name in [*steps, *([PEER] if gapbs else [])]}
    for name, step in steps.items():
        say(f"{graph.stem}: {name}, validated")
        checked = engine.run(step, validated=True)
        found[name].levels = statistics.fmean(len(one["vertices_per_level"]) for one in checked)
    names = list(found)
    for number in range(rounds):
        turn = number % len(names)
        for name in [*names[turn:], *names[:turn]]:
            say(f"{graph.stem}, round {number + 1} of {rounds}: {name}")
            if name in steps:
                found[name].add(engine.run(steps[name], validated=False))
            elif gapbs:
                found[name].rounds.append(measure_peer(gapbs, graph))
    return found


def gain(before: Searched, after: Searched) -> str:
    """How many times as fast, with its interval over the roots."""
    ratio = ratio_of_means(before.by_root(), after.by_root(), paired=True)
    within = estimate_interval(ratio)
    words = f"{ratio.value:.2f}"
    return f"{words} ({within.low:.2f} to {within.high:.2f})" if within else words


def against(whole: Searched, peer: Searched) -> tuple[str, bool]:
    """How many times as fast as the peer; whether even the interval's upper end is a loss."""
    words = ratio_in_words(whole.rounds, peer.rounds, lower_is_better=True)
    upper = float(re.findall(r"[0-9.]+", words)[-1])
    return words, upper < 1


def rows(kind: str, found: dict[str, Searched]) -> tuple[list[str], bool]:
    """The lines of one graph, and whether Isobath loses on it."""
    names = [name for name in found if name != PEER]
    levels = found[names[-1]].levels
    lines = []
    for i, name in enumerate(names):
        gained = gain(found[names[i - 1]], found[name]) if i else ""
        head = f"{kind}, {levels:.0f} levels" if i == 0 else ""
        lines.append(f"| {head} | {name} | {milliseconds(found[name])} | {gained} |")
    whole = gain(found[names[0]], found[names[-1]])
    lines.append(f"| | whole ladder | | {whole} |")
    if PEER not in found:
        return lines, False
    words, loses = against(found[names[-1]], found[PEER])
    verdict = ", loses" if loses else ""
    lines.append(f"| | {PEER} | {milliseconds(found[PEER])} | against it: {words}{verdict} |")
    return lines, loses


def milliseconds(searched: Searched) -> str:
    """The mean search."""
    return f"{statistics.fmean(searched.rounds) * 1e3:.4g}"


def graph500_graph(engine: Path, scale: int) -> other_graphs.Graph:
    """The Graph500 graph, its edges listed once."""
    with tempfile.TemporaryDirectory(prefix="isobath-ladder-") as place:
        edges = Path(place) / "edges"
        command = [str(engine / "isobath-edges"), "--scale", str(scale), "--output", str(edges)]
        subprocess.run(command, check=True)
        pairs = np.fromfile(edges, dtype="<i8").reshape(-1, 2)
    return other_graphs.Graph.of(1 << scale, pairs[:, 0], pairs[:, 1])


def graph_file(kind: str, scale: int, folder: Path, engine: Path) -> Path:
    """The .sg of a graph, written where it is not there yet."""
    path = folder / f"{kind}-{scale}.sg"
    if not path.exists():
        say(f"writing {path}")
        whole = (
            graph500_graph(engine, scale) if kind == GRAPH500 else other_graphs.make(kind, scale)
        )
        partial = path.with_suffix(".partial.sg")
        other_graphs.write(whole, partial)
        partial.rename(path)
    return path


def say(words: str) -> None:
    """Progress."""
    print(words, file=sys.stderr, flush=True)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", type=int, default=20, help="log2 of the vertices")
    parser.add_argument("--graphs", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--keys", type=int, default=64, help="roots")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, help="default: all processors")
    parser.add_argument("--gapbs", metavar="COMMAND", help="{graph} is the .sg of the graph")
    parser.add_argument("--folder", type=Path, help="keeps the graphs")
    parser.add_argument("--engine", type=Path, help="bin/ of another build of the engine")
    return parser.parse_args()


def main() -> int:
    """Measures and prints."""
    wanted = parse()
    engine = wanted.engine
    if engine is None:
        engine = choose_library(Installation.here(), None).program("isobath-search").parent
    has_lost = False
    print("| graph | search | ms | times as fast as the step before (95 %) |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="isobath-ladder-") as place:
        folder = wanted.folder or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        for kind in wanted.graphs:
            path = graph_file(kind, wanted.scale, folder, engine)
            searches = Engine(engine, path, max(1, wanted.keys), wanted.threads)
            found = climbed(searches, max(1, wanted.rounds), wanted.gapbs, path)
            lines, loses = rows(kind, found)
            print("\n".join(lines), flush=True)
            has_lost |= loses
    return 1 if has_lost else 0


if __name__ == "__main__":
    sys.exit(main())
