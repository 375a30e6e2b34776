# SPDX-License-Identifier: Apache-2.0
"""Records of a made-up run, for tests."""

from datetime import UTC, datetime
from itertools import islice

from isobath.profile.levels import level_records
from isobath.profile.merge import merge
from isobath.records.audit import AuditRecord
from isobath.records.codec import AnyRecord
from isobath.records.collective import CollectiveRecord, CountFacts, LaunchRecord
from isobath.records.communication import (
    CallCell,
    CallsRecord,
    MessageSizesRecord,
    MpiTimeRecord,
    Spread,
    TrafficMatrixRecord,
)
from isobath.records.construction import ConstructionCheck, ConstructionRecord
from isobath.records.ending import FailureRecord, FinishRecord
from isobath.records.krylov import KrylovParts, KrylovProgress, KrylovRecord, Method
from isobath.records.overlap import OverlapInside, OverlapParts, OverlapRecord, PartTimes
from isobath.records.prediction import PredictedPieceRecord
from isobath.records.run import Build, Host, MpiLibrary, RankBinding, RunRecord, Switches
from isobath.records.search import (
    Distances,
    LevelRecord,
    RoundRecord,
    RuleName,
    RuleOutcome,
    SearchRecord,
    Validation,
)
from isobath.records.search_keys import kronecker_candidates
from isobath.records.skeleton import SkeletonRecord
from profiles.rank_lines import program, threaded_ranks

RUN_ID = "20260101-120000-s12-abcd"


def drawn_keys(scale: int, number: int) -> list[int]:
    """As the seeds of made-up runs draw them, where every vertex has a neighbour."""
    return list(dict.fromkeys(islice(kronecker_candidates(scale, (2, 3)), 2 * number)))[:number]


KEYS = drawn_keys(12, 600)


def run_record(*, validation: bool = True, official: bool = False, keys: int = 64) -> RunRecord:
    return RunRecord(
        run_id=RUN_ID,
        program="isobath-graph500",
        version="0.1.0",
        argv=("isobath-graph500", "--scale", "12"),
        started=datetime(2026, 1, 1, 12, tzinfo=UTC),
        scale=12,
        edgefactor=16,
        seeds=(2, 3),
        plan="hybrid",
        switches=Switches(
            exchange="alltoallv",
            duplicates="drop",
            ids=32,
            dedup="local",
            frontier="packed",
            fold="packed",
            relabel="on",
            leaves="out",
            streams="on",
            overlap="on",
            direction="policy",
        ),
        grid_rows=1,
        grid_cols=1,
        ranks=1,
        threads_per_rank=2,
        oversubscribed=False,
        edges_storage="memory",
        keys_requested=keys,
        validation=validation,
        official=official,
        warmup_searches=1,
        leaves_pruned=True,
        relabelled=True,
        alpha=14.0,
        beta=24.0,
        instruction_set="avx512",
        build=Build(
            commit="0123abc",
            dirty=False,
            compiler="GNU 12.2.0",
            flags="-O3",
            build_type="Release",
            preset="release",
            mpi_compiled="MPI-5 standard ABI",
            standard_abi=True,
        ),
        mpi=MpiLibrary(
            library_version="MPICH Version: 5.0.2",
            standard_version="5.0",
            thread_level="funneled",
            large_counts=True,
        ),
        hosts=(
            Host(
                hostname="here",
                cpu_model="a processor",
                cores=2,
                sockets=1,
                numa_nodes=1,
                l1d_bytes=32768,
                l2_bytes=1 << 20,
                l3_bytes=1 << 25,
                memory_bytes=24 * 10**9,
                kernel="6.1.0",
                huge_pages="madvise",
                clock_source="tsc",
            ),
        ),
        binding=(RankBinding(rank=0, hostname="here", pid=17, cpus="0-1", thread_cpus=("0", "1")),),
        clock_resolution_seconds=1e-9,
        nodes=1,
        node_of_rank=(0,),
        node_map_is_override=False,
        clock_error_seconds=0.0,
    )


def construction_record(*, checked: bool = True) -> ConstructionRecord:
    return ConstructionRecord(
        run_id=RUN_ID,
        seconds=0.01,
        retrieval_seconds=0.0,
        generation_seconds=0.005,
        phases={"count_degrees": 0.002, "deliver_arcs": 0.003, "sort_rows": 0.004},
        num_vertices=4096,
        num_edges=65536,
        self_loops=209,
        distinct_edges=50000,
        isolated_vertices=800,
        leaves=400,
        searched_vertices=2896,
        stored_arcs=99200,
        hubs=50,
        max_degree_with_duplicates=4000,
        components=1,
        largest_component_vertices=3296,
        largest_component_edges=65327,
        imbalance=1.0,
        peak_bytes_per_rank=(30_000_000,),
        check=ConstructionCheck(missing_arcs=0, arcs=100000, expected_arcs=100000, passed=True)
        if checked
        else None,
    )


