# SPDX-License-Identifier: Apache-2.0
"""bench collectives --algorithms own_ring: one's own algorithm beside the library's."""

import pytest

from cli.conftest import Checkout
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import read_measured
from isobath.study.shelf import Shelf

WORDS = ("bench", "collectives", "--ranks", "2", "--seed", "7", "--forms", "blocking",
         "--no-report", "--sizes", "8,1K")  # fmt: skip
SOME = (*WORDS, "--collectives", "allgather,bcast")


def the_bench(checkout: Checkout) -> BenchFolder:
    (study,) = Shelf((checkout.prefix / "studies",)).studies()
    return BenchFolder(study.path)


def test_it_is_measured_in_the_launches_of_the_library_and_read_beside_it(
    checkout: Checkout,
) -> None:
    said = checkout.isobath(*SOME, "--launches", "3", "--algorithms", "own_ring")

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    (arm,) = bench.plan().arms
    assert arm.environment == {}
    measured = read_measured(bench)
    own = [cell for cell in measured.results if cell.choice == "own_ring"]
    assert [(cell.cell.collective, cell.cell.size_bytes) for cell in own] == [
        ("allgather", 8),
        ("allgather", 1024),
    ]
    assert {row.algorithm_source for cell in own for row in cell.records} == {"own"}
    regrets = checkout.isobath("show", "last", "--view", "regret").out
    assert "own_ring" in regrets
    which = " ".join(checkout.isobath("show", "last", "--view", "algorithms").out.split())
    assert "own_ring own high" in which
    assert checkout.isobath("show", "last", "--view", "rules").out.startswith("# no default")


def test_a_wrong_one_ends_the_benchmark_with_1_and_is_no_result(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "data-of:own_ring")

    said = checkout.isobath(*SOME, "--launches", "1", "--algorithms", "own")

    assert said.code == 1
    assert "WRONG DATA: allgather, 8 B, 2 ranks, own_ring: rank 1 has 3" in said.out
    measured = read_measured(the_bench(checkout))
    assert {cell.choice for cell in measured.results} == {"default"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--algorithms", "own_tree"), "--algorithms own_tree is none of these collectives"),
        (("--algorithms", "own", "--collectives", "bcast"), "--algorithms own is none"),
    ],
)
def test_one_that_is_not_there_is_refused_in_one_sentence(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath(*WORDS, *words)

    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not (checkout.prefix / "studies").exists()
