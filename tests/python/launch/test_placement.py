# SPDX-License-Identifier: Apache-2.0
"""What a launch line says of nodes, per MPI library."""

from pathlib import Path

import pytest

from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.records.placement import HERE, Placement, share_processors

HYDRA = MpiLibrary("w", "mpich-wheel", "5.0", "", "/usr/bin/mpiexec", healthy=True)
OPENMPI = MpiLibrary("o", "openmpi", "4.1.4", "", "/usr/bin/mpirun", healthy=True)
INTEL = MpiLibrary("i", "intel", "2021.18", "", "/opt/impi/bin/mpiexec", healthy=True)
HOSTS = Placement(nodes=2, hosts=("a", "b"))


@pytest.fixture(autouse=True)
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every machine answers with its name in capitals."""
    path = tmp_path / "ssh"
    script = '#!/bin/sh\nshift 4\necho "$1" | tr a-z A-Z\n'
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return path


def line(mpi: MpiLibrary, placement: Placement, ranks: int = 3, threads: int = 1) -> LaunchLine:
    return launch_line(
        mpi, Path("/b/engine"), [], ranks=ranks, threads=threads, cpus=2, as_root=False,
        placement=placement, variables={"ISOBATH_SCALE": "4"},
    )  # fmt: skip


def test_hydra_reaches_named_machines_by_ssh_each_with_its_ranks(ssh: Path) -> None:
    words = line(HYDRA, HOSTS).text()
    assert f"-launcher ssh -launcher-exec {ssh} -hosts a:2,b:1" in words


def test_intel_has_an_argument_set_for_each_named_machine_and_no_interface(ssh: Path) -> None:
    words = line(INTEL, HOSTS).text()
    sets = "-host a -n 2 /b/engine : -host b -n 1 /b/engine"
    assert f"-launcher ssh -launcher-exec {ssh} {sets}" in words
    assert "-iface" not in words


def test_open_mpi_is_told_which_variables_travel(ssh: Path) -> None:
    found = line(OPENMPI, HOSTS)
    words = found.text()
    assert f"--mca plm_rsh_agent {ssh} --host a:2,b:1" in words
    for name in found.environment:
        assert f"-x {name}" in words
    assert "-x ISOBATH_SCALE" in words
    assert "-x" not in line(OPENMPI, HERE).text().split()


def test_nodes_of_an_allocation_are_filled_evenly() -> None:
    assert "-ppn 2" in line(HYDRA, Placement(nodes=2), 4).text()
    assert "--map-by ppr:2:node" in line(OPENMPI, Placement(nodes=2), 4).text()


def test_ranks_of_two_machines_have_the_processors_of_both() -> None:
    assert line(HYDRA, HOSTS, 4).environment["OMP_WAIT_POLICY"] == "active"
    assert line(HYDRA, HERE, 4).environment["OMP_WAIT_POLICY"] == "passive"


def test_processes_of_other_machines_are_not_looked_at_from_here() -> None:
    assert line(HYDRA, HOSTS).is_elsewhere
    assert not line(HYDRA, HERE).is_elsewhere


def test_a_strict_placement_tells_the_engine_nodes_and_what_machines_call_themselves() -> None:
    strict = HOSTS.model_copy(update={"strict": True})
    environment = line(HYDRA, strict).environment
    assert environment["ISOBATH_EXPECT_NODES"] == "0,0,1"
    assert environment["ISOBATH_EXPECT_HOSTS"] == "A,B"
    assert "ISOBATH_EXPECT_NODES" not in line(HYDRA, HOSTS).environment


def test_only_threads_that_are_bound_to_one_processor_can_share_it() -> None:
    assert share_processors([("0",), ("0",)])
    assert not share_processors([("0", "1"), ("2", "3")])
    assert not share_processors([("0-3",), ("0-3",)])
    assert not share_processors([("0", "0"), ("1",)])  # a rank shares nothing with itself