def search_record(
    index: int = 0, *, seconds: float = 0.001, validated: bool = True, passed: bool = True
) -> SearchRecord:
    validation = Validation(
        passed=passed,
        seconds=0.002,
        first_violation=None if passed else "rule tree_edges: 1 violation, the first at vertex 17",
        rules=(
            RuleOutcome(rule="tree", violations=0),
            RuleOutcome(rule="tree_edges", violations=0)
            if passed
            else RuleOutcome(rule="tree_edges", violations=1, first_vertex=17, first_other=5),
        ),
    )
    return SearchRecord(
        run_id=RUN_ID,
        index=index,
        warmup=False,
        root=KEYS[index],
        seconds=seconds,
        seconds_min=seconds,
        seconds_mean=seconds,
        traversed_edges=65327,
        traversed_edges_with_self_loops=65536,
        teps=65327 / seconds,
        started_seconds=0.1 + index,
        phases={"reset": 0.0001, "top_down": 0.0005, "emit": 0.0004},
        bytes_sent=0,
        messages=0,
        page_faults=0,
        bytes_received=0,
        off_node_bytes=0,
        seconds_per_rank=(seconds,),
        mpi_seconds_per_rank=(0.0,),
        wait_seconds_per_rank=(0.0,),
        clock_error_seconds=0.0,
        vertices_reached=3296 if validated else None,
        levels=3 if validated else None,
        vertices_per_level=(1, 295, 3000) if validated else None,
        validation=validation if validated else None,
    )


def level_record(search: int = 0, level: int = 0) -> LevelRecord:
    return LevelRecord(
        run_id=RUN_ID,
        search=search,
        level=level,
        direction="top_down",
        frontier_vertices=1,
        arcs_scanned=20,
        seconds=0.0003,
        phases={"top_down": 0.0003},
        bytes_sent={"expand": 8},
        messages={"expand": 1},
        bytes_received={"expand": 8},
        calls={"expand": 1},
        off_node_bytes={"expand": 0},
        call_seconds={"expand": 0.0001},
        wait_seconds={"expand": 0.00005},
    )


def round_record(search: int = 0, number: int = 0) -> RoundRecord:
    return RoundRecord(
        run_id=RUN_ID,
        search=search,
        round=number,
        active_vertices=1,
        arcs_relaxed=20,
        seconds=0.0003,
        phases={"relax": 0.0003},
        bytes_sent={"relax": 8},
        messages={"relax": 1},
        bytes_received={"relax": 8},
        calls={"relax": 1},
        off_node_bytes={"relax": 0},
        call_seconds={"relax": 0.0001},
        wait_seconds={"relax": 0.00005},
    )


def path_search_record(index: int = 0) -> SearchRecord:
    """Of kernel 3."""
    rules: tuple[RuleName, ...] = ("parent_range", "tree", "distance_range", "edge_distances")
    return search_record(index).model_copy(
        update={
            "kernel": "sssp",
            "levels": None,
            "vertices_per_level": None,
            "tree_levels": 9,
            "rounds": 2,
            "distances": Distances(mean=0.3, max=1.2),
            "phases": {"reset": 0.0001, "relax": 0.0008, "emit": 0.0001},
            "validation": Validation(
                passed=True,
                seconds=0.004,
                rules=tuple(RuleOutcome(rule=rule, violations=0) for rule in rules),
            ),
        }
    )


def calls_record(search: int = 0) -> CallsRecord:
    return CallsRecord(
        run_id=RUN_ID,
        search=search,
        cells=(
            CallCell(
                level=0,
                phase="expand",
                call="allgatherv",
                communicator="column",
                calls=1,
                messages=1,
                bytes_sent=8,
                bytes_received=8,
                off_node_bytes=0,
                kept_bytes=8,
                seconds_mean=0.0001,
                seconds_max=0.0001,
                wait_seconds_mean=0.00005,
                wait_seconds_max=0.00005,
            ),
        ),
    )


def traffic_matrix_record() -> TrafficMatrixRecord:
    return TrafficMatrixRecord(
        run_id=RUN_ID,
        part="search",
        phase="expand",
        ranks=1,
        unit="rank",
        bytes=((0,),),
        messages=((0,),),
    )


