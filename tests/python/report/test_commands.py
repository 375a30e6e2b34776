# SPDX-License-Identifier: Apache-2.0
"""isobath show and isobath report, through the front of the command line."""

import os
import re
import stat
import threading
from pathlib import Path

import pytest

from isobath.cli.main import main
from isobath.report.page import SECTIONS
from records import examples
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
    assert "64/64 searches validated" in " ".join(out.split())
    assert re.search(r"2  bottom-up +51,200", out)
    assert f"./isobath report {store / RUN_ID}" in out
    assert "UNVALIDATED" not in out


def test_show_has_every_section_of_the_page(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(store, "show", "--view", "all")) == 0

    out = capsys.readouterr().out
    for section in SECTIONS:
        assert f"\n{section.TITLE}\n" in f"\n{out}"
    for title in ("Every search in numbers", "Machine", "As Graph500 reference 3.0 prints it"):
        assert title in out


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
    assert out.startswith("UNVALIDATED: validation found violations. Search 3 from root")
    assert "\n  UNVALIDATED OVERSUBSCRIBED 7.123" in out
    for title in ("The seven numbers", "Levels of search", "Phases in", "Construction phases"):
        line = next(line for line in out.splitlines() if line.startswith(title))
        assert "UNVALIDATED OVERSUBSCRIBED" in line
    assert "19,672,961" in out


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


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_its_target_gets_the_page(
    store: Path, tmp_path: Path, exists: bool
) -> None:
    link, target = tmp_path / "link.html", tmp_path / "there" / "page.html"
    target.parent.mkdir()
    if exists:
        target.write_text("older", encoding="utf-8")
    link.symlink_to(Path("there") / "page.html")

    assert main(["report", RUN_ID, "--store", str(store), "-o", str(link)]) == 0

    assert link.is_symlink()
    assert "</html>" in target.read_text(encoding="utf-8")
    assert [path.name for path in target.parent.iterdir()] == ["page.html"]


def test_a_circle_of_links_is_an_error_and_stays(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)

    assert main(["report", RUN_ID, "--store", str(store), "-o", str(circle)]) == 3

    assert f"cannot write the report to {circle}" in capsys.readouterr().err
    assert circle.is_symlink()


@pytest.mark.parametrize("linked", [False, True])
def test_a_named_pipe_gets_the_page_and_stays_one(
    store: Path, tmp_path: Path, linked: bool
) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    read: list[str] = []
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")), daemon=True)
    reader.start()

    name = str(link if linked else pipe)
    assert main(["report", RUN_ID, "--store", str(store), "-o", name]) == 0

    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    reader.join(timeout=60)
    assert read[0].rstrip().endswith("</html>")


def test_a_device_is_written_to_and_stays_one(store: Path, tmp_path: Path) -> None:
    device = tmp_path / "nothing"
    if os.geteuid() != 0:
        return  # only root makes devices, and no test touches those of the machine
    os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))

    code = main(["report", RUN_ID, "--store", str(store), "-o", str(device)])

    assert code in (0, 3)  # some mounts open no device
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert not list(tmp_path.glob(".nothing*"))


def test_show_says_why_there_are_no_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sample_runs.write_failed_start(tmp_path / "runs", examples.failure_record())

    assert main(words(tmp_path / "runs", "show")) == 0

    out = capsys.readouterr().out
    assert "failed after 2.5 s in phase validate, rank 1: rank 1 was killed by SIGKILL." in out
    assert f"log     {folder / 'stderr.txt'}" in out
    assert "isobath report" not in out


def test_a_report_of_no_records_says_why_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sample_runs.write_failed_start(tmp_path / "runs", examples.failure_record())

    assert main(words(tmp_path / "runs", "report")) == 3

    err = capsys.readouterr().err
    assert "the run ended before it began: rank 1 was killed by SIGKILL; the log is" in err
    assert str(folder / "stderr.txt") in err
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize("command", ["show", "report"])
def test_no_record_at_all_is_an_error(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sample_runs.write_failed_start(tmp_path / "runs")

    assert main(words(tmp_path / "runs", command)) == 3

    assert "there is no run record" in capsys.readouterr().err


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
    assert "no study is called nothing" in capsys.readouterr().err
