# SPDX-License-Identifier: Apache-2.0
"""The compiler with the sanitizer of threads: it is tried, and what it lacks is said."""

from pathlib import Path

import pytest

import bootstrap_threads as threads
from bootstrap_build import Builder
from bootstrap_mpi import Library
from front_door.small_machine import Machine, script
from needs import needs

CURE = "apt-get install clang-19 libclang-rt-19-dev libomp-19-dev"


@pytest.fixture
def compiler(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a clang++-19 would be found; there is none yet."""
    programs = machine.folder / "with-clang"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/nowhere")
    return programs / "clang++-19"


def stands_in(compiler: Path, *, compiles: bool = True, status: int = 0) -> None:
    """Its programs end with ``status``; a line in compiled.txt for each that it makes."""
    script(
        compiler,
        'PATH=/usr/bin:/bin; [ "$1" = -print-file-name=libarcher_static.a ] && exec echo "$0"\n'
        f"{'true' if compiles else 'echo no such runtime >&2; exit 1'}\n"
        f"echo once >>{compiler.parent}/compiled.txt\nfor last; do :; done\n"
        f"printf '#!/bin/sh\\necho no memory for shadows; exit {status}\\n' >\"$last\"\n"
        'chmod +x "$last"',
    )


@needs("clang-19")
def test_the_compiler_of_the_list_has_all_that_the_build_needs(machine: Machine) -> None:
    assert threads.problem_of_compiler(machine.workspace, machine.console) == ""


def test_without_the_compiler_its_packages_are_the_cure(machine: Machine, compiler: Path) -> None:
    assert threads.problem_of_compiler(machine.workspace, machine.console) == CURE


def test_a_part_that_is_missing_has_the_same_cure(machine: Machine, compiler: Path) -> None:
    stands_in(compiler, compiles=False)

    assert threads.problem_of_compiler(machine.workspace, machine.console) == CURE


def test_a_sanitizer_that_does_not_run_is_said(machine: Machine, compiler: Path) -> None:
    stands_in(compiler, status=66)

    problem = threads.problem_of_compiler(machine.workspace, machine.console)

    assert problem == "its sanitizer of threads does not run here: no memory for shadows"


def test_what_works_is_tried_once(machine: Machine, compiler: Path) -> None:
    stands_in(compiler)

    for _ in range(2):
        assert threads.problem_of_compiler(machine.workspace, machine.console) == ""

    assert (compiler.parent / "compiled.txt").read_text() == "once\n"
    assert not (machine.workspace.state / "thread-check").exists()


def test_what_cannot_be_built_is_left_out_by_name_and_forgotten(
    machine: Machine, compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOBATH_APT", "0")
    library = Library("wheel", "mpich-wheel", "5", "", "", healthy=True, reason="")
    before = {"wheel": {"thread_build_dir": "/gone"}}
    machine.workspace.write_state({"mpi": before, "left_out": [{"name": "mpich", "cure": "c"}]})
    builder = Builder(machine.workspace, machine.console, machine.toolchain)

    for _ in range(2):
        threads.build_threads(
            machine.workspace, machine.console, builder, library, everything=False
        )

    state = machine.workspace.read_state()
    assert state["mpi"] == {"wheel": {}}
    assert state["left_out"] == [{"name": "mpich", "cure": "c"}, {"name": "clang-19", "cure": CURE}]
