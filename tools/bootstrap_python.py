# SPDX-License-Identifier: Apache-2.0
"""The private virtual environment: made, filled from the locks, checked by hashes."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_workspace import Workspace, fingerprint

LOCKS = {
    "core": "requirements.lock",
    "test": "requirements-dev.lock",
    "build": "requirements-build.lock",
}
SECOND_MPI_LOCK = "requirements-second-mpi.lock"


def base_python() -> str:
    """The interpreter to make the environment with: the real program, not a shim or another
    environment's.
    """
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable) or sys.executable)


def ensure_environment(workspace: Workspace, console: Console) -> None:
    """An empty virtual environment with pip that imports this checkout's sources."""
    key = fingerprint("1", base_python(), sys.version, str(workspace.root), str(workspace.venv))
    if workspace.is_done("environment", key) and workspace.python.exists():
        return
    console.say(f"private Python environment: {workspace.venv} (Python {sys.version.split()[0]})")
    for stage in ("environment", *LOCKS):
        workspace.mark_done(stage, None)
    if workspace.venv.exists():
        shutil.rmtree(workspace.venv)
    # Without ensurepip, which minimal Debian and Ubuntu lack: pip comes as a wheel with a known
    # hash.
    console.run([base_python(), "-m", "venv", "--without-pip", str(workspace.venv)])
    _install_pip(workspace, console)
    site = _site_packages(workspace)
    (site / "isobath.pth").write_text(f"{workspace.root / 'src'}\n", encoding="utf-8")
    workspace.mark_done("environment", key)


def ensure_packages(workspace: Workspace, console: Console, lock: str) -> None:
    """Install what one of LOCKS names, every file checked against its hash."""
    _install(workspace, console, lock, workspace.root / LOCKS[lock], [])


def ensure_second_mpi(workspace: Workspace, console: Console) -> None:
    """An MPI of the standard ABI in a folder of its own, beside the one in the environment."""
    folder, lock = workspace.second_mpi, workspace.root / SECOND_MPI_LOCK
    if not folder.exists() or not workspace.is_done("second-mpi", fingerprint(lock)):
        shutil.rmtree(folder, ignore_errors=True)
        workspace.mark_done("second-mpi", None)
    apart = ["--ignore-installed", "--prefix", str(folder)]
    _install(workspace, console, "second-mpi", lock, apart)


def _install(
    workspace: Workspace, console: Console, stage: str, path: Path, where: list[str]
) -> None:
    if not path.is_file():
        raise SetupError(
            f"{path} is missing", "this checkout is not complete: git status, then git checkout"
        )
    key = fingerprint(path)
    if workspace.is_done(stage, key):
        return
    console.say(f"Python packages of {path.name}")
    command = [
        str(workspace.python), "-m", "pip", "install", "--quiet", "--no-cache-dir", "--no-input",
        "--disable-pip-version-check", "--progress-bar", "off", "--only-binary", ":all:",
        "--require-hashes", "-r", str(path), *where,
    ]  # fmt: skip
    try:
        console.run(
            command + offline_options(), env={"PIP_REQUIRE_VIRTUALENV": "1", "PIP_USER": "0"}
        )
    except CommandFailed as failure:
        raise SetupError(
            f"pip could not install {path.name}: {failure.first_error()}",
            "check the network or PIP_INDEX_URL and the proxy settings; "
            "without a network: ./isobath setup --offline DIR",
        ) from failure
    workspace.mark_done(stage, key)


def offline_options() -> list[str]:
    """pip's options when wheels come from a folder."""
    folder = os.environ.get("ISOBATH_OFFLINE")
    return ["--no-index", "--find-links", folder] if folder else []


def tool_from_wheel(workspace: Workspace, console: Console, name: str) -> str:
    """Path of cmake or ninja installed from its wheel."""
    ensure_packages(workspace, console, "build")
    return str(workspace.venv / "bin" / name)


def _site_packages(workspace: Workspace) -> Path:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return workspace.venv / "lib" / version / "site-packages"


def _install_pip(workspace: Workspace, console: Console) -> None:
    import zipfile

    import bootstrap_download as download

    wheel = workspace.downloads / download.PIP_WHEEL
    if not wheel.is_file() or sha256_of(wheel) != download.PIP_SHA256:
        content = download.pip_wheel(console)
        wheel.parent.mkdir(parents=True, exist_ok=True)
        wheel.write_bytes(content)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(_site_packages(workspace))


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
