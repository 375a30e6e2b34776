# SPDX-License-Identifier: Apache-2.0
import json
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import fake_mpi
from cli.conftest import Checkout
from isobath.cli.suite_results import OVER_TIME, Results, results_of
from isobath.cli.suites import (
    PYTHON_FOLDERS,
    SLOW_TEST_SECONDS,
    Suite,
    collection_suites,
    engine_suites,
    left_out_engine,
    python_suites,
    run_suite,
    slow_suites,
    thread_suites,
)
from isobath.cli.test import SUITE_SECONDS, results
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.processes import is_alive

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def two_builds(tmp_path: Path) -> Installation:
    """Test builds of the default MPI and of one that a path leads to."""
    path = fake_mpi.install(tmp_path) / ".isobath" / "state.json"
    state = json.loads(path.read_text())
    fake = state["mpi"]["fake"]
    state["mpi"]["openmpi"] = {**fake, "kind": "openmpi", "test_build_dir": str(tmp_path / "other")}
    fake["test_build_dir"] = str(tmp_path / "fake")
    state["aliases"]["mpicxx.own"] = "openmpi"
    path.write_text(json.dumps(state))
    return Installation(tmp_path, tmp_path)


def folders(installation: Installation, mpi: str | None) -> set[str]:
    return {suite.cwd.name for suite in engine_suites(installation, mpi, jobs=2)}


def test_the_engine_is_tested_under_every_mpi_or_under_the_one_that_is_named(
    two_builds: Installation,
) -> None:
    assert folders(two_builds, None) == {"fake", "other"}
    for word in ("openmpi", "mpicxx.own"):
        assert folders(two_builds, word) == {"other"}
    assert folders(two_builds, "mpich-wheel") == {"fake"}


def test_slow_tests_of_the_engine_are_those_with_the_label(two_builds: Installation) -> None:
    for slow, words in ((False, "-LE ^slow$ --no-tests=error"), (True, "-L ^slow$")):
        for suite in engine_suites(two_builds, None, jobs=2, slow=slow):
            assert words in " ".join(suite.command)
            assert suite.name.startswith("slow ") is slow


def test_an_mpich_of_before_version_5_is_slow_unless_it_is_named(two_builds: Installation) -> None:
    path = two_builds.prefix / ".isobath" / "state.json"
    state = json.loads(path.read_text())
    state["mpi"]["openmpi"] |= {"kind": "mpich", "version": "4.0.2"}
    path.write_text(json.dumps(state))

    assert folders(two_builds, None) == {"fake"}
    assert folders(two_builds, "openmpi") == {"other"}
    _, slow = engine_suites(two_builds, None, jobs=2, slow=True)
    assert slow.cwd.name == "other"
    assert "-L" not in slow.command


def test_what_is_slow_is_left_to_a_switch_of_its_own(two_builds: Installation) -> None:
    (usual,), slow = python_suites(two_builds, []), slow_suites(Installation(ROOT, ROOT), [])

    assert usual.command[usual.command.index("-m", 3) + 1] == "not slow"
    assert all(one.command[one.command.index("-m", 3) + 1] == "slow" for one in slow)
    assert len({one.name for one in slow}) == len(slow)
    places = [word for one in slow for word in one.command if word.startswith("tests/")]
    files = sorted((ROOT / "tests" / "slow").glob("test_*.py"))
    assert sorted(places) == sorted(
        [*PYTHON_FOLDERS, *(str(file.relative_to(ROOT)) for file in files)]
    ), "each once"
    (some,) = slow_suites(two_builds, ["tests/system/test_races.py"])
    assert [word for word in some.command if word.startswith("tests/")] == [
        "tests/system/test_races.py"
    ]


