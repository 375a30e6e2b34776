# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import MpiLibrary, Place

WHEEL = MpiLibrary(
    id="mpich-wheel",
    kind="mpich-wheel",
    version="5.0.2",
    mpicxx="/venv/bin/mpicxx_abi",
    mpiexec="/venv/bin/mpiexec",
    healthy=True,
)
INTEL = replace(
    WHEEL,
    id="intel-abi",
    kind="intel",
    mpiexec="/opt/impi/bin/mpiexec",
    standard_abi=True,
    place=Place(Path("/opt/impi"), ("/opt/impi/lib",), "/opt/impi/lib/prov"),
)
OPEN = replace(WHEEL, id="openmpi", kind="openmpi", version="4.1.4", mpiexec="/usr/bin/mpiexec")


def line(
    mpi: MpiLibrary, ranks: int, threads: int, cpus: int, *, root: bool = False, busy: bool = False
) -> LaunchLine:
    return launch_line(
        mpi,
        Path("/b/engine"),
        ["--x"],
        ranks=ranks,
        threads=threads,
        cpus=cpus,
        busy=busy,
        as_root=root,
    )


def test_one_rank_per_machine_spins_and_avoids_the_bad_provider() -> None:
    found = line(WHEEL, 1, 2, 2)

    assert found.command == (
        *("/venv/bin/mpiexec", "-bind-to", "none", "-n", "1"),
        *("/b/engine", "--x"),
    )
    assert found.environment["OMP_WAIT_POLICY"] == "active"
    assert found.environment["OMP_NUM_THREADS"] == "2"
    assert found.environment["ISOBATH_EXPECT_RANKS"] == "1"
    assert found.environment["FI_PROVIDER"] == "tcp"
    assert not [name for name in found.environment if name.startswith("MPIR_CVAR")]


def test_oversubscribed_mpich_leaves_the_processor_while_it_waits_without_device_collectives() -> (
    None
):
    found = line(WHEEL, 6, 1, 2)

    assert found.environment["OMP_WAIT_POLICY"] == "passive"
    assert {name for name in found.environment if name.startswith("MPIR_CVAR")} == {
        f"MPIR_CVAR_{name}_DEVICE_COLLECTIVE"
        for name in ("BARRIER", "ALLREDUCE", "REDUCE", "BCAST")
    } | {"MPIR_CVAR_POLLS_BEFORE_YIELD"}
    assert "FI_PROVIDER" not in found.environment


def test_oversubscribed_mpich_sleeps_where_others_are_at_work() -> None:
    busy = line(WHEEL, 6, 1, 2, busy=True)

    assert busy.environment["MPIR_CVAR_ENABLE_HEAVY_YIELD"] == "1"
    assert busy.environment["MPIR_CVAR_POLLS_BEFORE_YIELD"] == "1"
    assert line(WHEEL, 2, 1, 2, busy=True) == line(WHEEL, 2, 1, 2)


@pytest.mark.parametrize(
    ("version", "flag"), [("4.1.4", "--oversubscribe"), ("5.0.11", ":OVERSUBSCRIBE")]
)
def test_open_mpi_is_told_that_root_and_oversubscription_are_meant(version: str, flag: str) -> None:
    found = line(replace(OPEN, version=version), 4, 1, 2, root=True)

    assert "--allow-run-as-root" in found.command
    assert flag in found.command
    assert found.command[1:3] == ("--bind-to", "none")
    assert found.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] == "1"
    assert found.environment["OMPI_MCA_mpi_yield_when_idle"] == "1"


def test_open_mpi_gets_no_flag_it_does_not_need() -> None:
    found = line(OPEN, 2, 1, 2)

    assert found.command == ("/usr/bin/mpiexec", "--bind-to", "none", "-n", "2", "/b/engine", "--x")
    assert not [name for name in found.environment if name.startswith("OMPI")]


def test_intel_mpi_stays_on_the_node() -> None:
    found = line(replace(WHEEL, kind="intel"), 2, 1, 2)

    assert found.environment["I_MPI_FABRICS"] == "shm"


def test_a_library_of_the_standard_abi_stands_first_in_the_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/compiler/lib:")

    found = line(INTEL, 2, 1, 2)

    assert found.command == ("/opt/impi/bin/mpiexec", "-n", "2", "/b/engine", "--x")
    assert found.environment["LD_LIBRARY_PATH"] == "/opt/impi/lib:/opt/compiler/lib"
    assert found.environment["I_MPI_ROOT"] == "/opt/impi"
    assert found.environment["FI_PROVIDER_PATH"] == "/opt/impi/lib/prov"
    assert found.text().startswith("LD_LIBRARY_PATH=/opt/impi/lib:/opt/compiler/lib I_MPI_ROOT=")


def test_another_mpich_gets_no_word_of_intel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)

    found = line(replace(INTEL, kind="mpich"), 2, 1, 2)

    assert found.environment["LD_LIBRARY_PATH"] == "/opt/impi/lib"
    assert not [name for name in found.environment if name.startswith(("I_MPI", "FI_"))]


def test_the_wheel_keeps_its_own_library_where_a_module_has_put_another_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = replace(WHEEL, standard_abi=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert "LD_LIBRARY_PATH" not in line(wheel, 2, 1, 2).environment

    (tmp_path / "libmpi_abi.so.1").touch()
    assert line(wheel, 2, 1, 2).environment["LD_LIBRARY_PATH"] == f"/venv/lib:{tmp_path}"
    assert "LD_LIBRARY_PATH" not in line(OPEN, 2, 1, 2).environment


def test_oversubscribed_intel_ranks_leave_the_processor() -> None:
    assert line(INTEL, 6, 1, 2).environment["I_MPI_PAUSE_COUNT"] == "0"
    assert "I_MPI_PAUSE_COUNT" not in line(INTEL, 2, 1, 2).environment


def test_the_line_can_be_typed_again() -> None:
    found = LaunchLine(("mpiexec", "-n", "1", "a b"), {"X": "1 2"})

    assert found.text() == "X='1 2' mpiexec -n 1 'a b'"
