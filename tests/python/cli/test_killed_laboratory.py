# SPDX-License-Identifier: Apache-2.0
"""The laboratory itself is killed: no handler runs, nothing is sealed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door
from isobath.launch.processes import descendants, is_alive
from patience import patience


@pytest.mark.parametrize("other_runs", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_its_programs_end_and_show_says_what_is_left(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, other_runs: int
) -> None:
    for _ in range(other_runs):
        assert checkout.isobath("run", "--scale", "12", "--no-report").code == 0
        time.sleep(1.1)  # names of runs sort by the second
    look = ("plan", "--scale", "12", "--ranks", "2")
    assert checkout.isobath(*look).code == 0  # calibrates while searches are short
    monkeypatch.setenv("FAKE_DO", "slow")
    monkeypatch.setenv("FAKE_SEARCHES", "1000")
    process = subprocess.Popen(
        [sys.executable, "-m", "isobath", "run", "--scale", "12", "--ranks", "2", "--no-report"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    while not searched(checkout.prefix / "studies"):
        assert process.poll() is None
        time.sleep(0.05)
    programs = descendants(process.pid)

    process.kill()
    process.wait()

    assert len(programs) == 3
    deadline = time.monotonic() + patience()
    while any(is_alive(pid) for pid in programs) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_alive(pid) for pid in programs)
    run = checkout.runs[-1]
    assert run.path.name.endswith(".partial")
    said = checkout.isobath("show", run.run_id)
    assert said.code == 3, "nothing vouches for what is there"
    assert said.out.startswith("NEVER SEALED: this run is still going on, or was cut off")
    assert "UNFINISHED" in said.out
    last = checkout.isobath("show")
    if other_runs:
        assert "a later run was never sealed" in last.err
        assert f"{front_door()} show {run.run_id}" in last.err
    else:
        assert last.out == said.out


def searched(runs: Path) -> bool:
    return any('"search"' in path.read_text() for path in runs.glob("*.partial/records.jsonl"))
