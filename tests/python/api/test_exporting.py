# SPDX-License-Identifier: Apache-2.0
"""Edges, keys and the cost of the profiler from Python: as the commands, nothing printed."""

import shutil
from pathlib import Path

import pytest

from cli.conftest import Checkout, checkout
from isobath import api
from isobath.errors import RefusedError, StoppedError, UsageError
from isobath.kinds.profile.overhead import overhead_text
from isobath.launch.edge_program import EdgeProgramFailed
from isobath.launch.interrupts import Interrupts

__all__ = ["checkout"]


class Full:
    free = 100


def fail(checkout: Checkout, sentence: str, code: int) -> None:
    """From now on isobath-edges says a sentence and ends with a code."""
    (program,) = checkout.prefix.rglob("isobath-edges")
    program.write_text(f"#!/bin/sh\necho 'isobath-edges: {sentence}' >&2\nexit {code}\n")


@pytest.mark.parametrize("name", ["e", "e.mtx", "e.parquet"])
def test_edges_are_those_of_the_command(
    checkout: Checkout, tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    told: list[tuple[int, int]] = []
    mine, weights = tmp_path / name, tmp_path / "w"

    files = api.export_edges(
        mine, scale=6, weights=weights, progress=lambda done, total: told.append((done, total))
    )

    assert capfd.readouterr() == ("", "")
    assert files == (mine, weights)
    assert checkout.isobath("export", "--scale", "6", tmp_path / f"its-{name}").code == 0
    if name != "e.parquet":  # its files hold when they were made
        assert mine.read_bytes() == (tmp_path / f"its-{name}").read_bytes()
    assert weights.stat().st_size == 4 * 16 << 6
    if name != "e":
        assert told[-1] == (16 * 16 << 6, 16 * 16 << 6)


def test_what_cannot_be_written_is_one_sentence(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong, words in (
        ({"file": "-"}, "a function does not print"),
        ({}, "there is no file for the edges"),
        ({"file": tmp_path / "e", "format": "csv"}, "format csv: choose one of raw, mtx, parquet"),
        ({"file": tmp_path / "e", "edgefactor": 0}, "edgefactor 0: choose 1 to"),
    ):
        with pytest.raises(UsageError, match=words):
            api.export_edges(scale=6, **wrong)
    with pytest.raises(UsageError, match="scale 0: choose 1 to"):
        api.search_keys(0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Full)
    with pytest.raises(RefusedError, match="has 100 B free"):
        api.export_edges(tmp_path / "e", scale=6)
    assert not list(tmp_path.glob("e*"))


def test_keys_are_those_of_the_command(checkout: Checkout) -> None:
    assert api.search_keys(10) == [3, 1, 2]
    assert checkout.isobath("keys", "--scale", "10").code == 0


def test_what_the_program_said_is_the_sentence_of_the_command(
    checkout: Checkout, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fail(checkout, "cannot write e; name another file", 3)

    said = checkout.isobath("export", "--scale", "6", tmp_path / "e")

    assert (said.code, said.err) == (3, "isobath: cannot write e; name another file\n")
    with pytest.raises(EdgeProgramFailed, match="cannot write e; name another file") as got:
        api.search_keys(10)
    assert got.value.exit_code == 3
    assert capfd.readouterr() == ("", "")


def test_what_the_profiler_costs(checkout: Checkout, capfd: pytest.CaptureFixture[str]) -> None:
    program = [str(checkout.prefix / "mpiexec"), "-n", "2", str(checkout.prefix / "profiled")]

    rounds = api.profile_overhead(program, rounds=2, abi="mpich")

    assert len(rounds) == 2
    assert all(turn.without > 0 and turn.with_it > 0 for turn in rounds)
    assert overhead_text(rounds).startswith("Mean of 2 rounds: ")
    assert not api.studies(), "nothing is stored"
    with pytest.raises(UsageError, match="takes at least 2 rounds, not 1"):
        api.profile_overhead(program, rounds=1, abi="mpich")
    stop = Interrupts()
    stop.received.append(2)  # type: ignore[arg-type]
    with pytest.raises(StoppedError, match="interrupted; what the profiler costs is not known"):
        api.profile_overhead(program, rounds=2, stop=stop, abi="mpich")
    assert capfd.readouterr() == ("", "")
