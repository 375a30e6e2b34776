# SPDX-License-Identifier: Apache-2.0
"""What tests need of the system: installed where root may, left out by name where not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap_debian as debian
from bootstrap_console import Console
from bootstrap_test_packages import (
    LEFT_OUT,
    LIST,
    ensure_test_packages,
    found,
    missing,
    note_left_out,
    packages_of,
)
from bootstrap_workspace import Workspace
from front_door.small_checkout import ROOT

TWO = """
[[package]]
name = "browser"
packages = ["a-browser", "its-fonts"]
programs = ["$NAMED_BROWSER|a-browser|another-browser"]
for = "pages"

[[package]]
name = "an-mpi"
packages = ["libmpi-dev"]
programs = ["mpicxx.an", "mpiexec.an"]
for = "the engine under it"
mpi = "an"

[[package]]
name = "worthless"
packages = ["worthless"]
programs = ["worthless"]
for = "nothing"
mpi = "worthless"
broken_on = ["own 1.0"]
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A checkout with a list of its own, and a system that has nothing but apt, for root."""
    (tmp_path / "tests").mkdir()
    (tmp_path / LIST).write_text(TWO, encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/bin")
    monkeypatch.delenv("ISOBATH_APT", raising=False)
    monkeypatch.setattr(debian, "is_debian", lambda: True)
    monkeypatch.setattr(debian, "os_release", lambda: {"ID": "own", "VERSION_ID": "1.0"})
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    place = Workspace(tmp_path, tmp_path)
    place.state.mkdir()
    return place


def program(workspace: Workspace, name: str, text: str = "") -> Path:
    path = workspace.root / "programs" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def apt(workspace: Workspace, *, unknown: str = "none") -> Path:
    """An apt-get that notes what it installs and has no package of one name."""
    log = workspace.root / "apt.log"
    log.touch()
    program(
        workspace,
        "apt-get",
        f'case "$*" in *{unknown}*) echo "E: Unable to locate package {unknown}"; exit 100 ;; '
        f'*install*) echo "${{*##*recommends }}" >>{log} ;; esac',
    )
    return log


def names(workspace: Workspace) -> list[str]:
    return [one.name for one in missing(packages_of(workspace.root))]


def test_a_program_by_any_of_its_names_is_enough(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names(workspace) == ["browser", "an-mpi"]

    there = program(workspace, "another-browser")
    assert names(workspace) == ["an-mpi"]
    assert found("$NAMED_BROWSER|a-browser|another-browser") == str(there)
    there.unlink()
    monkeypatch.setenv("NAMED_BROWSER", str(program(workspace, "mine")))
    assert names(workspace) == ["an-mpi"]
    monkeypatch.setenv("NAMED_BROWSER", "/nowhere")
    assert names(workspace) == ["browser", "an-mpi"]

    program(workspace, "mpicxx.an")
    assert "an-mpi" in names(workspace), "all of its programs"
    program(workspace, "mpiexec.an")
    assert names(workspace) == ["browser"]


def test_what_does_not_work_on_this_system_is_no_loss(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "worthless" not in names(workspace)

    monkeypatch.setattr(debian, "os_release", lambda: {"ID": "own", "VERSION_ID": "2.0"})
    assert "worthless" in names(workspace)


def test_root_installs_what_is_missing_and_says_so_before(
    workspace: Workspace, console: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    log = apt(workspace, unknown="a-browser")

    ensure_test_packages(workspace, console, only_mpi=False)

    said = capsys.readouterr().err.splitlines()
    assert said[0] == (
        "isobath: tests need what is not here: browser for pages; an-mpi for the engine under it"
    )
    assert "isobath: installing with apt (as root): a-browser its-fonts" in said
    assert "isobath: installing with apt (as root): libmpi-dev" in said
    assert log.read_text() == "libmpi-dev\n", "one that apt does not know keeps no other away"
    assert any(
        line.startswith("isobath: browser stays away, its tests are left out: E: Unable")
        for line in said
    )


FOR_SLOW = """
[[package]]
name = "a-solver"
packages = ["a-solver-dev"]
programs = ["a-compiler"]
modules = ["Solver"]
for = "norms"
only_slow = true
"""


def test_what_slow_tests_need_is_never_installed(workspace: Workspace, console: Console) -> None:
    (workspace.root / LIST).write_text(FOR_SLOW, encoding="utf-8")
    log = apt(workspace)

    ensure_test_packages(workspace, console, only_mpi=False)

    assert log.read_text() == ""
    assert names(workspace) == ["a-solver"], "a slow test is left out by its name"


def test_a_library_is_there_where_pkg_config_knows_it(workspace: Workspace) -> None:
    (workspace.root / LIST).write_text(FOR_SLOW, encoding="utf-8")
    program(workspace, "a-compiler")
    program(workspace, "pkg-config", 'test "$*" = "--exists Another"')
    assert names(workspace) == ["a-solver"]
    program(workspace, "pkg-config", 'test "$*" = "--exists Solver"')
    assert names(workspace) == []


def test_a_bare_machine_is_not_said_to_lack_what_slow_tests_need(tmp_path: Path) -> None:
    """CI reads the names that are printed, and wants a line for each of them."""
    command = [sys.executable, str(ROOT / "tools" / "bare_programs.py"), str(tmp_path / "bare")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    said = done.stdout.split()
    assert "chromium" in said
    assert not {one.name for one in packages_of(ROOT) if one.only_slow} & set(said)


def test_the_engine_needs_nothing_but_mpi(workspace: Workspace, console: Console) -> None:
    log = apt(workspace)

    ensure_test_packages(workspace, console, only_mpi=True)

    assert log.read_text() == "libmpi-dev\n"


@pytest.mark.parametrize("why", ["no root", "forbidden", "all there"])
def test_apt_is_left_alone(
    workspace: Workspace, console: Console, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    log = apt(workspace)
    if why == "no root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    elif why == "forbidden":
        monkeypatch.setenv("ISOBATH_APT", "0")
    else:
        for name in ("a-browser", "mpicxx.an", "mpiexec.an"):
            program(workspace, name)

    ensure_test_packages(workspace, console, only_mpi=False)

    assert log.read_text() == ""


def test_an_mpi_that_is_absent_or_fails_is_noted_with_its_cure(workspace: Workspace) -> None:
    entry = {"kind": "an", "healthy": False, "reason": "2 ranks said nothing"}
    place = {"kind": "an", "healthy": True, "folder": "/opt/an"}  # has no test build of its own
    left = {
        "absent": ({"place": place}, [{"name": "an-mpi", "cure": "apt-get install libmpi-dev"}]),
        "ill": ({"an": entry}, [{"name": "an-mpi", "cure": "2 ranks said nothing"}]),
        "well": ({"an": entry, "an-2": {**entry, "healthy": True}}, []),
    }
    for case, (known, expected) in left.items():
        workspace.write_state({"mpi": known})

        note_left_out(workspace)

        assert workspace.read_state()[LEFT_OUT] == expected, case


def test_a_checkout_without_a_list_needs_nothing(tmp_path: Path) -> None:
    assert packages_of(tmp_path) == []


def test_the_list_of_this_checkout_is_complete() -> None:
    packages = packages_of(ROOT)

    assert {one.name for one in packages} >= {"chromium", "openmpi", "mpich", "iproute2"}
    assert len({one.name for one in packages}) == len(packages)
    assert all(one.packages and one.programs and one.purpose for one in packages)
    assert [one.name for one in packages if one.only_slow] == ["petsc-dev"]
    assert [one.name for one in packages if one.for_threads] == ["clang-19"]
    assert {one.mpi for one in packages} == {"", "openmpi", "mpich"}


ONE_TEST = """
from needs import needs, require

