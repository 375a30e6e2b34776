# SPDX-License-Identifier: Apache-2.0
"""Races as two cores leave them at scale 20: made-up times, bytes close to what plans send."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from isobath.race import plan as race_plan
from isobath.race.audit_file import AuditLine
from isobath.race.folders import PLAN, RaceFolder
from isobath.records.codec import AnyRecord
from isobath.records.communication import (
    CallName,
    MessageSizesRecord,
    MpiTimeRecord,
    RunPart,
    Spread,
    TrafficMatrixRecord,
)
from isobath.records.phases import PhaseName
from isobath.records.run import RunRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord
from isobath.report.race_cell import CellRun, RacedCell
from isobath.report.race_data import RaceData
from isobath.report.run_data import RunData
from report import sample_runs
from report.sample_runs import Sample

PLANS = ("replicated-csr", "replicated-csc", "simple", "one-sided", "two-dim", "hybrid")
SPEED = dict(zip(PLANS, (0.31, 0.42, 0.22, 0.09, 0.36, 1.9), strict=True))
"""GTEPS on one rank"""

STEPS = (
    "as published",
    "exchange alltoallv",
    "ids 32",
    "duplicates drop",
    "dedup local",
    "frontier smaller",
    "hybrid, all off",
    "relabel on",
    "leaves out",
    "direction policy",
    "streams on",
    "overlap on",
    "frontier and fold packed",
)
STEP_BYTES = (1.0, 1.0, 0.5, 0.47, 0.12, 0.11, 0.11, 0.1, 0.09, 0.02, 0.02, 0.02, 0.007)
STEP_SPEED = (1.0, 0.9, 1.2, 1.3, 1.9, 1.95, 1.9, 2.3, 2.6, 5.0, 5.6, 5.7, 5.5)
CALLS: tuple[CallName, ...] = ("alltoallv", "allreduce", "alltoall", "allgatherv", "test")
PARTS: tuple[RunPart, ...] = ("construct", "search", "validate")
SHARES = (0.62, 0.17, 0.12, 0.08, 0.01)


@dataclass(frozen=True)
class SampleRace:
    """What a sample race is like; the default is the standard matrix on two cores."""

    race_id: str = "20261121-081500-race-3fa9"
    plans: tuple[str, ...] = PLANS
    ranks: tuple[int, ...] = (1, 2, 4, 16)
    keys: int = 8
    ladder: bool = True
    mpi: tuple[str, ...] = ()
    scales: tuple[int, ...] = (20,)
    nodes: int = 1
    """pretended, ranks shared out evenly"""
    ledger: bool = True
    audit: bool = True
    deviation: int = 0
    """bytes that the first audited phase is off"""
    validated: bool = True
    processors: int = 2
    hostname: str = "lab-1"


def race_of(sample: SampleRace) -> RaceData:
    """The race in memory."""
    cells = [*_matrix(sample), *(_ladder(sample) if sample.ladder else [])]
    factors: dict[str, tuple[str, ...]] = {
        "plan": sample.plans,
        "ranks": tuple(map(str, sample.ranks)),
    }
    if sample.mpi:
        factors["mpi"] = sample.mpi
    if len(sample.scales) > 1:
        factors["scale"] = tuple(map(str, sample.scales))
    race = RaceData(
        race_id=sample.race_id,
        created="2026-11-21 08:15 UTC",
        command=("isobath", "race", "--scale", "20", "--ranks", "16"),
        factors=factors,
        base={"scale": "20", "keys": str(sample.keys)},
        seed=7,
        keys=sample.keys,
        cells=tuple(cells),
        links={"study.json": "../races/x/study.json", "audit.jsonl": "../races/x/audit.jsonl"},
    )
    return replace(race, audit=audit_of(race, sample)) if sample.audit else race


def _matrix(sample: SampleRace) -> list[RacedCell]:
    found: list[RacedCell] = []
    for plan in sample.plans:
        for ranks in sample.ranks:
            for mpi in sample.mpi or ("",):
                for scale in sample.scales:
                    factors = {"plan": plan, "ranks": str(ranks)}
                    factors |= {"mpi": mpi} if mpi else {}
                    factors |= {"scale": str(scale)} if len(sample.scales) > 1 else {}
                    speed = 0.9 if mpi and mpi != sample.mpi[0] else 1.0
                    name = f"c{len(found) + 1:03}"
                    run = _run(sample, plan, ranks, scale, f"{name}-1", speed=speed)
                    found.append(RacedCell(name, factors, {"plan": plan}, runs=(run,)))
    return found


def _ladder(sample: SampleRace) -> list[RacedCell]:
    ranks = max(sample.ranks)
    found = []
    for place, (step, less, fast) in enumerate(zip(STEPS, STEP_BYTES, STEP_SPEED, strict=True)):
        plan = "two-dim" if place < 6 else "hybrid"
        run = _run(
            sample, "two-dim", ranks, sample.scales[0], f"l{place:02}-1", speed=fast, less=less
        )
        factors = {"plan": plan, "ranks": str(ranks)}
        cell = RacedCell(f"l{place:02}", factors, {"plan": plan}, "ladder", step, place, (run,))
        found.append(cell)
    return found


def write(races: Path, sample: SampleRace) -> Path:
    """A race folder with sealed runs, as isobath race leaves it. Returns: the folder."""
    race = race_of(sample)
    folder = RaceFolder(races / "20261121-081500-race-3fa9")
    cells = tuple(
        race_plan.RaceCell(
            cell=cell.name,
            order=order,
            settings={"plan": cell.plan, "ranks": cell.ranks, "scale": cell.scale},
            factors={"plan": cell.plan, "ranks": cell.ranks},
            group="ladder" if cell.group == "ladder" else "matrix",
            step=cell.step or None,
        )
        for order, cell in enumerate(race.cells)
    )
    PLAN.begin(
        folder,
        race_plan.RacePlan(
            base={"keys": sample.keys},
            factors={"plan": sample.plans, "ranks": sample.ranks},
            design="full",
            seed=race.seed,
            repeats=1,
            keys=sample.keys,
            official=False,
            reference={"plan": sample.plans[0]},
            cells=cells,
        ),
        created=datetime(2026, 11, 21, 8, 15, tzinfo=UTC),
        command=race.command,
    )
    for cell in race.cells:
        for run in cell.runs:
            rows = [*_rows(run.records)]
            sample_runs.write(folder.runs, Sample(run.records.run.run_id), rows)
    lines = [line.model_dump_json(exclude_none=True) for line in race.audit]
    folder.audit_file.path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder.path


def _rows(records: RunRecords) -> Iterator[AnyRecord]:
    """The records of a run, one after the other: levels before their search, as engines write."""
    yield records.run
    if records.construction:
        yield records.construction
    for search in records.searches:
        yield from (level for level in records.levels if level.search == search.index)
        yield search
    yield from records.mpi_times
    yield from records.message_sizes
    yield from records.traffic_matrices
    if records.finish:
        yield records.finish


def grid_of(plan: str, ranks: int) -> tuple[int, int]:
    """Rows and columns that a plan takes."""
    if plan.startswith("replicated"):
        return ranks, 1
    if plan in ("simple", "one-sided"):
        return 1, ranks
    rows = max(r for r in range(1, ranks + 1) if ranks % r == 0 and r * r <= ranks)
    return rows, ranks // rows


def bytes_of(plan: str, ranks: int, scale: int, less: float) -> float:
    """About what a search sends, without counts and reductions."""
    rows, cols = grid_of(plan, ranks)
    if plan == "hybrid":
        return 2.0e5 * (ranks - 1) * 2.0 ** (scale - 20)
    bitmap = 6 * 2**scale / 8 * (rows - 1) * (1 if cols > 1 else 65 / 64)
    return float((bitmap + 32 * 2**scale * 16 * (cols - 1) / cols) * less)


def _run(
    sample: SampleRace,
    plan: str,
    ranks: int,
    scale: int,
    run_id: str,
    *,
    speed: float = 1.0,
    less: float = 1.0,
) -> CellRun:
    rate = SPEED.get(plan, 0.3) * speed * 1e9
    rate *= 1.7 if ranks == 2 else 1.0 if ranks == 1 else 1.2 / ranks**0.5
    seconds = sample_runs.EDGES * 2.0 ** (scale - 20) / rate
    sent = bytes_of(plan, ranks, scale, less)
    records = _records(sample, plan, ranks, scale, run_id, seconds, sent)
    if sample.ledger:
        records = [*records[:-1], *_communication(ranks, run_id, seconds, sent), records[-1]]
    return CellRun(RunData(RunRecords.of(records)), f"../races/x/runs/{run_id}/records.jsonl")


def _records(
    sample: SampleRace,
    plan: str,
    ranks: int,
    scale: int,
    run_id: str,
    seconds: float,
    sent: float,
) -> list[AnyRecord]:
    base = Sample(
        run_id=run_id,
        searches=sample.keys,
        ranks=ranks,
        validated=sample.validated,
        oversubscribed=ranks > sample.processors,
        hostname=sample.hostname,
        milliseconds=seconds * 1e3,
    )
    rows, cols = grid_of(plan, ranks)
    source = random.Random(f"{run_id}{plan}{ranks}")
    found: list[AnyRecord] = []
    for row in sample_runs.records(base):
        if isinstance(row, RunRecord):
            shape = {"plan": plan, "grid_rows": rows, "grid_cols": cols, "scale": scale}
            where = _nodes(sample, ranks) if sample.ledger else {}
            found.append(row.model_copy(update={**shape, **where, "official": False}))
        elif isinstance(row, SearchRecord):
            own = round(sent * source.uniform(0.98, 1.02)) if cols > 1 else round(sent)
            noise = source.lognormvariate(0, 0.02)
            phases = {**row.phases, "count": seconds * 0.06} if cols > 1 else row.phases
            found.append(
                row.model_copy(
                    update={
                        "bytes_sent": own,
                        "seconds": row.seconds * noise,
                        "seconds_min": row.seconds * noise,
                        "seconds_mean": row.seconds * noise,
                        "teps": row.teps / noise,
                        "phases": phases,
                        **(_ranks(ranks, row.seconds * noise) if sample.ledger else {}),
                    }
                )
            )
        elif isinstance(row, LevelRecord):
            found.append(row.model_copy(update=_level(row, plan, sent, cols, ledger=sample.ledger)))
        else:
            found.append(row)
    return found


def _nodes(sample: SampleRace, ranks: int) -> dict[str, object]:
    nodes = min(sample.nodes, ranks)
    return {
        "nodes": nodes,
        "node_of_rank": tuple(rank * nodes // ranks for rank in range(ranks)),
        "node_map_is_override": nodes > 1,
        "clock_error_seconds": 0.0,
    }


def _ranks(ranks: int, seconds: float) -> dict[str, object]:
    share = _share(ranks)
    waits = tuple(seconds * share * (0.2 + 0.4 * rank / ranks) for rank in range(ranks))
    return {
        "seconds_per_rank": (seconds,) * ranks,
        "mpi_seconds_per_rank": (seconds * share,) * ranks,
        "wait_seconds_per_rank": waits,
    }


def _share(ranks: int) -> float:
    """of a search that is spent in MPI"""
    return 0.45 if ranks > 1 else 0.02


def _level(
    row: LevelRecord, plan: str, sent: float, cols: int, *, ledger: bool
) -> dict[str, object]:
    share = sample_runs.SHARES[row.level] / sum(sample_runs.SHARES)
    phase: PhaseName = "expand" if cols == 1 else "fold"
    # Within what the search sent, which varies by 2 %.
    amounts: dict[PhaseName, int] = {phase: round(0.97 * sent * share), "reduce": 8}
    times: Mapping[PhaseName, float] = row.phases
    if cols > 1:
        amounts["count"] = 8 * cols
        times = {**times, "count": row.seconds * 0.06}
    direction = row.direction if plan == "hybrid" else "top_down"
    found: dict[str, object] = {
        "bytes_sent": amounts if sent else {},
        "phases": times,
        "direction": direction,
    }
    if not ledger:
        return found
    inside = {phase: row.seconds * 0.4, "reduce": row.seconds * 0.05}
    waits = {name: amount * 0.3 for name, amount in inside.items()}
    return {**found, "call_seconds": inside, "wait_seconds": waits}


def _communication(ranks: int, run_id: str, seconds: float, sent: float) -> list[AnyRecord]:
    share = _share(ranks)
    found: list[AnyRecord] = [
        MpiTimeRecord(
            run_id=run_id,
            part=part,
            call=name,
            seconds_per_rank=_spread(seconds * share * of_mpi),
            share_of_mpi=of_mpi,
            share_of_wall=_spread(share * of_mpi),
            calls=100 * (i + 1),
            bytes_sent=round(sent * of_mpi),
        )
        for part in PARTS
        for i, (name, of_mpi) in enumerate(zip(CALLS, SHARES, strict=True))
    ]
    if ranks > 1:
        found += [_sizes(run_id), _matrix_record(ranks, run_id)]
    return found


def _spread(mean: float) -> Spread:
    return Spread(min=mean * 0.7, mean=mean, max=mean * 1.2)


def _sizes(run_id: str) -> MessageSizesRecord:
    edges = [2**power for power in range(3, 19)]
    counts = [round(1000 * 0.7**i) + 1 for i in range(15)]
    return MessageSizesRecord(
        run_id=run_id,
        part="search",
        call="alltoallv",
        meaning="per_peer",
        from_bytes=tuple(edges[:-1]),
        to_bytes=tuple(edges[1:]),
        count=tuple(counts),
        bytes=tuple(round(edges[i] * 1.4) * counts[i] for i in range(15)),
        seconds=tuple(1e-6 * counts[i] * (1 + edges[i] / 1e4) for i in range(15)),
    )


def _matrix_record(ranks: int, run_id: str) -> TrafficMatrixRecord:
    """Each rank sends along its grid row and its grid column."""
    rows, _ = grid_of("two-dim", ranks)
    pairs = tuple(
        tuple(
            0 if i == j or (i % rows != j % rows and i // rows != j // rows) else 1000 * (i + j + 1)
            for j in range(ranks)
        )
        for i in range(ranks)
    )
    return TrafficMatrixRecord(
        run_id=run_id,
        part="search",
        phase="fold",
        ranks=ranks,
        unit="rank",
        bytes=pairs,
        messages=tuple(tuple(value // 400 for value in row) for row in pairs),
    )


def audit_of(race: RaceData, sample: SampleRace) -> tuple[AuditLine, ...]:
    """Every phase as counted; the first off by what the sample says."""
    found = []
    off = sample.deviation
    for cell in race.done:
        run = cell.first.data
        for search, levels in run.levels.items():
            for level in levels:
                for phase, counted in level.bytes_sent.items():
                    kind = "b" if phase == "fold" else "a"
                    found.append(
                        AuditLine(
                            run_id=run.records.run.run_id,
                            search=search,
                            level=level.level,
                            phase=phase,
                            audit_class=kind,
                            expected_bytes=counted - off,
                            counted_bytes=counted,
                            equal=off == 0,
                        )
                    )
                    off = 0
    return tuple(found)
