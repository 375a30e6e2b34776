# SPDX-License-Identifier: Apache-2.0
"""Parts of searches with their bytes, messages and edges: what models of time look at.

A call on one communicator in one phase of one level, all calls of a phase of a level, a level, a
search: each the mean over the searches that made it. The time of calls is that after the last rank
came, for waiting is nobody's transfer; that of levels and searches is all of it.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from isobath.comparison.measured import Cell, Taken, Value, pooled
from isobath.kinds.run.cells import cells_of, numbers_of
from isobath.records.communication import CallCell
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord
from isobath.report.wording import phase_name
from isobath.store.folders import RunFolder

ALL_CALLS = "all calls"


def parts_of(records: RunRecords, folder: RunFolder, *, turn: Hashable = None) -> tuple[Cell, ...]:
    """Of one launch. Args: turn as of ``cells_of``."""
    cells = cells_of(records, folder, turn=turn)
    whole = next((cell for cell in cells if cell.scale == "TEPS"), None)
    if whole is None or "bfs" not in records.kernels:
        return ()
    base = _Base(records, whole, turn)
    parts = (*_calls(base), *_levels(base), *_search(base))
    return pooled(part for part in parts if part.taken)


@dataclass(frozen=True)
class _Base:
    """What all parts of a launch share."""

    records: RunRecords
    whole: Cell
    """its search, whose identity parts have"""
    turn: Hashable

    def part(
        self,
        subject: str,
        title: str,
        seconds: float,
        numbers: Mapping[str, float],
        identity: Mapping[str, Value],
    ) -> Cell:
        name = self.records.run.run_id
        return replace(
            self.whole,
            title=title,
            scale="seconds",
            taken=(Taken(seconds, name, self.turn),) if seconds > 0 else (),
            zooms=(),
            numbers={**numbers_of(self.records.run), **numbers},
            subject=subject,
            identity={**self.whole.identity, **identity},
        )

    def counts(self, sent: float, messages: float, off: float) -> dict[str, float]:
        """Bytes and messages of all ranks, as columns: a rank's and a node's are the mean."""
        run = self.records.run
        nodes = numbers_of(run)["nodes"]
        return {
            "bytes": sent / run.ranks,
            "messages": messages / run.ranks,
            "total": sent,
            "off": off / nodes,
            "inside": (sent - off) / nodes,
        }


def _calls(base: _Base) -> Iterator[Cell]:
    timed = {search.index for search in base.records.timed_searches_of("bfs")}
    rows: defaultdict[tuple[str, str, str, int], list[list[CallCell]]] = defaultdict(list)
    for record in base.records.calls:
        if record.kernel != "bfs" or record.search not in timed:
            continue
        of_phase: defaultdict[tuple[str, int], list[CallCell]] = defaultdict(list)
        for cell in record.cells:
            phase = phase_name(cell.phase)
            rows[phase, str(cell.call), cell.communicator, cell.level].append([cell])
            of_phase[phase, cell.level].append(cell)
        for (phase, level), cells in of_phase.items():
            rows[phase, ALL_CALLS, _communicator(cells), level].append(cells)
    for key, searches in rows.items():
        yield _call(base, key, searches)


def _communicator(cells: Sequence[CallCell]) -> str:
    """Of the calls of a phase that send. Where these go along grid rows and then along grid columns
    they reach all ranks together.

    >>> made = CallCell.model_construct
    >>> row, column = (made(communicator=name, bytes_sent=8) for name in ("row", "column"))
    >>> _communicator([column, made(communicator="world", bytes_sent=0)])
    'column'
    >>> _communicator([row, column])
    'world'
    """
    sending = [cell for cell in cells if cell.bytes_sent] or list(cells)
    if {"row", "column"} <= {cell.communicator for cell in sending}:
        return "world"
    return max(sending, key=lambda cell: cell.bytes_sent).communicator


def _call(
    base: _Base, key: tuple[str, str, str, int], searches: Sequence[Sequence[CallCell]]
) -> Cell:
    """Args: searches are the calls of each search that made them."""
    phase, call, communicator, level = key
    number, ranks = len(searches), base.records.run.ranks
    calls = [cell for cells in searches for cell in cells]
    seconds = sum(cell.seconds_mean - cell.wait_seconds_mean for cell in calls) / number
    numbers = base.counts(
        sum(cell.bytes_sent for cell in calls) / number,
        sum(cell.messages for cell in calls) / number,
        sum(cell.off_node_bytes for cell in calls) / number,
    )
    numbers |= {"level": float(level), "calls": sum(cell.calls for cell in calls) / number / ranks}
    own = numbers_of(base.records.run)
    group = {"row": own["cols"], "column": own["rows"]}.get(communicator, own["p"])
    numbers["p"] = group
    if group > 1 and call != ALL_CALLS and numbers["calls"]:
        numbers["m"] = numbers["bytes"] / (numbers["calls"] * (group - 1))
    subject = f"{phase}, {call}"
    identity: dict[str, Value] = {"phase": phase, "call": call, "communicator": communicator}
    return base.part(subject, f"{subject}, level {level}", seconds, numbers, identity)


def _levels(base: _Base) -> Iterator[Cell]:
    timed = {search.index for search in base.records.timed_searches_of("bfs")}
    # A warm-up has the index of a timed search; it ran before: the later record counts.
    last = {(record.search, record.level): record for record in base.records.levels}
    rows: defaultdict[tuple[int, str], list[LevelRecord]] = defaultdict(list)
    for record in last.values():
        if record.search in timed:
            rows[record.level, record.direction].append(record)
    for (level, direction), records in rows.items():
        number = len(records)
        numbers = base.counts(
            sum(sum(record.bytes_sent.values()) for record in records) / number,
            sum(sum(record.messages.values()) for record in records) / number,
            sum(sum((record.off_node_bytes or {}).values()) for record in records) / number,
        )
        numbers |= {"level": float(level), "edges": fmean(r.arcs_scanned for r in records)}
        subject = f"level, {direction.replace('_', '-')}"
        seconds = fmean(record.seconds for record in records)
        yield base.part(subject, f"{subject}, level {level}", seconds, numbers,
                        {"direction": direction})  # fmt: skip


def _search(base: _Base) -> Iterator[Cell]:
    searches = base.records.timed_searches_of("bfs")
    if not searches:
        return
    numbers = base.counts(
        fmean(search.bytes_sent for search in searches),
        fmean(search.messages for search in searches),
        fmean(search.off_node_bytes or 0 for search in searches),
    )
    numbers["edges"] = fmean(search.traversed_edges for search in searches)
    seconds = fmean(search.seconds for search in searches)
    yield base.part("search, seconds", "search, seconds", seconds, numbers, {})
