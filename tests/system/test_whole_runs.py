# SPDX-License-Identifier: Apache-2.0
"""Real runs through the command line: sealed, validated, readable, the same on every layout."""

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

from downstream_parsers import READS_REFERENCE, READS_SPECIFICATION, ramble
from isobath.records.codec import read_records
from isobath.records.phases import PHASE_NAMES
from isobath.records.run_records import RunRecords
from isobath.stats.estimates import harmonic_mean_teps
from isobath.store.folders import RunFolder
from isobath.store.query import connect
from system.laboratory import NOT_BUILT, Done, Laboratory, records_of

DATA = Path(__file__).resolve().parents[1] / "data"
GOLDEN = {
    facts["scale"]: facts
    for facts in map(json.loads, (DATA / "graph500.jsonl").read_text().splitlines())
}


def assert_golden(records: RunRecords, keys: int) -> None:
    """The run is validated and its graph and searches are those of the reference program."""
    golden = GOLDEN[records.run.scale]
    assert records.verdict == "validated"
    assert [search.root for search in records.timed_searches] == golden["search_keys"][:keys]
    for search, expected in zip(records.timed_searches, golden["searches"][:keys], strict=True):
        assert search.vertices_reached == expected["reached"]
        assert search.traversed_edges == expected["traversed_edges_without_loops"]
        assert list(search.vertices_per_level or ()) == expected["vertices_per_level"]
        loops = search.traversed_edges_with_self_loops - search.traversed_edges
        assert loops == expected["self_loops_in_component"]
    assert records.construction is not None
    assert records.construction.num_edges == golden["edges"]
    assert records.construction.self_loops == golden["self_loops"]
    assert records.construction.distinct_edges == golden["distinct_edges"]
    assert records.construction.isolated_vertices == golden["isolated_vertices"]
    highest = records.construction.max_degree_with_duplicates
    assert highest == golden["max_degree_with_duplicates"]


@pytest.mark.parametrize(
    ("scale", "ranks"),
    [
        (16, 1),
        (20, 1),
        pytest.param(20, 2, marks=pytest.mark.slow),
        pytest.param(22, 1, marks=pytest.mark.slow),
    ],
)
def test_the_golden_facts_hold_at_scales_that_people_run(
    lab: Laboratory, scale: int, ranks: int
) -> None:
    run = lab.run("--scale", scale, "--ranks", ranks, "--keys", 8)

    assert_golden(records_of(run), keys=8)


def test_a_run_on_any_number_of_ranks_is_validated_and_agrees_with_the_golden_facts(
    every_lab: Laboratory, ranks: int
) -> None:
    keys = 64 if ranks <= 2 else 16  # ranks that share processors take their time
    run = every_lab.run("--scale", 10, "--ranks", ranks, "--threads", 1, "--keys", keys)

    records = records_of(run)
    assert records.run.ranks == ranks
    assert_golden(records, keys)
    assert records.finish is not None
    assert records.finish.peak_bytes == sum(records.finish.peak_bytes_per_rank)
    assert len(records.finish.peak_bytes_per_rank) == ranks


@pytest.mark.parametrize("grid", ["1x4", "2x2", "2x3", "3x2"])  # 4x1: the test above
def test_levels_do_not_depend_on_the_grid(lab: Laboratory, grid: str) -> None:
    run = lab.run("--scale", 12, "--grid", grid, "--threads", 1, "--keys", 8)

    found = [list(s.vertices_per_level or ()) for s in records_of(run).timed_searches]
    assert found == [s["vertices_per_level"] for s in GOLDEN[12]["searches"][:8]]


@pytest.mark.parametrize("edges", ["file", "regenerate"])  # in memory: all other tests
def test_edges_may_be_kept_anywhere(lab: Laboratory, edges: str) -> None:
    run = lab.run("--scale", 12, "--ranks", 2, "--threads", 1, "--keys", 4, "--edges", edges)

    records = records_of(run)
    assert records.verdict == "validated"
    assert records.run.edges_storage == edges
    assert records.construction is not None
    assert records.construction.retrieval_seconds > 0
    assert not list(run.path.glob("edges*"))


def test_the_smallest_graphs_use_the_keys_they_have(lab: Laboratory) -> None:
    for scale in (1, 5):
        records = records_of(lab.run("--scale", scale, "--threads", 1))
        keys = lab.isobath("keys", "--scale", scale).out.split()
        assert [str(search.root) for search in records.timed_searches] == keys
        assert 0 < len(keys) < 64
        assert records.verdict == "validated"


@dataclass(frozen=True)
class Sample:
    """A run of two ranks with a report."""

    lab: Laboratory
    run: RunFolder
    said: Done


@pytest.fixture(scope="module")
def sample(laboratories: dict[str, Laboratory]) -> Sample:
    if not laboratories:
        pytest.fail(NOT_BUILT)
    lab = next(iter(laboratories.values()))
    said = lab.isobath("run", "--scale", 12, "--ranks", 2, "--threads", 1)
    assert said.code == 0, said.err
    return Sample(lab, lab.runs[-1], said)


