# SPDX-License-Identifier: Apache-2.0
"""What a person is told to type next can be typed where they stand."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from isobath.cli.places import front_door
from isobath.launch.installation import Installation


@pytest.mark.parametrize("inside", [True, False])
def test_the_front_door_is_named_from_where_the_person_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    monkeypatch.delenv("ISOBATH_PREFIX", raising=False)
    root = Installation.here().root
    monkeypatch.chdir(root)
    assert front_door() == "./isobath"

    place = root / "docs" if inside else tmp_path
    monkeypatch.chdir(place)
    (named,) = shlex.split(front_door())

    assert (place / named).samefile(root / "isobath")
    found = subprocess.run(["sh", "-c", f"test -x {front_door()}"], check=False)
    assert found.returncode == 0


def test_a_prefix_is_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path / "with space"))

    words = shlex.split(front_door())

    assert words[1:] == ["--prefix", "with space"]
    assert os.access(words[0], os.X_OK)


def test_what_pip_installed_is_called_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "isobath.__file__", str(tmp_path / "lib" / "site-packages" / "isobath" / "x")
    )
    assert front_door() == "isobath"
