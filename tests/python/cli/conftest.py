# SPDX-License-Identifier: Apache-2.0
"""A checkout with the fake MPI, and the command line inside it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import fake_mpi
from isobath.cli.main import main
from isobath.kinds.run import calibration
from isobath.store.folders import RunFolder, list_runs


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Checkout:
    prefix: Path
    isobath: Callable[..., Said]

    @property
    def runs(self) -> list[RunFolder]:
        return list_runs(self.prefix / "studies")


@pytest.fixture
def checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Checkout:
    for name in list(os.environ):
        if name.startswith("ISOBATH_"):
            monkeypatch.delenv(name)
    prefix = tmp_path / "checkout"
    prefix.mkdir()
    fake_mpi.install(prefix)
    monkeypatch.setenv("ISOBATH_PREFIX", str(prefix))
    monkeypatch.setenv("PATH", f"{prefix / fake_mpi.SIMGRID}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(calibration, "load_of_others", lambda: 0.0)  # whatever else runs here

    def isobath(*words: object) -> Said:
        capfd.readouterr()
        code = main([str(word) for word in words])
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return Checkout(prefix, isobath)
