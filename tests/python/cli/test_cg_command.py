# SPDX-License-Identifier: Apache-2.0
import json
import os
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door
from isobath.kinds.cg.plan import PLAN, run_name
from isobath.kinds.cg.wanted import CgDesign
from isobath.kinds.nodes import Placed
from isobath.kinds.progress import MODES
from isobath.launch.mpi_library import MpiLibrary
from isobath.records.codec import read_records
from isobath.records.ending import FailureRecord
from isobath.records.placement import HERE
from isobath.study.catalogue import Catalogue
from isobath.study.folder import STUDY, StudyFolder
from isobath.study.shelf import Shelf

QUICK = ("bench", "cg", "--elements", "8,16", "--ranks", "2", "--seed", "7", "--no-petsc")


def the_bench(checkout: Checkout) -> StudyFolder:
    (path,) = (checkout.prefix / "studies").iterdir()
    return StudyFolder(path)


def rows_of(names: str, text: str) -> list[str]:
    """Lines of a table that begin with these words, whatever blanks are between."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if line.startswith(names)]


def test_every_launch_is_sealed_and_the_table_says_algorithm_and_overlap(
    checkout: Checkout,
) -> None:
    said = checkout.isobath(*QUICK, "--progress", "library")

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    plan = PLAN.read(bench)
    assert (plan.seed, plan.launches, plan.iterations) == (7, 3, 100)
    for arm, launch in plan.runs():
        sealed = bench.sealed(run_name(arm, launch))
        assert sealed is not None
        assert sealed.verify() == []
        assert sealed.summary().verdict == "validated"
    assert all(len(line) <= 80 for line in said.out.splitlines())
    words = " ".join(said.out.split())
    assert "fake, 2 ranks, 16 x 16 elements" in words
    assert "Pipelined, library is the fastest that may hide a reduction: 1.25 x as fast" in words
    assert "Of that the algorithm is 0.80 x and the overlap 1.56 x" in words
    assert "what it gains is hidden time" in words
    page = checkout.prefix / "reports" / bench.study_id / "report.html"
    assert "Time of an iteration" in page.read_text(encoding="utf-8")


def test_ways_that_slow_every_call_have_launches_of_their_own_and_few_where_there_is_no_room() -> (
    None
):
    library = MpiLibrary("fake", "mpich-wheel", "5", "", "", healthy=True)
    wanted = CgDesign(
        elements=(8, 16), modes=MODES, places=(Placed(2, HERE),), threads=1, aggregators=1, cpus=3
    )

    arms = wanted.arms([library], with_petsc=True)

    assert [(arm.mpi, arm.modes) for arm in arms] == [
        ("fake", ("library", "tests")),
        ("fake", ("thread", "spare_thread")),
        ("fake", ("library_thread",)),
        ("fake", ("offload",)),
        ("petsc", ("library",)),
    ]
    assert [arm.is_base for arm in arms] == [True, False, False, False, True]
    assert [arm.crowded for arm in arms] == [False, True, True, False, False]
    assert [arm.elements for arm in arms[:2]] == [(8, 16), (8,)]
    assert arms[2].environment == {"MPIR_CVAR_ASYNC_PROGRESS": "1"}
    assert arms[3].aggregators == 1
    openmpi = MpiLibrary("openmpi", "openmpi", "4", "", "", healthy=True)
    assert wanted.left_out([openmpi]) == [
        "library_thread is left out: openmpi has no progress thread"
    ]


def test_rows_without_processors_have_no_times(checkout: Checkout) -> None:
    said = checkout.isobath(*QUICK, "--progress", "library,thread", "--no-report")

    assert said.code == 0, said.err
    rows = rows_of("pipelined thread", said.out)
    assert rows
    assert all("OVERSUBSCRIBED: no result" in row for row in rows)


def test_a_stored_one_is_shown_again_and_as_json(checkout: Checkout) -> None:
    assert checkout.isobath(*QUICK, "--progress", "library", "--no-report").code == 0
    name = the_bench(checkout).path.name

    said = checkout.isobath("bench", "cg", "--of", name, "--json")

    assert said.code == 0, said.err
    found = json.loads(said.out)
    assert found["study"] == name
    (small, large) = found["groups"]
    assert (small["elements"], large["elements"]) == (8, 16)
    row = next(one for one in large["rows"]
               if (one["method"], one["progress"]) == ("pipelined", "library"))  # fmt: skip
    assert row["speedup"]["value"] == pytest.approx(1.25, rel=0.01)
    assert row["algorithm"]["value"] == pytest.approx(0.8, rel=0.01)
    assert checkout.isobath("report", name).code == 0
    assert checkout.isobath("bench", "cg", "--of", "nothing").code == 2
    assert checkout.isobath("bench", "cg", "--of", "last", "--json").out == said.out


def test_wrong_norms_are_violations(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "data")

    said = checkout.isobath(*QUICK, "--progress", "library", "--no-report")

    assert said.code == 1
    assert "2 is not 1" in said.err
    assert "pipelined" not in said.out


def test_a_missing_petsc_is_one_sentence_and_no_failure(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isobath.launch.petsc.shutil.which", lambda name: None)

    said = checkout.isobath(*QUICK[:-1], "--progress", "none", "--no-report", "--launches", "1")

    assert said.code == 0, said.err
    assert "PETSc is left out: pkg-config is not here; on Debian: apt-get install" in said.err


@pytest.mark.parametrize("words", [("--elements", "x"), ("--progress", "magic"),
                                   ("--preset", "huge"), ("--tests", "0"), ("--elements", "1"),
                                   ("--elements", "1000000000"), ("--ranks", "200")])  # fmt: skip
def test_what_makes_no_sense_is_wrong_use(checkout: Checkout, words: tuple[str, str]) -> None:
    assert checkout.isobath("bench", "cg", *words).code == 2
    assert not (checkout.prefix / "studies").exists()


def test_ranges_are_said(checkout: Checkout) -> None:
    said = checkout.isobath("bench", "cg", "--tests", "0")
    assert "--tests 0: the least is 1" in said.err
    said = checkout.isobath("bench", "cg", "--elements", "4,2", "--ranks", "4")
    assert "a mesh of 2 elements a side has fewer rows than 4 ranks" in said.err


ONCE = ("--progress", "library", "--no-report", "--no-profile")


def test_what_is_named_twice_is_measured_once(checkout: Checkout) -> None:
    said = checkout.isobath("bench", "cg", "--elements", "16,16", "--ranks", "2,2", "--no-petsc",
                            "--mpi", "fake,fake", "--progress", "library,library", "--tests", "3,3",
                            "--launches", "1", "--no-report", "--no-profile")  # fmt: skip

    assert said.code == 0, said.err
    plan = PLAN.read(the_bench(checkout))
    assert (len(plan.arms), plan.arms[0].elements, plan.tests) == (1, (16,), (3,))
    assert plan.arms[0].modes == ("library",)
    assert said.out.startswith("FEW LAUNCHES: 1, fewer than 3; ")
    row = rows_of("pipelined library", said.out)[0]
    assert row.split()[4] == "-", "no interval of one launch"


def test_of_two_an_ambiguous_beginning_is_named(checkout: Checkout) -> None:
    for _ in range(2):
        assert checkout.isobath(*QUICK, *ONCE, "--launches", "1").code == 0
    names = [row.study_id for row in Catalogue().rows(Shelf((checkout.prefix / "studies",)))]

    said = checkout.isobath("bench", "cg", "--of", "2")

    assert said.code == 2
    assert f"2 means 2 studies: {', '.join(names)}" in said.err
    said = checkout.isobath("bench", "cg", "--of", "last", "--json")
    assert json.loads(said.out)["study"] == names[-1]


@pytest.mark.parametrize(("words", "named"), [(("--ranks", "99"), "--ranks"),
                                              (("--no-petsc",), "--no-petsc"),
                                              (("--tests", "4"), "--tests")])  # fmt: skip
def test_options_of_measuring_do_not_go_with_what_is_stored(
    checkout: Checkout, words: tuple[str, ...], named: str
) -> None:
    said = checkout.isobath("bench", "cg", "--of", "last", *words)
    assert said.code == 2
    assert f"--of shows what is stored; leave {named} out" in said.err


def test_a_changed_launch_ends_with_3_and_is_named(checkout: Checkout) -> None:
    assert checkout.isobath(*QUICK, *ONCE).code == 0
    bench = the_bench(checkout)
    with (bench.runs / "a00-1" / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("junk\n")
    sentence = (
        "a00-1: records.jsonl was changed after sealing; the launch is left out of every number"
    )

    for words in (("bench", "cg", "--of", "last"), ("show", bench.path.name)):
        said = checkout.isobath(*words)
        assert said.code == 3
        assert sentence in said.err
        assert said.err.count("a00-1") == 1
        assert said.out.startswith("FEW LAUNCHES: 2, fewer than 3; ")
        assert rows_of("pipelined library", said.out)
    assert checkout.isobath("report", bench.path.name).code == 3
    (bench.runs / "a00-1" / "records.jsonl").unlink()
    said = checkout.isobath("bench", "cg", "--of", "last")
    assert "a00-1: records.jsonl is missing; the launch is left out" in said.err
    assert "Errno" not in said.err


@pytest.mark.parametrize("damage", ["junk", "removed"])
def test_a_damaged_profile_costs_its_shares_alone(checkout: Checkout, damage: str) -> None:
    assert checkout.isobath(*QUICK, *ONCE).code == 0
    bench = the_bench(checkout)
    header = json.loads((bench.path / STUDY).read_text(encoding="utf-8"))
    header["plan"]["profiled"] = True
    (bench.path / STUDY).write_text(json.dumps(header), encoding="utf-8")
    copied = bench.runs / "a00-profile"
    copied.mkdir()
    for file in (bench.runs / "a00-0").iterdir():
        (copied / file.name).write_bytes(file.read_bytes())
    assert checkout.isobath("bench", "cg", "--of", "last").code == 0
    if damage == "junk":
        (copied / "records.jsonl").write_text("junk\n", encoding="utf-8")
    else:
        (copied / "records.jsonl").unlink()

    said = checkout.isobath("bench", "cg", "--of", "last")

    assert said.code == 3
    assert said.err.count("a00-profile: records.jsonl ") == 1
    assert "; the profile is left out of every number" in said.err
    assert rows_of("pipelined library", said.out)


def test_failures_are_said_again_where_they_are_stored(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "crash")
    assert checkout.isobath(*QUICK, *ONCE).code == 2
    for words in (("bench", "cg", "--of", "last"), ("show", the_bench(checkout).study_id)):
        said = checkout.isobath(*words)
        assert said.code == 0, "nothing is damaged: what is stored is shown"
        assert "a00-0: the residual came down to rounding" in said.err


def test_a_launch_that_is_cut_off_is_set_aside(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "hang")
    monkeypatch.setenv("FAKE_LABORATORY", str(os.getpid()))

    said = checkout.isobath(*QUICK, *ONCE)

    assert said.code == 3
    labels = said.out.splitlines()[:2]
    assert labels[0] == "UNFINISHED: 1 of 3 launches are done."
    assert labels[1].startswith("FEW LAUNCHES: ")
    bench = the_bench(checkout)
    assert sorted(one.name for one in bench.runs.iterdir()) == ["a00-0"]
    (cut_off,) = (bench.path / "cut-off").iterdir()
    assert cut_off.name.startswith("a00-1-")
    kept = "interrupted after 1 of 3 launches; they are kept: go on with"
    assert f"{kept} {front_door()} resume" in said.err
    assert checkout.isobath("bench", "cg", "--of", "last").out == said.out


def test_what_was_cut_off_or_failed_is_done_again(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "hang")
    monkeypatch.setenv("FAKE_LABORATORY", str(os.getpid()))
    assert checkout.isobath(*QUICK, *ONCE).code == 3
    monkeypatch.setenv("FAKE_TROUBLE", "crash")
    failed = checkout.isobath("bench", "cg", "--resume", "last", "--no-report")
    assert failed.code == 2
    assert "launches failed or were not begun; they are tried again" in failed.err
    monkeypatch.delenv("FAKE_TROUBLE")

    said = checkout.isobath("resume", "last", "--no-report")

    assert said.code == 0, said.err
    assert "UNFINISHED" not in said.out
    bench = the_bench(checkout)
    assert sorted(one.name for one in bench.runs.iterdir()) == ["a00-0", "a00-1", "a00-2"]
    assert "[2/3]" in said.err
    assert "[1/3]" not in said.err, "the first launch was sealed and is kept"
    assert len(list((bench.path / "cut-off").iterdir())) == 3


def test_a_changed_launch_is_measured_again_when_the_study_is_resumed(checkout: Checkout) -> None:
    assert checkout.isobath(*QUICK, *ONCE).code == 0
    bench = the_bench(checkout)
    with (bench.runs / "a00-1" / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("junk\n")

    said = checkout.isobath("resume", bench.study_id, "--no-report")

    assert said.code == 0, said.err
    assert checkout.isobath("show", bench.study_id).code == 0
    (aside,) = (bench.path / "cut-off").iterdir()
    assert aside.name.startswith("a00-1-"), "nothing is lost"


def test_a_benchmark_of_before_is_shown_resumed_and_reported(checkout: Checkout) -> None:
    assert checkout.isobath(*QUICK, *ONCE).code == 0
    bench = the_bench(checkout)
    plan = PLAN.read(bench)
    older = checkout.prefix / "benches" / "20261101-080000-cg-0a1b"
    older.parent.mkdir()
    bench.path.rename(older)
    (older / STUDY).unlink()
    (older / "cg.json").write_text(plan.model_dump_json(), encoding="utf-8")

    for words in (("show", older.name), ("show", "20261101"), ("bench", "cg", "--of", str(older))):
        said = checkout.isobath(*words)
        assert said.code == 0, said.err
        assert rows_of("pipelined library", said.out)
    assert checkout.isobath("resume", "last", "--no-report").code == 0
    said = checkout.isobath("report", older.name)
    assert said.code == 0
    assert said.out.strip().endswith("20261101-080000-cg-0a1b/report.html")


@pytest.mark.parametrize(
    ("trouble", "words", "rank"),
    [
        ("killed", "rank 1 was killed by SIGKILL while it measured cell 1 of 2, allreduce", 1),
        ("launcher", "the launcher mpiexec was killed by SIGKILL while its ranks measured", None),
    ],
)
def test_who_was_killed_in_a_benchmark_is_named(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, trouble: str, words: str, rank: int | None
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", trouble)

    said = checkout.isobath(*QUICK, "--progress", "library", "--launches", "1", "--no-report")

    assert said.code == 3
    assert words in said.err
    sealed = the_bench(checkout).sealed("a00-0")
    assert sealed is not None
    rows = read_records(sealed.path / "records.jsonl")
    (failure,) = (row for row in rows if isinstance(row, FailureRecord))
    assert failure.message.startswith(words)
    assert (failure.rank, failure.signal) == (rank, 9)


def test_an_example_of_petsc_that_is_not_there_is_refused(checkout: Checkout) -> None:
    said = checkout.isobath("bench", "cg", "--petsc-example", "/nowhere/ex3.c")

    assert said.code == 2
    (line,) = said.err.splitlines()
    assert line == (
        "isobath: --petsc-example /nowhere/ex3.c: there is no such file; name "
        "src/ksp/ksp/tutorials/ex3.c of PETSc's sources"
    )
    both = checkout.isobath("bench", "cg", "--petsc-example", __file__, "--no-petsc")
    assert both.code == 2
    assert "leave --no-petsc out" in both.err


def test_an_example_of_petsc_without_petsc_ends_with_3(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    said = checkout.isobath("bench", "cg", "--petsc-example", __file__)

    assert said.code == 3
    (line,) = said.err.splitlines()
    assert line == (
        "isobath: --petsc-example cannot be measured: PETSc is left out: pkg-config is not here; "
        "on Debian: apt-get install pkg-config"
    )
    assert not (checkout.prefix / "studies").exists()
