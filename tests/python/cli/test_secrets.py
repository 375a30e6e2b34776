# SPDX-License-Identifier: Apache-2.0
"""No credential that stands in the environment or in a command is found in anything stored."""

import json
import sys
from pathlib import Path

import pytest

from cli import planted
from cli.conftest import Checkout
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary
from isobath.store.folders import list_runs
from kind_table import BENCHES, quick

TYPED, HIDDEN = planted.words()
SECRETS = [*HIDDEN, *planted.secrets_of_variables(), "fake-token"]


@pytest.fixture
def laden(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A checkout, and an environment and a command full of credentials."""
    for name, value in planted.variables().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FAKE_SEARCHES", "2")
    monkeypatch.setenv("FAKE_TELLS", " ".join(TYPED))  # the launcher prints its environment
    monkeypatch.setattr(sys, "argv", ["isobath", "typed", *TYPED])
    return checkout


def assert_nothing_is_found(checkout: Checkout, *expected: str) -> None:
    """Args: expected are patterns of files that must have been searched."""
    for pattern in expected:
        assert list(checkout.prefix.glob(pattern)), pattern
    stored = [
        checkout.prefix / name
        for name in ("studies", "runs", "races", "benches", "reports", ".isobath")
    ]
    assert planted.found_in([one for one in stored if one.is_dir()], SECRETS) == []


def test_there_are_thirty_of_each() -> None:
    assert len(HIDDEN) >= 30
    assert len(planted.secrets_of_variables()) >= 30
    assert len(set(SECRETS)) == len(SECRETS)


def test_the_search_finds_what_is_hidden_in_a_page(tmp_path: Path) -> None:
    secret = SECRETS[0]
    forms = sorted(planted.forms_of(secret))
    for number, form in enumerate(forms):
        (tmp_path / f"{number}.html").write_bytes(b"<p>" + form + b"</p>")

    assert len(planted.found_in([tmp_path], [secret])) >= len(forms)


def test_a_run_keeps_none(laden: Checkout) -> None:
    said = laden.isobath("run", "--scale", "12", "--ranks", "2", "--threads", "1")

    assert said.code == 0, said.err
    assert_nothing_is_found(
        laden, "studies/*/environment.json", "studies/*/stderr.txt", "reports/*/report.html"
    )
    (run,) = list_runs(laden.prefix / "studies")
    summary = run.summary()
    assert summary.command[:4] == ("isobath", "typed", "--token", "[left out]")
    assert "[left out]" in run.text("stderr.txt")
    variables = run.environment()["nodes"][0]["variables"]
    assert variables["UCX_NOT_KNOWN"] == "[left out]"
    assert "SLURM_JWT" not in variables
    assert summary.launch_environment["OMP_NUM_THREADS"] == "1"


def test_settings_of_a_file_keep_none(laden: Checkout, tmp_path: Path) -> None:
    folder = tmp_path / "ghp_plantedplantedplantedplanted0000"
    folder.mkdir()
    file = tmp_path / "run.toml"
    file.write_text(f'scale = 12\nranks = 1\nedge_folder = "{folder}"\nedges = "file"\n')

    said = laden.isobath("run", file)

    assert said.code == 0, said.err
    assert_nothing_is_found(laden, "studies/*/run.json")


def test_a_run_that_fails_keeps_none(laden: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    laden.isobath("run", "--scale", "12", "--ranks", "2", "--threads", "1")  # is calibrated now
    monkeypatch.setenv("FAKE_DO", f"say:3:cannot read https://me:{SECRETS[-1]}@host/ {TYPED[1]}")

    said = laden.isobath("run", "--scale", "12", "--ranks", "2", "--threads", "1")

    assert said.code == 3
    assert_nothing_is_found(laden, "studies/*/records.jsonl")


def test_a_race_keeps_none(laden: Checkout, tmp_path: Path) -> None:
    words = ("--scale", "12", "--no-ladder", "--threads", "1", "--seed", "7")
    said = laden.isobath("race", "--plans", "simple,two-dim", "--ranks", "2", *words)

    assert said.code == 0, said.err
    assert_nothing_is_found(
        laden, "studies/*/study.json", "studies/*/runs/*/run.json", "reports/*/*.html"
    )


@pytest.mark.parametrize("kind", BENCHES)
def test_a_benchmark_keeps_none(laden: Checkout, kind: str) -> None:
    said = laden.isobath(*quick(kind, laden.prefix, once=True, with_page=True))

    assert said.code == 0, said.err
    assert_nothing_is_found(laden, "studies/*/*.json", "studies/*/runs/*/environment.json")


def test_a_defect_keeps_none(laden: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Installation) -> list[MpiLibrary]:
        raise ZeroDivisionError(f"it was {SECRETS[0]}")

    monkeypatch.setattr("isobath.cli.doctor.inventory", broken)

    assert laden.isobath("doctor", "--mpi").code == 4
    assert_nothing_is_found(laden, ".isobath/defect.txt")


def test_what_an_engine_wrote_that_knows_nothing_of_this_is_left_out_too(
    laden: Checkout,
) -> None:
    """The fake engine writes its argv as it is: the laboratory takes out what it must."""
    laden.isobath("run", "--scale", "12", "--ranks", "2", "--threads", "1")

    (run,) = list_runs(laden.prefix / "studies")
    first = json.loads(run.text("records.jsonl").splitlines()[0])
    assert first["argv"][-2:] == ["--token", "[left out]"]
