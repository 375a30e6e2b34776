# SPDX-License-Identifier: Apache-2.0
"""What a person reads first: help that fits a terminal, and next steps that can be typed."""

from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli.bench import COMMANDS as BENCH_COMMANDS
from isobath.cli.main import SUBCOMMANDS, main


@pytest.mark.parametrize(
    "command", ["", *SUBCOMMANDS, *(f"bench {name}" for name in BENCH_COMMANDS)]
)
def test_help_fits_80_columns_and_speaks_no_python(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert main([*command.split(), "--help"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    options = [line for line in lines if line.startswith("  -")]
    assert not any("<str>" in line or "<list[" in line or "<int" in line for line in options)
    if not command:
        assert not any(line.endswith("...") for line in lines[1:])


@pytest.mark.parametrize("name", ["edges.parquet", "edges.mtx"])
def test_an_export_that_cannot_be_written_names_the_file_asked_for(
    checkout: Checkout, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "nowhere" / name

    said = checkout.isobath("export", "--scale", "4", file)

    assert said.code == 3
    assert str(file) in said.err


def test_the_next_step_names_the_run_where_it_is_stored_elsewhere(
    checkout: Checkout, tmp_path: Path
) -> None:
    words = ("run", "--scale", "10", "--no-report")

    said = checkout.isobath(*words)
    assert f"next: ./isobath show {checkout.runs[0].run_id}, ./isobath plan" in said.err
    said = checkout.isobath(*words, "--store", tmp_path / "elsewhere")
    assert "next: ./isobath show elsewhere/2" in said.err
    said = checkout.isobath(*words, "--store", tmp_path / "else where")
    assert "next: ./isobath show 'else where/2" in said.err