def message_sizes_record() -> MessageSizesRecord:
    return MessageSizesRecord(
        run_id=RUN_ID,
        part="search",
        call="allgatherv",
        meaning="per_peer",
        from_bytes=(8, 57344),
        to_bytes=(10, 65536),
        count=(3, 1),
        bytes=(24, 60000),
        seconds=(0.0001, 0.0002),
    )


def mpi_time_record() -> MpiTimeRecord:
    return MpiTimeRecord(
        run_id=RUN_ID,
        part="search",
        call="allgatherv",
        seconds_per_rank=Spread(min=0.0003, mean=0.0003, max=0.0003),
        share_of_mpi=1.0,
        share_of_wall=Spread(min=0.3, mean=0.3, max=0.3),
        calls=4,
        bytes_sent=60024,
    )


def finish_record(*, searches: int = 1, violations: int = 0) -> FinishRecord:
    return FinishRecord(
        run_id=RUN_ID,
        state="complete",
        searches_completed=searches,
        violations=violations,
        peak_bytes_per_rank=(40_000_000,),
        peak_bytes=40_000_000,
        huge_pages_requested_bytes=4 << 20,
        huge_pages_obtained_bytes=2 << 20,
        seconds=0.5,
        graph_generation_seconds=0.005,
        construction_seconds=0.01,
    )


def failure_record() -> FailureRecord:
    return FailureRecord(
        run_id=RUN_ID,
        phase="validate",
        rank=1,
        signal=9,
        last_call="MPI_Allreduce",
        elapsed_seconds=2.5,
        message="rank 1 was killed by SIGKILL",
        exit_code=3,
    )


def audit_record() -> AuditRecord:
    return AuditRecord(
        run_id=RUN_ID,
        search=0,
        level=0,
        phase="expand",
        audit_class="c",
        expected_bytes=10,
        counted_bytes=8,
        low_bytes=7,
        high_bytes=12,
        equal=True,
    )


def launch_record(*, launch: int = 0) -> LaunchRecord:
    run = run_record()
    return LaunchRecord(
        run_id=RUN_ID,
        program="isobath-collectives",
        version="0.1.0",
        argv=("isobath-collectives", "--cells", "cells.json"),
        started=datetime(2026, 1, 1, 12, tzinfo=UTC),
        launch=launch,
        ranks=2,
        threads_per_rank=1,
        oversubscribed=False,
        build=run.build,
        mpi=run.mpi,
        hosts=run.hosts,
        binding=tuple(run.binding[0].model_copy(update={"rank": rank}) for rank in range(2)),
        nodes=1,
        node_of_rank=(0, 0),
        node_map_is_override=False,
        clock_resolution_seconds=1e-9,
        clocks=1,
        clock_error_seconds=0.0,
        environment={"MPIR_CVAR_POLLS_BEFORE_YIELD": "50"},
    )


def part_times(*nanoseconds: int, ranks: int = 2) -> PartTimes:
    """All ranks alike; together they need 10 more."""
    return PartTimes(
        together_nanoseconds=tuple(one + 10 for one in nanoseconds),
        rank_nanoseconds=(nanoseconds,) * ranks,
    )


def overlap_record() -> OverlapRecord:
    """Of two ranks and three repetitions; a third of the call is hidden."""
    same = ((50, 50, 50),) * 2
    return OverlapRecord(
        run_id=RUN_ID,
        collective="allreduce",
        size_bytes=512,
        ranks=2,
        aggregators=0,
        threads_per_rank=1,
        progress="library",
        tests=0,
        work="product",
        work_order=32,
        work_units=7,
        work_ratio=1.0,
        reference_call_nanoseconds=300.0,
        unit_nanoseconds=43.0,
        alignment="barrier:dissemination",
        clock_error_nanoseconds=0,
        oversubscribed=False,
        launch=0,
        order=0,
        parts=OverlapParts(
            blocking=part_times(290, 280, 290),
            nonblocking=part_times(300, 300, 310),
            work=part_times(300, 300, 300),
            no_overlap=part_times(590, 590, 590),
            overlap=part_times(500, 500, 500),
            osu=part_times(510, 510, 510),
            imb=part_times(500, 500, 500),
        ),
        inside=OverlapInside(
            start=same,
            work=((300, 300, 300),) * 2,
            test=((0, 0, 0),) * 2,
            wait=((150, 150, 150),) * 2,
            osu_compute=((310, 310, 310),) * 2,
            osu_test=((0, 0, 0),) * 2,
            osu_start=((20, 20, 20),) * 2,
            osu_wait=((170, 170, 170),) * 2,
            imb_work=((300, 300, 300),) * 2,
        ),
        invalid=(),
        data_check="passed",
    )


