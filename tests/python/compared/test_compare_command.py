# SPDX-License-Identifier: Apache-2.0
"""isobath compare over stored studies of every kind, and over what cannot be compared."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from compared.made_studies import copy_of, seal_again, several
from isobath.cli.main import main
from isobath.study.kinds import entry_of
from kind_table import TRIED, whole

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "comparison-1.json"
NOISE = [1.0, 1.013, 0.991, 1.004, 0.985, 1.02, 0.997, 1.009]


class Said:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def found(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.out)
        return told


class Store:
    """A folder of studies, and the command line that knows no other."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capfd = folder, capfd

    def isobath(self, *words: str) -> Said:
        self.capfd.readouterr()
        code = main(list(words))
        return Said(code, *self.capfd.readouterr())

    def compare(self, *words: str) -> Said:
        return self.isobath("compare", *words)

    def sides(self, factor: float, *, first: float = 1000.0) -> tuple[str, str]:
        """Eight runs each, one after the other unless ``first`` says otherwise."""
        before = several(self.folder, "run-whole", "before", NOISE)
        after = several(
            self.folder,
            "run-whole",
            "after",
            [factor * one for one in reversed(NOISE)],
            first=first,
        )
        return before, after


@pytest.fixture
def store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Store:
    folder = tmp_path / "studies"
    folder.mkdir()
    monkeypatch.setenv("ISOBATH_STORE", str(folder))
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path))
    return Store(folder, capfd)


@pytest.mark.parametrize("kind", [name for name, tried in TRIED.items() if not tried.compared])
def test_a_study_without_times_is_not_compared(store: Store, kind: str) -> None:
    word = entry_of(kind).word
    for number in (1, 2):
        copy_of(store.folder, whole(kind), f"2026120{number}-000000-{word}-000{number}")

    said = store.compare("20261201", "20261202")

    assert (said.code, said.out) == (3, "")
    assert "there is no time to compare" in said.err


@pytest.mark.parametrize("kind", [name for name, tried in TRIED.items() if tried.compared])
def test_two_studies_of_every_kind_lie_side_by_side(store: Store, kind: str) -> None:
    name = whole(kind)
    word = entry_of(kind).word
    copy_of(store.folder, name, f"20261201-000000-{word}-0001")
    copy_of(store.folder, name, f"20261202-000000-{word}-0002", factor=2.0, later=86400)

    said = store.compare("20261201", "20261202", "--json")
    text = store.compare("20261201", "20261202")

    assert (said.code, text.code) == (0, 0), said.err
    found = said.found
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (against,) = found["against"]
    cells = [one for one in against["cells"] if one["outcome"] != "no result"]
    assert {one["cell"].split(", ")[0] for one in cells} == TRIED[kind].compared
    assert {one["outcome"] for one in cells} == {"cannot tell"}  # so few launches bear nothing
    speeds = [one["speed"] for one in cells if one["unit"] != "share"]
    assert speeds == pytest.approx([0.5] * len(speeds), rel=1e-3)
    assert [(one["name"]) for one in against["changes"]] == []
    assert (against["only_before"], against["only_after"]) == ([], [])
    decides = "regret" in entry_of(kind).load().tables
    assert (against["decisions"] is not None) == decides
    assert ("What the library decides otherwise" in text.out) == decides
    assert "cannot tell" in text.out
    assert all(len(line) <= 80 for line in text.out.splitlines())


def test_a_switch_point_that_moved_between_two_libraries_is_told_with_its_sizes(
    store: Store,
) -> None:
    for number, size in ((1, 2), (2, 1 << 30)):
        study_id = f"2026120{number}-000000-bench-0001"
        study = copy_of(store.folder, whole("bench collectives"), study_id, later=number)
        for path in study.rglob("environment.json"):
            told = json.loads(path.read_text(encoding="utf-8"))
            told["mpi_switches"] = {"allreduce": [f"{size} recursive_doubling to ring"]}
            path.write_text(json.dumps(told), encoding="utf-8")
        seal_again(study)

    said = store.compare("20261201", "20261202", "--json")

    assert said.code == 0, said.err
    (against,) = said.found["against"]
    (switch,) = against["decisions"]["tables"]
    assert (switch["curve"], switch["fate"], switch["known_by"]) == ("allreduce", "moved", "tables")
    assert (switch["before_interval"], switch["after_interval"]) == (
        [1, 2],
        [(1 << 30) - 1, 1 << 30],
    )
    assert switch["cells"]
    assert all(name.startswith("allreduce") for name in switch["cells"])
    words = " ".join(store.compare("20261201", "20261202").out.split())
    assert "In the library's own tables 1 switch point moved." in words
    assert "recursive_doubling to ring" in words


