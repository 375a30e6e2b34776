# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of collectives and of overlap with the real programs and MPI, as people start them."""

import itertools
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isobath.bench.folders import BenchFolder
from isobath.bench.measured import read_measured, seconds_of
from isobath.overlap.folders import OverlapFolder, read_overlap
from isobath.records.overlap import OverlapRecord
from isobath.store.folders import MANIFEST, RunFolder
from isobath.study.shelf import Shelf
from patience import patience
from signals import started
from system.laboratory import Laboratory

COLLECTIVES = ("bench", "collectives", "--collectives", "bcast,allreduce", "--sizes", "8,4K",
               "--ranks", "2", "--forms", "blocking", "--algorithms", "none", "--least", "5",
               "--most", "20", "--budget", "0.2", "--seed", "7")  # fmt: skip
OVERLAP = ("bench", "overlap", "--collectives", "allreduce", "--sizes", "16", "--ranks", "1",
           "--progress", "library,tests,thread,offload", "--work", "triad", "--ratios", "1,2",
           "--tests", "0,1", "--repetitions", "3", "--seed", "7")  # fmt: skip


DELAY = 5_000_000
"""Nanoseconds, of the last rank on purpose."""


def the_bench(benches: Path) -> BenchFolder:
    (study,) = Shelf((benches,)).studies()
    return BenchFolder(study.path)


def the_overlap(lab: Laboratory) -> OverlapFolder:
    return OverlapFolder(Shelf((lab.prefix / "studies",)).find("last:overlap").path)


def sealed(runs: Path) -> list[RunFolder]:
    return [RunFolder(path.parent) for path in sorted(runs.glob(f"*/{MANIFEST}"))]


def page_of(lab: Laboratory, name: str) -> Path:
    return lab.prefix / "reports" / name / "report.html"


def spoil(records: Path) -> None:
    """One digit of a time becomes another."""
    text = records.read_text(encoding="utf-8")
    assert "nanoseconds" in text
    place = text.rindex("_nanoseconds")
    digit = next(i for i in range(place, len(text)) if text[i] in "123456789")
    records.write_text(text[:digit] + str(int(text[digit]) % 9 + 1) + text[digit + 1 :], "utf-8")


def interrupted(lab: Laboratory, words: tuple[object, ...], begun: Callable[[], bool]) -> str:
    """Starts a benchmark, presses Ctrl-C as soon as it has begun, and returns what it said."""
    process = started(
        lab.command(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=lab.environment(),
    )
    try:
        deadline = time.monotonic() + patience()
        while not begun() and time.monotonic() < deadline:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=patience())
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=patience())
    assert "Traceback" not in err
    return err


def test_collectives_are_measured_sealed_and_reported(lab: Laboratory, tmp_path: Path) -> None:
    words = (*COLLECTIVES, "--cadence", "isolated,streaming", "--launches", "2")
    said = lab.isobath(*words, "--benches", tmp_path, "--reports", tmp_path / "pages")

    assert said.code == 0, said.err
    assert "FEW LAUNCHES" in said.out
    bench = the_bench(tmp_path)
    measured = read_measured(bench)
    assert not measured.problems
    assert len(measured.cells) == 2 * 2 * 2
    for one in measured.cells:
        assert len(one.launches) == 2
        assert all(len(times) >= 1 for times in one.launches)
        streams = one.cell.cadence == "streaming"
        assert all((row.batch_starts is not None) == streams for row in one.records)
        assert all(row.clock_error_nanoseconds == 0 for row in one.records)
    page = (tmp_path / "pages" / bench.study_id / "report.html").read_text(encoding="utf-8")
    assert "How it was measured" in page
    assert [run.verify() for run in sealed(bench.runs)] == [[], []]


