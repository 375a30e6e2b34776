# SPDX-License-Identifier: Apache-2.0
"""From the files of all ranks to the records of a profile."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from isobath.profile.levels import level_records
from isobath.profile.rank_files import Line, RankFile, source_line
from isobath.profile.threads import (
    mpi_seconds,
    number_of_threads,
    share_of_wall,
    thread_records,
    thread_seconds,
    wall_seconds,
)
from isobath.profile.waits import Waits, find_waits
from isobath.records.communication import Spread
from isobath.records.profile import (
    AnyProfileRecord,
    ProfileCallRecord,
    ProfileCellRecord,
    ProfileCommunicatorRecord,
    ProfileMatrixRecord,
    ProfileRankRecord,
    ProfileRecord,
    ProfileSearchRecord,
    ProfileSizeMeaning,
    ProfileSizesRecord,
    ProfileTimelineRecord,
    TrafficClass,
)

CellKey = tuple[
    str, str | None, str | None, int | None, str | None, int | None, str | None, str | None
]
"""call, communicator, region, number, module, offset, symbol, line in Python"""

SUMS = ("calls", "messages", "sent", "received", "receives_unknown", "kept", "argument")


@dataclass
class Totals:
    """What several cells add up to."""

    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SUMS, 0))
    seconds: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    """by rank"""
    waited: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    wait_calls: int = 0
    max_seconds: float = 0.0

    def add(self, rank: int, index: int, cell: Line, waits: Waits) -> None:
        """One cell of one rank."""
        for name in SUMS:
            self.sums[name] += cell[name]
        self.seconds[rank] += cell["nanoseconds"] * 1e-9
        self.max_seconds = max(self.max_seconds, cell["max_nanoseconds"] * 1e-9)
        if waits.calls.get((rank, index)):
            self.waited[rank] += waits.seconds[rank, index]
            self.wait_calls += waits.calls[rank, index]

    def named(self) -> dict[str, Any]:
        """The sums as records call them."""
        return {
            "calls": self.sums["calls"],
            "messages": self.sums["messages"],
            "bytes_sent": self.sums["sent"],
            "bytes_received": self.sums["received"],
            "receives_unknown": self.sums["receives_unknown"],
            "kept_bytes": self.sums["kept"],
            "argument_bytes": self.sums["argument"],
        }


Places = Mapping[tuple[str, int], tuple[str | None, str | None]]
"""Function and source line of (module, offset)"""


def sites(files: list[RankFile]) -> set[tuple[str, int]]:
    """Where calls were made by compiled code: module and offset."""
    cells = (cell for file in files for cell in file.cells if "offset" in cell)
    return {(cell["module"], cell["offset"]) for cell in cells}


def merge(
    run_id: str,
    files: list[RankFile],
    places: Places | None = None,
    *,
    with_timeline: bool = False,
    level_site: str | None = None,
) -> list[AnyProfileRecord]:
    """All records of a profile, the one of the whole program first.

    Args: with_timeline adds every collective call of every rank; level_site names the place of the
        program that ends levels (``level_records``).

    Raises: UsageError where there is no such place.
    """
    waits = find_waits(files)
    cells: dict[CellKey, Totals] = defaultdict(Totals)
    calls: dict[str, Totals] = defaultdict(Totals)
    searches: dict[tuple[int, str], Totals] = defaultdict(Totals)
    for file in files:
        for index, cell in enumerate(file.cells):
            cells[_key(file, cell)].add(file.rank, index, cell, waits)
            calls[cell["call"]].add(file.rank, index, cell, waits)
            if cell["search"] >= 0:
                searches[cell["search"], cell["call"]].add(file.rank, index, cell, waits)
    total = sum(sum(totals.seconds.values()) for totals in calls.values())
    ranks = [file.rank for file in files]
    records: list[AnyProfileRecord] = [_whole(run_id, files, calls, waits)]
    records += [_rank(run_id, file, waits) for file in files]
    for file in files:
        records += thread_records(run_id, file)
    records += _communicators(run_id, files)
    records += [
        ProfileCallRecord(
            run_id=run_id,
            call=call,
            **totals.named(),
            seconds=spread([totals.seconds.get(rank, 0.0) for rank in ranks]),
            max_call_seconds=totals.max_seconds,
            wait_seconds=_waited(totals, ranks),
            wait_calls=totals.wait_calls,
            share_of_mpi=sum(totals.seconds.values()) / total if total else 0.0,
        )
        for call, totals in sorted(calls.items(), key=lambda item: -sum(item[1].seconds.values()))
    ]
    records += [_cell(run_id, key, totals, ranks, places or {}) for key, totals in cells.items()]
    records += [_search(run_id, key, totals, ranks) for key, totals in sorted(searches.items())]
    records += level_records(run_id, files, places or {}, level_site)
    records += _sizes(run_id, files)
    records += _matrices(run_id, files)
    if with_timeline:
        records += _timelines(run_id, files, waits)
    return records


def spread(values: list[float]) -> Spread:
    """Smallest, mean and largest."""
    return Spread(min=min(values), mean=sum(values) / len(values), max=max(values))


def _waited(totals: Totals, ranks: list[int]) -> Spread | None:
    if not totals.wait_calls:
        return None
    return spread([totals.waited.get(rank, 0.0) for rank in ranks])


def _key(file: RankFile, cell: Line) -> CellKey:
    communicator = cell["communicator"]
    region = file.regions[cell["region"]]
    number = region["number"]
    return (
        cell["call"],
        file.communicators[communicator]["id"] if communicator >= 0 else None,
        region["name"] or None,
        number if number >= 0 else None,
        cell.get("module"),
        cell.get("offset"),
        cell.get("symbol"),
        source_line(cell),
    )


def _cell(
    run_id: str, key: CellKey, totals: Totals, ranks: list[int], places: Places
) -> ProfileCellRecord:
    call, communicator, region, number, module, offset, symbol, row = key
    waited = _waited(totals, ranks)
    function, line = places.get((module or "", offset or 0), (None, row))
    return ProfileCellRecord(
        run_id=run_id,
        call=call,
        communicator=communicator,
        region=region,
        region_number=number,
        module=module,
        offset=offset,
        symbol=function or symbol,
        line=line,
        ranks=len(totals.seconds),
        **totals.named(),
        seconds=spread([totals.seconds.get(rank, 0.0) for rank in ranks]),
        wait_seconds_mean=waited.mean if waited else None,
    )


def _search(
    run_id: str, key: tuple[int, str], totals: Totals, ranks: list[int]
) -> ProfileSearchRecord:
    waited = _waited(totals, ranks)
    return ProfileSearchRecord(
        run_id=run_id,
        search=key[0],
        call=key[1],
        calls=totals.sums["calls"],
        messages=totals.sums["messages"],
        bytes_sent=totals.sums["sent"],
        seconds=spread([totals.seconds.get(rank, 0.0) for rank in ranks]),
        wait_seconds_mean=waited.mean if waited else None,
    )


def _whole(
    run_id: str, files: list[RankFile], calls: dict[str, Totals], waits: Waits
) -> ProfileRecord:
    heads = [file.head for file in files]
    wall = [wall_seconds(file) for file in files]
    overhead = [file.overhead_seconds for file in files]
    return ProfileRecord(
        run_id=run_id,
        abi=heads[0]["abi"],
        library=heads[0]["library"],
        ranks=heads[0]["ranks"],
        ranks_recorded=len(files),
        hosts=tuple(sorted({head["host"] for head in heads})),
        endings=tuple(sorted({head["ended"] for head in heads})),
        wall_seconds=spread(wall),
        mpi_seconds=spread([mpi_seconds(file) for file in files]),
        share_of_wall=spread([share_of_wall(file) for file in files]),
        threads=max(number_of_threads(file) for file in files),
        calls=sum(totals.sums["calls"] for totals in calls.values()),
        overhead_seconds_per_call=max(head["nanoseconds_per_call"] for head in heads) * 1e-9,
        overhead_seconds_per_count=max(head["nanoseconds_per_count"] for head in heads) * 1e-9,
        overhead_seconds=spread(overhead),
        share_overhead=max(cost / all_ for cost, all_ in zip(overhead, wall, strict=True)),
        waits=waits.state,
        waits_reason="; ".join(sorted(waits.reasons)) or None,
        calls_without_place=sum(head["calls_without_cell"] for head in heads),
        requests_left_out=sum(head["requests_left_out"] for head in heads),
        receives_unknown=sum(call.sums["receives_unknown"] for call in calls.values()),
        bytes_outside=sum(head["outside_sent"] + head["outside_received"] for head in heads),
    )


def _rank(run_id: str, file: RankFile, waits: Waits) -> ProfileRankRecord:
    waited = sum(seconds for (rank, _), seconds in waits.seconds.items() if rank == file.rank)
    return ProfileRankRecord(
        run_id=run_id,
        rank=file.rank,
        host=file.head["host"],
        process=file.head["pid"],
        launcher_rank=file.head["task"] if file.head["task"] >= 0 else None,
        ended=file.head["ended"],
        wall_seconds=wall_seconds(file),
        mpi_seconds=mpi_seconds(file),
        threads=number_of_threads(file),
        thread_seconds=thread_seconds(file),
        wait_seconds=waited,
        calls=file.head["calls"],
        bytes_sent=sum(cell["sent"] for cell in file.cells),
        bytes_received=sum(cell["received"] for cell in file.cells),
        receives_unknown=sum(cell["receives_unknown"] for cell in file.cells),
        overhead_seconds=file.overhead_seconds,
    )


def _communicators(run_id: str, files: list[RankFile]) -> Iterator[ProfileCommunicatorRecord]:
    seen = set()
    for file in files:
        for line in file.communicators:
            if line["id"] in seen:
                continue
            seen.add(line["id"])
            yield ProfileCommunicatorRecord(
                run_id=run_id,
                communicator=line["id"],
                size=line["size"],
                is_inter=line["inter"],
                world_ranks=tuple(line["peers"]),
            )


def _sizes(run_id: str, files: list[RankFile]) -> Iterator[ProfileSizesRecord]:
    buckets: dict[tuple[str, str], dict[tuple[int, int], list[float]]] = defaultdict(dict)
    for file in files:
        for line in file.sizes:
            bucket = buckets[line["call"], line["meaning"]].setdefault(
                (line["from"], line["to"]), [0, 0, 0.0]
            )
            bucket[0] += line["count"]
            bucket[1] += line["bytes"]
            bucket[2] += line["nanoseconds"] * 1e-9
    for (call, meaning), by_bounds in sorted(buckets.items()):
        rows = sorted(by_bounds.items())
        yield ProfileSizesRecord(
            run_id=run_id,
            call=call,
            meaning=cast(ProfileSizeMeaning, meaning),
            from_bytes=tuple(bounds[0] for bounds, _ in rows),
            to_bytes=tuple(bounds[1] for bounds, _ in rows),
            count=tuple(int(sums[0]) for _, sums in rows),
            bytes=tuple(int(sums[1]) for _, sums in rows),
            seconds=tuple(float(sums[2]) for _, sums in rows),
        )


def _matrices(run_id: str, files: list[RankFile]) -> Iterator[ProfileMatrixRecord]:
    matrices: dict[str, dict[tuple[int, int], list[int]]] = defaultdict(dict)
    for file in files:
        for line in file.peers:
            matrix = matrices[line["class"]]
            if line["messages"]:
                sent = matrix.setdefault((file.rank, line["peer"]), [0, 0, 0])
                sent[0] += line["sent"]
                sent[1] += line["messages"]
            if line["received"]:
                matrix.setdefault((line["peer"], file.rank), [0, 0, 0])[2] += line["received"]
    for traffic, matrix in sorted(matrices.items()):
        rows = sorted(matrix.items())
        yield ProfileMatrixRecord(
            run_id=run_id,
            traffic=cast(TrafficClass, traffic),
            sender=tuple(pair[0] for pair, _ in rows),
            receiver=tuple(pair[1] for pair, _ in rows),
            bytes_sent=tuple(counts[0] for _, counts in rows),
            messages=tuple(counts[1] for _, counts in rows),
            bytes_received=tuple(counts[2] for _, counts in rows),
        )


def _timelines(run_id: str, files: list[RankFile], waits: Waits) -> Iterator[ProfileTimelineRecord]:
    begins: dict[str, int] = {}
    for file in files:
        if len(file.instances):
            host, first = file.head["host"], int(file.instances[:, 2].min())
            begins[host] = min(begins.get(host, first), first)
    for file in files:
        used, place = np.unique(file.instances[:, 0], return_inverse=True)
        cells = [file.cells[cell] for cell in used]
        regions = [file.regions[cell["region"]] for cell in cells]
        yield ProfileTimelineRecord(
            run_id=run_id,
            rank=file.rank,
            host=file.head["host"],
            place_call=tuple(cell["call"] for cell in cells),
            place_communicator=tuple(
                file.communicators[cell["communicator"]]["id"] for cell in cells
            ),
            place_region=tuple(_region(region) for region in regions),
            place=tuple(place.tolist()),
            entry_nanoseconds=tuple(
                (file.instances[:, 2] - begins.get(file.head["host"], 0)).tolist()
            ),
            nanoseconds=tuple(file.instances[:, 3].tolist()),
            wait_nanoseconds=tuple(waits.of_calls[file.rank].tolist()),
            left_out=file.head["instances_left_out"],
        )


def _region(region: Line) -> str:
    name = region["name"] or ""
    return f"{name} {region['number']}" if region["number"] >= 0 else name
