# SPDX-License-Identifier: Apache-2.0
"""A checkout that was moved or copied, and what pip installs."""

import json
from pathlib import Path

import pytest

from isobath.cli.main import main
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library


def state_of(place: Path, **more: str) -> dict[str, object]:
    entry = {
        "kind": "mpich-wheel",
        "version": "5.0.2",
        "healthy": True,
        "mpicxx": f"{place}/.venv/bin/mpicxx_abi",
        "mpiexec": f"{place}/.venv/bin/mpiexec",
        "build_dir": f"{place}/build/mpich-wheel",
        "folder": "/opt/mpi",
        "library_path": [f"{place}/.venv/lib", "/opt/mpi/lib", f"{place}-other/lib"],
    }
    return {"mpi": {"mpich-wheel": entry}, "default_mpi": "mpich-wheel", **more}


@pytest.mark.parametrize("is_told", [True, False])
def test_nothing_of_the_old_place_is_known_after_a_move(tmp_path: Path, is_told: bool) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for place in (old, new):
        (place / ".isobath").mkdir(parents=True)
        told = {"prefix": str(old)} if is_told else {}
        text = json.dumps(state_of(old, **told))
        (place / ".isobath" / "state.json").write_text(text, encoding="utf-8")

    moved = choose_library(Installation(new, new), None)
    stayed = choose_library(Installation(old, old), None)

    assert moved.mpiexec == f"{new}/.venv/bin/mpiexec"
    assert moved.mpicxx == f"{new}/.venv/bin/mpicxx_abi"
    assert moved.build_dir == new / "build" / "mpich-wheel"
    assert moved.place is not None
    # What lies elsewhere stays there, also where its name begins alike.
    assert moved.place.library_path == (f"{new}/.venv/lib", "/opt/mpi/lib", f"{old}-other/lib")
    assert stayed.build_dir == old / "build" / "mpich-wheel"


@pytest.fixture
def by_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package as it lies in a site-packages; the person stands elsewhere."""
    package = tmp_path / "lib" / "python3" / "site-packages" / "isobath" / "__init__.py"
    monkeypatch.setattr("isobath.__file__", str(package))
    monkeypatch.delenv("ISOBATH_PREFIX", raising=False)
    monkeypatch.delenv("ISOBATH_MPI", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def test_what_pip_installs_says_what_it_lacks(
    by_pip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup"]) == 3
    assert "without its engine" in capsys.readouterr().err
    with pytest.raises(EnvironmentProblem, match=r"without its engine: .* get the sources and"):
        choose_library(Installation.here(), None)


def test_what_pip_installs_puts_nothing_beside_packages(by_pip: Path) -> None:
    assert Installation.here().prefix == by_pip


def test_set_up_of_a_checkout_is_not_done_by_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["setup"]) == 2
    assert f"run {Installation.here().root}/isobath setup" in capsys.readouterr().err
