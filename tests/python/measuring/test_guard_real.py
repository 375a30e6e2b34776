# SPDX-License-Identifier: Apache-2.0
"""Proofs on real libraries take long: one that is cut off goes on, and nothing is done twice."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import guard_real
import pytest
from guard_real import Laboratory, add_line, lines_of
from guard_spoiled import Flipped, Spoiling

FOUND = {"cells": [{"outcome": "the same"}], "turns": 27, "against": "before"}
WALK = argparse.Namespace(write=False)


class Library:
    """As set-up knows one."""

    def __init__(self, name: str) -> None:
        self.id, self.version = name, "5"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Commands in the place of being done; that of ``regress`` is cut off the first time."""
    words_of_all: list[str] = []

    def isobath(lab: Laboratory, *words: object, codes: Any = (0,)) -> str:
        words_of_all.append(" ".join(map(str, words[:2])))
        if words[0] == "regress" and words_of_all.count("regress mpi") == 1:
            raise KeyboardInterrupt
        (lab.store / "reports" / "20261126-regress").mkdir(parents=True, exist_ok=True)
        return json.dumps(FOUND)

    monkeypatch.setattr(Laboratory, "isobath", isobath)
    monkeypatch.setattr(guard_real, "both_releases", lambda: (Library("before"), Library("after")))
    return words_of_all


def test_a_walk_that_was_cut_off_goes_on_where_it_was(typed: list[str], tmp_path: Path) -> None:
    lab = Laboratory(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        guard_real.walk(lab, WALK)
    assert len(lines_of(tmp_path / "walk.jsonl")) == 2

    assert guard_real.walk(lab, WALK)

    assert typed == ["baseline set", "calibrate noise", "regress mpi", "regress mpi",
                     "show last:regress", "show last:regress"]  # fmt: skip


def test_a_baseline_that_is_there_is_not_measured_again(typed: list[str], tmp_path: Path) -> None:
    lab = Laboratory(tmp_path)
    lab.keep("--turns", "4")
    (tmp_path / "baselines" / guard_real.NAME).mkdir(parents=True)
    lab.keep("--turns", "4")
    lab.bench("--sizes", "8")

    assert typed == ["baseline set"]


def test_a_line_that_was_cut_off_is_none(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    add_line(log, {"code": 0})
    with log.open("a", encoding="utf-8") as out:
        out.write('{"code": 5, "tur')

    assert lines_of(log) == [{"code": 0}]
    add_line(log, {"code": 6})
    assert lines_of(log) == [{"code": 0}, {"code": 6}]


NOTED = Flipped(call=10_000, launch=2, repetition=2615, rank=1, ranks=2, bytes=8192, element=8191,
                right=72, wrong=73)  # fmt: skip
TOLD = (
    "WRONG RESULTS: mpich-wheel, launch a01-2: wrong data in 1 cell, first alltoall of "
    "4 KiB: rank 1 after repetition 2615: element 8191 of the receive buffer is 73, but must be 72."
)


def spoiled(folder: Path, **changed: int) -> Spoiling:
    """A library that flipped a bit, and left its note."""
    spoiling = Spoiling(folder / "libspoiled.so", guard_real.CALL, folder)
    (folder / "calls").write_bytes((30_772).to_bytes(8, "little") + (2).to_bytes(8, "little"))
    noted = asdict(NOTED) | changed
    (folder / "flipped.json").write_text(json.dumps(noted), encoding="ascii")
    return spoiling


def said(verdict: str = TOLD, cell: str = "alltoall, 4 KiB, 2 ranks") -> dict[str, Any]:
    cells = [{"cell": cell, "outcome": "wrong"}, {"cell": "other", "outcome": "cannot tell"}]
    return {"verdict": verdict, "cells": cells}


def test_a_verdict_has_to_name_exactly_the_bit_that_was_flipped(tmp_path: Path) -> None:
    assert guard_real.is_told(spoiled(tmp_path), said())
    for old, new in (("4 KiB", "8 KiB"), ("rank 1", "rank 0"), ("2615", "2616"), ("8191", "8190"),
                     ("is 73", "is 74"), ("be 72", "be 71"), ("a01-2", "a01-1")):  # fmt: skip
        assert old in TOLD
        assert not guard_real.is_told(spoiled(tmp_path), said(TOLD.replace(old, new))), new


def test_a_verdict_on_another_cell_or_call_is_no_proof(tmp_path: Path) -> None:
    assert not guard_real.is_told(spoiled(tmp_path), said(cell="alltoall, 8 B, 2 ranks"))
    assert not guard_real.is_told(spoiled(tmp_path, call=9_999), said())
