# SPDX-License-Identifier: Apache-2.0
"""Every command of the page about studies does what the page says, one after the other."""

import shlex
import shutil
from pathlib import Path

import pytest

from isobath.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/how-to/find-your-studies.md"
STORED = ROOT / "tests/data/studies"


def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("run-whole", "race-whole"):
        shutil.copytree(STORED / name, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path))
    monkeypatch.delenv("ISOBATH_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    lines = [one for one in PAGE.read_text("utf-8").splitlines() if one.startswith("./isobath")]
    commands = [shlex.split(line, comments=True)[1:] for line in lines]
    assert len(commands) > 8

    for words in commands:
        asks = words[0] == "remove"
        assert main([*words, *(["--yes"] if asks else [])]) == 0, words

    assert (tmp_path / "cells.csv").read_text("utf-8").startswith("cell,")
    assert len(list((tmp_path / "races").glob("2*"))) == 1, "it has a tag"
    assert list((tmp_path / "runs").glob("2*")) == []