def test_one_s_own_algorithm_is_measured_and_checked_beside_the_library_s(
    lab: Laboratory, tmp_path: Path
) -> None:
    said = lab.isobath(
        "bench", "collectives", "--collectives", "allgatherv", "--counts", "uniform,zipf:1",
        "--sizes", 64, "--ranks", 2, "--forms", "blocking", "--algorithms", "own_ring",
        "--least", 5, "--most", 20, "--budget", 0.2, "--launches", 1, "--no-stacks",
        "--benches", tmp_path, "--no-report",
    )  # fmt: skip

    assert said.code == 0, said.err
    measured = read_measured(the_bench(tmp_path))
    assert not measured.problems
    assert {(cell.choice, cell.cell.counts, cell.data_failure) for cell in measured.cells} == {
        (choice, counts, "")
        for choice in ("default", "own_ring")
        for counts in ("uniform", "zipf:1")
    }
    assert {cell.first.call for cell in measured.cells} == {"allgatherv", "own_ring"}


def test_delays_on_purpose_are_no_part_of_a_collectives_time(
    lab: Laboratory, tmp_path: Path
) -> None:
    words = (
        *COLLECTIVES,
        "--alignment",
        "roundtime",
        "--arrival",
        f"one-late:{DELAY // 1000}",
        "--launches",
        1,
    )
    said = lab.isobath(*words, "--benches", tmp_path, "--no-report", "--view", "sizes")

    assert said.code == 0, said.err
    records = [row for cell in read_measured(the_bench(tmp_path)).cells for row in cell.records]
    assert len(records) == 4
    for record in records:
        assert record.timed_from == "last_entry"
        assert record.entry_nanoseconds is not None
        assert record.exit_nanoseconds is not None
        # A round begins when the one before is over, and the last rank comes so much later in each:
        # that holds however late ranks are besides.
        last = record.entry_nanoseconds[-1]
        assert all(after - before >= DELAY for before, after in itertools.pairwise(last))
        kept = set(range(len(last))) - set(record.invalid or ())
        kept -= set(range(record.warm_up_repetitions or 0))
        by_hand = [
            max(1, max(ends[i] for ends in record.exit_nanoseconds)
                - max(begins[i] for begins in record.entry_nanoseconds))
            for i in sorted(kept)
        ]  # fmt: skip
        assert [round(t * 1e9) for t in seconds_of(record)] == by_hand


def test_an_interrupted_benchmark_of_collectives_is_resumed(
    lab: Laboratory, tmp_path: Path
) -> None:
    words = (*COLLECTIVES, "--launches", "8", "--benches", tmp_path, "--no-report")
    err = interrupted(lab, words, lambda: bool(list(tmp_path.glob("*/runs/a01-*[0-9]"))))
    bench = the_bench(tmp_path)
    before = {run.run_id: run.text(MANIFEST) for run in sealed(bench.runs)}
    assert 0 < len(before) < 8, err
    assert re.search(r"isobath( --prefix \S+)? resume", err), err

    done = lab.isobath(
        "bench", "collectives", "--resume", bench.study_id, "--benches", tmp_path, "--no-report"
    )

    assert done.code == 0, done.err
    after = {run.run_id: run.text(MANIFEST) for run in sealed(bench.runs)}
    assert len(after) == 8
    assert {name: after[name] for name in before} == before, "what was done stays as it was"


def test_a_changed_launch_of_collectives_is_named(lab: Laboratory, tmp_path: Path) -> None:
    assert lab.isobath(*COLLECTIVES, "--benches", tmp_path, "--no-report").code == 0
    bench = the_bench(tmp_path)
    spoil(bench.runs / "a01-2/records.jsonl")

    said = lab.isobath("bench", "collectives", "--of", bench.study_id, "--benches", tmp_path)

    assert said.code == 3
    assert "a01-2: records.jsonl was changed after sealing" in said.out + said.err


@pytest.fixture(scope="module")
def measured_overlap(laboratories: dict[str, Laboratory]) -> tuple[Laboratory, OverlapFolder]:
    lab = next(iter(laboratories.values()))
    said = lab.isobath(*OVERLAP, "--launches", 2)
    assert said.code == 0, said.err
    assert "FEW LAUNCHES" in said.out
    assert "allreduce of 16 B" in said.out
    return lab, the_overlap(lab)


