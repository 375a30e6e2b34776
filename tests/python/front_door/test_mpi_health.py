# SPDX-License-Identifier: Apache-2.0
"""Which MPI is sound, which launcher is its own, and what is said of the others."""

import json
import os
import sys
from pathlib import Path

import pytest

import bootstrap_debian
import bootstrap_health
from bootstrap_console import SetupError
from bootstrap_health import WHEEL, judge
from front_door.small_checkout import PREFIX
from front_door.small_machine import WHEEL_BIN, Machine, script

SAID = {"library": "an MPI", "standard": "4.0", "alltoallv": "right", "alltoallv_c": "right"}
RIGHT = 'rank 1 of 2\nrank 0 of 2\n{"library": "an MPI", "standard": "4.0", "alltoallv": "right", '


def answer(**changes: object) -> str:
    facts = {**SAID, "standard_abi": False, **changes}
    return f"rank 0 of 2\nrank 1 of 2\n{json.dumps(facts)}\n"


def test_a_right_answer_is_healthy() -> None:
    assert judge(answer()) == {
        "library": "an MPI",
        "standard": "4.0",
        "standard_abi": False,
        "large_counts": True,
    }
    assert judge(answer(alltoallv_c="absent"))["large_counts"] is False


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("rank 0 of 1\nrank 0 of 1\n", "it starts 2 separate programs instead of 2 ranks"),
        ("rank 0 of 3\nrank 1 of 3\nrank 2 of 3\n", "2 ranks were asked for"),
        ("rank 0 of 2\nrank 0 of 2\n", "2 ranks were asked for"),
        ("rank 0 of 2\nrank 1 of 2\nkilled\n", "did not finish the exchange"),
        (answer(alltoallv="wrong"), "MPI_Alltoallv delivered wrong bytes"),
        (answer(alltoallv_c="wrong"), "MPI_Alltoallv_c delivered wrong bytes"),
    ],
)
def test_every_wrong_answer_has_its_reason(output: str, reason: str) -> None:
    assert reason in judge(output)["reason"]


def test_separate_programs_are_recognised(machine: Machine) -> None:
    wrapper = machine.library('while [ "$n" -gt 0 ]; do "$@" & n=$((n-1)); done; wait')

    with pytest.raises(SetupError, match="starts 2 separate programs instead of 2 ranks"):
        machine.inventory().choose(str(wrapper))


def test_ubuntus_trap_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"ID": "ubuntu", "VERSION_ID": "24.04"}
    monkeypatch.setattr(bootstrap_debian, "os_release", lambda: facts)

    assert "known Ubuntu 24.04 mpich bug" in judge("rank 0 of 1\nrank 0 of 1\n")["reason"]


def test_a_launch_that_hangs_is_ended_with_all_it_started(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap_health, "TIMEOUT_SECONDS", 1.0)
    child = machine.folder / "child"
    wrapper = machine.library(f"sleep 1000 & echo $! >{child}; trap '' TERM; sleep 1000")

    with pytest.raises(SetupError, match="did not end within 1 s"):
        machine.inventory().choose(str(wrapper))

    assert not Path(f"/proc/{child.read_text().strip()}").exists()


def test_a_foreign_launcher_is_rejected(machine: Machine) -> None:
    wrapper = machine.library('"$@"', words="mpirun (Open MPI) 4.1.4")

    with pytest.raises(SetupError, match="belongs to another MPI"):
        machine.inventory().choose(str(wrapper))


def test_a_wrapper_that_cannot_compile_is_rejected(machine: Machine) -> None:
    wrapper = machine.library('"$@"')
    script(wrapper, "echo 'error: no such licence' >&2; exit 1")

    with pytest.raises(SetupError, match="no such licence"):
        machine.inventory().choose(str(wrapper))


def test_a_sound_library_at_a_path_is_taken_and_remembered(machine: Machine) -> None:
    wrapper = machine.library(f'"{WHEEL_BIN}/mpiexec" -n "$n" "$@"')

    first = machine.inventory()
    chosen = first.choose(str(wrapper.parent.parent))
    first.save(None, {"x": chosen.id})
    log = machine.console.log_path.read_text()
    again = machine.inventory().choose(str(wrapper))

    assert chosen.healthy
    assert (chosen.kind, chosen.version) == ("mpich", "5.0.2")
    assert again.healthy
    tested_again = machine.console.log_path.read_text().removeprefix(log)
    assert "health.cpp" not in tested_again


def test_an_unhealthy_wheel_is_replaced_by_the_machines_own(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = machine.library(f'"{WHEEL_BIN}/mpiexec" -n "$n" "$@"')
    monkeypatch.setenv("MPICXX", str(wrapper))

    inventory = machine.inventory()  # the prefix has no wheel at all
    chosen = inventory.choose("")
    inventory.save(chosen.id, {"default": chosen.id})

    assert chosen.mpicxx == str(wrapper)
    state = machine.workspace.read_state()
    assert state["default_mpi"] == chosen.id
    assert state["mpi"][WHEEL]["healthy"] is False
    assert state["mpi"][WHEEL]["reason"]
    assert "reason" in (machine.workspace.state / "mpi.toml").read_text()


@pytest.mark.usefixtures("no_system_mpi")
def test_without_any_mpi_every_reason_is_said(machine: Machine) -> None:
    with pytest.raises(SetupError, match="no MPI works here") as caught:
        machine.inventory().choose("")

    assert "apt-get install libopenmpi-dev openmpi-bin" in caught.value.remedy


@pytest.mark.usefixtures("no_system_mpi")
def test_ubuntu_24_04_never_gets_its_mpich(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[list[str]] = []
    facts = {"ID": "ubuntu", "VERSION_ID": "24.04"}
    monkeypatch.setattr(bootstrap_debian, "os_release", lambda: facts)
    monkeypatch.setattr(bootstrap_debian, "may_install", lambda: True)
    monkeypatch.setattr(bootstrap_debian, "install", lambda _, packages: installed.append(packages))

    with pytest.raises(SetupError, match="separate programs instead of ranks"):
        machine.inventory().choose("mpich")
    with pytest.raises(SetupError):
        machine.inventory().choose("system")

    assert installed == [["libopenmpi-dev", "openmpi-bin"]]


@pytest.mark.usefixtures("no_system_mpi")
@pytest.mark.parametrize("word", ["system", "openmpi", "mpich"])
def test_without_root_the_package_is_named(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setenv("ISOBATH_APT", "0")

    with pytest.raises(SetupError, match="no such MPI on this machine") as caught:
        machine.inventory().choose(word)

    assert "apt-get install lib" in caught.value.remedy


def test_a_word_that_means_nothing_is_refused(machine: Machine) -> None:
    with pytest.raises(SetupError, match="--mpi frobnicate is not known here"):
        machine.inventory().choose("frobnicate")


def test_the_wheel_of_this_checkout_is_healthy(machine: Machine) -> None:
    machine.workspace.venv.symlink_to(PREFIX / ".venv")

    wheel = machine.inventory().wheel()

    assert wheel.healthy, wheel.reason
    assert wheel.facts["standard_abi"] is True
    assert wheel.facts["large_counts"] is True
    assert os.path.basename(wheel.mpiexec) == "mpiexec"
    assert sys.platform == "linux"
