# SPDX-License-Identifier: Apache-2.0
"""Run folders as a scale-20 run of two cores leaves them, with made-up times."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from isobath.records.codec import AnyRecord, encode
from isobath.records.construction import ConstructionCheck, ConstructionRecord
from isobath.records.ending import FailureRecord, FinishRecord, RunState
from isobath.records.memory_limits import MemoryLimits
from isobath.records.phases import PhaseName
from isobath.records.run import Build, Host, MpiLibrary, RankBinding, RunRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import (
    Direction,
    LevelRecord,
    RuleName,
    RuleOutcome,
    SearchRecord,
    Validation,
)
from isobath.store.folders import OpenRun
from isobath.store.run_summary import RunSummary
from records.examples import drawn_keys

KEYS = drawn_keys(20, 3000)
EDGES = 16_775_818
REACHED = (1, 46, 70_030, 539_775, 35_665, 125, 1)
FRONTIER = (1, 44, 51_200, 398_417, 9_876, 31, 1)
ARCS = (46, 812_331, 1_935_220, 988_104, 402_113, 210, 3)
UPWARD = (False, False, True, True, True, False, False)
SHARES = (0.002, 0.031, 0.33, 0.29, 0.11, 0.004, 0.002)
"""of the time of a search; the rest is reset and emission"""

RULES: tuple[RuleName, ...] = (
    "parent_range",
    "tree",
    "tree_levels",
    "edge_levels",
    "spans_component",
    "tree_edges",
    "traversed_edges",
)


@dataclass(frozen=True)
class Sample:
    """What a sample run is like; the default is a sound run with 64 searches."""

    run_id: str = "20261121-093000-s20-1a2b"
    searches: int = 64
    ranks: int = 1
    validated: bool = True
    broken: frozenset[int] = frozenset()
    """indices of searches that broke a rule"""
    state: RunState = "complete"
    failure: str = ""
    oversubscribed: bool = False
    hostname: str = "lab-1"
    levels: bool = True
    peaks: int = 0
    """ranks with a peak of their own; 0 takes ranks"""
    milliseconds: float = 2.36
    official: bool = True
    limits: MemoryLimits | None = None
    """of the machine's memory, as doctor --limits keeps them"""


def records(sample: Sample) -> list[AnyRecord]:
    """All records of a sample run, in the order of a run."""
    rows: list[AnyRecord] = [run_record(sample), construction_record(sample)]
    source = random.Random(7)
    for index in range(sample.searches):
        seconds = sample.milliseconds * 1e-3 * source.lognormvariate(0, 0.03)
        if index == 41:
            seconds *= 1.35
        rows.append(search_record(sample, index, seconds))
        if sample.levels:
            rows.extend(level_records(sample, index, seconds))
    if sample.failure:
        rows.append(failure_record(sample))
    else:
        rows.append(finish_record(sample))
    return rows


def write(store: Path, sample: Sample | None = None, rows: Iterable[AnyRecord] = ()) -> Path:
    """Seals a sample run below ``store``; ``rows`` replace its records. Returns: its folder."""
    sample = sample or Sample()
    kept = list(rows) or records(sample)
    run = OpenRun(store, sample.run_id)
    run.records.write_text("".join(f"{encode(row)}\n" for row in kept), encoding="utf-8")
    if sample.searches:
        run.official_reference.write_text(official(sample, "  "), encoding="utf-8")
        run.official_spec.write_text(official(sample, "_"), encoding="utf-8")
    run.stderr.write_text("Running BFS 0\nTime for BFS 0 is 0.00236\n", encoding="utf-8")
    started = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
    sorted_records = RunRecords.of(kept)
    summary = RunSummary(
        run_id=sample.run_id,
        isobath_version="0.1.0",
        started=started,
        ended=started + timedelta(seconds=14),
        state=sample.state,
        verdict=sorted_records.verdict,
        exit_code=0,
        command=("./isobath", "run"),
        notes=("Scale 20 is the largest that finishes in about a minute on this machine.",),
    )
    facts: dict[str, object] = {sample.hostname: {"governor": "performance", "turbo": True}}
    if sample.limits is not None:
        facts["nodes"] = [{"memory_limits": sample.limits.model_dump(mode="json")}]
    return run.seal(summary, facts).path


