# SPDX-License-Identifier: Apache-2.0
"""benchmarks/ladder.py on the real engine: every step finds the same levels."""

import subprocess
import sys
from pathlib import Path

import pytest
from ladder import Engine, climb, graph_file

from system.laboratory import Laboratory

pytestmark = pytest.mark.engine

LADDER = Path(__file__).resolve().parents[2] / "benchmarks" / "ladder.py"


def programs(lab: Laboratory) -> Path:
    return lab.mpi.program("isobath-search").parent


def climb_from(lab: Laboratory, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The whole command, graphs in ``folder``."""
    places = ["--engine", str(programs(lab)), "--folder", str(folder)]
    return subprocess.run(
        [sys.executable, str(LADDER), *words, *places],
        capture_output=True,
        text=True,
        env=lab.environment(),
        check=False,
    )


@pytest.mark.parametrize("kind", ["graph500", "grid", "road", "uniform"])
def test_every_step_finds_the_same(lab: Laboratory, tmp_path: Path, kind: str) -> None:
    graph = graph_file(kind, 10, tmp_path, programs(lab))
    engine = Engine(programs(lab), graph, keys=2, threads=2)

    found = [engine.run(step, validated=True) for step in climb()]

    levels = [[one["vertices_per_level"] for one in searches] for searches in found]
    assert sum(levels[0][0]) > 2**9
    assert all(step == levels[0] for step in levels)


@pytest.mark.parametrize(("seconds", "code"), [("1000", 0), ("1e-12", 1)])
def test_the_table_ends_with_the_peer(
    lab: Laboratory, tmp_path: Path, seconds: str, code: int
) -> None:
    peer = f"{sys.executable} -c \"print('Average Time: {seconds}', '{{graph}}')\""
    words = ["--scale", "8", "--graphs", "road", "--keys", "4", "--rounds", "1", "--gapbs", peer]

    done = climb_from(lab, tmp_path, *words)

    assert done.returncode == code, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 + 8 + 2
    assert "+ huge pages" in lines[9]
    assert lines[-1].endswith("loses |") is (code == 1)


def test_a_program_that_fails_is_named(lab: Laboratory, tmp_path: Path) -> None:
    broken = tmp_path / "road-8.sg"
    broken.write_bytes(b"nothing")

    done = climb_from(lab, tmp_path, "--scale", "8", "--graphs", "road")

    assert done.returncode == 1
    assert "isobath-search" in done.stderr
