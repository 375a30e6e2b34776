# SPDX-License-Identifier: Apache-2.0
"""From a baseline over an update of the library to each verdict, whole, over the fake MPI."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import fake_mpi
from cli.conftest import Checkout, Said
from isobath.baseline.chain import BaselineShelf
from isobath.errors import ExitCode

TURNS = 11
"""Two cells need ten pairs before one can be called slower, and a launch may be lost."""

SLOWER, NOISY = {"FAKE_SLOWER": "allreduce:1.5"}, {"FAKE_NOISE": "bcast:0.5"}
WRONG, LOST = {"FAKE_TROUBLE": "data"}, {"FAKE_TROUBLE": "crash-at:3"}


@pytest.fixture
def guarded(checkout: Checkout) -> Checkout:
    """A baseline of two cells of the library that is there."""
    bench = ("bench", "collectives", "--collectives", "allreduce,bcast", "--sizes", "8", "--forms",
             "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2", "--no-report",
             "-q")  # fmt: skip
    assert checkout.isobath(*bench).code == 0
    assert checkout.isobath("baseline", "set", "mpi", "last").code == 0
    return checkout


def regressed(checkout: Checkout, *words: object, name: str = "mpi") -> Said:
    return checkout.isobath("regress", name, "--suite", "full", "--turns", TURNS, "--no-report",
                            "-q", "--json", *words)  # fmt: skip


def told(said: Said) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said.out)
    return found


@pytest.mark.parametrize(
    ("variables", "code", "verdict"),
    [
        ({}, ExitCode.DONE, "NOTHING SLOWER: in all 2 cells 8 % or more is excluded."),
        (SLOWER, ExitCode.REGRESSION, "SLOWER than mpi: 1 cell of 2 slower: allreduce, 8 B"),
        (WRONG, ExitCode.VIOLATIONS, "WRONG RESULTS: updated, launch a01-"),
        (LOST, ExitCode.ENVIRONMENT, "COULD NOT MEASURE: a01-3: updated, launch a01-3: "),
        (NOISY, ExitCode.INCONCLUSIVE, "CANNOT TELL: 1 of 2 cells are undecided"),
        # Where several apply: 1, then 5, then 3, then 6.
        ({**WRONG, **SLOWER, **NOISY}, ExitCode.VIOLATIONS, "WRONG RESULTS: updated"),
        ({**LOST, **SLOWER, **NOISY}, ExitCode.REGRESSION, "SLOWER than mpi: 1 cell of 2"),
        ({**LOST, **NOISY}, ExitCode.ENVIRONMENT, "COULD NOT MEASURE: a01-3: updated"),
    ],
)
def test_an_update_comes_to_its_verdict_in_turns_with_the_old_library(
    guarded: Checkout, variables: dict[str, str], code: ExitCode, verdict: str
) -> None:
    fake_mpi.update(guarded.prefix, **variables)

    said = regressed(guarded, "--mpi", "updated")

    assert said.code == code, said.err
    found = told(said)
    assert found["verdict"].startswith(verdict)
    assert (found["mpi"], found["against"], found["exit_code"]) == ("updated", "fake", code)
    assert guarded.isobath("show", "last:regress", "--json").code == code
    kept = BaselineShelf(guarded.prefix / "baselines").find("mpi").read()
    assert [one.exit_code for one in kept.regressions] == [code]


def test_an_update_that_decides_otherwise_is_named_and_accepted(guarded: Checkout) -> None:
    """As fast as before and by another algorithm: 5 until somebody accepts it with a reason."""
    fake_mpi.update(guarded.prefix, MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM="smp")

    said = regressed(guarded, "--mpi", "updated", "--turns", 1)

    assert said.code == ExitCode.REGRESSION, said.err
    assert told(said)["verdict"].startswith(
        "DECIDES OTHERWISE than mpi: another algorithm in 1 cell: allreduce, 8 B, 2 ranks runs by"
    )
    accepted = guarded.isobath(
        "baseline", "accept", "mpi", "allreduce 8", "--reason", "it is meant"
    )
    assert accepted.code == 0, accepted.err
    assert regressed(guarded, "--mpi", "updated", "--turns", 8).code == ExitCode.DONE


@pytest.mark.parametrize(
    ("variables", "code", "outcome"),
    [
        ({}, ExitCode.DONE, "the same"),
        ({"FAKE_SLOWER": "allreduce:3"}, ExitCode.REGRESSION, "slower"),
    ],
)
def test_of_an_imported_archive_alone_an_update_is_judged(
    guarded: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variables: dict[str, str],
    code: ExitCode,
    outcome: str,
) -> None:
    """Exported with its sittings, imported where neither studies nor the old library are."""
    monkeypatch.setattr("isobath.kinds.regress.learned.GAP_SECONDS", 0.0)
    noise = ("calibrate", "noise", "mpi", "--sittings", "4", "--launches", "2", "-q")
    assert guarded.isobath(*noise).code == 0
    archive = tmp_path / "mpi.jsonl"
    assert guarded.isobath("baseline", "export", "mpi", archive).code == 0
    for name in ("studies", "baselines"):
        shutil.rmtree(guarded.prefix / name)
    fake_mpi.update(guarded.prefix, **variables)
    fake_mpi.forget(guarded.prefix, "fake")
    assert guarded.isobath("baseline", "import", archive, "--name", "theirs").code == 0
    assert list(guarded.prefix.glob("studies/*")) == []

    said = regressed(guarded, name="theirs")

    assert said.code == code, said.err
    found = told(said)
    assert (found["mpi"], found["against"]) == ("updated", "archive")
    assert found["sittings"]["separate"] == 4
    (cell,) = [one for one in found["cells"] if one["cell"].startswith("allreduce")]
    assert cell["outcome"] == outcome
    kept = BaselineShelf(guarded.prefix / "baselines").find("theirs").read()
    assert [one.exit_code for one in kept.regressions] == [code]
    assert guarded.isobath("history", "theirs").code == 0
