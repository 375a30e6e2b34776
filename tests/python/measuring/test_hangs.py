# SPDX-License-Identifier: Apache-2.0
"""What benchmarks/hangs.py runs and remembers; its runs themselves take an hour."""

import json
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hang_runs
import hangs
import pytest
from hang_cases import RUNS, SHAPES, THREADS, Case, Log, Seeded, is_left_out, new_runs, old_runs
from hang_runs import Rank


def done(_: Seeded) -> dict[str, Any]:
    return {"end": "done", "seconds": 1.0}


def some_log(folder: Path) -> Log:
    log = Log(folder / "runs.jsonl")
    log.add_session({"commit": "abc"})
    return log


def test_all_that_was_asked_for_is_run_once() -> None:
    runs = new_runs()
    assert len(set(runs)) == len(runs) == len(SHAPES) * len(THREADS) * sum(RUNS.values())
    for plan, grid in SHAPES:
        for threads in THREADS:
            for scale, number in RUNS.items():
                seeds = [run.seed for run in runs if run.case == Case(plan, grid, scale, threads)]
                assert seeds == list(range(1, number + 1))
    assert len(set(old_runs())) == 40
    assert {run.case.engine for run in old_runs()} == {"old"}


def test_every_shape_is_soon_among_what_is_finished() -> None:
    first = new_runs()[: len(SHAPES) * len(THREADS)]
    assert {(run.case.plan, run.case.grid) for run in first} == set(SHAPES)
    assert max(run.case.scale for run in first) == 10


def test_what_is_finished_is_not_run_again(tmp_path: Path) -> None:
    some = new_runs()[:6]
    log = some_log(tmp_path)
    hangs.run_all(some[:4], log, done, 2)
    started: list[Seeded] = []

    def start(run: Seeded) -> dict[str, Any]:
        started.append(run)
        return done(run)

    hangs.run_all(some, Log(log.path), start, 1)
    assert started == some[4:]
    assert set(Log(log.path).runs) == set(some)


def test_where_an_hour_is_not_enough_the_largest_shapes_get_less(tmp_path: Path) -> None:
    log = some_log(tmp_path)
    runs = [run for run in new_runs() if run.case.scale == 10]
    hangs.run_all(runs, log, lambda _: {"end": "done", "seconds": 10.0}, 1)
    (note,) = Log(log.path).notes
    assert log.leaves_out()
    later = Log(log.path)
    later.add_session({"commit": "def"})
    assert later.leaves_out(), "what goes on from it runs no more than it"
    assert "3x3 and 4x2 take 30" in note["text"]
    finished = Log(log.path).runs
    assert all(run in finished or is_left_out(run) for run in runs)
    for plan, grid in SHAPES:
        wanted = 30 if grid in ("4x2", "3x3") else 100
        assert Log(log.path).ends(Case(plan, grid, 10, 3)) == {"done": wanted}


def test_nothing_is_foretold_from_too_few_runs(tmp_path: Path) -> None:
    log = some_log(tmp_path)
    runs = new_runs()
    first = [run for run in runs if run.case.scale == 10 and run.seed <= 5]
    hangs.run_all(first[:-1], log, done, 1)
    assert log.foretold_minutes(runs, 1) is None
    hangs.run_all(first, log, done, 1)
    per_shape = 2 * (100 + 10 * 4 + 3 * 16)
    assert log.foretold_minutes(runs, 1) == pytest.approx(len(SHAPES) * per_shape / 60)
    assert log.foretold_minutes(runs, 2) == pytest.approx(len(SHAPES) * per_shape / 120)


@pytest.mark.parametrize(("passed", "end"), [(True, "done"), (False, "failed")])
def test_a_search_that_is_not_right_is_no_run_that_is_done(
    tmp_path: Path, passed: bool, end: str
) -> None:
    searches = [{"kind": "search", "warmup": True}]
    for number in range(4):
        verdict = {"passed": passed or number < 3}
        searches.append({"kind": "search", "warmup": False, "validation": verdict})
    records, said = tmp_path / "records.jsonl", tmp_path / "said"
    records.write_text("\n".join(map(json.dumps, searches)))
    said.write_text("a word\n")
    assert hang_runs.judge_ending(0, records, said)["end"] == end
    assert hang_runs.judge_ending(3, records, said)["end"] == "failed"
    records.write_text("\n".join(map(json.dumps, searches[:-1])))
    assert hang_runs.judge_ending(0, records, said)["said"] == "a word"


