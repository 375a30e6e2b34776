# SPDX-License-Identifier: Apache-2.0
"""Which words of a command make set-up build what."""

from dataclasses import replace
from pathlib import Path

import pytest

from bootstrap_needs import (
    TEST_PARTS,
    USE_THE_ENGINE,
    Needs,
    is_known_mpi,
    kinds_that_compare,
    needs_of,
)
from isobath.cli.commands import COMMANDS
from isobath.cli.test import PARTS
from isobath.study.kinds import KINDS

NO_BUILD = (
    "show", "report", "verify", "list", "tag", "remove", "prune", "query", "compare", "factors",
    "history", "baseline", "model", "import", "predict", "advise", "reproduce", "help",
)  # fmt: skip
EVERYTHING = Needs(
    release=True,
    every_mpi=True,
    test_packages=True,
    test_system="all",
    test_trees=True,
    engine_tests=True,
    second_mpi=True,
)
PYTHON = replace(EVERYTHING, engine_tests=False)


def needs(words: str) -> Needs:
    return needs_of(words.split())


def test_every_subcommand_of_the_command_line_is_known() -> None:
    assert {*USE_THE_ENGINE, "test", *NO_BUILD} == set(COMMANDS)
    assert TEST_PARTS == PARTS


def test_a_baseline_needs_the_engine_where_it_is_measured() -> None:
    assert needs("baseline set mpi").release
    assert needs("baseline show mpi") == needs("baseline import mpi.jsonl") == Needs()


@pytest.mark.parametrize("subcommand", USE_THE_ENGINE)
def test_what_uses_the_engine_has_it_built(subcommand: str) -> None:
    found = needs_of([subcommand])

    assert found.release
    assert not found.test_trees
    assert found.every_mpi == (subcommand == "doctor")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--version",
        "show last",
        "frobnicate --scale 10",
        "run --help",
        "run --scale 10 -h",
        "plan --mpi openmpi --help",
        "test --only engine --help",
        "test --only nonsense",
        "test --frobnicate",
        "test --only",
    ],
)
def test_help_and_mistakes_need_the_environment_alone(words: str) -> None:
    assert needs(words) == Needs()


def test_words_after_two_dashes_are_no_options() -> None:
    assert needs("run --scale 10 -- --help").release
    assert needs("run -- --mpi openmpi").mpi == ""
    assert needs("test -- --help -k word") == needs("test")


def test_a_profile_needs_the_profiler_alone_and_leaves_words_to_the_program() -> None:
    found = needs("profile --view ranks -q mpirun -n 2 ./program --help --mpi openmpi")
    assert found == Needs(release=True, profiler=True)
    assert needs("profile -- mpirun ./program") == found
    assert not needs("profile --of last --view sites").release
    assert needs("profile --help") == Needs()
    assert not needs("run").profiler


@pytest.mark.parametrize(
    "command",
    [*(entry.name for entry in KINDS if entry.compares_mpi), "bench replay last", "setup"],
)
def test_what_compares_has_an_engine_for_each_of_its_mpi_libraries(command: str) -> None:
    assert needs(command) == Needs(release=True)
    assert needs(f"{command} --mpi wheel,system --ranks 2") == Needs(
        mpi="wheel", release=True, more_mpi=("system",)
    )
    assert needs(f"{command} --mpi=openmpi --mpi mpich") == Needs(
        mpi="openmpi", release=True, more_mpi=("mpich",)
    )
    everything = Needs(release=True, every_mpi=True, every_release=True)
    assert needs(f"{command} --mpi all") == everything
    assert needs_of(command.split(), "all") == everything
    assert needs_of([*command.split(), "--mpi", "mpich"], "wheel,system").mpi == "mpich"


@pytest.mark.parametrize("command", ["run", "search graph.mtx", "plan", "audit"])
def test_what_is_under_one_mpi_builds_none_of_several(command: str) -> None:
    for names in ("wheel,system", "all"):
        assert needs(f"{command} --mpi {names}") == Needs(), "the command line refuses it"
        assert needs_of(command.split(), names) == Needs()
    assert needs_of(command.split(), "openmpi").mpi == "openmpi"


def test_what_compares_is_read_of_the_registry_without_importing_it() -> None:
    compare = {entry.name for entry in KINDS if entry.compares_mpi}

    assert kinds_that_compare() == compare
    assert {"race", "bench cg"} < compare


def test_what_is_slow_needs_everything_and_the_other_processor_no_test_build() -> None:
    assert needs("test --slow") == replace(EVERYTHING, threads="all", all_tests=True)
    assert needs("test --cross") == Needs(release=True, test_packages=True)
    assert needs("test --cross --only python") == PYTHON


def test_the_sanitizer_of_threads_gets_as_much_as_its_tests_take() -> None:
    for words, threads in (
        ("test", "few"),
        ("test --only engine", "few"),
        ("test --only python", ""),
        ("test --mpi openmpi", ""),
        ("test --slow", "all"),
        ("test --slow --only engine", "all"),
        ("test --cross", ""),
        ("run --scale 10", ""),
    ):
        assert needs(words).threads == threads, words


def test_the_test_of_everything_needs_everything() -> None:
    with_threads = replace(EVERYTHING, threads="few")
    assert needs("test") == with_threads
    assert needs("test tests/python/launch") == with_threads
    assert needs("test --only python --only engine") == with_threads
    assert needs("test --only python") == PYTHON
    assert needs("test --only style --only=python") == PYTHON


def test_style_is_tested_without_a_build_and_the_engine_without_its_release_build() -> None:
    assert needs("test --only style") == Needs(test_packages=True)
    assert not needs("test --only style").engine
    engine = needs("test --only=engine")
    assert (engine.release, engine.test_trees, engine.test_mpi) == (False, True, "")
    assert (engine.test_system, engine.second_mpi) == ("mpi", False)


@pytest.mark.parametrize("words", ["test --mpi openmpi", "test --mpi=openmpi --only python"])
def test_the_mpi_of_a_test_names_the_test_build_not_the_release_build(words: str) -> None:
    found = needs(words)

    assert (found.mpi, found.release) == ("", True)
    assert (found.test_trees, found.test_mpi) == (True, "openmpi")


def test_other_commands_name_the_mpi_of_the_release_build() -> None:
    assert needs("run --scale 10 --mpi openmpi").mpi == "openmpi"
    assert needs("export --mpi=/opt/mpi --scale 10 -").mpi == "/opt/mpi"
    assert needs("run --mpi").mpi == ""
    assert needs("doctor --mpi --json").mpi == ""


def test_an_mpi_is_known_by_name_path_or_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = tmp_path / "mpicxx.own"
    wrapper.write_text("#!/bin/sh\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    for word in ("wheel", "system", "openmpi", "openmpi-1234", "mpicxx.own", str(tmp_path)):
        assert is_known_mpi(word, ["openmpi-1234"]), word
    for word in ("nosuch", "openmpi-1234", str(tmp_path / "none"), "./none"):
        assert not is_known_mpi(word, []), word