def write_failed_start(store: Path, *failures: FailureRecord) -> Path:
    """Seals a run that ended before its first record. Returns: its folder."""
    run = OpenRun(store, "20261121-093000-s20-dead")
    run.records.write_text("".join(f"{encode(row)}\n" for row in failures), encoding="utf-8")
    started = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version="0.1.0",
        started=started,
        ended=started,
        state="failed",
        verdict="unvalidated",
        exit_code=3,
        command=("./isobath", "run"),
    )
    return run.seal(summary, {}).path


def run_record(sample: Sample) -> RunRecord:
    host = Host(
        hostname=sample.hostname,
        cpu_model="AMD EPYC 9554 64-Core Processor",
        cores=2,
        sockets=1,
        numa_nodes=1,
        l1d_bytes=32 << 10,
        l2_bytes=1 << 20,
        l3_bytes=32 << 20,
        memory_bytes=25_276_514_304,
        cgroup_memory_bytes=25_000_000_000,
        kernel="6.1.0-28-amd64",
        huge_pages="madvise",
        clock_source="tsc",
    )
    binding = tuple(
        RankBinding(
            rank=rank, hostname=sample.hostname, pid=4000 + rank, cpus="0-1", thread_cpus=("0", "1")
        )
        for rank in range(sample.ranks)
    )
    return RunRecord(
        run_id=sample.run_id,
        program="isobath-graph500",
        version="0.1.0",
        argv=("isobath-graph500", "--scale", "20", "--record", "records.jsonl", "--official"),
        started=datetime(2026, 11, 21, 9, 30, tzinfo=UTC),
        scale=20,
        edgefactor=16,
        seeds=(2, 3),
        plan="hybrid",
        grid_rows=1,
        grid_cols=sample.ranks,
        ranks=sample.ranks,
        threads_per_rank=2,
        oversubscribed=sample.oversubscribed,
        edges_storage="memory",
        keys_requested=sample.searches if sample.state == "complete" else 64,
        validation=sample.validated,
        official=sample.official,
        warmup_searches=1,
        leaves_pruned=True,
        relabelled=True,
        alpha=14.0,
        beta=24.0,
        instruction_set="avx512",
        build=Build(
            commit="8a1f0c2d9e",
            dirty=False,
            compiler="GNU 12.2.0",
            flags="-O3 -DNDEBUG -fopenmp",
            build_type="Release",
            preset="release",
            mpi_compiled="MPI-5 standard ABI",
            standard_abi=True,
        ),
        mpi=MpiLibrary(
            library_version="MPICH Version:      5.0.2\nMPICH Release date: Mon Jun 01 2026",
            standard_version="5.0",
            thread_level="funneled",
            large_counts=True,
        ),
        hosts=(host,),
        binding=binding,
        clock_resolution_seconds=2.1e-8,
    )


def construction_record(sample: Sample) -> ConstructionRecord:
    phases: dict[PhaseName, float] = {
        "count_degrees": 0.142,
        "number_vertices": 0.021,
        "deliver_arcs": 0.371,
        "sort_rows": 0.405,
        "build_streams": 0.063,
        "components": 0.058,
    }
    return ConstructionRecord(
        run_id=sample.run_id,
        seconds=1.074,
        retrieval_seconds=0.0,
        generation_seconds=0.512,
        phases=phases,
        num_vertices=1 << 20,
        num_edges=1 << 24,
        self_loops=1158,
        distinct_edges=15_700_369,
        isolated_vertices=402_453,
        leaves=164_310,
        searched_vertices=481_813,
        stored_arcs=31_072_118,
        hubs=4096,
        max_degree_with_duplicates=138_024,
        components=241,
        largest_component_vertices=645_643,
        largest_component_edges=EDGES,
        imbalance=1.0 if sample.ranks == 1 else 1.043,
        peak_bytes_per_rank=peaks(sample, 600_000_000),
        check=ConstructionCheck(
            missing_arcs=0, arcs=31_400_738, expected_arcs=31_400_738, passed=True
        ),
    )


def peaks(sample: Sample, total: int) -> tuple[int, ...]:
    number = sample.peaks or sample.ranks
    source = random.Random(11)
    return tuple(int(total / number * source.lognormvariate(0, 0.05)) for _ in range(number))


