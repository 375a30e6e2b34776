# SPDX-License-Identifier: Apache-2.0
"""Commands that make several MPI_COMM_WORLDs: every one is kept, none is added to another."""

import json
import shlex
from pathlib import Path

import pytest

from isobath.profile.profile import Profile
from profiler.conftest import Done, Profiler

SRUN = Path(__file__).resolve().parents[1] / "system" / "fake_slurm" / "srun"


def profiled(profiler: Profiler, *command: object, **more: str) -> Done:
    return profiler.shown(("--abi", profiler.family.abi), *command, **more)


def family_of(name: str, profilers: dict[str, Profiler | str]) -> Profiler:
    found = profilers[name]
    if isinstance(found, str):
        pytest.skip(f"MPI family {name}: {found}")
    return found


def check_two_of_one(done: Done, *words: str) -> None:
    """Each process is a world of its own, and that is said."""
    said = " ".join(done.out.split())
    assert "2 worlds of one rank, not one of 2" in said
    for word in words:
        assert word in said
    assert "over 2 ranks" not in said
    assert len(done.profiles) == 2
    for number, profile in enumerate(done.profiles):
        assert (profile.whole.ranks, profile.whole.ranks_recorded) == (1, 1)
        assert (profile.whole.world, profile.whole.worlds) == (number, 2)
        assert profile.whole.mistake is not None
    assert len({one.ranks[0].process for one in done.profiles}) == 2
    assert sorted(one.ranks[0].launcher_rank or 0 for one in done.profiles) == [0, 1]


def calls(profile: Profile) -> int:
    assert profile.whole.calls == sum(one.calls for one in profile.calls)
    return profile.whole.calls


def test_srun_without_pmi_keeps_both_processes_and_says_so(
    standard: Profiler, tmp_path: Path
) -> None:
    program = standard.build("regions.c")
    alone = calls(standard.profile(program, ranks=1))

    done = profiled(standard, SRUN, "-n", 2, program)

    assert done.code == 3, done.err
    assert "isobath: 2 worlds of one rank, not one of 2: srun started 2 ranks" in done.err
    assert [line.split()[1] for line in done.err.splitlines()] == ["run", "2"], done.err
    check_two_of_one(
        done, "start the program with srun --mpi=pmi2", "Calls, world 1", "Calls, world 2"
    )
    assert [calls(one) for one in done.profiles] == [alone, alone]
    run = standard.store / done.profiles[0].whole.run_id
    summary = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert (summary["state"], summary["exit_code"]) == ("failed", 3)
    assert summary["message"].startswith("2 worlds of one rank, not one of 2")

    again = standard.isobath("show", run)
    assert again.code == 0
    check_two_of_one(Done(0, again.out, again.err, done.profiles))
    page = tmp_path / "page.html"
    assert standard.isobath("report", run, "-o", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert "in 2 worlds" in html
    assert "2 worlds of one rank, not one of 2" in html


def test_the_exit_code_of_the_program_comes_first(standard: Profiler) -> None:
    done = profiled(standard, SRUN, "-n", 2, standard.build("ends_badly.c"), "exit")

    assert done.code == 7, done.err
    check_two_of_one(done)


def test_a_launcher_that_sets_nothing_is_found_out_too(standard: Profiler, tmp_path: Path) -> None:
    launcher = tmp_path / "mpirun"
    launcher.write_text('#!/bin/sh\n"$1" & "$1" & wait\n', encoding="utf-8")
    launcher.chmod(0o755)

    done = profiled(standard, launcher, standard.build("regions.c"))

    assert done.code == 3, done.err
    assert "2 worlds of one rank, not one of 2" in done.err
    assert len(done.profiles) == 2


def test_open_mpis_mpirun_with_a_program_of_mpich(profilers: dict[str, Profiler | str]) -> None:
    """MPICH 4: the wheel's MPICH 5 ends such a program in MPI_Init."""
    theirs, ours = family_of("openmpi", profilers), family_of("mpich", profilers)

    done = profiled(ours, *theirs.family.launcher, "-n", 2, ours.build("regions.c"))

    assert done.code == 3, done.err
    check_two_of_one(done, "Open MPI's mpirun started 2 ranks", "MPICH")


def test_mpichs_mpiexec_with_a_program_of_open_mpi(profilers: dict[str, Profiler | str]) -> None:
    theirs, ours = family_of("standard", profilers), family_of("openmpi", profilers)

    done = profiled(ours, *theirs.family.launcher, "-n", 2, ours.build("regions.c"))

    assert done.code == 3, done.err
    check_two_of_one(done, "(PMI_SIZE), but MPI counts 1", "Open MPI")


def test_programs_one_after_the_other_are_worlds_of_their_own(standard: Profiler) -> None:
    program = standard.build("regions.c")
    launch = shlex.join(standard.family.launcher)
    script = "; ".join(f"{launch} -n {ranks} {shlex.quote(str(program))}" for ranks in (2, 3, 2))

    done = profiled(standard, "sh", "-c", script)

    assert done.code == 0, done.err
    assert "The command made 3 MPI_COMM_WORLDs" in done.out
    assert [one.whole.ranks for one in done.profiles] == [2, 3, 2]
    assert all(one.whole.mistake is None for one in done.profiles)
    for profile in done.profiles:
        assert profile.whole.ranks_recorded == profile.whole.ranks == len(profile.ranks)
        assert calls(profile) * 2 == calls(done.profiles[0]) * profile.whole.ranks


@pytest.mark.parametrize("family", ["standard", "openmpi"])
def test_spawned_ranks_are_a_world_beside_their_parent(
    profilers: dict[str, Profiler | str], family: str
) -> None:
    """Debian's MPICH 4 spawns nothing, profiled or not."""
    profiler = family_of(family, profilers)
    done = profiler.run(profiler.build("spawns.c"), ranks=1)

    assert done.code == 0, done.out + done.err
    assert [one.whole.ranks for one in done.profiles] == [1, 2]
    assert [one.whole.mistake for one in done.profiles] == [None, None]
    parent, spawned = done.profiles
    assert parent.call("allreduce") is None
    call = spawned.call("allreduce")
    assert call is not None
    assert (call.calls, call.bytes_sent) == (2, 2 * 40)