def test_a_hang_is_ranks_that_spend_time_inside_a_level_and_get_nowhere() -> None:
    fold, top_down, checks = (0, 2, "fold"), (0, 2, "top_down"), (0, 2, "validate")

    def ranks(nanoseconds: int, *places: tuple[int, int, str]) -> dict[int, Rank]:
        return {rank: Rank(nanoseconds, place) for rank, place in enumerate(places)}

    before = ranks(10, fold, top_down)
    assert hang_runs.only_spins(before, ranks(20, fold, top_down), 2)
    assert not hang_runs.only_spins(before, ranks(10, fold, top_down), 2)  # it is blocked
    assert not hang_runs.only_spins(before, ranks(20, fold, fold), 2)  # it gets on
    assert not hang_runs.only_spins(before, ranks(20, fold, (0, 3, "top_down")), 2)
    assert not hang_runs.only_spins(before, ranks(20, fold), 2)  # one has ended
    assert not hang_runs.only_spins(before, ranks(20, fold, top_down), 3)  # one has not begun
    assert not hang_runs.only_spins(ranks(10, checks, checks), ranks(20, checks, checks), 2)
    assert hang_runs.only_spins(ranks(10, fold, checks), ranks(20, fold, checks), 2)


@pytest.mark.parametrize("end", ["hang", "slow", "failed"])
def test_a_run_that_does_not_end_well_is_seen(
    tmp_path: Path, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = some_log(tmp_path)
    hangs.run_all(new_runs()[:3], log, done, 1)
    assert hangs.show(log)
    log.add_run(new_runs()[3], {"end": end, "seconds": 130.0})
    assert not hangs.show(log)
    assert "seed 1: {'kind': 'run', 'session': 1, 'engine': 'new'" in capsys.readouterr().out


FAKE_LAUNCHER = """#!{python}
import os, sys, time
while not os.path.exists(sys.argv[0] + ".unseen"):
    time.sleep(0.01)
record = sys.argv[sys.argv.index("--record") + 1]
search = '{{"kind": "search", "warmup": false, "validation": {{"passed": true}}}}'
open(record, "w").write("\\n".join([search] * 4))
"""


@pytest.mark.parametrize(("limits", "end"), [((0.2, 600.0), "done"), ((0.2, 0.2), "late")])
def test_a_run_that_ended_unseen_after_its_limit_is_repeated_and_listed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    limits: tuple[float, float],
    end: str,
) -> None:
    launcher = tmp_path / "mpiexec"
    launcher.write_text(FAKE_LAUNCHER.format(python=sys.executable))
    launcher.chmod(0o755)
    clock = SimpleNamespace(now=0.0)

    def unseen(process: subprocess.Popen[bytes]) -> None:
        """Nobody looks until the run has ended, after its limit."""
        Path(f"{launcher}.unseen").touch()
        process.wait()
        Path(f"{launcher}.unseen").unlink()
        clock.now += 0.3

    monkeypatch.setattr(hang_runs, "HANG_SECONDS", limits[0])
    monkeypatch.setattr(hang_runs, "LONGEST_SECONDS", limits[1])
    monkeypatch.setattr(hang_runs, "pause", unseen)
    watch = SimpleNamespace(monotonic=lambda: clock.now, sleep=time.sleep)
    monkeypatch.setattr(hang_runs, "time", watch)
    mpi: Any = SimpleNamespace(mpiexec=str(launcher))
    run = next(one for one in new_runs() if one.case.ranks == 2)

    outcome = hang_runs.run_seed(mpi, tmp_path / "engine", tmp_path / "delays.so", run)

    assert outcome["end"] == end
    assert outcome["repeated_after"] > limits[0]
    log = some_log(tmp_path)
    log.add_run(run, outcome)
    assert hangs.show(log) == (end == "done")
    assert f"'end': '{end}', 'repeated_after': " in capsys.readouterr().out


def test_a_stored_run_beyond_its_limit_that_was_not_repeated_is_not_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = some_log(tmp_path)
    log.add_run(new_runs()[0], {"end": "done", "seconds": 1276.66})
    assert not hangs.show(log)
    assert "1276.66" in capsys.readouterr().out


def test_no_stored_run_is_beyond_its_limit() -> None:
    ours = [one for one in Log().runs.values() if one["engine"] == "new"]
    beyond = [one for one in ours if one["seconds"] > 120 and "repeated_after" not in one]
    assert beyond == []
    assert {one["end"] for one in ours} == {"done"}


def test_delays_that_find_nothing_in_the_old_engine_prove_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = some_log(tmp_path)
    hangs.run_all(old_runs()[:2], log, done, 1)
    assert not hangs.show(log)
    for run in old_runs()[2:4]:
        log.add_run(run, {"end": "hang", "seconds": 120.0})
    capsys.readouterr()
    assert hangs.show(log)
    assert "prove nothing" not in capsys.readouterr().out
