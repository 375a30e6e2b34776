# SPDX-License-Identifier: Apache-2.0
"""The engine itself under SimGrid: what it is asked, and what its records tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from isobath.costmodel.grid import Grid
from isobath.errors import IsobathError
from isobath.kinds.simulate.model import StepFacts
from isobath.records.codec import read_records
from isobath.records.communication import CallCell
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord
from isobath.simulation.from_run import PASSIVE

ENGINE_NOTES = (
    "The engine searched: its graph, its data and its validation are real, ranks have one thread.",
    "A rank computes for the arcs it scans; generation, construction and validation cost nothing "
    "but their messages.",
)

ASKED = (
    "--scale", "--edgefactor", "--plan", "--grid", "--alpha", "--beta", "--exchange",
    "--duplicates", "--ids", "--dedup", "--frontier", "--fold", "--relabel", "--leaves",
    "--likely-parents", "--hubs", "--streams", "--overlap", "--direction",
)  # fmt: skip
"""Words of a run that change what is sent; each is followed by its value."""

Place = tuple[int, str, str, str]


@dataclass(frozen=True)
class EngineSearch:
    """A search by the engine itself, in the place of a schedule that is played."""

    grid: Grid
    words: tuple[str, ...]
    """what it is asked"""
    arc_seconds: float
    """that a rank computes for each arc it scans"""
    notes: tuple[str, ...] = ENGINE_NOTES
    flows: int = 0
    """nobody knows before it searches"""


def engine_words(argv: Sequence[str], root: int) -> tuple[str, ...]:
    """Of the same search as in the run, alone. Args: argv is how the engine was started there.

    >>> engine_words(["isobath-graph500", "--scale", "9", "--keys", "4", "--plan", "simple"], 7)
    ('--scale', '9', '--plan', 'simple', '--root', '7', '--warmup', '0')
    """
    kept = [word for name, value in pairwise(argv) if name in ASKED for word in (name, value)]
    return (*kept, "--root", str(root), "--warmup", "0")


def words_of_plan(scale: int, plan: str, grid: Grid, exchange: str | None) -> tuple[str, ...]:
    """Of a search that was not run, from its first key."""
    words = ("--scale", str(scale), "--plan", plan, "--grid", str(grid))
    asked = ("--exchange", exchange) if exchange else ()
    return (*words, *asked, "--keys", "1", "--warmup", "0")


def arc_seconds(records: RunRecords, search: int) -> float:
    """What a rank of the run computed for each arc it scanned: time of the levels outside of calls,
    by the arcs of a rank.
    """
    levels = [level for level in records.levels if level.search == search]
    cells = next(calls.cells for calls in records.calls if calls.search == search)
    seconds = sum(
        max(0.0, level.seconds - sum(c.seconds_mean for c in cells if c.level == level.level))
        for level in levels
    )
    arcs = sum(level.arcs_scanned for level in levels)
    return seconds * records.run.ranks / arcs if arcs else 0.0


@dataclass(frozen=True)
class Searched:
    """One search of the simulated engine, which ends with another code where a rule is broken."""

    search: SearchRecord
    cells: tuple[CallCell, ...]

    def steps(self, measured: Sequence[CallCell]) -> Iterator[StepFacts]:
        """Its calls, beside those of the run."""
        there = {_place(cell): cell.seconds_max for cell in measured}
        for cell in self.cells:
            yield StepFacts(
                level=cell.level, phase=cell.phase, call=cell.call,
                communicator=cell.communicator, calls=cell.calls, messages=cell.messages,
                bytes_sent=cell.bytes_sent, simulated_seconds_mean=cell.seconds_mean,
                simulated_seconds_max=cell.seconds_max,
                measured_seconds_max=there.get(_place(cell)),
            )  # fmt: skip


def searched(path: Path, measured: Sequence[CallCell]) -> tuple[Searched | None, str]:
    """From its records; and what is wrong with them.

    Args: measured: the ledger of the run, to which the bytes of every call have to be equal.
    """
    try:
        rows = read_records(path)
        records = RunRecords.of(rows)
    except IsobathError as error:
        return None, f"the engine wrote what is no record: {error}"
    if any(row.origin != "simulated" for row in rows):
        return None, "the engine was built with another MPI than SimGrid's; set up again"
    searches = records.timed_searches_of("bfs")
    if not searches or records.finish is None or not records.calls:
        return None, "the engine did not come to its end; its words are in stderr.txt"
    search = searches[0]
    cells = next(calls.cells for calls in records.calls if calls.search == search.index)
    done = Searched(search, cells)
    return done, differences(cells, measured) if measured else ""


def differences(cells: Sequence[CallCell], measured: Sequence[CallCell]) -> str:
    """Where the engine sent other bytes or messages than in the run; empty where nowhere."""
    here, there = _sent(cells), _sent(measured)
    for place in sorted(here.keys() | there.keys()):
        if here.get(place) != there.get(place):
            level, phase, call, _ = place
            words = [
                f"{sent[0]:,} bytes in {sent[1]:,} messages" if sent else "nothing"
                for sent in (here.get(place), there.get(place))
            ]
            return (
                f"{call} in {phase} of level {level} sent {words[0]}, and in the run {words[1]}; "
                "please report this"
            )
    return ""


def _place(cell: CallCell) -> Place:
    return (cell.level, str(cell.phase), str(cell.call), str(cell.communicator))


def _sent(cells: Sequence[CallCell]) -> dict[Place, tuple[int, int]]:
    return {
        _place(cell): (cell.bytes_sent, cell.messages) for cell in cells if cell.call not in PASSIVE
    }
