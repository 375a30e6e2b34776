# SPDX-License-Identifier: Apache-2.0
"""What walk measures is what the tutorial says, word for word."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import guard_real
import pytest
from guard_real import Laboratory
from guard_tutorial import BEGIN, TUTORIAL, Walk, commands, figures_of, with_figures, words_of

from isobath.report.wording import count_of

TEXT = TUTORIAL.read_text(encoding="utf-8")
LIBRARIES = {"before": "mpich-abi", "after": "mpich-wheel"}
PRINTED = "Against mpi\n  SLOWER than mpi: 1 cell of 2.\n\nWhat changed since the baseline\n  MPI\n"
FOUND = {"against": "mpich-abi", "turns": 24,
         "cells": [{"outcome": "slower"}, {"outcome": "the same"}]}  # fmt: skip


class Library:
    """As set-up knows one."""

    def __init__(self, name: str, version: str) -> None:
        self.id, self.version = name, version


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Commands in the place of being done, and a tutorial that may be written."""
    every: list[str] = []

    def isobath(lab: Laboratory, *words: object, codes: Any = (0,)) -> str:
        every.append(" ".join(map(str, words)))
        (lab.store / "reports" / "20261126-regress").mkdir(parents=True, exist_ok=True)
        return json.dumps(FOUND) if "--json" in words else PRINTED

    libraries = Library("mpich-abi", "5.0.1"), Library("mpich-wheel", "5.0.2")
    monkeypatch.setattr(Laboratory, "isobath", isobath)
    monkeypatch.setattr(guard_real, "both_releases", lambda: libraries)
    monkeypatch.setattr(guard_real, "TUTORIAL", tmp_path / "tutorial.md")
    (tmp_path / "tutorial.md").write_text(TEXT, encoding="utf-8")
    return every


def test_walk_types_the_commands_of_the_tutorial_in_their_order(
    typed: list[str], tmp_path: Path
) -> None:
    assert guard_real.walk(Laboratory(tmp_path), argparse.Namespace(write=False))

    wanted = [" ".join(words_of(line, LIBRARIES)) for line in commands(TEXT)]
    assert typed == [*wanted, "show last:regress --json"]
    assert [line.partition(" ")[0] for line in wanted] == ["baseline", "calibrate", "regress",
                                                           "show"]  # fmt: skip
    assert wanted[0] == "baseline set mpi --mpi mpich-abi"
    assert not any("$" in line for line in typed)


def test_a_command_that_the_tutorial_gets_is_measured(typed: list[str], tmp_path: Path) -> None:
    show = "./isobath show last:regress"
    more = TEXT.replace(show, f"./isobath history mpi  # and\n{show}", 1)
    (tmp_path / "tutorial.md").write_text(more, encoding="utf-8")

    guard_real.walk(Laboratory(tmp_path), argparse.Namespace(write=False))

    assert "history mpi" in typed


def test_figures_are_of_the_commands_that_stand_there() -> None:
    """Who changes a command measures again: ``guard_real.py walk --write``."""
    rows = re.findall(r"\| `\./isobath (.+)` \| (\d+\.\d) \|", figures_of(TEXT))
    total = re.search(r"\| together \| (\d+\.\d) \|", figures_of(TEXT))

    assert [command for command, _ in rows] == commands(TEXT)
    assert total is not None
    assert float(total[1]) < guard_real.MINUTES
    assert sum(float(minutes) for _, minutes in rows) == pytest.approx(float(total[1]), abs=0.25)


def test_what_was_measured_is_put_into_the_tutorial(typed: list[str], tmp_path: Path) -> None:
    guard_real.walk(Laboratory(tmp_path), argparse.Namespace(write=True))

    written = (tmp_path / "tutorial.md").read_text(encoding="utf-8")
    figures = figures_of(written)
    assert "From MPICH 5.0.1 to MPICH 5.0.2" in figures
    assert f"2 cells, {count_of(24, 'turn')}; 1 slower, 1 the same." in figures
    assert "      SLOWER than mpi: 1 cell of 2." in figures
    assert "What changed" not in figures
    assert commands(written) == commands(TEXT)
    assert written.partition(BEGIN)[0] == TEXT.partition(BEGIN)[0]
    assert written.partition("<!-- end")[2] == TEXT.partition("<!-- end")[2]


def test_the_total_is_that_of_all_commands() -> None:
    steps = [("baseline set mpi", 90.0), ("regress mpi", 150.0)]
    walked = Walk(steps, ("MPICH 1", "MPICH 2"), 2, FOUND, PRINTED)

    assert walked.minutes == 4.0
    assert "| `./isobath regress mpi` | 2.5 |\n| together | 4.0 |" in walked.text()


def test_figures_need_their_place() -> None:
    with pytest.raises(ValueError, match="has no <!-- figures"):
        with_figures("no comment at all", "figures")


def test_the_older_release_is_laid_beside_the_newer_one() -> None:
    """As set-up does it: without --ignore-installed pip takes the newer one away first."""
    (line,) = [line for line in TEXT.splitlines() if "pip install" in line]
    bootstrap = (TUTORIAL.parents[2] / "tools" / "bootstrap_python.py").read_text(encoding="utf-8")

    for option in ("--ignore-installed", "--prefix"):
        assert option in line
        assert f'"{option}"' in bootstrap
    assert "requirements-second-mpi.lock" in line
