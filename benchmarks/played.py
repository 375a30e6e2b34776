# SPDX-License-Identifier: Apache-2.0
"""Simulated figures of `reproduce`: schedules that SimGrid plays, what is kept of them, one file.

`main` is that of deck_figures.py, k_figures.py and tsubame_figures.py: `run` simulates what is not
in the store yet, `read` writes the file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.simulate.files import simulation_in, write_files
from isobath.launch.interrupts import NeverStop
from isobath.launch.limits import NOTHING_ASKED, of_silent_program
from isobath.launch.simgrid import find_simgrid
from isobath.launch.simgrid import simulate as simulate_files
from isobath.prediction.calls import Layout
from isobath.records.codec import decode
from isobath.records.skeleton import SkeletonRecord
from isobath.settings.toml import toml_value
from isobath.simulation.platform import Platform
from isobath.simulation.schedule import Schedule
from isobath.simulation.simgrid import message_costs, options


def play(
    schedule: Schedule,
    platform: Platform,
    layout: Layout,
    kept: Path,
    algorithms: Sequence[str] = (),
) -> int:
    """The exit code of the simulation; its file is there only where it ended well.

    Args: algorithms: forced ones, as ``allgather:rdb``; the others are MPICH's.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        of_simulator = options(platform, algorithms=algorithms)
        simulation = simulation_in(
            folder, schedule.grid.size, of_simulator, "figure",
            message_costs=message_costs(platform),
        )  # fmt: skip
        write_files(simulation, schedule, platform, layout)
        outcome, _ = simulate_files(
            simulation, find_simgrid(), stdout=folder / "out", stderr=folder / "err",
            limits=of_silent_program(NOTHING_ASKED), interrupts=NeverStop(),
        )  # fmt: skip
        if outcome.exit_code == ExitCode.DONE:
            kept.write_text((folder / "out").read_text(encoding="utf-8"), encoding="utf-8")
    return int(outcome.exit_code)


def steps_of(kept: Path) -> tuple[SkeletonRecord, ...] | None:
    """One for each step; None where it was not simulated."""
    if not kept.is_file():
        return None
    rows = []
    for line in kept.read_text(encoding="utf-8").splitlines():
        record = decode(line)
        assert isinstance(record, SkeletonRecord)
        rows.append(record)
    return tuple(rows)


Item = TypeVar("Item")
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Kind(Generic[Item, Kept]):
    """Items that are simulated alike, and where."""

    items: tuple[Item, ...]
    found: Callable[[Path], Mapping[Item, Kept]]
    """in a store"""
    simulate: Callable[[Item, Path], int]
    """into a store; returns the exit code"""


def main(
    words: Iterable[str],
    about: str | None,
    kinds: Sequence[Kind[Any, Any]],
    lines: Callable[..., Iterator[str]],
) -> int:
    """The exit code. Args: about is the doc of the script; lines writes the file from what was
    found of each kind. A store that has not all of them ends in a sentence.
    """
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "read"))
    parser.add_argument("store", type=Path)
    asked = parser.parse_args(list(words))
    try:
        if asked.what == "run":
            return max(_run(kind, asked.store) for kind in kinds)
        for line in lines(*(kind.found(asked.store) for kind in kinds)):
            print(line)
    except EnvironmentProblem as problem:
        sys.exit(str(problem))
    return 0


def _run(kind: Kind[Any, Any], store: Path) -> int:
    code, found = 0, kind.found(store)
    for item in kind.items:
        if item not in found:
            print(item, file=sys.stderr, flush=True)
            code = max(code, kind.simulate(item, store))
    return code


def require_all(items: Iterable[object], found: Collection[object]) -> None:
    """Raises: EnvironmentProblem naming the first that was not simulated."""
    missing = [item for item in items if item not in found]
    if missing:
        raise EnvironmentProblem(f"{missing[0]} was not simulated; run it first")


def head_of(script: str, words: str, digest: str, simgrid: str) -> list[str]:
    """The first lines of a file."""
    return [
        "# SPDX-License-Identifier: Apache-2.0",
        f"# Written by benchmarks/{script}. {words}",
        f'platform_digest = "{digest}"',
        f'simgrid = "{simgrid}"',
    ]


def table_of(name: str, **values: str | float) -> list[str]:
    """A table of an array of tables, as TOML."""
    lines = ["", f"[[{name}]]"]
    for key, value in values.items():
        text = f"{value:.6g}" if isinstance(value, float) else toml_value(value)
        lines.append(f"{key} = {text}")
    return lines
