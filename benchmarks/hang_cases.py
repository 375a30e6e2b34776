# SPDX-License-Identifier: Apache-2.0
"""What benchmarks/hangs.py runs, in which order, and the file of what is finished."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

LOG = Path(__file__).resolve().parent / "hangs" / "runs.jsonl"

Engine = Literal["new", "old"]
End = Literal["done", "hang", "slow", "late", "failed"]
"""slow: after the longest limit there was still something else than spinning; late: it ended, but
longer after the limit than anybody looked"""

SHAPES = (
    ("two-dim", "1x2"),
    ("simple", "1x2"),
    ("two-dim", "2x2"),
    ("simple", "1x4"),
    ("two-dim", "4x2"),
    ("simple", "1x6"),
    ("two-dim", "3x3"),
)
THREADS = (2, 3)
RUNS = {10: 100, 14: 10, 18: 3}
"""By scale, of each shape and number of threads."""

FIRST_ROUND = {10: 0, 14: 1, 18: 5}
"""When a scale begins; small graphs first, so that every shape is soon among what is finished."""

EVERY = {10: 1, 14: 1, 18: 5}

OLD_RUNS = 20
FORETELLING = 5
"""runs of each case at the smallest scale, from which the time of all is foretold"""

UNKNOWN_SCALE = 4.0
MOST_MINUTES = 60.0
REDUCED = {"4x2", "3x3"}
REDUCED_RUNS = 30
"""of 100, where the whole would take longer"""


@dataclass(frozen=True)
class Case:
    """One configuration; a seed makes it a run."""

    plan: str
    grid: str
    scale: int
    threads: int
    engine: Engine = "new"

    @property
    def ranks(self) -> int:
        """Of the grid."""
        rows, cols = self.grid.split("x")
        return int(rows) * int(cols)

    @property
    def shape(self) -> str:
        """In words."""
        return f"{self.plan} on {self.grid}"

    def __str__(self) -> str:
        engine = "" if self.engine == "new" else "old engine, "
        return f"{engine}{self.shape}, {self.threads} threads, scale {self.scale}"


@dataclass(frozen=True)
class Seeded:
    """One run."""

    case: Case
    seed: int


def old_runs() -> list[Seeded]:
    """Those that the engine before the mend must not all end."""
    cases = [Case(plan, "1x2", 14, 2, "old") for plan in ("two-dim", "simple")]
    return [Seeded(case, seed) for seed in range(1, OLD_RUNS + 1) for case in cases]


def new_runs() -> list[Seeded]:
    """All of this engine, in rounds over the shapes.

    >>> len(new_runs())
    1582
    """
    return list(_in_rounds())


def _in_rounds() -> Iterator[Seeded]:
    for number in range(max(RUNS.values())):
        for scale, runs in RUNS.items():
            passed, rest = divmod(number - FIRST_ROUND[scale], EVERY[scale])
            if rest or not 0 <= passed < runs:
                continue
            for plan, grid in SHAPES:
                for threads in THREADS:
                    yield Seeded(Case(plan, grid, scale, threads), passed + 1)


def is_left_out(run: Seeded) -> bool:
    """Whether a reduced set has no place for it."""
    return (
        run.case.engine == "new"
        and run.case.grid in REDUCED
        and run.case.scale == min(RUNS)
        and run.seed > REDUCED_RUNS
    )


class Log:
    """The JSON-lines file: what a session runs with, then its runs as they end."""

    def __init__(self, path: Path = LOG) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        entries = [json.loads(line) for line in lines]
        self.sessions = [one for one in entries if one["kind"] == "session"]
        self.notes = [one for one in entries if one["kind"] == "note"]
        self.session = max((one["session"] for one in self.sessions), default=0)
        self.runs = {_run_of(one): one for one in entries if one["kind"] == "run"}

    def add_session(self, facts: dict[str, Any]) -> None:
        """From here on runs are those of a new session."""
        self.session = 1 + max((one["session"] for one in self.sessions), default=0)
        session = {"kind": "session", "session": self.session, **facts}
        self.sessions.append(session)
        self._write(session)

    def add_note(self, text: str) -> None:
        """That this session leaves runs out, and why."""
        note = {"kind": "note", "session": self.session, "text": text}
        self.notes.append(note)
        self._write(note)

    def leaves_out(self) -> bool:
        """Whether a session foretold that there is no time for all runs of the largest shapes.

        Those that go on from it keep to that: they would run what it had left out.
        """
        return bool(self.notes)

    def add_run(self, run: Seeded, outcome: dict[str, Any]) -> None:
        """One that is finished."""
        case = run.case
        entry = {
            "kind": "run",
            "session": self.session,
            "engine": case.engine,
            "plan": case.plan,
            "grid": case.grid,
            "scale": case.scale,
            "threads": case.threads,
            "seed": run.seed,
            **outcome,
        }
        self.runs[run] = entry
        self._write(entry)

    def ends(self, case: Case) -> dict[str, int]:
        """How many runs of a case ended how."""
        found: dict[str, int] = {}
        for run, entry in self.runs.items():
            if run.case == case:
                found[entry["end"]] = found.get(entry["end"], 0) + 1
        return found

    def foretold_minutes(self, runs: list[Seeded], at_once: int) -> float | None:
        """What all of ``runs`` take, by what this session has run of every case.

        A run of a scale of which nothing is known takes four times as long as one of the scale
        before. None until the smallest scale of every case was run often enough.
        """
        known: dict[Case, list[float]] = {}
        for run, entry in self.runs.items():
            if entry["session"] == self.session:
                known.setdefault(run.case, []).append(float(entry["seconds"]))
        total = 0.0
        for case, number in Counter(run.case for run in runs).items():
            seconds = _foretold_seconds(case, known)
            if seconds is None:
                return None
            total += seconds * number
        return total / 60 / at_once

    def _write(self, entry: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _run_of(entry: dict[str, Any]) -> Seeded:
    case = Case(entry["plan"], entry["grid"], entry["scale"], entry["threads"], entry["engine"])
    return Seeded(case, entry["seed"])


def _foretold_seconds(case: Case, known: dict[Case, list[float]]) -> float | None:
    smaller = [scale for scale in sorted(RUNS, reverse=True) if scale <= case.scale]
    for steps, scale in enumerate(smaller):
        seconds = known.get(replace(case, scale=scale), [])
        if len(seconds) >= (FORETELLING if scale == min(RUNS) else 1):
            return statistics.fmean(seconds) * UNKNOWN_SCALE**steps
    return None
