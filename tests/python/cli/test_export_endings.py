# SPDX-License-Identifier: Apache-2.0
"""Exports that do not fit, take long, or are interrupted."""

import io
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from cli.conftest import Checkout
from isobath.cli import export_progress
from isobath.cli.export_progress import ExportProgress
from isobath.graphs.export_space import matrix_market_bytes, parquet_bytes
from isobath.launch.processes import is_alive
from patience import patience
from signals import started

Found = TypeVar("Found")

SMALL_FILES = """
import resource, sys
from isobath.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
sys.exit(main(sys.argv[1:]))
"""
"""The command line where no file may grow beyond 50 kB, as on a disk that fills up."""


class Usage:
    free = 100_000


@pytest.mark.parametrize("name", ["e", "e.mtx", "e.parquet"])
def test_what_a_disk_cannot_hold_is_refused(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)

    said = checkout.isobath("export", "--scale", "20", tmp_path / name)

    assert said.code == 8
    assert f"and {tmp_path} has 100 kB free" in said.err
    assert not list(tmp_path.glob("e*"))
    assert checkout.isobath("export", "--scale", "8", tmp_path / name).code == 0


@pytest.mark.parametrize("name", ["e.mtx", "e.parquet"])
def test_a_file_that_cannot_be_written_to_its_end_is_named(
    checkout: Checkout, tmp_path: Path, name: str
) -> None:
    before = set(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", SMALL_FILES, "export", "--scale", "12", str(tmp_path / name)],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )

    sentence = f"isobath: cannot write {tmp_path / name} (File too large); name another file\n"
    assert (done.returncode, done.stderr) == (3, sentence)
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["e", "e.mtx", "e.parquet"])
def test_weights_cannot_go_where_the_edges_go(
    checkout: Checkout, tmp_path: Path, name: str
) -> None:
    (tmp_path / "link").symlink_to(name)
    words = ("export", "--scale", "4", tmp_path / name)

    for weights in (tmp_path / name, name, Path("checkout") / ".." / name, "link"):
        said = checkout.isobath(*words, "--weights", weights)

        assert said.code == 2
        assert f"edges and weights cannot both go to {tmp_path / name}" in said.err
        assert not (tmp_path / name).exists()


def test_two_files_on_one_disk_are_added_up(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    words = ("export", "--scale", "8", tmp_path / "e")  # 65.5 kB, and 16.4 kB of weights
    assert checkout.isobath(*words, "--weights", tmp_path / "w").code == 0
    Usage.free = 80_000

    said = checkout.isobath(*words, "--weights", tmp_path / "w")

    Usage.free = 100_000
    assert said.code == 8
    assert "the export takes 81.9 kB" in said.err


def test_weights_alone_need_room_for_themselves_alone(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)

    assert checkout.isobath("export", "--scale", "10", "--weights", tmp_path / "w").code == 0
    said = checkout.isobath("export", "--scale", "12", "--weights", tmp_path / "v")

    assert said.code == 8
    assert "the export takes 262 kB" in said.err
    assert not list(tmp_path.glob("v*"))


@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_are_a_little_less_than_the_files(
    checkout: Checkout, tmp_path: Path, weighted: bool
) -> None:
    flag = ("--weighted",) if weighted else ()
    checkout.isobath("export", "--scale", "12", *flag, tmp_path / "e.mtx")

    size = (tmp_path / "e.mtx").stat().st_size
    assert 0.6 * size < matrix_market_bytes(12, 16 << 12, weighted=weighted) <= size
    assert parquet_bytes(12, 16 << 12, weighted=weighted) < size


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("name", ["e", "e.mtx", "e.parquet"])
def test_an_interrupted_export_leaves_nothing(
    checkout: Checkout,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    number: signal.Signals,
) -> None:
    monkeypatch.setenv("FAKE_DO", "slow")
    before = set(tmp_path.iterdir())
    process = started_isobath("export", "--scale", "8", str(tmp_path / name))
    children = wait_for(lambda: children_of(process.pid))
    begun = ".isobath-*/edges.duckdb" if name == "e.parquet" else f"{name}.part"
    wait_for(lambda: list(tmp_path.glob(begun)))

    process.send_signal(number)
    _, err = process.communicate(timeout=patience())

    assert process.returncode == 3
    assert err == f"isobath: interrupted; {tmp_path / name} was not written\n"
    assert set(tmp_path.iterdir()) == before
    assert not any(is_alive(pid) for pid in children)


def test_a_killed_export_takes_its_program_with_it(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "slow")
    process = started_isobath("export", "--scale", "8", str(tmp_path / "e"))
    wait_for((tmp_path / "e.part").exists)
    (child,) = children_of(process.pid)

    process.kill()
    process.wait()

    assert wait_for(lambda: not is_alive(child))
    process.communicate()


def test_a_long_export_says_on_a_terminal_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(export_progress, "STEP_SECONDS", 0.0)
    terminal, file = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)

    for out in (terminal, file):
        with ExportProgress(out) as progress:
            progress.show(0, 10**10)
            progress.show(4 * 10**9, 10**10)

    assert "isobath: 40 % of 10 GB, " in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert file.getvalue() == ""


def test_keys_of_large_scales_say_how_long_they_take(checkout: Checkout) -> None:
    said = checkout.isobath("keys", "--scale", "24")

    assert (said.code, said.out) == (0, "3\n1\n2\n")
    assert "up to 268,435,456 edges are generated" in said.err
    assert " at the most" in said.err


def started_isobath(*words: str) -> subprocess.Popen[str]:
    return started(
        [sys.executable, "-m", "isobath", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


def wait_for(found: Callable[[], Found]) -> Found:
    deadline = time.monotonic() + patience()
    while time.monotonic() < deadline:
        value = found()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("it never came")
