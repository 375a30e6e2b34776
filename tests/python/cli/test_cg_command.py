# SPDX-License-Identifier: Apache-2.0
import json

import pytest

from cli.conftest import Checkout
from isobath.cli.bench_overlap import MODES
from isobath.cli.cg_plan import Plan
from isobath.krylov.spec import CgFolder
from isobath.launch.mpi_library import MpiLibrary

QUICK = ("bench", "cg", "--elements", "8,16", "--ranks", "2", "--seed", "7", "--no-petsc")


def the_bench(checkout: Checkout) -> CgFolder:
    (path,) = (checkout.prefix / "benches").iterdir()
    return CgFolder(path)


def test_every_launch_is_sealed_and_the_table_says_algorithm_and_overlap(
    checkout: Checkout,
) -> None:
    said = checkout.isobath(*QUICK, "--progress", "library")

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    spec = bench.spec()
    assert (spec.seed, spec.launches, spec.iterations) == (7, 3, 100)
    for arm, launch in spec.runs():
        sealed = bench.sealed_run(arm, launch)
        assert sealed is not None
        assert sealed.verify() == []
        assert sealed.summary().verdict == "validated"
    assert all(len(line) <= 80 for line in said.out.splitlines())
    words = " ".join(said.out.split())
    assert "fake, 2 ranks, 16 x 16 elements" in words
    assert "pipelined, library is the fastest that may hide a reduction: 1.25 x as fast" in words
    assert "of that the algorithm is 0.80 x and the overlap 1.56 x" in words
    assert "what it gains is hidden time" in words
    page = checkout.prefix / "reports" / f"{bench.path.name}.html"
    assert "Time of an iteration" in page.read_text(encoding="utf-8")


def test_ways_that_slow_every_call_have_launches_of_their_own_and_few_where_there_is_no_room() -> (
    None
):
    library = MpiLibrary("fake", "mpich-wheel", "5", "", "", healthy=True)
    wanted = Plan(elements=(8, 16), modes=MODES, ranks=(2,), threads=1, aggregators=1, cpus=3)

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
    rows = [line for line in said.out.splitlines() if line.startswith("pipelined thread")]
    assert rows
    assert all("OVERSUBSCRIBED: no result" in row for row in rows)


def test_a_stored_one_is_shown_again_and_as_json(checkout: Checkout) -> None:
    assert checkout.isobath(*QUICK, "--progress", "library", "--no-report").code == 0
    name = the_bench(checkout).path.name

    said = checkout.isobath("bench", "cg", "--of", name, "--json")

    assert said.code == 0, said.err
    found = json.loads(said.out)
    assert found["bench"] == name
    (small, large) = found["groups"]
    assert (small["elements"], large["elements"]) == (8, 16)
    row = next(one for one in large["rows"]
               if (one["method"], one["progress"]) == ("pipelined", "library"))  # fmt: skip
    assert row["speedup"]["value"] == pytest.approx(1.25, rel=0.01)
    assert row["algorithm"]["value"] == pytest.approx(0.8, rel=0.01)
    assert checkout.isobath("report", name).code == 0
    assert checkout.isobath("bench", "cg", "--of", "nothing").code == 2


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
                                   ("--preset", "huge"), ("--tests", "0")])  # fmt: skip
def test_what_makes_no_sense_is_wrong_use(checkout: Checkout, words: tuple[str, str]) -> None:
    assert checkout.isobath("bench", "cg", *words).code == 2
    assert not (checkout.prefix / "benches").exists()
