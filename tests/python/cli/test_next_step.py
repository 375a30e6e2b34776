# SPDX-License-Identifier: Apache-2.0
"""What a person is told to type next can be typed where they stand."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from isobath.cli.main import main
from isobath.cli.places import front_door, typed_here
from isobath.launch.installation import Installation
from studies.stored import studies


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


def test_sentences_of_errors_and_notes_name_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ISOBATH_STORE", raising=False)
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path / "checkout"))
    study = studies()["run-whole"].lay_out(tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    ours = f"{Installation.here().root}/isobath --prefix checkout"

    assert main(["resume", study.name]) == 2
    assert capsys.readouterr().err.endswith(
        f": {ours} show {study.name} --settings > again.toml; {ours} run again.toml\n"
    )
    assert main(["show", study.name]) == 0
    assert f"report  not written yet: {ours} report {study.name}\n" in capsys.readouterr().out
    assert main(["doctor", "--quick"]) == 3, "nothing is set up"
    told = capsys.readouterr().out
    assert f"remedy: {ours} setup\n" in told
    assert "./isobath" not in told


@pytest.mark.parametrize(
    "words",
    ["../isobath run", "/opt/./isobath run", "start their ./isobath, which", "./isobath.toml",
     "./isobath --prefix there show last"],
)  # fmt: skip
def test_what_says_already_from_where_it_is_typed_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)

    assert typed_here(words) == words
    assert typed_here("./isobath show --views") == f"{front_door()} show --views"


def test_in_a_folder_that_is_gone_it_is_told_as_in_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert typed_here("./isobath show last") == "./isobath show last"