def test_what_added_the_latency_of_links_is_told_as_a_change(store: Store) -> None:
    for number, by in ((1, "netem"), (2, "isobath-delay")):
        study_id = f"2026120{number}-000000-bench-0001"
        study = copy_of(store.folder, whole("bench collectives"), study_id, later=number)
        for path in study.rglob("environment.json"):
            told = json.loads(path.read_text(encoding="utf-8"))
            told["latency"] = {"by": by, "microseconds": 200}
            path.write_text(json.dumps(told), encoding="utf-8")
        seal_again(study)

    said = store.compare("20261201", "20261202", "--json")

    assert said.code == 0, said.err
    (change,) = said.found["against"][0]["changes"]
    assert (change["name"], change["before"], change["after"]) == (
        "latency added by",
        "netem",
        "isobath-delay",
    )


def test_runs_with_commas_are_launches_of_one_side(store: Store) -> None:
    said = store.compare(*store.sides(1.25), "--json")

    assert said.code == 0, said.err
    (against,) = said.found["against"]
    outcomes = {one["cell"].split(", ")[0]: one for one in against["cells"]}
    search = outcomes["search"]
    assert (search["outcome"], search["taken_as"]) == ("slower", "two samples")
    assert (search["launches_before"], search["launches_after"]) == (8, 8)
    assert search["speed"] == pytest.approx(0.8, rel=0.01)
    assert search["speed_interval"][0] < 0.8 < search["speed_interval"][1] < 1
    assert search["p_differs"] == pytest.approx(2 * 2 / 12870, rel=1e-6)  # of two cells
    assert search["before"] > search["after"] > 1e6  # a rate, not seconds an edge


def test_runs_in_turns_are_pairs(store: Store) -> None:
    said = store.compare(*store.sides(1.25, first=20.0), "--json")

    assert {one["taken_as"] for one in said.found["against"][0]["cells"]} == {"pairs"}
    assert {one["outcome"] for one in said.found["against"][0]["cells"]} == {"slower"}


def test_the_same_within_the_margin(store: Store) -> None:
    sides = store.sides(1.0)

    within = store.compare(*sides, "--json", "--margin", "8%").found["against"][0]["cells"]
    narrow = store.compare(*sides, "--json", "--margin", "0.5").found["against"][0]["cells"]

    assert {one["outcome"] for one in within} == {"same"}
    assert {one["outcome"] for one in narrow} == {"cannot tell"}


def test_a_tag_of_several_studies_names_a_side(store: Store) -> None:
    before, after = store.sides(1.25)
    for study in before.split(","):
        store.isobath("tag", study, "before")

    said = store.compare("before", after, "--json")

    assert said.found["sides"][0]["studies"] == before.split(",")


def test_what_changed_is_told_first(store: Store) -> None:
    copy_of(store.folder, "run-whole", "20261201-000000-one-0001")
    words = {
        "MPICH Version:      5.0.2": "MPICH Version:      5.0.3",
        "GNU 12.2.0": "Clang 19.1.0",
    }
    copy_of(store.folder, "run-whole", "20261202-000000-two-0002", words=words)

    said = store.compare("20261201", "20261202")

    assert said.code == 0
    assert said.out.index("What changed from A to B") < said.out.index("B against A\n")
    assert "MPI library and compiler." in said.out
    assert re.search(r"MPI library +MPICH 5.0.2 +MPICH 5.0.3\n", said.out)