def test_a_slow_test_may_take_longer_than_all_that_it_waits_for(two_builds: Installation) -> None:
    """The limit of every test, in pyproject.toml, would cut it."""
    usual = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    limit = usual["tool"]["pytest"]["ini_options"]["timeout"]
    waits = [
        int(seconds)
        for file in (ROOT / "tests").rglob("*.py")
        for seconds in re.findall(
            r"timeout: float = (\d+)|timeout[=(](\d+)", file.read_text("utf-8")
        )
        for seconds in seconds
        if seconds
    ]
    for suite in slow_suites(two_builds, []):
        assert f"timeout={SLOW_TEST_SECONDS}" in suite.command
    assert limit < max(waits) <= SLOW_TEST_SECONDS < SUITE_SECONDS


SOME_TESTS = """
import pathlib
import time

def test_short(): ...

def test_wrong():
    assert False

def test_long():
    pathlib.Path("begun").touch()
    time.sleep(600)

def test_of_whom_nobody_hears(): ...
"""


def test_what_had_passed_when_the_time_was_over_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_some.py").write_text(SOME_TESTS, encoding="utf-8")
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", "{junit}")
    suite = Suite("some", "slow", command, tmp_path, junit=True)
    real = subprocess.Popen.wait

    def wait(process: "subprocess.Popen[bytes]", timeout: float | None = None) -> int:
        """The limit is over when the test that waits has begun, however busy the machine is."""
        if timeout != SUITE_SECONDS:
            return real(process, timeout)
        deadline = time.monotonic() + 120
        while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", wait)

    (found,) = results([suite], tmp_path, 1)

    assert found.passed == 1
    assert [name.rpartition(".")[2] for name in found.failed[:1]] == ["test_wrong"]
    assert found.failed[-1] == "some (ended by its limit; the rest did not run)"


def test_a_suite_that_does_not_heed_its_limit_is_killed_with_all_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isobath.cli.suites.LAST_WORDS_SECONDS", 0.3)
    words = "trap '' INT; sleep 600 & echo $! >pid; wait; wait"
    suite = Suite("deaf", "slow", ("sh", "-c", words), tmp_path)

    assert run_suite(suite, tmp_path / "junit.xml", tmp_path / "log", 0.5) == OVER_TIME

    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(pid)


def test_a_log_names_the_slowest_tests(two_builds: Installation) -> None:
    for suite in (*python_suites(two_builds, []), *slow_suites(two_builds, [])):
        assert suite.command[suite.command.index("--durations") + 1] == "40"


def test_files_of_tests_are_imported_and_compiled_before_workers_read_them(tmp_path: Path) -> None:
    file = tmp_path / "tests" / "python" / "test_one.py"
    file.parent.mkdir(parents=True)
    file.write_text("import nowhere\n\n\ndef test_one():\n    assert True\n")
    (suite,) = collection_suites(Installation(tmp_path, tmp_path))

    assert run_suite(suite, tmp_path / "junit.xml", tmp_path / "log.txt", 300) != 0
    assert "nowhere" in (tmp_path / "log.txt").read_text()

    file.write_text("def test_one():\n    assert True\n")
    assert run_suite(suite, tmp_path / "junit.xml", tmp_path / "log.txt", 300) == 0
    assert [one.name for one in file.parent.glob("__pycache__/test_one.*pytest*.pyc")]
    assert not collection_suites(Installation(tmp_path / "tests", tmp_path))


def test_suites_of_style_run_side_by_side_and_keep_their_order(tmp_path: Path) -> None:
    """Each of two waits for the other."""
    wait = "touch {0}; while [ ! -e {1} ]; do sleep 0.01; done"
    first, second = (
        Suite(name, "style", ("sh", "-c", wait.format(tmp_path / name, tmp_path / other)), tmp_path)
        for name, other in (("one", "two"), ("two", "one"))
    )
    alone = Suite("three", "python", ("sh", "-c", "exit 1"), tmp_path)

    found = list(results([first, second, alone], tmp_path, 2))

    assert [one.passed for one in found] == [1, 1, 0]
    assert found[2].failed == ("three",)


