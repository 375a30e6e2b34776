# SPDX-License-Identifier: Apache-2.0
"""Debian's packages: by apt as root, unpacked without root."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bootstrap_debian as debian
from bootstrap_console import CommandFailed, Console
from bootstrap_workspace import Workspace

SMALL_PACKAGE = "libpcg-cpp-dev"  # a few headers, needed by nothing here


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that writes down its words; it fails while there is a file named broken."""
    programs = tmp_path / "programs"
    programs.mkdir()
    log = tmp_path / "apt.log"
    program = programs / "apt-get"
    program.write_text(
        f'#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >>{log}\n'
        f'case "$*" in *install*) [ ! -e {tmp_path}/broken ] ||'
        f" {{ rm {tmp_path}/broken; exit 100; }} ;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    log.touch()
    return log


def test_root_installs_without_questions_and_says_so(
    apt: Path, console: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    debian.install(console, ["libfmt-dev", "ninja-build"])

    words = apt.read_text().splitlines()[-1]
    assert words.startswith("noninteractive -y")
    assert words.endswith("--no-install-recommends libfmt-dev ninja-build")
    assert "installing with apt (as root): libfmt-dev ninja-build" in capsys.readouterr().err


def test_a_failed_installation_is_tried_again_with_fresh_lists(
    apt: Path, tmp_path: Path, console: Console
) -> None:
    (tmp_path / "broken").touch()
    lists = any(Path("/var/lib/apt/lists").glob("*Packages*"))

    if lists:
        debian.install(console, ["libfmt-dev"])
        assert [line.split()[-1] for line in apt.read_text().splitlines()] == [
            "libfmt-dev",
            "update",
            "libfmt-dev",
        ]
    else:
        with pytest.raises(CommandFailed):
            debian.install(console, ["libfmt-dev"])
        assert "update" in apt.read_text().splitlines()[0]


def test_apt_is_left_alone_where_it_is_forbidden_or_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "is_debian", lambda: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.delenv("ISOBATH_APT", raising=False)
    assert debian.may_install()

    monkeypatch.setenv("ISOBATH_APT", "0")
    assert not debian.may_install()

    monkeypatch.delenv("ISOBATH_APT")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not debian.may_install()


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"ID": "debian"}, True),
        ({"ID": "ubuntu", "ID_LIKE": "debian"}, True),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, True),
        ({"ID": "fedora"}, False),
        ({}, False),
    ],
)
def test_debian_and_its_children_are_recognised(
    monkeypatch: pytest.MonkeyPatch, apt: Path, facts: dict[str, str], expected: bool
) -> None:
    monkeypatch.setattr(debian, "os_release", lambda: facts)

    assert debian.is_debian() is expected


@pytest.mark.skipif(
    not debian.is_debian() or shutil.which("dpkg-deb") is None, reason="not Debian or Ubuntu"
)
def test_without_root_a_package_is_unpacked_into_the_private_folder(
    tmp_path: Path, console: Console
) -> None:
    if (
        subprocess.run(["dpkg", "-s", SMALL_PACKAGE], capture_output=True, check=False).returncode
        == 0
    ):
        pytest.fail(f"{SMALL_PACKAGE} is installed here: choose another package for this test")
    workspace = Workspace(tmp_path, tmp_path)

    prefix = debian.unpack(workspace, console, [SMALL_PACKAGE])

    assert prefix == workspace.sysroot / "usr"
    assert (prefix / "include" / "pcg_random.hpp").is_file()
    assert not (workspace.state / "apt").exists()
    assert not Path("/usr/include/pcg_random.hpp").exists()


def test_links_to_libraries_that_are_installed_here_lead_to_them(tmp_path: Path) -> None:
    """apt does not bring libzstd1 again where it is installed, and libzstd-dev has a link to it."""
    machine, tree = tmp_path / "machine", tmp_path / "tree"
    for folder in (machine, tree):
        (folder / "usr" / "lib").mkdir(parents=True)
    (machine / "usr" / "lib" / "libz.so.1.5").write_text("library")
    (machine / "usr" / "lib" / "libz.so.1").symlink_to("libz.so.1.5")
    (tree / "usr" / "lib" / "libz.so").symlink_to("libz.so.1")
    (tree / "usr" / "lib" / "libother.so").symlink_to("libother.so.1")  # installed nowhere
    (tree / "usr" / "lib" / "outside.so").symlink_to("/nowhere/libz.so.1.5")

    debian.link_what_is_installed(tree, machine)

    assert (tree / "usr" / "lib" / "libz.so.1.5").read_text() == "library"
    assert (tree / "usr" / "lib" / "libz.so").resolve() == machine / "usr" / "lib" / "libz.so.1.5"
    assert not (tree / "usr" / "lib" / "libother.so.1").is_symlink()


@pytest.mark.skipif(
    not debian.is_debian() or shutil.which("dpkg-deb") is None, reason="not Debian or Ubuntu"
)
def test_an_unpacked_development_package_has_no_link_to_nothing(
    tmp_path: Path, console: Console
) -> None:
    """zlib's library is installed wherever dpkg is; its development package may be or not."""
    workspace = Workspace(tmp_path, tmp_path)

    prefix = debian.unpack(workspace, console, ["--reinstall", "zlib1g-dev"])

    libraries = sorted(prefix.glob("lib/*/libz.so"))
    assert libraries
    assert all(library.exists() for library in libraries)
