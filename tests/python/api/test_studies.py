# SPDX-License-Identifier: Apache-2.0
"""Stored studies from Python: the same facts as the commands, and nothing on the terminal."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from isobath import api
from isobath.errors import EnvironmentProblem, UsageError
from kind_table import TRIED, whole
from studies.stored import FOLDER, the_folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """One study of every kind."""
    for kind in TRIED:
        folder = the_folder(FOLDER / whole(kind), kind)
        shutil.copytree(folder, tmp_path / folder.name)
    return tmp_path


def study(store: Path, kind: str) -> api.Study:
    (found,) = api.studies(kind, store=store)
    return found


def test_studies_are_found_by_kind_id_and_tag(store: Path) -> None:
    found = api.studies(store=store)
    assert len(found) == len(TRIED)
    assert [one.id for one in found] == sorted(one.id for one in found)

    overlap = study(store, "overlap")
    assert overlap.kind == "bench overlap"
    assert api.study(overlap.id, store=store) == overlap
    assert api.study("last:overlap", store=store) == overlap
    assert overlap.tag("before-update", "quiet") == ("before-update", "quiet")
    assert overlap.tag(remove=["quiet"]) == overlap.tags == ("before-update",)
    assert api.studies(tag="before-update", store=store) == [overlap]
    assert overlap.row.tags == ("before-update",)

    with pytest.raises(UsageError, match="there is no kind cooking; there are run"):
        api.studies("cooking", store=store)
    with pytest.raises(UsageError, match="no study is called 2031"):
        api.study("2031", store=store)


def test_findings_are_those_of_the_command_line(store: Path) -> None:
    run = study(store, "run")
    assert run.findings["schema"] == 1
    assert run.findings["study"] == run.id
    assert run.problems == ()
    assert not run.is_altered
    assert run.row.state == "complete"


@pytest.mark.parametrize("library", ["arrow", "polars", "pandas"])
def test_every_table_becomes_one_of_another_library(store: Path, library: str) -> None:
    for one in api.studies(store=store):
        for name in one.tables:
            table = one.table(name)
            made = getattr(table, f"to_{library}")()
            names = made.column_names if library == "arrow" else list(made.columns)
            assert tuple(names) == table.columns
            assert (made.num_rows if library == "arrow" else len(made)) == len(table)


def test_a_table_is_rows_and_columns(store: Path) -> None:
    searches = study(store, "run").table("searches")
    assert len(searches) == 2
    assert searches["index"] == [0, 1]
    assert [row["index"] for row in searches] == [0, 1]
    assert "<td>1</td>" in searches._repr_html_()
    with pytest.raises(KeyError, match="the columns of searches are index"):
        searches["colour"]


def test_which_table_is_meant_must_be_said(store: Path) -> None:
    assert study(store, "cg").table().name == "rows"
    run = study(store, "run")
    with pytest.raises(UsageError, match=r"name a table of .*: searches, levels"):
        run.table()
    with pytest.raises(UsageError, match=r"there is no table colours of .*: searches, levels"):
        run.table("colours")


def test_a_library_that_is_missing_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(EnvironmentProblem, match=r"polars is not installed; .*isobath.polars"):
        study(store, "cg").table().to_polars()


def test_what_was_changed_is_left_out_and_named(store: Path) -> None:
    cg = study(store, "cg")
    before = len(cg.table())
    records = sorted(cg.path.glob("runs/*/records.jsonl"))[0]
    records.write_text(records.read_text().replace("1", "2", 1))

    cg.reread()

    assert cg.is_altered
    assert records.parent.name in cg.problems[0]
    assert len(cg.table()) <= before


def test_the_page_goes_where_it_is_wanted(store: Path, tmp_path: Path) -> None:
    page = study(store, "cg").report(tmp_path / "page.html")
    assert page == tmp_path / "page.html"
    assert "<html" in page.read_text()


def test_records_of_the_bare_engine_have_a_page_too(tmp_path: Path) -> None:
    records = FOLDER / "bare-graph500" / "records.jsonl"
    page = api.study(records).report(tmp_path / "page.html")
    assert "NEVER SEALED" in page.read_text()


def test_nothing_is_printed_moved_or_caught(
    store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def surroundings() -> tuple[object, ...]:
        return (
            os.getcwd(),
            *map(signal.getsignal, (signal.SIGINT, signal.SIGTERM)),
            dict(os.environ),
        )

    before = surroundings()
    for one in api.studies(store=store):
        one.findings, one.row, one.problems, repr(one), one._repr_html_()
        one.report(tmp_path / f"{one.id}.html")

    assert surroundings() == before
    assert capfd.readouterr() == ("", "")


def test_one_launch_is_not_resumed(store: Path) -> None:
    with pytest.raises(UsageError, match="is one launch: it cannot be resumed"):
        study(store, "run").resume()


def test_studies_are_held_against_each_other(store: Path, tmp_path: Path) -> None:
    import isobath
    from compared.made_studies import copy_of

    copy_of(store, "run-whole", "20261201-000000-one-0001", factor=2.0)
    run = next(one for one in api.studies("run", store=store) if "20261201" not in one.id)

    found = isobath.compare(run, "20261201", store=store)

    assert found.table()["outcome"] == ["cannot tell", "cannot tell"]
    assert found.table()["speed"] == pytest.approx([0.5, 0.5])
    assert (found.is_altered, found.problems) == (False, ())
    assert found.findings["sides"][0]["studies"] == [run.id]
    assert found.report(tmp_path / "c.html").read_text("utf-8").startswith("<!doctype html>")
    with pytest.raises(UsageError, match="there is no table sells of a comparison: cells"):
        found.table("sells")
    with pytest.raises(UsageError, match="margin 5: a share above 0 and below 1"):
        api.compare(run, "20261201", margin=5, store=store)