def test_one_that_is_not_there_is_refused(two_builds: Installation) -> None:
    with pytest.raises(EnvironmentProblem, match="nosuch is not known here"):
        engine_suites(two_builds, "nosuch", jobs=2)


def test_the_sanitizer_of_threads_looks_at_its_own_tests_where_it_is(
    two_builds: Installation,
) -> None:
    assert thread_suites(two_builds, jobs=2) == []
    path = two_builds.state_folder / "state.json"
    state = json.loads(path.read_text())
    state["mpi"]["fake"]["thread_build_dir"] = str(two_builds.root / "threads")
    path.write_text(json.dumps(state))

    (suite,) = thread_suites(two_builds, jobs=2)

    assert suite.cwd.name == "threads"
    assert suite.name.endswith("sanitizer of threads")
    words = " ".join(suite.command)
    assert "--label-regex ^threads$" in words
    assert "--no-tests=error" in words


def test_what_set_up_could_not_provide_is_left_out_by_name(two_builds: Installation) -> None:
    assert left_out_engine(two_builds) == []
    path = two_builds.state_folder / "state.json"
    state = json.loads(path.read_text())
    state["left_out"] = [{"name": "clang-19", "cure": "apt-get install clang-19"}]
    path.write_text(json.dumps(state))

    found = Results(left_out=tuple(left_out_engine(two_builds)))
    assert found.omissions() == ["left out: clang-19, 1 test; apt-get install clang-19"]


def test_what_is_left_out_has_a_name_a_count_and_a_cure(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "CTestTestfile.cmake").write_text('add_test(good "true")\n', encoding="utf-8")
    state_file = checkout.prefix / ".isobath" / "state.json"
    state = json.loads(state_file.read_text(encoding="utf-8"))
    state["mpi"]["fake"]["test_build_dir"] = str(build)
    state["left_out"] = [{"name": "openmpi", "cure": "apt-get install openmpi-bin"}]
    state_file.write_text(json.dumps(state), encoding="utf-8")

    said = checkout.isobath("test", "--only", "engine")

    assert said.code == 0, said.out
    assert "left out: openmpi, 1 test; apt-get install openmpi-bin\n" in said.out
    assert "Open MPI" not in said.out.partition("cannot cover")[2]
    assert "1 passed, 0 failed, 0 skipped, 1 left out in" in said.out
    monkeypatch.setenv("ISOBATH_TEST_COMPLETE", "1")
    said = checkout.isobath("test", "--only", "engine")
    assert said.code == 1
    assert "FAILED   engine, openmpi (left out: openmpi)\n" in said.out
    assert "left out: openmpi, 1 test; apt-get install openmpi-bin\n" in said.out
    assert "1 passed, 1 failed, 0 skipped in" in said.out


def test_tests_that_lack_a_package_are_told_from_skipped_ones(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    skipped = [
        "left out: chromium; apt-get install chromium",
        "left out: chromium; apt-get install chromium",
        "left out: mpich; 2 ranks failed: no; such host",
        "this machine permits no network namespaces",
    ]
    cases = "".join(
        f'<testcase name="t{number}"><skipped message="{words}"/></testcase>'
        for number, words in enumerate(skipped)
    )
    junit.write_text(f"<testsuite>{cases}</testsuite>", encoding="utf-8")

    found = results_of("s", 0, junit)

    assert found.skipped == ("s: t3",)
    assert found.sentence() == "0 passed, 0 failed, 1 skipped, 3 left out"
    assert found.omissions() == [
        "left out: chromium, 2 tests; apt-get install chromium",
        "left out: mpich, 1 test; 2 ranks failed: no; such host",
    ]
    assert found.complete().failed == (
        "s: t0 (left out: chromium)",
        "s: t1 (left out: chromium)",
        "s: t2 (left out: mpich)",
    )
    assert found.complete().sentence() == "0 passed, 3 failed, 1 skipped"