def search_record(sample: Sample, index: int, seconds: float) -> SearchRecord:
    validation = None
    if sample.validated:
        passed = index not in sample.broken
        validation = Validation(
            passed=passed,
            seconds=0.118,
            first_violation=None if passed else "rule tree_edges: 3 violations, first at vertex 17",
            rules=tuple(
                RuleOutcome(rule=rule, violations=3, first_vertex=17, first_other=5)
                if rule == "tree_edges" and not passed
                else RuleOutcome(rule=rule, violations=0)
                for rule in RULES
            ),
        )
    levels = level_records(sample, index, seconds)
    phases: dict[PhaseName, float] = {"reset": seconds * 0.031, "emit": seconds * 0.188}
    for level in levels:
        for phase, spent in level.phases.items():
            phases[phase] = phases.get(phase, 0.0) + spent
    return SearchRecord(
        run_id=sample.run_id,
        index=index,
        warmup=False,
        root=KEYS[index],
        seconds=seconds,
        seconds_min=seconds * 0.998,
        seconds_mean=seconds * 0.999,
        traversed_edges=EDGES,
        traversed_edges_with_self_loops=EDGES + 1158,
        teps=EDGES / seconds,
        started_seconds=3.1 + 0.13 * index,
        phases=phases,
        bytes_sent=sum(sum(level.bytes_sent.values()) for level in levels),
        messages=sum(sum(level.messages.values()) for level in levels),
        page_faults=0,
        vertices_reached=sum(REACHED) if validation else None,
        levels=len(REACHED) if validation else None,
        vertices_per_level=REACHED if validation else None,
        validation=validation,
    )


def level_records(sample: Sample, index: int, seconds: float) -> list[LevelRecord]:
    found = []
    for level, (frontier, arcs, upward, share) in enumerate(
        zip(FRONTIER, ARCS, UPWARD, SHARES, strict=True)
    ):
        direction: Direction = "bottom_up" if upward else "top_down"
        spent = share * seconds
        phases: dict[PhaseName, float] = {direction: spent * 0.93, "reduce": spent * 0.05}
        sent: dict[PhaseName, int] = {}
        messages: dict[PhaseName, int] = {}
        if sample.ranks > 1:
            phases = {
                "expand": spent * 0.1,
                direction: spent * 0.6,
                "rotate" if upward else "fold": spent * 0.2,
                "adopt": spent * 0.05,
                "reduce": spent * 0.05,
            }
            sent = {"expand": 8 * frontier * sample.ranks, "fold": arcs // 9 * (sample.ranks - 1)}
            messages = {"expand": sample.ranks, "fold": sample.ranks}
        found.append(
            LevelRecord(
                run_id=sample.run_id,
                search=index,
                level=level,
                direction=direction,
                frontier_vertices=frontier,
                arcs_scanned=arcs,
                seconds=spent,
                phases=phases,
                bytes_sent=sent,
                messages=messages,
            )
        )
    return found


def finish_record(sample: Sample) -> FinishRecord:
    per_rank = peaks(sample, 742_000_000)
    return FinishRecord(
        run_id=sample.run_id,
        state=sample.state,
        searches_completed=sample.searches,
        violations=3 * len(sample.broken),
        peak_bytes_per_rank=per_rank,
        peak_bytes=sum(per_rank),
        huge_pages_requested_bytes=520_093_696,
        huge_pages_obtained_bytes=517_996_544,
        seconds=13.2,
        graph_generation_seconds=0.512,
        construction_seconds=1.074,
    )


def failure_record(sample: Sample) -> FailureRecord:
    return FailureRecord(
        run_id=sample.run_id,
        phase="bottom_up",
        rank=0,
        signal=9,
        last_call="MPI_Allreduce",
        elapsed_seconds=7.4,
        message=sample.failure,
        exit_code=3,
    )


def official(sample: Sample, between: str) -> str:
    """A few lines of the official block; the page shows them as they are."""
    return (
        f"SCALE:                          20\nedgefactor:                     16\n"
        f"NBFS:                           {sample.searches}\n"
        f"bfs{between}min_time:                  0.00222\n"
        f"bfs{between}harmonic_mean_TEPS:     !  7.07812e+09\n"
    )