def test_overlap_is_measured_in_several_launches_each_sealed(
    measured_overlap: tuple[Laboratory, OverlapFolder],
) -> None:
    lab, folder = measured_overlap
    plan = folder.plan()
    read = read_overlap(folder)
    assert not read.problems
    runs = sealed(folder.runs)
    assert len(runs) == 1 + 2 * len(plan.arms)
    assert not any(run.verify() for run in runs)
    rows = [one for one in read.records if isinstance(one, OverlapRecord)]
    assert {one.launch for one in rows} == {1, 2}
    assert {one.progress for one in rows} == {"library", "tests", "thread", "offload"}
    assert all(one.data_check == "passed" for one in rows)
    # The library alone is measured once in a launch: beside offload it would be the same.
    alone = [one for one in rows if one.progress == "library"]
    assert len(alone) == len({(one.launch, one.work_ratio) for one in alone})
    # All did the same work.
    assert len({one.work_units for one in rows if one.work_ratio == 1}) == 1
    page = page_of(lab, folder.path.name).read_text(encoding="utf-8")
    assert "FEW LAUNCHES" in page
    assert "one clock" in page


def test_a_changed_launch_of_overlap_is_named_and_done_again(
    measured_overlap: tuple[Laboratory, OverlapFolder],
) -> None:
    lab, folder = measured_overlap
    assert lab.isobath("report", folder.path.name, "-o", lab.prefix / "again.html").code == 0
    assert (lab.prefix / "again.html").read_bytes() == page_of(lab, folder.path.name).read_bytes()
    spoil(folder.runs / "o01-1/records.jsonl")

    shown = lab.isobath("report", folder.path.name)

    assert shown.code == 3
    assert "o01-1: records.jsonl was changed after sealing" in shown.err
    assert "changed after sealing" in page_of(lab, folder.path.name).read_text(encoding="utf-8")
    again = lab.isobath("bench", "overlap", "--resume", folder.path.name)
    assert again.code == 0, again.err
    assert "changed after sealing" not in page_of(lab, folder.path.name).read_text("utf-8")


def test_an_interrupted_benchmark_of_overlap_is_resumed(lab: Laboratory, tmp_path: Path) -> None:
    there = tmp_path / "overlap"
    words = (*OVERLAP, "--launches", "3", "--output", there)
    err = interrupted(lab, words, lambda: bool(list(there.glob("runs/o0*-1"))))
    folder = OverlapFolder(there)
    plan = folder.plan()
    before = {run.run_id: run.text(MANIFEST) for run in sealed(folder.runs)}
    wanted = 1 + 3 * len(plan.arms)
    assert 0 < len(before) < wanted, err
    assert re.search(r"isobath( --prefix \S+)? resume", err), err

    done = lab.isobath("bench", "overlap", "--resume", there)

    assert done.code == 0, done.err
    after = {run.run_id: run.text(MANIFEST) for run in sealed(folder.runs)}
    assert len(after) == wanted
    assert {name: after[name] for name in before} == before


def test_clocks_of_pretended_nodes_are_compared_by_both_programs(
    lab: Laboratory, tmp_path: Path
) -> None:
    nodes: dict[str, Any] = {
        "ISOBATH_NODE_MAP": "0,1", "ISOBATH_CLOCK_SKEW": "0,100", "ISOBATH_CLOCK_DRIFT": "0,9"
    }  # fmt: skip
    words = ("--collectives", "allreduce", "--sizes", "16", "--ranks", "2", "--progress",
             "library", "--work", "triad", "--ratios", "1", "--launches", "1")  # fmt: skip
    said = lab.isobath("bench", "overlap", *words, "--output", tmp_path / "two", **nodes)

    assert said.code == 0, said.err
    lines = (tmp_path / "two/runs/o01-1/records.jsonl").read_text(encoding="utf-8").splitlines()
    head, *cells = map(json.loads, lines)
    assert head["clocks"] == 2
    assert all(0 < one["clock_error_nanoseconds"] < 1e9 for one in cells)
    assert "2 clocks, compared" in page_of(lab, "two").read_text(encoding="utf-8")