def test_a_changed_launch_is_left_out_and_named(store: Store) -> None:
    before, after = store.sides(1.25)
    spoiled = before.split(",")[3]
    with (store.folder / spoiled / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("\n")

    said = store.compare(before, after, "--json")

    assert said.code == 3
    assert f"{spoiled} is left out: " in said.err
    side, other = said.found["sides"]
    assert (side["altered"], side["launches"], other["altered"]) == (True, 7, False)
    assert {one["launches_before"] for one in said.found["against"][0]["cells"]} == {7}
    text = store.compare(before, after)
    assert text.code == 3
    assert text.out.index(spoiled) < text.out.index("Comparison")


def test_a_changed_launch_of_a_benchmark_is_left_out_and_named(store: Store) -> None:
    copy_of(store.folder, "collectives-whole", "20261201-000000-one-0001")
    spoiled = copy_of(store.folder, "collectives-whole", "20261202-000000-two-0002")
    with (spoiled / "runs" / "a01-2" / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("\n")

    said = store.compare("20261201", "20261202", "--json")

    assert said.code == 3
    assert "a01-2: " in said.err
    assert {one["launches_after"] for one in said.found["against"][0]["cells"]} == {1}


def test_what_cannot_be_compared_is_one_sentence(store: Store) -> None:
    copy_of(store.folder, "run-whole", "20261201-000000-one-0001")
    copy_of(store.folder, "cg-whole", "20261202-000000-cg-0002")
    copy_of(store.folder, "run-interrupted", "20261203-000000-s18-0003")
    for words, code, sentence in (
        ((), 2, "Missing argument"),
        (("last:run",), 2, "a comparison needs two studies or more"),
        (("20261201", "nothing"), 2, "no study is called nothing"),
        (("20261201", "20261201"), 2, "20261201-000000-one-0001 is there twice"),
        (("20261201", "last:run,20261201"), 2, "20261201-000000-one-0001 is there twice"),
        (("20261201", "20261202"), 2, "is a run and 20261202-000000-cg-0002 a benchmark of conj"),
        (("20261201", "20261203"), 2, "did not measure the same (graph: scale 6 and scale 18; "),
        (("20261201", "20261203", "--across", "grape"), 2, "--across grape: did you mean graph?"),
        (("20261201", "20261203", "--margin", "0"), 2, "--margin 0: write a number of per cent"),
        (("20261201", "20261203", "--margin", "nan"), 2, "--margin nan: write a number"),
        (("20261201", "20261203", "--format", "xml"), 2, "--format xml: choose from text, json"),
    ):
        said = store.compare(*words)
        assert (said.code, said.out) == (code, ""), words
        assert said.err.count("\n") == 1
        assert sentence in said.err


def test_other_work_is_compared_where_it_is_asked_for_and_said_first(store: Store) -> None:
    copy_of(store.folder, "run-whole", "20261201-000000-one-0001")
    copy_of(store.folder, "run-interrupted", "20261203-000000-s18-0003")

    said = store.compare("20261201", "20261203", "--across", "graph,keys,ranks")

    assert said.code == 0, said.err
    assert said.out.startswith("NOT THE SAME WORK: graph scale 6 in A, scale 18 in B")
    assert "search" in said.out


def test_what_has_no_time_is_an_environment_problem(store: Store) -> None:
    copy_of(store.folder, "run-whole", "20261201-000000-one-0001")
    empty = copy_of(store.folder, "run-whole", "20261202-000000-two-0002")
    lines = (empty / "records.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (empty / "records.jsonl").write_text(lines[0], encoding="utf-8")
    seal_again(empty)

    said = store.compare("20261201", "20261202")

    assert said.code == 3
    assert "there is no time to compare" in said.err


def test_choosing_cells_changes_no_verdict(store: Store) -> None:
    sides = store.sides(1.25)
    everything = {
        one["cell"]: one for one in store.compare(*sides, "--json").found["against"][0]["cells"]
    }

    only = store.compare(*sides, "--json", "--only", "construction").found
    worst = store.compare(*sides, "--json", "--worst", "1").found

    assert (only["cells_shown"], only["cells_tested"]) == (1, 2)
    (one,) = only["against"][0]["cells"]
    assert one == everything[one["cell"]]
    assert len(worst["against"][0]["cells"]) == 1
    said = store.compare(*sides, "--only", "constructoin")
    assert (said.code, said.out) == (2, "")
    assert "--only constructoin: no cell has these words; did you mean construction?" in said.err


def test_tables_for_other_programs(store: Store, tmp_path: Path) -> None:
    sides = store.sides(1.25)
    said = store.compare(*sides, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))

    assert [row["outcome"] for row in rows] == ["slower", "slower"]
    assert float(rows[0]["speed_interval_low"]) < 0.8 < float(rows[0]["speed_interval_high"])
    parts = list(
        csv.DictReader(io.StringIO(store.compare(*sides, "--format", "csv", "--view", "parts").out))
    )
    assert {"phase", "phase, level", "call, size"} <= {row["of"] for row in parts}
    file = tmp_path / "cells.parquet"
    assert store.compare(*sides, "-o", str(file)).code == 0
    assert file.stat().st_size > 100
    said = store.compare(*sides, "--format", "csv", "--view", "sells")
    assert (said.code, said.out) == (2, "")
    assert "--view sells is no table; did you mean cells?" in said.err


def test_the_page_has_the_same_sections_as_the_terminal(store: Store, tmp_path: Path) -> None:
    sides = store.sides(1.25)
    page = tmp_path / "compared.html"
    assert store.compare(*sides, "-o", str(page)).code == 0
    text = store.compare(*sides, "--view", "all")

    html = page.read_text(encoding="utf-8")
    for title in ("Comparison", "What changed from A to B", "B against A",
                  "Where the time of B went", "What the words promise"):  # fmt: skip
        assert f"{title}</h2>" in html
        assert f"\n{title}\n" in f"\n{text.out}"
    assert "<script" not in html
    first = page.read_bytes()
    store.compare(*sides, "-o", str(page))
    assert page.read_bytes() == first


@pytest.mark.parametrize("view", ["changes", "cells", "parts", "method"])
def test_one_part_alone(store: Store, view: str) -> None:
    said = store.compare(*store.sides(1.25), "--view", view)

    titles = {"changes": "What changed", "cells": "B against A", "parts": "Where the time",
              "method": "What the words promise"}  # fmt: skip
    assert said.code == 0
    assert said.out.startswith(titles[view])


def test_several_are_held_against_one(store: Store) -> None:
    before, after = store.sides(1.25)
    third = several(store.folder, "run-whole", "third", [0.8 * one for one in NOISE], first=5000.0)

    said = store.compare(before, after, third, "--json")

    outcomes = {
        one["side"]: {cell["outcome"] for cell in one["cells"]} for one in said.found["against"]
    }
    assert outcomes == {"B": {"slower"}, "C": {"faster"}}
    assert said.found["cells_tested"] == 4
