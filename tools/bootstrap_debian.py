# SPDX-License-Identifier: Apache-2.0
"""Debian and Ubuntu packages: installed by apt as root, unpacked into a private folder
otherwise.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_workspace import Workspace


def is_debian() -> bool:
    """Whether this machine takes Debian's packages (Debian, Ubuntu and those that call themselves
    alike).
    """
    facts = os_release()
    family = {facts.get("ID", ""), *facts.get("ID_LIKE", "").split()}
    return bool(family & {"debian", "ubuntu"}) and shutil.which("apt-get") is not None


def os_release() -> dict[str, str]:
    """The fields of /etc/os-release."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}


def may_install() -> bool:
    """As root on such a machine, unless ISOBATH_APT=0 forbids it."""
    return is_debian() and os.geteuid() == 0 and os.environ.get("ISOBATH_APT", "1") != "0"


def install(console: Console, packages: list[str]) -> None:
    """As root: apt-get install. Says so first; fetches the package lists when there are none or
    they are too old.

    Raises: CommandFailed.
    """
    command = [
        "apt-get",
        "-y",
        "-q",
        "-o",
        "DPkg::Lock::Timeout=120",
        "install",
        "--no-install-recommends",
        *packages,
    ]
    noninteractive = {"DEBIAN_FRONTEND": "noninteractive"}
    console.say(f"installing with apt (as root): {' '.join(packages)}")
    if any(Path("/var/lib/apt/lists").glob("*Packages*")):
        try:
            console.run(command, env=noninteractive)
            return
        except CommandFailed:
            console.record("trying again with fresh package lists")
    console.run(["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120", "update"], env=noninteractive)
    console.run(command, env=noninteractive)


def unpack(workspace: Workspace, console: Console, packages: list[str]) -> Path:
    """Without root: download the same packages (and what they need and this machine lacks) and
    unpack them.

    apt keeps its lists and archives below .isobath/apt, and checks signatures and hashes as ever.
    Returns: the folder to add to CMAKE_PREFIX_PATH.
    Raises: CommandFailed.
    """
    console.say(
        f"unpacking Debian packages into {workspace.sysroot} (no root): {' '.join(packages)}"
    )
    folder = workspace.state / "apt"
    for part in ("lists/partial", "archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    options = [
        "-q",
        "-o", f"Dir::State={folder}",
        "-o", f"Dir::State::lists={folder}/lists",
        "-o", "Dir::State::status=/var/lib/dpkg/status",
        "-o", f"Dir::Cache={folder}",
        "-o", f"Dir::Cache::archives={folder}/archives",
        "-o", f"Dir::Log={folder}",
        "-o", "Debug::NoLocking=1",
        "-o", "APT::Sandbox::User=root",  # the user _apt may not enter a private folder
        "-o", "APT::Keep-Downloaded-Packages=1",
    ]  # fmt: skip
    console.run(["apt-get", *options, "update"])
    console.run(
        [
            "apt-get",
            *options,
            "-y",
            "install",
            "--no-install-recommends",
            "--download-only",
            *packages,
        ]
    )
    archives = sorted((folder / "archives").glob("*.deb"))
    partial = workspace.sysroot.with_name("sysroot.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for archive in archives:
        console.run(["dpkg-deb", "-x", str(archive), str(partial)], quiet=True)
    link_what_is_installed(partial)
    shutil.rmtree(workspace.sysroot, ignore_errors=True)
    partial.rename(workspace.sysroot)
    shutil.rmtree(folder, ignore_errors=True)
    return workspace.sysroot / "usr"


def link_what_is_installed(tree: Path, machine: Path = Path("/")) -> None:
    """Links of an unpacked development package whose files this machine has already (libfmt.so to
    libfmt.so.9, which apt therefore did not bring) lead to those, link by link: CMake's
    configurations of packages name the last file, libfmt.so.9.1.0, beside the first link.

    Args: tree has the unpacked packages, laid out as in machine.
    """
    for link in sorted(tree.rglob("*")):
        place = link
        while place.is_symlink() and not place.exists():
            place = Path(os.path.normpath(place.parent / place.readlink()))
            if not place.is_relative_to(tree):
                break
            _link_to(machine / place.relative_to(tree), place)


def _link_to(installed: Path, place: Path) -> None:
    """A link at place to the file; where that is a link to a file beside it, the same link."""
    if place.is_symlink() or not installed.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    further = installed.readlink() if installed.is_symlink() else None
    is_beside = further is not None and further.parent == Path()
    place.symlink_to(further if further is not None and is_beside else installed)


def cannot_install(packages: list[str], failure: CommandFailed) -> SetupError:
    """The sentence for a failed apt."""
    return SetupError(
        f"apt could not provide {' '.join(packages)}: {failure.first_error()}",
        "check the network and /etc/apt/sources.list, then start again; "
        f"or install them yourself: apt-get install {' '.join(packages)}",
    )
