# SPDX-License-Identifier: Apache-2.0
"""list, tag, remove, prune, query and show of studies of several kinds, as a person types them."""

import csv
import io
import json
import re

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door

RUN = ("run", "--scale", "10", "--keys", "4", "--no-report")
CG = ("bench", "cg", "--elements", "8", "--ranks", "2", "--no-petsc", "--progress", "library",
      "--launches", "1", "--no-report", "--no-profile")  # fmt: skip


def made(checkout: Checkout, *commands: tuple[str, ...]) -> list[str]:
    """Ids of studies, oldest first."""
    for words in commands:
        said = checkout.isobath(*words)
        assert said.code == 0, said.err
    listed = checkout.isobath("list", "--json")
    rows = json.loads(listed.out)  # those of one second stand in the order of their words
    return [row["study_id"] for row in sorted(rows, key=lambda row: row["kind"] != "run")]


def test_all_kinds_stand_in_one_list_of_80_columns(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert checkout.isobath("list").out.startswith("there is no study in ")
    names = made(checkout, RUN, CG)

    said = checkout.isobath("list")

    assert said.code == 0
    assert all(len(line) <= 80 for line in said.out.splitlines())
    for name, kind in zip(names, ("run", "cg"), strict=True):
        line = next(one for one in said.out.splitlines() if one.startswith(name))
        assert line.split()[1] == kind
        assert line.endswith("kB")
    assert "scale 10: " in said.out
    assert "fastest" in said.out
    assert said.out.splitlines()[-1].startswith("2 studies, ")
    assert checkout.isobath("list").out == said.out, "the cache says the same"


def test_the_list_is_filtered(checkout: Checkout) -> None:
    run, gradients = made(checkout, RUN, CG)

    def listed(*words: str) -> list[str]:
        found = json.loads(checkout.isobath("list", "--json", *words).out)
        return [row["study_id"] for row in found]

    assert listed("--kind", "cg") == [gradients]
    assert set(listed("--kind", "run,bench cg")) == {run, gradients}
    assert listed("scale 10") == [run]
    assert listed("--since", "2100-01-01") == []
    assert set(listed("--since", "1d")) == {run, gradients}
    assert listed("--before", "yesterday") == []
    said = checkout.isobath("list", "--since", "last week")
    assert said.code == 2
    assert "--since last week is no day; write 2026-11-20, " in said.err
    assert set(listed("--state", "complete")) == {run, gradients}
    assert checkout.isobath("list", "--kind", "dog").code == 2
    assert checkout.isobath("list", "--state", "dog").code == 2


def test_a_tag_finds_and_holds_a_study(checkout: Checkout) -> None:
    run, gradients = made(checkout, RUN, CG)
    assert checkout.isobath("tag", run, "before-update").out == f"{run}: before-update\n"

    assert [
        row["study_id"]
        for row in json.loads(checkout.isobath("list", "--json", "--tag", "before-update").out)
    ] == [run]
    said = checkout.isobath("remove", run, gradients, "--yes")
    assert said.code == 8
    assert f"{run} stays: it is tagged before-update" in said.err
    assert "1 study removed, " in said.out
    assert checkout.isobath("show", gradients).code == 2
    assert checkout.isobath("show", run).code == 0
    assert checkout.isobath("tag", run, "--remove", "before-update").out == f"{run}: no tags\n"
    said = checkout.isobath("prune", "--keep", "0", "--yes")
    assert "1 study removed, " in said.out
    assert json.loads(checkout.isobath("list", "--json").out) == []


def test_nothing_goes_without_a_yes(checkout: Checkout) -> None:
    names = made(checkout, CG, CG)

    said = checkout.isobath("prune", "--keep", "1")
    assert said.code == 2
    assert "add --yes" in said.err
    said = checkout.isobath("prune", "--keep", "1", "--dry-run")
    assert "1 study would go, " in said.out
    assert names[0] in said.out
    assert len(json.loads(checkout.isobath("list", "--json").out)) == 2


def test_sql_reads_studies_and_records(checkout: Checkout) -> None:
    run, gradients = made(checkout, RUN, CG)

    said = checkout.isobath(
        "query", "SELECT study_id, count(*) AS searches FROM search GROUP BY study_id",
        "--format", "csv",
    )  # fmt: skip

    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [(row["study_id"], row["searches"]) for row in rows] == [(run, "4")]
    said = checkout.isobath("query", "SELECT DISTINCT study_id FROM krylov", "--format", "json")
    assert json.loads(said.out) == [{"study_id": gradients}]
    said = checkout.isobath("query", "SELECT kind FROM studies ORDER BY kind DESC")
    assert said.out.split()[-2:] == ["bench", "cg"]
    said = checkout.isobath("query", "SELECT dog FROM cat")
    assert said.code == 2
    assert f"{front_door()} query --views" in said.err
    assert "krylov: folder, study_id, " in checkout.isobath("query", "--views").out


def test_every_kind_has_views_and_json(checkout: Checkout) -> None:
    run, gradients = made(checkout, RUN, CG)
    for name in (run, gradients):
        assert "summary" in checkout.isobath("show", name, "--views").out
        found = json.loads(checkout.isobath("show", name, "--json").out)
        assert found["study"] == name
    said = checkout.isobath("show", run, "--view", "dog")
    assert said.code == 2
    assert "there is no view dog of this; there are summary" in said.err


def test_quiet_says_what_is_wrong_alone_and_verbose_how_launches_began(
    checkout: Checkout,
) -> None:
    quiet = checkout.isobath(*CG, "--quiet")
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out
    usual = checkout.isobath(*CG)
    assert "[1/1] " in usual.err
    assert "a00-0 begins" not in usual.err
    verbose = checkout.isobath(*CG, "--verbose")
    assert "isobath: a00-0 begins: " in verbose.err
    assert re.search(r"isobath: a00-0 was .*isobath-krylov.*; .*/runs/a00-0\n", verbose.err)
    said = checkout.isobath(*CG, "--quiet", "--verbose")
    assert (said.code, said.out) == (2, "")
    assert "--quiet and --verbose want the opposite" in said.err

    (study, *_) = (checkout.prefix / "studies").glob("2*")
    with (study / "runs" / "a00-0" / "run.json").open("a", encoding="utf-8") as out:
        out.write("\n")
    said = checkout.isobath("resume", study.name, "--dry-run", "--quiet")
    assert said.code == 0
    assert said.out.split()[:2] == ["1", "a00-0"]
    assert said.out.splitlines()[-1].startswith("1 of 1 launch to do; ")
    assert not (study / "cut-off").exists()


def test_a_changed_study_is_named_in_the_list(checkout: Checkout) -> None:
    made(checkout, CG)
    (study,) = (checkout.prefix / "studies").iterdir()
    with (study / "runs" / "a00-0" / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("\n")

    (row,) = json.loads(checkout.isobath("list", "--json").out)

    assert row["state"] == "changed"
    assert "CHANGED" in checkout.isobath("list").out


def test_sql_leaves_out_what_was_changed_and_names_it(checkout: Checkout) -> None:
    made(checkout, RUN, CG)
    (records,) = (checkout.prefix / "studies").glob("*/runs/a00-0/records.jsonl")
    with records.open("a", encoding="utf-8") as out:
        out.write("\n")

    said = checkout.isobath("query", "SELECT count(*) AS rows FROM krylov", "--format", "csv")

    assert (said.code, said.out) == (3, "rows\n0\n")
    assert "a00-0: records.jsonl was changed after sealing" in said.err
