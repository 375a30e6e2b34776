# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

from cli.conftest import Checkout, Said
from isobath.cli.places import front_door
from isobath.kinds.overlap.work import OverlapWork
from isobath.overlap.folders import OverlapFolder
from isobath.study.runner import to_do
from isobath.study.shelf import Shelf

SMALL = ("bench", "overlap", "--progress", "library,tests", "--launches", "3", "--seed", "1",
         "--ranks", "1")  # fmt: skip
FEW = ("--collectives", "allreduce", "--sizes", "16", "--tests", "0,10", "--ratios", "1")


def the_bench(checkout: Checkout) -> OverlapFolder:
    (study,) = Shelf((checkout.prefix / "studies",)).studies()
    return OverlapFolder(study.path)


def page_of(checkout: Checkout) -> Path:
    return checkout.prefix / "reports" / the_bench(checkout).path.name / "report.html"


def measured(checkout: Checkout, *words: object) -> Said:
    said = checkout.isobath(*SMALL, *FEW, *words)
    assert said.code == 0, said.err
    return said


def alter(folder: Path) -> None:
    """Changes the records of a launch after it was sealed."""
    records = folder / "records.jsonl"
    records.chmod(0o644)
    records.write_text(records.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def test_what_is_given_twice_is_measured_once(checkout: Checkout) -> None:
    said = checkout.isobath(
        *SMALL, "--collectives", "allreduce,allreduce", "--sizes", "16,016", "--tests", "0,10,0",
        "--ratios", "1,1.0", "--work", "triad,triad",
    )  # fmt: skip

    assert said.code == 0, said.err
    plan = the_bench(checkout).plan()
    assert plan.method[:4] == ("--tests", "0,10", "--sizes", "16")
    assert (plan.work, plan.ratios) == ("triad", "1.0")
    assert [arm.collectives for arm in plan.arms] == [("allreduce",)]
    assert "3 launches" in said.out
    assert "UNFINISHED" not in said.out
    assert page_of(checkout).is_file()


def test_libraries_are_compared_in_one_benchmark(checkout: Checkout) -> None:
    state = checkout.prefix / ".isobath" / "state.json"
    told = json.loads(state.read_text(encoding="utf-8"))
    told["mpi"]["other"] = told["mpi"]["fake"]
    state.write_text(json.dumps(told), encoding="utf-8")

    said = measured(checkout, "--mpi", "fake,other,fake")

    plan = the_bench(checkout).plan()
    assert [plan.library_of(arm) for arm in plan.arms] == ["fake", "other"]
    assert "Libraries beside each other" in said.out
    assert "under other, launch 3" in said.err + checkout.isobath("resume", "--dry-run").out
    facts = json.loads(checkout.isobath("show", "--json").out)
    assert {group["mpi"] for group in facts["groups"]} == {"fake", "other"}
    settings = checkout.isobath("show", "--settings").out
    assert 'mpi = ["fake", "other"]' in settings


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--ratios", "x"), "--ratios x is not a number; write one, as 0.5"),
        (("--ratios", "nan"), "--ratios nan: this setting takes a finite number"),
        (("--ratios", "0"), "--ratios 0.0: the least is 0.01"),
        (
            ("--collectives", "allgaver"),
            "--collectives allgaver: choose from barrier, bcast",
        ),
        (("--sizes", "-8"), "--sizes -8 is no number of bytes"),
        (("--sizes", "4"), "--sizes 4: the least is 8"),
        (("--sizes", ""), "--sizes has no value; write one"),
        (("--tests", "1.5"), "--tests 1.5 is not a number"),
        (("--tests", "-1"), "--tests -1: the least is 0"),
        (("--work", "sleep"), "--work sleep: choose one of product, triad, scan"),
        (("--progress", "magic"), "--progress magic: choose one of library"),
        (("--resume", "last", "--sizes", "8"), "--resume goes on with a benchmark as it was"),
        (("--of", "last", "--launches", "3"), "--of shows what is stored; leave --launches out"),
        (("--of", "last", "--resume", "last"), "leave --resume out"),
        (("--of", "last"), "there is no benchmark of overlap in"),
        (("--benches", "a", "--output", "b"), "leave --store out"),
    ],
)
def test_bad_wishes_end_in_one_sentence_and_make_nothing(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("bench", "overlap", *words)

    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not (checkout.prefix / "studies").exists()


def test_a_launch_that_failed_is_tried_again_and_nothing_else(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "launch:2")
    said = checkout.isobath(*SMALL, *FEW)
    assert said.code == 3
    assert f"they are tried again with {front_door()} resume " in said.err
    bench = the_bench(checkout)
    kept = (bench.runs / "o01-1" / "MANIFEST.sha256").read_bytes()
    monkeypatch.delenv("FAKE_TROUBLE")

    again = checkout.isobath("bench", "overlap", "--resume", "last", "--no-report")

    assert again.code == 0, again.err
    assert "[4/4]" in again.err
    assert again.err.count("launch 2") == 1
    assert "launch 1:" not in again.err
    assert to_do(bench, OverlapWork.of(bench).launches()) == []
    assert (bench.runs / "o01-1" / "MANIFEST.sha256").read_bytes() == kept


def test_a_launch_that_is_missing_is_said_first(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "launch:0")

    said = checkout.isobath(*SMALL, *FEW, "--no-report")

    assert said.code == 3
    assert said.out.startswith("UNFINISHED: 1 of 4 launches are done.")
    assert not page_of(checkout).exists()


def test_a_stored_one_is_printed_again_and_as_json(checkout: Checkout, tmp_path: Path) -> None:
    said = measured(checkout, "--benches", tmp_path / "mine")

    again = checkout.isobath("bench", "overlap", "--of", "last", "--benches", tmp_path / "mine")
    assert again.code == 0, again.err
    assert again.out == said.out
    data = json.loads(
        checkout.isobath(
            "bench", "overlap", "--of", "last", "--benches", tmp_path / "mine", "--json"
        ).out
    )
    assert (data["launches_done"], data["launches"]) == (4, 4)
    (group,) = data["groups"]
    assert {row["launches"] for row in group["rows"]} == {3}
    assert group["finding"][1:].split(":")[0] in " ".join(said.out.split())


def test_a_place_that_cannot_be_names_the_option(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    said = checkout.isobath(*SMALL, *FEW, "--output", tmp_path / "file" / "bench")

    assert said.code == 3
    assert "name another folder with --store" in said.err


def test_one_that_was_changed_after_sealing_ends_with_3(checkout: Checkout) -> None:
    measured(checkout)
    bench = the_bench(checkout)
    alter(bench.runs / "o01-1")

    for words in (("bench", "overlap", "--of"), ("show",), ("report",)):
        said = checkout.isobath(*words, bench.path)
        assert said.code == 3, words
        assert "o01-1: records.jsonl" in said.err
