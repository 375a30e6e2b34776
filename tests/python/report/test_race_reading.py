# SPDX-License-Identifier: Apache-2.0
"""From a race folder on disk to its page: what is there, what is missing, what is damaged."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from isobath.errors import EnvironmentProblem
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.report.page import write_page
from isobath.report.race_data import RaceData
from isobath.report.race_page import race_page_html
from isobath.report.race_reading import link, race_data_of, word
from report import sample_races
from report.sample_races import SampleRace

SMALL = SampleRace(plans=("replicated-csr", "two-dim"), ranks=(1, 4), keys=2)


def read_race(path: Path, page: Path) -> RaceData:
    folder = RaceFolder(path)
    return race_data_of(folder, read_results(folder), page)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_races.write(tmp_path / "races", SMALL)


def test_what_was_written_is_read(folder: Path, tmp_path: Path) -> None:
    found = read_race(folder, tmp_path / "reports" / "race.html")
    made = sample_races.race_of(SMALL)

    assert found.race_id == made.race_id
    assert found.problems == ()
    assert found.factors == made.factors
    assert found.audit == made.audit
    assert [cell.name for cell in found.ladder] == [cell.name for cell in made.ladder]
    for one, other in zip(found.cells, made.cells, strict=True):
        assert one.result.teps == other.result.teps
        assert one.mean_bytes == other.mean_bytes


def test_the_page_lies_where_it_was_asked_for_and_its_links_lead_to_files(
    folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "elsewhere" / "deep" / "race.html"

    assert write_page(race_page_html(read_race(folder, page)), page) == page

    html = page.read_text(encoding="utf-8")
    targets = [t for t in re.findall(r'<a href="([^"#]+)"', html)]
    assert len(targets) == len(sample_races.race_of(SMALL).cells) + 2
    for target in targets:
        assert target.startswith("./")
        assert (page.parent / unquote(target)).is_file()


def test_a_race_that_goes_on_says_what_is_missing(folder: Path, tmp_path: Path) -> None:
    for path in (folder / "runs" / "c001-1").iterdir():
        path.unlink()
    (folder / "runs" / "c001-1").rmdir()

    html = race_page_html(read_race(folder, tmp_path / "race.html"))

    assert "UNFINISHED: 1 of 17 cells have no completed search" in html


def test_a_run_that_was_changed_is_not_shown(folder: Path, tmp_path: Path) -> None:
    records = folder / "runs" / "c002-1" / "records.jsonl"
    records.write_text(records.read_text("utf-8").replace("two", "few"), encoding="utf-8")
    with records.open("a", encoding="utf-8") as out:
        out.write("\n")

    found = read_race(folder, tmp_path / "race.html")

    assert not found.cells[1].done
    assert "c002-1: records.jsonl was changed after sealing" in found.problems[0]
    assert "c002-1: records.jsonl was changed after sealing" in race_page_html(found)


def test_a_torn_line_of_the_audit_is_left_out(folder: Path, tmp_path: Path) -> None:
    audit = folder / "audit.jsonl"
    text = audit.read_text("utf-8")
    whole = len(text.splitlines())
    audit.write_text(text[:-30], encoding="utf-8")

    found = read_race(folder, tmp_path / "race.html")

    assert len(found.audit) == whole - 1
    assert found.problems == ()


def test_a_damaged_line_of_the_audit_is_named(folder: Path, tmp_path: Path) -> None:
    audit = folder / "audit.jsonl"
    audit.write_text("{}\n" + audit.read_text("utf-8"), encoding="utf-8")

    assert read_race(folder, tmp_path / "race.html").problems == ("UNREAD: line 1 of audit.jsonl",)


def test_a_folder_without_a_race_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"study\.json"):
        read_race(tmp_path, tmp_path / "page.html")


def test_a_page_that_cannot_be_written_is_an_error_with_a_remedy(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EnvironmentProblem, match="another place with -o"):
        write_page("text", tmp_path / "file" / "page.html")


def test_a_link_has_no_scheme_whatever_a_folder_is_called(tmp_path: Path) -> None:
    place = tmp_path / 'javascript:alert(1)" x' / "race.json"

    found = link(place, tmp_path / "page.html")

    assert found == "./javascript%3Aalert%281%29%22%20x/race.json"


@pytest.mark.parametrize(
    ("value", "text"), [(True, "yes"), (4, "4"), ("own", "own"), ((1, 2), "1, 2")]
)
def test_a_setting_as_the_page_writes_it(value: object, text: str) -> None:
    assert word(value) == text  # type: ignore[arg-type]
