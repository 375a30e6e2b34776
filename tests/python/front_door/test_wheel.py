# SPDX-License-Identifier: Apache-2.0
"""What pip installs: the laboratory without the engine, which says so."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from front_door.small_checkout import ROOT

BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "src")


def called(*command: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """In a folder, with nothing of ours in the environment."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ISOBATH_", "PYTHON", "VIRTUAL_ENV"))
    }
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True, text=True, check=False, env=kept, cwd=folder,
    )  # fmt: skip


@pytest.mark.slow  # pip fetches what builds the wheel
def test_what_pip_installs_has_no_engine_and_says_so_in_one_sentence(tmp_path: Path) -> None:
    sources, fresh = tmp_path / "sources", tmp_path / "venv"
    sources.mkdir()
    for name in filter(lambda one: (ROOT / one).exists(), BUILT_FROM):
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, sources / name, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, sources / name)
    made = called(sys.executable, "-m", "venv", fresh, folder=tmp_path)
    assert made.returncode == 0, made.stderr
    python = fresh / "bin" / "python"
    wheels = tmp_path / "wheels"
    built = called(
        python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", wheels, sources, folder=tmp_path
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = wheels.iterdir()
    installed = called(python, "-m", "pip", "install", "--no-deps", wheel, folder=tmp_path)
    assert installed.returncode == 0, installed.stderr
    (packages,) = fresh.glob("lib/python*/site-packages")
    needed = sysconfig.get_path("purelib")  # what it needs of others, which is installed already
    (packages / "needed.pth").write_text(f"{needed}\n", encoding="utf-8")
    isobath, elsewhere = fresh / "bin" / "isobath", tmp_path / "elsewhere"
    elsewhere.mkdir()

    version = called(isobath, "--version", folder=elsewhere)
    setup = called(isobath, "setup", folder=elsewhere)
    run = called(isobath, "run", "--scale", "10", folder=elsewhere)
    where = called(python, "-c", "import isobath; print(isobath.__file__)", folder=elsewhere)

    assert Path(where.stdout.strip()).is_relative_to(fresh)
    assert (version.returncode, version.stderr) == (0, "")
    for done in (setup, run):
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        (sentence,) = done.stderr.splitlines()
        assert "as pip installs it, without its engine" in sentence
    assert list(elsewhere.iterdir()) == []
