# SPDX-License-Identifier: Apache-2.0
"""Faults of every kind of study: killed, stopped, changed, on a full disk. All kinds end alike.

What those of several launches do afterwards, launch by launch, stands in test_life_of_kinds.py,
file systems without locks in test_broken_locks.py.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door
from isobath.launch.processes import descendants, is_alive
from isobath.store.folders import MANIFEST
from isobath.study.kinds import entry_of
from kind_table import TIMED, TRIED, has, quick, whole
from studies.stored import FOLDER, the_folder

RESULTS = ("imported.json", "model.json", "simulation.json", "records.jsonl")
"""what a sealed folder is read from, the first that is there"""

TROUBLE = {"FAKE_DO": "slow", "FAKE_SEARCHES": "1000", "FAKE_TROUBLE": "hangs",
           "ISOBATH_STOP_SECONDS": "2"}  # fmt: skip
"""A launch that does not end by itself, whatever program it starts."""

PROGRAM = """
import sys, time
from pathlib import Path
from isobath.store import folders

def wait(*_):
    Path(sys.argv[1]).touch()
    time.sleep(600)

if sys.argv[1]:
    folders.clean_folder = wait
from isobath.cli.main import main
sys.exit(main(sys.argv[2:]))
"""
"""The laboratory; where a file is named it stops as it seals, for nothing it starts takes long."""

WAITS = 300
"""Seconds; far more than a busy machine needs."""

ONE_LAUNCH = tuple(kind for kind in TRIED if entry_of(kind).has_one_launch)


class GoingOn:
    """A study of a kind that goes on in a process of its own."""

    def __init__(self, kind: str, prefix: Path) -> None:
        words = quick(kind, prefix, *(("--keys", "1000") if has(kind, "keys") else ()))
        self.mark = "" if kind in TIMED or kind == "regress" else str(prefix / f"{kind}-seals")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, self.mark, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                **TROUBLE,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
        )
        self.programs: list[int] = []
        self.least = TRIED[kind].processes

    def is_there(self) -> bool:
        """All it starts, or a result that is about to be sealed."""
        if self.process.poll() is not None:
            raise AssertionError(self.process.communicate())
        self.programs = list(descendants(self.process.pid))
        return Path(self.mark).exists() if self.mark else len(self.programs) >= self.least


@pytest.fixture
def going_on(checkout: Checkout) -> Iterator[dict[str, GoingOn]]:
    """One study of every kind, all at once."""
    for threads in ("1", "2"):  # calibrates while searches are short
        look = ("plan", "--scale", "12", "--ranks", "2", "--threads", threads)
        assert checkout.isobath(*look).code == 0
    begun = {kind: GoingOn(kind, checkout.prefix) for kind in TRIED}
    try:
        deadline = time.monotonic() + WAITS
        while not all(one.is_there() for one in begun.values()):
            assert time.monotonic() < deadline, [
                kind for kind, one in begun.items() if not one.is_there()
            ]
            time.sleep(0.05)
        yield begun
    finally:
        for one in begun.values():
            one.process.kill()
            one.process.communicate()


def rows(checkout: Checkout) -> dict[str, dict[str, Any]]:
    listed = json.loads(checkout.isobath("list", "--json").out)
    return {row["kind"]: row for row in listed if "checkout/studies/" in row["path"]}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_what_was_killed_or_stopped_ends_with_all_it_started_and_says_how_it_goes_on(
    checkout: Checkout, going_on: dict[str, GoingOn], how: signal.Signals
) -> None:
    kept = {kind: row for kind, row in rows(checkout).items() if kind in TIMED or kind == "regress"}
    assert set(kept) == {*TIMED, "regress"} - {"profile"}  # which is made as its program ends
    for row in kept.values():
        assert row["state"] == "running", row
        said = checkout.isobath("remove", row["study_id"], "--yes")
        assert f"{row['study_id']} stays: it is running" in said.err

    for one in going_on.values():
        one.process.send_signal(how)
    said_of = {kind: one.process.communicate(timeout=WAITS) for kind, one in going_on.items()}

    deadline = time.monotonic() + WAITS
    while any(is_alive(pid) for one in going_on.values() for pid in one.programs):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for kind, one in going_on.items():
        assert "Traceback" not in said_of[kind][1], kind
        assert one.process.returncode == (-9 if how is signal.SIGKILL else 3), said_of[kind]
        assert how is signal.SIGKILL or "isobath: " in said_of[kind][1], "why, in a sentence"
    left = rows(checkout)
    gone = {"profile", *(() if how is signal.SIGKILL else ("model fit", "import"))}
    assert set(left) == set(TRIED) - gone, "of what measured nothing nothing is left"
    for kind, row in left.items():
        assert row["state"] in ("unfinished", "unreadable"), row
        words = () if kind in ONE_LAUNCH else ("--no-report",)
        said = checkout.isobath("resume", row["study_id"], *words)
        if kind in ONE_LAUNCH:
            assert said.code == 2
            assert "cannot be resumed, only done again" in said.err
            assert f"{front_door()} {kind}" in said.err
        else:
            assert said.code == TRIED[kind].code, (kind, said.err)
            assert rows(checkout)[kind]["state"] == "complete"


@pytest.mark.parametrize("kind", TRIED)
def test_a_full_disk_is_a_sentence_and_nothing_is_taken_for_whole(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "2")
    words = quick(kind, checkout.prefix)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("isobath.store.folders.clean_folder", full)
        said = checkout.isobath(*words)

    assert said.code == 3, said.err
    assert "No space left on device" in said.err
    assert "earlier runs are untouched: free space" in said.err
    assert "Traceback" not in said.err
    row = rows(checkout).get(kind)
    assert row is None or row["state"] in ("unfinished", "unreadable")
    if kind not in (*TIMED, "regress"):
        assert row is None, "nothing was measured, and nothing is left"


@pytest.mark.parametrize("kind", TRIED)
def test_what_was_changed_is_named_and_ends_with_3(checkout: Checkout, kind: str) -> None:
    source = the_folder(FOLDER / whole(kind), kind)
    study = checkout.prefix / "studies" / source.name
    shutil.copytree(source, study)
    assert checkout.isobath("show", study.name).code == TRIED[kind].code
    assert rows(checkout)[kind]["state"] == "complete"
    launch = sorted(path.parent for path in study.rglob(MANIFEST))[-1]
    file = next(launch / name for name in RESULTS if (launch / name).is_file())
    file.write_bytes(file.read_bytes() + b"\n")

    said = checkout.isobath("show", study.name)

    assert said.code == 3
    told = " ".join((said.out + said.err).split())
    assert file.name in told
    assert ("left out of every number" in told) == (kind not in ONE_LAUNCH)
    assert rows(checkout)[kind]["state"] == "changed"


@pytest.mark.parametrize("kind", ONE_LAUNCH)
def test_one_launch_is_not_resumed_but_done_again(checkout: Checkout, kind: str) -> None:
    source = the_folder(FOLDER / whole(kind), kind)
    shutil.copytree(source, checkout.prefix / "studies" / source.name)

    said = checkout.isobath("resume", source.name)

    ours = front_door()
    again = f"{ours} show {source.name} --settings > again.toml; {ours} {kind} again.toml"
    assert (said.code, said.out) == (2, "")
    assert said.err.endswith(f"it cannot be resumed, only done again: {again}\n")
    assert f'kind = "{kind}"' in checkout.isobath("show", source.name, "--settings").out
