# SPDX-License-Identifier: Apache-2.0
"""MPI libraries of the MPI-5 standard ABI: found in a folder, tested, and run without a build."""

import os
from pathlib import Path

import pytest

from bootstrap_abi import Place, place_of
from bootstrap_console import SetupError
from bootstrap_health import WHEEL
from front_door.small_checkout import PREFIX
from front_door.small_machine import Machine, abi_folder

WHEEL_NAME = "libmpi_abi.so.1"
pytestmark = pytest.mark.usefixtures("no_system_mpi", "no_intel")


@pytest.fixture
def no_intel(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("I_MPI_ROOT", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def with_wheel(machine: Machine) -> Machine:
    machine.workspace.venv.symlink_to(PREFIX / ".venv")
    return machine


def test_a_folder_with_library_and_launcher_needs_no_compiler(with_wheel: Machine) -> None:
    told = with_wheel.folder / "told"
    names = "$LD_LIBRARY_PATH $I_MPI_ROOT $I_MPI_FABRICS $I_MPI_PIN"
    folder = abi_folder(with_wheel.folder / "impi", f'echo "{names}" >{told}')

    inventory = with_wheel.inventory()
    chosen = inventory.choose(str(folder))

    assert chosen.healthy, chosen.reason
    assert (chosen.id, chosen.kind, chosen.version) == ("intel-abi", "intel", "5.0.2")
    assert chosen.mpiexec == str(folder / "bin" / "mpiexec")
    assert inventory.builder_of(chosen).id == WHEEL
    assert told.read_text().split() == [f"{folder}/lib", str(folder), "shm", "0"]


def test_it_is_known_from_then_on_and_tested_once(
    with_wheel: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = abi_folder(with_wheel.folder / "impi")
    first = with_wheel.inventory()
    first.builder_of(first.choose(str(folder)))
    first.save(None, {})
    log = with_wheel.console.log_path.read_text()

    assert with_wheel.inventory().choose("intel").id == "intel-abi"
    assert with_wheel.inventory().choose("intel-abi").id == "intel-abi"
    assert "intel-abi" in [library.id for library in with_wheel.inventory().all()]
    monkeypatch.setenv("I_MPI_ROOT", str(folder))
    assert [library.id for library in with_wheel.inventory().all()] == [WHEEL, "intel-abi"]
    assert "health.cpp" not in with_wheel.console.log_path.read_text().removeprefix(log)

    os.utime(folder / "lib" / "libmpi_abi.so.1", (1, 1))
    assert with_wheel.inventory().choose("intel").healthy
    assert "health.cpp" in with_wheel.console.log_path.read_text().removeprefix(log)
    state = with_wheel.workspace.read_state()["mpi"]["intel-abi"]
    assert state["folder"] == str(folder)
    assert state["standard_abi"] is True


def test_i_mpi_root_names_one(with_wheel: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SetupError, match="I_MPI_ROOT is not set") as caught:
        with_wheel.inventory().choose("intel")
    assert "module load" in caught.value.remedy
    monkeypatch.setenv("I_MPI_ROOT", str(with_wheel.folder))
    with pytest.raises(SetupError, match=rf"{with_wheel.folder}: .*no lib/libmpi_abi.so.1"):
        with_wheel.inventory().choose("intel")

    monkeypatch.setenv("I_MPI_ROOT", str(abi_folder(with_wheel.folder / "impi")))
    assert with_wheel.inventory().choose("intel").healthy


def test_two_of_a_kind_have_two_names(with_wheel: Machine) -> None:
    inventory = with_wheel.inventory()

    found = [
        inventory.choose(str(abi_folder(with_wheel.folder / name, words="HYDRA")))
        for name in ("one", "two")
    ]

    assert found[0].id == "mpich-abi"
    assert found[1].id.startswith("mpich-abi-")
    assert {library.healthy for library in found} == {True}


def test_the_library_beside_the_launcher_must_be_the_one_that_runs(with_wheel: Machine) -> None:
    folder = abi_folder(with_wheel.folder / "impi", "unset LD_LIBRARY_PATH")

    with pytest.raises(SetupError, match=rf"ran with .*{WHEEL_NAME} instead of {folder}/lib"):
        with_wheel.inventory().choose(str(folder))


def test_a_launch_that_fails_is_no_healthy_mpi(with_wheel: Machine) -> None:
    folder = abi_folder(with_wheel.folder / "impi", "echo 'error: no licence' >&2; exit 9")

    with pytest.raises(SetupError, match="2 ranks failed: error: no licence") as caught:
        with_wheel.inventory().choose(str(folder))

    assert "its own compiler wrapper" in caught.value.remedy


def test_what_a_folder_lacks_is_said(with_wheel: Machine) -> None:
    folder = abi_folder(with_wheel.folder / "impi")
    (folder / "bin" / "mpiexec").unlink()
    with pytest.raises(SetupError, match=r"there is a libmpi_abi.so.1 but no bin/mpiexec"):
        with_wheel.inventory().choose(str(folder))

    with pytest.raises(SetupError, match=r"there is no mpicxx, and no lib/libmpi_abi.so.1"):
        with_wheel.inventory().choose(str(folder / "bin"))


def test_the_folder_of_the_wheel_is_the_wheel(with_wheel: Machine) -> None:
    assert with_wheel.inventory().choose(str(with_wheel.workspace.venv)).id == WHEEL


def test_intel_s_folders_are_found_in_every_package(tmp_path: Path) -> None:
    for name in ("bin/mpiexec", "lib/libmpi_abi.so.1", "opt/mpi/libfabric/lib/libfabric.so.1"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    drivers = tmp_path / "opt" / "mpi" / "libfabric" / "lib" / "prov"
    drivers.mkdir()
    (drivers / "libtcp-fi.so").touch()

    assert place_of(tmp_path) == Place(
        folder=str(tmp_path),
        abi_library=str(tmp_path / "lib" / "libmpi_abi.so.1"),
        mpiexec=str(tmp_path / "bin" / "mpiexec"),
        library_path=(str(tmp_path / "lib"), str(drivers.parent)),
        provider_path=str(drivers),
    )
