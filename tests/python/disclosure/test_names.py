# SPDX-License-Identifier: Apache-2.0
"""The one list: what Isobath itself sets is on it, and nothing on it looks like a credential."""

import os
from pathlib import Path

import pytest

from command_tree import whole_tree
from example_kind import CAPITALS, refuse_a_kind_of_that_name
from isobath.bench.algorithms import algorithms_of, environment_of
from isobath.bench.offload import SWITCHES
from isobath.bench.plan import Family
from isobath.disclosure.credentials import LEFT_OUT, is_credential_name
from isobath.disclosure.names import NAMES, read_names
from isobath.disclosure.variables import stored_kernel_line, stored_variables
from isobath.kinds.progress import ASYNC_PROGRESS
from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.placement import placed_by
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.study.kinds import KINDS
from write_setting_names import LIST, NEVER, declared, with_names

COLLECTIVES = ("allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw",
               "barrier", "bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter",
               "reduce_scatter_block", "scan", "scatter", "scatterv")  # fmt: skip


def test_nothing_on_the_list_looks_like_a_credential() -> None:
    assert [name for name in NAMES.variables if is_credential_name(name)] == []
    assert [name for name in NAMES.kernel_keys if is_credential_name(name)] == []


def test_names_are_exact() -> None:
    assert all(name.replace("_", "a").isalnum() for name in NAMES.variables)
    assert len(NAMES.variables) > 1000


@pytest.mark.parametrize("transport", ["shared-memory", "tcp", "rate-limited:1gbit:2nodes"])
@pytest.mark.parametrize("kind", ["mpich-wheel", "mpich", "openmpi", "intel"])
@pytest.mark.parametrize("version", ["4.1", "5.0"])
def test_what_a_launch_adds_is_stored(kind: str, version: str, transport: str) -> None:
    library = MpiLibrary("it", kind, version, "", "/usr/bin/mpiexec", healthy=True)
    for ranks, cpus, busy in ((2, 1, False), (2, 1, True), (2, 8, False)):
        line = launch_line(library, Path("/bin/true"), [], ranks=ranks, threads=1, cpus=cpus,
                           busy=busy, as_root=True, placement=placed_by(transport))  # fmt: skip

        assert set(line.environment) <= NAMES.variables


@pytest.mark.parametrize("family", ["hydra", "openmpi", "intel"])
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_what_forces_an_algorithm_is_stored(family: Family, collective: str) -> None:
    for one in algorithms_of(family, collective):
        assert set(environment_of(family, (one,))) <= NAMES.variables


def test_what_switches_hardware_and_threads_on_is_stored() -> None:
    switched = [set(variables) for _, variables in SWITCHES.values()]
    switched += [set(variables) for variables in ASYNC_PROGRESS.values()]

    assert set().union(*switched) <= NAMES.variables


def test_our_own_settings_are_stored() -> None:
    declared = {name for entry in KINDS for name in entry.declaration().variables}

    assert declared - NEVER <= NAMES.variables, "run tools/write_setting_names.py"
    assert not NEVER & NAMES.variables


def test_the_list_of_our_settings_is_written_of_their_declarations() -> None:
    text = LIST.read_text(encoding="utf-8")

    assert with_names(text, declared()) == text, "run tools/write_setting_names.py"
    new = f"ISOBATH_{CAPITALS}_SIZES"
    refuse_a_kind_of_that_name()
    more = read_names(with_names(text, {*declared(), new}))
    assert more.variables - NAMES.variables == {new}
    with pytest.raises(SystemExit, match="no family that begins with the line # our own settings"):
        with_names("", set())


def test_no_option_of_ours_looks_like_a_credential() -> None:
    commands = whole_tree().values()
    found = [word for command in commands for one in command.params for word in one.opts]

    assert len(found) > 100
    assert [word for word in found if word[0] == "-" and is_credential_name(word.lstrip("-"))] == []


def test_a_new_variable_of_a_known_library_is_seen_without_its_value() -> None:
    found = stored_variables(
        {"MPIR_CVAR_INVENTED_TOMORROW": "7", "HOME": "/root", "UCX_TLS": "tcp"}
    )

    assert found == {"MPIR_CVAR_INVENTED_TOMORROW": LEFT_OUT, "UCX_TLS": "tcp"}


def test_of_slurm_the_shape_is_stored_and_nothing_else() -> None:
    found = stored_variables({"SLURM_NTASKS": "4", "SLURM_JWT": "abc", "SLURM_JOB_USER": "me"})

    assert found == {"SLURM_NTASKS": "4"}


def test_the_command_line_of_the_kernel_is_reduced() -> None:
    line = (
        "BOOT_IMAGE=/vmlinuz root=UUID=7f9c2ba4-e88f-4a2b-9d3c-1a2b3c4d5e6f ro quiet isolcpus=2-7 "
        "mitigations=off ds=nocloud;s=http://me:word@host/ hugepages=64 rd.luks.key=abc nosmt "
        "cifs.password=abc transparent_hugepage=always processor.max_cstate=1 iommu=pt"
    )

    assert stored_kernel_line(line) == (
        "isolcpus=2-7 mitigations=off hugepages=64 nosmt transparent_hugepage=always "
        "processor.max_cstate=1 iommu=pt"
    )


def test_facts_of_a_machine_have_the_reduced_line(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cmdline").write_text("root=/dev/sda1 token=abc nohz_full=1-3\n")
    machine = read_machine()

    facts = read_environment(machine, tmp_path)

    assert facts["kernel_command_line"] == "nohz_full=1-3"
    assert set(facts["variables"]) <= set(os.environ)