def test_official_text_is_what_was_printed_and_what_others_read(sample: Sample) -> None:
    done, run = sample.said, sample.run
    records = records_of(run)
    reference, specification = run.text("official-reference.txt"), run.text("official-spec.txt")
    searches = records.timed_searches
    teps = harmonic_mean_teps(
        [s.traversed_edges for s in searches], [s.seconds for s in searches]
    ).value

    assert done.out == reference == run.text("stdout.txt")
    for name, (rule, finds_it) in READS_REFERENCE.items():
        found = rule(reference)
        assert (found is not None) == finds_it, name
        assert found is None or found == pytest.approx(teps, rel=1e-5), name
    for name, (rule, finds_it) in READS_SPECIFICATION.items():
        found = rule(specification)
        assert (found is not None) == finds_it, name
        assert found is None or found == pytest.approx(teps, rel=0.02), name


def test_the_labels_are_those_of_the_reference(sample: Sample) -> None:
    text = sample.run.text("official-reference.txt")
    of_reference = (DATA / "reference-3.0-stdout-bfs.txt").read_text(encoding="ascii")

    def shape(block: str) -> list[tuple[str, int, bool]]:
        """Label, column of the value, and the bang, line by line."""
        found = []
        for line in block.splitlines():
            label, _, rest = line.partition(":")
            found.append((label, len(line) - len(rest.lstrip(" !")), "!" in line))
        return found

    assert shape(text) == shape(of_reference)


def test_without_the_bang_ramble_reads_it(lab: Laboratory) -> None:
    run = lab.run("--scale", 10, "--threads", 1, "--legacy-no-bang")

    text = run.text("official-reference.txt")
    assert "!" not in text
    assert ramble(text) is not None


def test_duckdb_reads_what_the_engine_wrote(sample: Sample) -> None:
    records = records_of(sample.run)

    connection = connect({"sample": [sample.run]})
    rows = connection.execute("SELECT index, root, seconds, phases FROM search WHERE NOT warmup")
    found = rows.fetchall()
    assert [(row[0], row[1], row[2]) for row in found] == [
        (s.index, s.root, s.seconds) for s in records.timed_searches
    ]
    assert [dict(row[3]) for row in found] == [dict(s.phases) for s in records.timed_searches]
    machine = connection.execute("SELECT hosts[1].cores, mpi.standard_version FROM run")
    assert machine.fetchall() == [(records.run.hosts[0].cores, records.run.mpi.standard_version)]


def test_the_phases_are_one_list(lab: Laboratory) -> None:
    listed = lab.engine("--list-phases")

    assert listed.code == 0
    assert tuple(listed.out.split()) == PHASE_NAMES


def test_phases_of_a_search_add_up_to_its_time(lab: Laboratory) -> None:
    """On one rank: of several, each phase tells its slowest, and their sum may be more."""
    records = records_of(lab.run("--scale", 14, "--keys", 8, "--ranks", 1))

    for search in records.timed_searches:
        assert sum(search.phases.values()) <= search.seconds * 1.05
        levels = [level for level in records.levels if level.search == search.index]
        first = levels[0].level  # a leaf as root starts one level down
        assert first in (0, 1)
        assert [level.level for level in levels] == list(range(first, first + len(levels)))
        assert sum(level.seconds for level in levels) <= search.seconds * 1.05


def test_a_run_without_validation_says_so_everywhere(lab: Laboratory) -> None:
    done = lab.isobath("run", "--scale", 10, "--no-validation", "--keys", 4, "--no-report")

    assert done.code == 0
    assert done.out.startswith("UNVALIDATED")
    assert "UNVALIDATED" in done.err
    run = lab.runs[-1]
    assert records_of(run).label == "UNVALIDATED"
    assert "UNVALIDATED" in run.text("official-spec.txt")
    shown = lab.isobath("show", run.run_id)
    assert "UNVALIDATED" in shown.out


def test_an_official_run_is_checked_and_disclosed(lab: Laboratory) -> None:
    run = lab.run("--official", "--scale", 16)

    records = records_of(run)
    assert records.run.official
    assert len(records.timed_searches) == 64
    assert records.construction is not None
    assert records.construction.check is not None
    assert records.construction.check.passed
    assert records.construction.phases["count_vertices"] > 0
    assert records.finish is not None
    told = records.finish.disclosures
    assert any("(leaves)" in words for words in told)
    assert "one untimed warm-up search was run before the timed ones" in told
    specification, said = run.text("official-spec.txt"), run.text("stderr.txt")
    for words in told:
        assert f"\n# {words}\n" in specification
        assert f"isobath: {words}\n" in said
        assert words not in run.text("stdout.txt") + run.text("official-reference.txt")


