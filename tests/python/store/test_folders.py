# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.records.codec import encode
from isobath.store.folders import (
    MANIFEST,
    OpenRun,
    RunFolder,
    file_digest,
    list_runs,
)
from isobath.store.run_summary import RunSummary, Setting
from records import examples


def summary(run_id: str) -> RunSummary:
    return RunSummary(
        run_id=run_id,
        isobath_version="0.1.0",
        started=datetime(2026, 1, 1, tzinfo=UTC),
        ended=datetime(2026, 1, 1, tzinfo=UTC),
        state="complete",
        verdict="validated",
        exit_code=0,
        command=("isobath", "run"),
        settings={"scale": Setting(value=12, origin="--scale")},
    )


def sealed(store: Path, run_id: str) -> RunFolder:
    run = OpenRun(store, run_id)
    run.records.write_text(
        "".join(encode(record) + "\n" for record in examples.one_of_each()[:-1]), encoding="utf-8"
    )
    return run.seal(summary(run_id), {"hostname": "here"})


def test_a_sealed_run_is_complete_and_untouched(tmp_path: Path) -> None:
    run = sealed(tmp_path / "runs", "20260101-000000-s12-aaaa")

    assert run.is_sealed
    assert run.verify() == []
    assert run.summary() == summary(run.run_id)
    assert run.records().verdict == "validated"
    assert run.environment() == {"hostname": "here"}
    assert list_runs(tmp_path / "runs") == [run]
    names = {path.name for path in run.path.iterdir()}
    assert {"run.json", "records.jsonl", "stdout.txt", "stderr.txt", MANIFEST} <= names


def test_sha256sum_understands_the_manifest(tmp_path: Path) -> None:
    run = sealed(tmp_path, "a")

    done = subprocess.run(
        ["sha256sum", "--check", "--strict", MANIFEST],
        cwd=run.path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_changes_after_sealing_are_found(tmp_path: Path) -> None:
    run = sealed(tmp_path, "a")
    (run.path / "stdout.txt").write_text("better numbers\n", encoding="utf-8")
    (run.path / "environment.json").unlink()
    (run.path / "extra.txt").touch()

    assert run.verify() == [
        "environment.json is missing",
        "stdout.txt was changed after sealing",
        "extra.txt was added after sealing",
    ]


def test_a_run_that_was_cut_off_is_listed_and_readable(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a")
    run.records.write_text(encode(examples.run_record()) + '\n{"schema":1,', encoding="utf-8")

    (found,) = list_runs(tmp_path)

    assert not found.is_sealed
    assert found.run_id == "a"
    assert found.records().state == "unfinished"
    assert "never sealed" in found.verify()[0]
    with pytest.raises(EnvironmentProblem, match="cut off"):
        found.summary()


def test_a_record_of_ours_comes_after_whole_lines_only(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a")
    run.records.write_text(encode(examples.run_record()) + '\n{"schema":1,', encoding="utf-8")

    run.append(examples.failure_record())

    found = run.seal(summary("a"), {}).records()
    assert found.state == "failed"
    assert found.failures == (examples.failure_record(),)


def test_the_cause_of_an_end_takes_the_place_of_what_ranks_noticed(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a")
    noticed = examples.failure_record().model_copy(update={"rank": 0, "signal": None})
    lines = [encode(examples.run_record()), encode(noticed), encode(examples.search_record())]
    run.records.write_text("\n".join([*lines, '{"schema":1,']), encoding="utf-8")

    run.append_cause(examples.failure_record())

    found = run.seal(summary("a"), {})
    assert found.verify() == []
    assert found.records().failures == (examples.failure_record(),)
    assert len(found.text("records.jsonl").splitlines()) == 3


def test_status_is_replaced_in_one_step_and_not_kept(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a")
    run.write_status({"state": "running"})
    run.heartbeat.touch()
    assert run.status.read_text(encoding="utf-8") == '{\n "state": "running"\n}\n'

    found = run.seal(summary("a"), {})

    assert not (found.path / "status.json").exists()
    assert not (found.path / "heartbeat.bin").exists()
    assert found.verify() == []


def test_a_store_that_cannot_be_made_is_named_with_its_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EnvironmentProblem, match=r"cannot write .*--store"):
        OpenRun(tmp_path / "file" / "runs", "a")


FILL = """
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.path[:0] = sys.argv[2:]
from isobath.errors import EnvironmentProblem
from isobath.store.folders import OpenRun
from store.test_folders import summary
run = OpenRun(Path(sys.argv[1]), "b")
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    run.seal(summary("b"), {"fact": "x" * 1000})
except EnvironmentProblem as error:
    print(error)
    sys.exit(int(error.exit_code))
"""


def test_a_disk_that_fills_up_costs_nothing_that_was_sealed(tmp_path: Path) -> None:
    first = sealed(tmp_path, "a")
    paths = [str(Path(__file__).parents[1]), *(path for path in sys.path if path)]

    done = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path), *paths],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 3, done.stderr
    assert "earlier runs are untouched" in done.stdout
    assert first.verify() == []
    assert [run.path.name for run in list_runs(tmp_path)] == ["a", "b.partial"]


def test_digest_is_that_of_sha256sum(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"isobath")

    expected = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True)

    assert file_digest(path) == expected.stdout.split()[0]


def test_an_unwritable_store_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    user = os.geteuid()
    os.seteuid(user or 65534)  # root may write everywhere
    try:
        with pytest.raises(EnvironmentProblem, match="Permission denied"):
            OpenRun(tmp_path / "runs", "a")
    finally:
        os.seteuid(user)
