# SPDX-License-Identifier: Apache-2.0
"""Checkouts for the tests of the front door."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from bootstrap_console import Console
from front_door.small_checkout import SmallCheckout, fill_wheel_folder
from front_door.small_machine import Machine


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that stands in for the network."""
    return fill_wheel_folder(tmp_path_factory.mktemp("offline") / "wheels")


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    """What set-up speaks through, with its log below the test's folder."""
    made = Console(tmp_path / "log")
    yield made
    made.close()


@pytest.fixture
def fresh(tmp_path: Path, wheels: Path) -> SmallCheckout:
    """A checkout in which nothing was set up."""
    return SmallCheckout(tmp_path / "checkout", wheels)


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> SmallCheckout:
    """A checkout that was set up by its first command; tests leave it as it is."""
    checkout = SmallCheckout(tmp_path_factory.mktemp("ready") / "checkout", wheels)
    first = checkout.call("export", "--scale", "10", "-")
    assert first.returncode == 0, first.stderr
    (checkout.folder / "first-stdout.txt").write_text(first.stdout)
    (checkout.folder / "first-stderr.txt").write_text(first.stderr)
    return checkout


@pytest.fixture
def machine(tmp_path: Path, console: Console) -> Machine:
    return Machine(tmp_path, console)


@pytest.fixture
def no_system_mpi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PATH without any MPI wrapper; compilers stay."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("g++", "c++", "as", "ld", "sh", "env", "cat", "bash", "dirname", "expr", "sed"):
        found = shutil.which(name)
        if found:
            (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.delenv("MPICXX", raising=False)
