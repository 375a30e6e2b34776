# SPDX-License-Identifier: Apache-2.0
"""isobath bench collectives --cross-check imb, with a made-up IMB."""

import json
from pathlib import Path

import pytest

from cli.conftest import Checkout
from cli.test_bench_command import outputs, the_bench
from fake_mpi import install_imb
from isobath.bench.cross_check import cross_checks
from isobath.bench.measured import read_measured
from isobath.interchange.imb import ImbRow, read_imb

CHECK = ("bench", "collectives", "--ranks", "2", "--seed", "7", "--cross-check", "imb")
WORDS = ("--collectives", "barrier,bcast,reduce_scatter", "--sizes", "64,4K", "--launches", "5")


def test_imb_is_launched_in_turns_and_compared_by_its_own_definition(checkout: Checkout) -> None:
    install_imb(checkout.prefix)

    said = checkout.isobath(*CHECK, *WORDS)

    assert said.code == 0, said.err
    turns = [line for line in said.err.splitlines() if "launch " in line and "[" in line]
    assert ["; IMB after it" in line for line in turns] == [True] * 5
    bench = the_bench(checkout)
    assert {cell.datatype for cell in bench.plan().arms[0].cells} == {None, "float"}
    checks = cross_checks(read_measured(bench), bench.path)
    sizes = {(one.ours.cell.collective, one.ours.cell.size_bytes) for one in checks}
    assert sizes == {("barrier", 0), ("bcast", 64), ("bcast", 4096),
                     ("reduce_scatter", 64), ("reduce_scatter", 4096)}  # fmt: skip
    assert {one.imb[0].size_bytes for one in checks if one.ours.cell.collective != "bcast"} == {
        0, 128, 8192,
    }  # IMB counts the whole vector of a reduce_scatter  # fmt: skip
    assert all(len(one.own_means) == len(one.imb) == 5 for one in checks)
    bcasts = [one for one in checks if one.ours.cell.collective == "bcast"]
    assert [one.outcome for one in bcasts] == ["within", "within"]
    assert "values of IMB lie in our interval" in said.out
    told = json.loads(outputs(checkout, "json")[0])["cross_check"]
    assert [one["outcome"] for one in told if one["collective"] == "bcast"] == ["within"] * 2
    file = checkout.prefix / "reports" / bench.study_id / "report.html"
    page = file.read_text(encoding="utf-8")
    assert "Cross-check with IMB" in page
    assert "Means of the slowest rank" in page


def test_what_lies_outside_is_said_with_a_reason(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_imb(checkout.prefix)
    monkeypatch.setenv("FAKE_IMB", "slow")

    said = checkout.isobath(*CHECK, *WORDS, "--no-report")

    assert said.code == 0, said.err
    assert "outside" in said.out
    assert "IMB is slower" in said.out


def test_the_imb_that_is_named_is_taken_also_where_a_folder_is(
    checkout: Checkout, tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    install_imb(checkout.prefix).rename(place / "IMB-MPI1")

    for named in (place, place / "IMB-MPI1"):
        said = checkout.isobath(*CHECK, "--imb", named, *WORDS, "--dry-run")
        assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ((), 3, "there is no IMB-MPI1 beside"),
        (("--imb", "/nowhere"), 3, "there is no IMB-MPI1 at /nowhere"),
        (("--collectives", "scan"), 2, "IMB-MPI1 has blocking collectives of all ranks"),
        (("--algorithms", "all"), 2, "leave --algorithms"),
        (("--cross-check", "osu"), 2, "--cross-check osu: choose one of imb"),
    ],
)
def test_what_cannot_be_compared_ends_in_one_sentence(
    checkout: Checkout, words: tuple[str, ...], code: int, sentence: str
) -> None:
    said = checkout.isobath(*CHECK, *words)

    assert said.code == code
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_an_imb_that_prints_nothing_ends_the_benchmark(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_imb(checkout.prefix)
    monkeypatch.setenv("FAKE_IMB", "silent")

    said = checkout.isobath(*CHECK, *WORDS)

    assert said.code == 3
    assert "IMB-MPI1 did not give a result: no row was printed" in said.err


def test_the_text_of_imb_is_read_as_it_is_printed() -> None:
    text = """
# Benchmarking Alltoall
# #processes = 2
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
           64         1000         0.39         0.40         0.39

# Benchmarking Barrier
# #processes = 2
# ( 2 additional processes waiting in MPI_Barrier)
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         0.15         0.16         0.15
# All processes entering MPI_Finalize
"""

    assert read_imb(text) == (
        ImbRow("Alltoall", 2, 64, 1000, 0.39, 0.40, 0.39),
        ImbRow("Barrier", 2, 0, 1000, 0.15, 0.16, 0.15),
    )
