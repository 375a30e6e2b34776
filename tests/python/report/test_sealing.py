# SPDX-License-Identifier: Apache-2.0
"""What show and report say of a run folder that is not as it was sealed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from isobath.cli.main import main
from isobath.store.folders import MANIFEST, OpenRun
from report import sample_runs
from report.sample_runs import Sample

RUN_ID = "20261121-093000-s20-1a2b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_runs.write(tmp_path / "runs", Sample(searches=4, levels=False))


def told(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, what a reader sees first, and standard error."""
    page = folder.parent.parent / "page.html"
    words = ["-o", str(page)] if command == "report" else []
    code = main([command, str(folder), "--store", str(folder.parent), *words])
    said = capsys.readouterr()
    if command == "show" or not page.exists():
        return code, said.out, said.err
    html = page.read_text(encoding="utf-8")
    _, _, content = html.partition('<main id="content" class="page">')
    return code, content.partition("<section")[0], said.err


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_sound_run_begins_with_its_result(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, first, _ = told(command, folder, capsys)

    assert code == 0
    assert "SEAL" not in first.upper()


def truncate(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")


def flip_a_digit(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    at = text.index('"teps":') + len('"teps":')
    path.write_text(text[:at] + "9" + text[at + 1 :], encoding="utf-8")


@pytest.mark.parametrize("command", ["show", "report"])
@pytest.mark.parametrize("change", [truncate, flip_a_digit, Path.unlink])
def test_records_that_are_not_those_sealed_are_refused(
    folder: Path,
    change: Callable[[Path], None],
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    change(folder / "records.jsonl")

    code, out, err = told(command, folder, capsys)

    assert (code, out) == (3, "")
    assert "records.jsonl is not as it was sealed" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_manifest_that_does_not_list_the_records_vouches_for_nothing(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / MANIFEST).write_text("", encoding="utf-8")

    assert told(command, folder, capsys)[0] == 3


@pytest.mark.parametrize("command", ["show", "report"])
def test_other_changes_are_said_first(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flip = folder / "official-reference.txt"
    flip.write_text(flip.read_text(encoding="ascii").replace("7.0", "9.0"), encoding="ascii")
    (folder / "run.json").unlink()
    (folder / "extra.txt").touch()

    code, first, _ = told(command, folder, capsys)

    assert code == 3
    sentence = (
        "CHANGED AFTER SEALING: official-reference.txt (changed), run.json (missing), "
        "extra.txt (added)"
    )
    assert sentence in " ".join(first.split())
    if command == "show":
        assert first.startswith("CHANGED AFTER SEALING")


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_run_without_its_manifest_is_called_never_sealed(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / MANIFEST).unlink()

    code, first, _ = told(command, folder, capsys)

    assert code == 3
    assert f"NEVER SEALED: {MANIFEST} is missing" in " ".join(first.split())
    assert main(["show", RUN_ID, "--store", str(folder.parent)]) == 3


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_run_that_was_cut_off_is_called_so(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = sample_runs.write(tmp_path / "sound", Sample(searches=4, levels=False))
    run = OpenRun(tmp_path / "runs", RUN_ID)
    run.records.write_bytes((sound / "records.jsonl").read_bytes()[:-30])

    code, first, _ = told(command, run.path, capsys)

    assert code == 3
    assert "NEVER SEALED: this run is still going on, or was cut off" in " ".join(first.split())
