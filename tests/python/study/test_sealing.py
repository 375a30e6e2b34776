# SPDX-License-Identifier: Apache-2.0
"""The one place where launches end: what stands in run.json, whatever came of them."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from isobath.errors import ExitCode
from isobath.graphs import session
from isobath.graphs.design import GraphFile, SearchDesign
from isobath.launch.delay_line import Latency
from isobath.launch.engine_run import Files, Outcome
from isobath.launch.interrupts import NeverStop
from isobath.launch.launcher import LaunchLine
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.watchdog import Trouble
from isobath.records.codec import encode
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import Setting
from isobath.study.sealing import LIBRARY, Origin, end_run
from records import examples

LINE = LaunchLine(("mpiexec", "-n", "2", "program"), {"OMP_NUM_THREADS": "1"})
WELL = Outcome(ExitCode.DONE, 1.0)
ORIGIN = Origin({"id": "m", "abi": "mpi5"}, ("isobath", "run"), ("plan hybrid",),
                {"keys": Setting(value=1, origin="--keys")})  # fmt: skip

COMPLETE = (
    examples.run_record(keys=1),
    examples.construction_record(),
    examples.search_record(0),
    examples.finish_record(),
)


def ended(tmp_path: Path, outcome: Outcome, *records: Any) -> tuple[Any, RunFolder]:
    run = OpenRun(tmp_path, "a-run")
    run.records.write_text("".join(encode(one) + "\n" for one in records), encoding="utf-8")
    started = datetime(2026, 1, 1, tzinfo=UTC)
    found = end_run(run, LINE, outcome, ORIGIN, started=started, environment={"hostname": "n0"})
    return found, found.folder


def test_a_run_that_completed_keeps_what_it_was_and_its_seal(tmp_path: Path) -> None:
    found, folder = ended(tmp_path, WELL, *COMPLETE)

    assert (found.exit_code, found.message) == (ExitCode.DONE, None)
    assert folder.verify() == []
    summary = folder.summary()
    assert (summary.state, summary.exit_code, summary.message) == ("complete", 0, None)
    assert (summary.command, summary.notes) == (("isobath", "run"), ("plan hybrid",))
    assert summary.settings["keys"].origin == "--keys"
    assert summary.launch_line == LINE.command
    facts = folder.environment()
    assert (facts["mpi"], facts["nodes"]) == ({"id": "m", "abi": "mpi5"}, [{"hostname": "n0"}])


def test_what_added_a_latency_is_kept_with_what_it_lost(tmp_path: Path) -> None:
    latency = Latency("isobath-delay", 2000, priority="real-time")
    run = OpenRun(tmp_path, "a-run")
    run.records.write_text("".join(encode(record) + "\n" for record in COMPLETE), encoding="utf-8")
    line = replace(LINE, latency=latency)
    latency.lost_frames = 7  # known once the nodes have ended

    sealed = end_run(run, line, WELL, ORIGIN, started=datetime(2026, 1, 1, tzinfo=UTC),
                     environment={"hostname": "n0"}).folder  # fmt: skip

    facts = sealed.environment()["latency"]
    assert facts == {"by": "isobath-delay", "microseconds": 2000, "priority": "real-time",
                     "lost_frames": 7}  # fmt: skip
    (_, note) = sealed.summary().notes
    assert "by isobath-delay" in note
    assert "LOST 7 frames" in note


def test_the_cause_of_a_death_is_recorded_and_said(tmp_path: Path) -> None:
    trouble = Trouble("rank 1 hangs in phase expand", ExitCode.TIMEOUT)
    outcome = Outcome(ExitCode.TIMEOUT, 1.0, trouble=trouble)

    found, folder = ended(tmp_path, outcome, examples.run_record())

    assert found.exit_code == ExitCode.TIMEOUT
    assert folder.summary().state == "failed"
    assert folder.summary().message == "rank 1 hangs in phase expand"
    assert "rank 1 hangs in phase expand" in folder.text("records.jsonl")


def test_records_that_nobody_can_read_are_a_defect(tmp_path: Path) -> None:
    found, folder = ended(tmp_path, WELL, *COMPLETE[:1])

    assert found.exit_code != ExitCode.DONE
    assert folder.summary().state != "complete"
    assert folder.verify() == []


def test_what_a_library_searches_does_not_claim_that_somebody_typed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_engine(line: LaunchLine, files: Files, **_: Any) -> Outcome:
        files.records.write_text("".join(encode(one) + "\n" for one in COMPLETE), "utf-8")
        files.stdout.write_text("root  seconds\n0  0.1\n", encoding="utf-8")
        return WELL

    program = tmp_path / "build" / "bin" / session.PROGRAM
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    graph = tmp_path / "graph.el"
    graph.write_text("0 1\n", encoding="utf-8")
    library = MpiLibrary("m", "mpich", "5", "mpicxx", "mpiexec", None, build_dir=tmp_path / "build")
    monkeypatch.setattr(session, "run_engine", run_engine)
    monkeypatch.setattr(session, "choose_library", lambda *_: library)
    monkeypatch.setattr("sys.argv", ["notebook", "--password-of-somebody"])
    request = SearchDesign(GraphFile.of(graph), ranks=1, threads=1)

    found = session.search(request, tmp_path / "store", NeverStop(), wants_answers=False)

    assert found.folder.summary().command == LIBRARY
    assert found.folder.environment()["mpi"]["id"] == "m"
    assert found.roots == (0,)
