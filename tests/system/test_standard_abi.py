# SPDX-License-Identifier: Apache-2.0
"""One engine build under several MPI libraries of the MPI-5 standard ABI.

The second library is another release of MPICH that ./isobath test installs beside the wheel, and
set-up's own code looks at it. Others that are set up here run all tests that take ``every_lab``.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from bootstrap_build import Builder
from bootstrap_console import Console
from bootstrap_mpi import Inventory
from bootstrap_toolchain import ensure_toolchain
from bootstrap_workspace import Workspace
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import WHEEL
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.study.shelf import Shelf
from system.laboratory import Laboratory, built_libraries, records_of
from system.test_whole_runs import assert_golden

HERE = Installation.here()
SECOND = HERE.state_folder / "second-mpi"


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A checkout that knows the wheel with its engine, and the second MPI."""
    if not SECOND.exists():
        pytest.fail(f"{SECOND} is missing: run ./isobath test, which installs it")
    wheel = next(library for library in built_libraries() if library.id == WHEEL)
    assert wheel.build_dir is not None
    workspace = Workspace(HERE.root, tmp_path_factory.mktemp("abi") / "checkout")
    workspace.state.mkdir(parents=True)
    workspace.venv.symlink_to(HERE.prefix / ".venv")
    console = Console(workspace.state / "log")
    toolchain = ensure_toolchain(workspace, console)
    inventory = Inventory(workspace, console, toolchain)
    second = inventory.choose(str(SECOND))
    found = [inventory.builder_of(second), second]
    inventory.save(WHEEL, {"mpich": second.id})
    for library in found:
        Builder(workspace, console, toolchain).share(wheel.build_dir, library)
    console.close()
    return Laboratory(workspace.prefix, wheel)


def test_the_same_programs_run_under_another_library(together: Laboratory) -> None:
    words = ("--scale", 10, "--ranks", 2, "--threads", 1, "--keys", 8)
    for word, version in (("wheel", "5.0.2"), ("mpich-abi", "5.0.1")):
        run = together.run(*words, "--mpi", word)

        records = records_of(run)
        assert_golden(records, 8)
        assert version in records.run.mpi.library_version
        assert records.run.build.standard_abi
        facts = run.environment()["mpi"]
        assert isinstance(facts, dict)
        assert facts["abi"] == "mpi5"
        assert ("folder" in facts) == (word != "wheel")


def test_they_make_one_table_with_equal_bytes(together: Laboratory, tmp_path: Path) -> None:
    words = ("--plans", "one-sided,hybrid", "--ranks", "4", "--scale", "10", "--keys", "4")
    said = together.isobath(
        *("race", *words, "--mpi", "all", "--threads", "1"),
        *("--no-ladder", "--no-report", "--races", tmp_path),
    )

    assert said.code == 0, said.err
    results = read_results(RaceFolder(Shelf((tmp_path,)).find("last").path))
    assert {one.cell.settings["mpi"] for one in results.matrix if one.cell} == {WHEEL, "mpich-abi"}
    assert all(one.validated and one.audited for one in results.matrix)


def test_the_doctor_says_where_it_is(together: Laboratory) -> None:
    said = together.isobath("doctor", "--mpi", "--json")

    words = {finding["name"]: finding["words"] for finding in json.loads(said.out)}
    assert f"in {SECOND.resolve()}, engine of {WHEEL}" in words["mpi mpich-abi"]
