# SPDX-License-Identifier: Apache-2.0
"""isobath show and isobath report, through the front of the command line."""

from pathlib import Path

import pytest

from isobath.cli.main import main
from report import sample_runs
from report.sample_runs import Sample

RUN_ID = "20261121-093000-s20-1a2b"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    sample_runs.write(tmp_path / "runs", Sample())
    return tmp_path / "runs"


def words(store: Path, *first: str) -> list[str]:
    return [*first, "--store", str(store), "--reports", str(store.parent / "reports")]


def test_show_fits_a_terminal_of_80_columns(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(store, "show")) == 0

    out = capsys.readouterr().out
    lines = out.splitlines()
    shown = lines[: lines.index(next(line for line in lines if line.startswith("run ")))]
    assert max(len(line.rstrip()) for line in shown) <= 80
    assert "7.123 ± 0.048 GTEPS" in out
    assert "64/64 searches validated" in out
    assert "2   bottom-up     51,200" in out
    assert f"./isobath report {RUN_ID}" in out
    assert "UNVALIDATED" not in out


def test_show_names_the_report_once_it_is_there(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(store, "report", RUN_ID)) == 0
    page = Path(capsys.readouterr().out.strip())
    assert page.parts[-3:] == ("reports", RUN_ID, "report.html")
    assert (page.parent / "records.jsonl").is_file()

    assert main(words(store, "show", RUN_ID)) == 0
    assert str(page) in capsys.readouterr().out


def test_show_marks_every_table_of_an_unvalidated_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = Sample(ranks=6, broken=frozenset({3}), oversubscribed=True)
    sample_runs.write(tmp_path / "runs", sample)

    assert main(words(tmp_path / "runs", "show", "last")) == 0

    out = capsys.readouterr().out
    assert out.startswith("UNVALIDATED OVERSUBSCRIBED 7.123")
    for title in ("Searches ", "Levels of", "Phases, ", "Construction "):
        line = next(line for line in out.splitlines() if line.startswith(title))
        assert "UNVALIDATED OVERSUBSCRIBED" in line
    assert "bytes" not in out
    assert "19.7 MB" in out


def test_show_tells_what_a_failed_run_came_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = Sample(searches=0, failure="rank 0 was killed", hostname="evil\x1b[2J")
    sample_runs.write(tmp_path / "runs", sample)

    assert main(words(tmp_path / "runs", "show")) == 0

    out = capsys.readouterr().out
    assert "rank 0 was killed" in out
    assert "no search was completed" in out
    assert "\x1b" not in out


def test_report_writes_one_file_where_it_is_told(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "here" / "page.html"

    assert main(["report", RUN_ID, "--store", str(store), "-o", str(page)]) == 0

    assert capsys.readouterr().out.strip() == str(page)
    assert [path.name for path in page.parent.iterdir()] == ["page.html"]


def test_a_folder_as_page_is_a_wrong_use(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", RUN_ID, "--store", str(store), "-o", str(tmp_path)]) == 2
    assert "is a folder; name a file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["show", "report"])
def test_an_unknown_run_is_a_wrong_use(
    store: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "nothing", "--store", str(store)]) == 2
    assert "no run is called nothing" in capsys.readouterr().err