@needs("chromium")
def test_marked(): ...

@needs("gfortran")
def test_of_another(): ...

def test_asks():
    require("iproute2")
"""


def test_tests_without_their_package_say_its_name_and_its_cure(tmp_path: Path) -> None:
    """In the form that the command counts by."""
    (tmp_path / "test_one.py").write_text(ONE_TEST)
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "gfortran").symlink_to("/bin/true")
    kept = {k: v for k, v in os.environ.items() if k != "ISOBATH_CHROMIUM"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**kept, "PATH": str(tmp_path / "programs"), "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    for name in ("chromium", "iproute2"):
        assert f"left out: {name}; apt-get install {name}" in done.stdout


def bare_tests() -> list[Path]:
    """Files of the tests that .ci/run starts on a machine without the list, and what they share."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    words = script[script.index("bare_tests=(") :].partition(")\n")[0]
    done = subprocess.run(
        ["bash", "-c", f"{words}); printf '%s\\n' \"${{bare_tests[@]}}\""],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    places = [ROOT / line.partition("::")[0] for line in done.stdout.split()]
    assert all(place.exists() for place in places)
    files = {
        file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])
    }
    shared = {file.parent / "conftest.py" for file in files}
    return sorted(files | {file for file in shared if file.is_file()})


def test_a_bare_machine_in_ci_misses_every_package_of_the_list() -> None:
    """.ci/run fails where no line says that tests were left out for want of one."""
    text = "".join(file.read_text(encoding="utf-8") for file in bare_tests())
    every = {package.name for package in packages_of(ROOT) if not package.only_slow}
    names = every - {"iproute2"}  # nothing is said of it there

    assert {name for name in names if f'"{name}"' in text} == names


def test_a_machine_without_the_list_can_be_had_where_it_is_installed(
    workspace: Workspace, tmp_path: Path
) -> None:
    """The first step of .ci/run: links to all programs of PATH but those of the list."""
    for name in ("ip", "tc", "chromium", "clang++-19", "kept"):
        program(workspace, name)
    (tmp_path / "programs" / "browser-by-another-name").symlink_to("chromium")
    bare = tmp_path / "bare"
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "bare_programs.py", bare],
        env={"PATH": str(tmp_path / "programs")},
        capture_output=True,
        text=True,
        check=True,
    )

    assert [path.name for path in bare.iterdir()] == ["kept"]
    assert {"chromium", "clang-19", "openmpi", "iproute2"} <= set(done.stdout.split())