def krylov_record(
    *,
    method: Method = "pipelined",
    progress: KrylovProgress = "library",
    nanoseconds: tuple[int, ...] = (9000, 9100, 9200),
    launch: int = 0,
    waiting: int = 0,
) -> KrylovRecord:
    """Ten iterations on two ranks."""
    none = ((0,) * len(nanoseconds),) * 2
    blocks = progress == "blocking"

    def each(value: int) -> tuple[tuple[int, ...], ...]:
        return ((value,) * len(nanoseconds),) * 2

    return KrylovRecord(
        run_id=RUN_ID,
        implementation="isobath",
        method=method,
        elements=64,
        iterations=10,
        ranks=2,
        aggregators=0,
        threads_per_rank=1,
        progress=progress,
        tests=0,
        alignment="barrier:dissemination",
        oversubscribed=False,
        launch=launch,
        order=0,
        solve=part_times(*nanoseconds),
        parts=KrylovParts(
            product=each(3000),
            halo=each(500),
            preconditioner=each(500),
            dots=each(500),
            updates=each(2000),
            reduction=each(waiting) if blocks else none,
            reduction_start=none,
            reduction_test=none,
            reduction_wait=none if blocks else each(waiting),
        ),
        invalid=(),
        norms=(1.0, 0.5),
        error=0.25,
        data_check="passed",
    )


def collective_record(
    *, nanoseconds: tuple[int, ...] = (3000, 2000, 2100), launch: int = 0
) -> CollectiveRecord:
    """Of two ranks, the second a little behind; the first repetition is a warm-up."""
    starts = tuple(10_000 * number for number in range(len(nanoseconds)))
    ends = tuple(start + one for start, one in zip(starts, nanoseconds, strict=True))
    return CollectiveRecord(
        run_id=RUN_ID,
        collective="allgatherv",
        form="blocking",
        call="allgatherv_c",
        size_bytes=1024,
        bytes_per_rank=1024,
        wire_bytes=1024,
        ranks=2,
        communicators=1,
        shape="2",
        along="world",
        together=False,
        counts="uniform",
        count_facts=CountFacts(
            total_bytes=4096,
            largest_row_bytes=2048,
            largest_column_bytes=2048,
            largest_entry_bytes=1024,
            fewest_peers=2,
            most_peers=2,
            gini=0.0,
        ),
        datatype="byte",
        buffers="warm",
        cadence="isolated",
        alignment="barrier:dissemination",
        arrival="zero",
        algorithm_source="unknown",
        oversubscribed=False,
        launch=launch,
        order=0,
        started_seconds=0.5,
        clock_error_nanoseconds=0,
        needed_bytes=6144,
        entry_nanoseconds=(starts, tuple(start + 100 for start in starts)),
        exit_nanoseconds=(ends, ends),
        timed_from="first_entry",
        warm_up_repetitions=1,
        invalid=(),
        context_switches=(2,),
        stopped_because="interval",
        data_check="passed",
    )


def skeleton_record() -> SkeletonRecord:
    return SkeletonRecord(
        run_id=RUN_ID,
        origin="simulated",
        ranks=4,
        step=3,
        level=1,
        phase="fold",
        call="isend",
        communicator="row",
        calls=8,
        messages=4,
        bytes_sent=4096,
        seconds_mean=1e-5,
        seconds_max=2e-5,
        ended_seconds=1e-3,
    )


def profile_records() -> list[AnyRecord]:
    """One of each kind, of a made-up program of two ranks."""
    found: dict[str, AnyRecord] = {
        record.kind: record for record in merge(RUN_ID, threaded_ranks(), with_timeline=True)
    }
    files = [
        program("b" + "b".join(["gvA" * levels for levels in (3, 4)]), rank) for rank in (0, 1)
    ]
    found |= {record.kind: record for record in level_records(RUN_ID, files, {})}
    return list(found.values())


def predicted_piece_record() -> PredictedPieceRecord:
    return PredictedPieceRecord(
        run_id=RUN_ID,
        scale=20,
        plan="two-dim",
        exchange="alltoallv",
        grid_rows=8,
        grid_cols=8,
        nodes=16,
        level=2,
        phase="fold",
        call="alltoallv",
        seconds=2e-3,
        low_seconds=1e-3,
        high_seconds=4e-3,
    )


def one_of_each() -> list[AnyRecord]:
    return [
        run_record(keys=1),
        construction_record(),
        search_record(),
        level_record(),
        round_record(),
        calls_record(),
        traffic_matrix_record(),
        message_sizes_record(),
        mpi_time_record(),
        audit_record(),
        launch_record(),
        collective_record(),
        overlap_record(),
        krylov_record(),
        skeleton_record(),
        *profile_records(),
        predicted_piece_record(),
        finish_record(),
        failure_record(),
    ]