def test_the_plainest_reading_searches_the_same_keys_with_nothing_prepared(lab: Laboratory) -> None:
    run = lab.run("--official", "--plainest", "--scale", 16)

    official = records_of(run)
    plainest = RunRecords.of(read_records(run.path / "plainest.jsonl"))
    assert (plainest.state, plainest.verdict) == ("complete", "validated")
    assert [one.root for one in plainest.timed_searches] == [
        one.root for one in official.timed_searches
    ]
    built = plainest.construction
    assert built is not None
    assert built.prepared is not None
    assert (built.leaves, built.prepared.families, built.prepared.likely_parents) == (0, 0, 0)
    assert not built.prepared.by_degree
    assert built.check is not None
    assert built.check.passed
    found = json.loads(lab.isobath("show", run.run_id, "--json").out)["plainest"]
    assert found["searches_passed"] == 64
    assert found["official_to_plainest_low"] <= found["official_to_plainest"]


def test_the_report_of_a_real_run_is_written(sample: Sample) -> None:
    page = sample.lab.prefix / "reports" / sample.run.run_id / "report.html"
    assert page.stat().st_size < 2_000_000


def test_export_and_keys_agree_with_the_golden_facts(lab: Laboratory, tmp_path: Path) -> None:
    for scale in (8, 12):
        path = tmp_path / f"e{scale}"
        weights = tmp_path / f"w{scale}"
        assert lab.isobath("export", "--scale", scale, path, "--weights", weights).code == 0
        golden = GOLDEN[scale]
        assert sha256(path.read_bytes()) == golden["edges_sha256"]
        assert sha256(weights.read_bytes()) == golden["weights_sha256"]
        alone = tmp_path / "alone"
        assert lab.isobath("export", "--scale", scale, "--weights", alone).code == 0
        assert alone.read_bytes() == weights.read_bytes()
        keys = lab.isobath("keys", "--scale", scale).out.split()
        assert [int(key) for key in keys] == golden["search_keys"]


@pytest.mark.parametrize("suffix", ["mtx", "parquet"])
def test_weights_beside_the_edges_agree_with_the_golden_facts(
    lab: Laboratory, tmp_path: Path, suffix: str
) -> None:
    path, golden = tmp_path / f"g.{suffix}", GOLDEN[14]

    assert lab.isobath("export", "--scale", 14, "--weighted", path).code == 0

    pairs, weights = read_matrix_market(path) if suffix == "mtx" else read_parquet(path)
    assert sha256(pairs.astype("<i8").tobytes()) == golden["edges_sha256"]
    assert sha256(weights.astype("<f4").tobytes()) == golden["weights_sha256"]


def read_matrix_market(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    """Pairs counted from 0, and weights."""
    lines = np.loadtxt(path, skiprows=2)
    return lines[:, :2] - 1, lines[:, 2]


def read_parquet(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    columns = duckdb.execute("SELECT u, v, weight FROM read_parquet(?)", [str(path)]).fetchnumpy()
    assert columns["weight"].dtype == np.float32
    return np.column_stack([columns["u"], columns["v"]]), columns["weight"]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    "scale", [18, 20, *(pytest.param(scale, marks=pytest.mark.slow) for scale in (22, 24))]
)
def test_the_golden_facts_hold_at_large_scales(lab: Laboratory, scale: int) -> None:
    """Gigabytes, through pipes as users do it."""
    golden = GOLDEN[scale]
    for output, name in (("--output", "edges_sha256"), ("--weights", "weights_sha256")):
        line = f"{lab.mpi.program('isobath-edges')} --scale {scale} {output} - | sha256sum"
        said = subprocess.run(line, shell=True, capture_output=True, text=True, check=True).stdout
        assert said.split()[0] == golden[name]
    keys = lab.edges("--scale", scale, "--keys").split()
    assert [int(key) for key in keys] == golden["search_keys"]


def test_the_doctor_runs_a_validated_search(every_lab: Laboratory) -> None:
    done = every_lab.isobath("doctor", "--quick")

    assert done.code == 0, done.out
    assert "all validated" in done.out


def test_silent_singletons_are_noticed_before_any_work(every_lab: Laboratory) -> None:
    done = every_lab.engine("--scale", 10, ranks=1, ISOBATH_EXPECT_RANKS="2")

    assert "announced 2 ranks" in done.err
    old_mpich = every_lab.mpi.kind == "mpich" and every_lab.mpi.version.startswith("4.")
    if old_mpich and done.code == 1:
        assert "BAD TERMINATION" in done.out  # its launcher forgets the code at times
        return
    assert done.code == 3, done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--scale", 99), 2),
        (("--scale", 10, "--frobnicate"), 2),
        (("--scale", 10, "--grid", "2x3"), 2),
        (("--scale", 10, "--official"), 2),
        (("--scale", 10, "--root", 5000), 2),
        (("--scale", 10, "--record", "/nowhere/records.jsonl"), 3),
        (("--scale", 10, "--parents", "/nowhere/parents"), 3),
        (("--version",), 0),
    ],
)
def test_the_engine_ends_with_the_documented_codes(
    lab: Laboratory, words: tuple[object, ...], code: int
) -> None:
    done = lab.engine(*words)

    assert done.code == code, done.err
    if code:
        assert len(done.err.strip().splitlines()) >= 1
        assert "isobath" in done.err
