# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from bench.made_up import measured_of
from isobath.bench.algorithms import (
    OPENMPI,
    OPENMPI_RULE_IDS,
)
from isobath.bench.design import MPI_2_1, BenchDesign, cells_of
from isobath.bench.findings import switches_of, traps_of
from isobath.bench.guidelines import checks_of
from isobath.bench.places import k_throughput
from isobath.bench.presets import PRESETS
from isobath.bench.rates import algorithm_bandwidth, bus_bandwidth
from isobath.bench.regret import regrets_of
from isobath.bench.rules import rule_files
from isobath.errors import UsageError
from isobath.records.collective import COLLECTIVE_NAMES


def line(size: int) -> float:
    return 2e-6 + 1e-9 * size


POWERS = [1 << power for power in range(4, 15)]


def test_a_quiet_library_has_no_findings() -> None:
    measured = measured_of({("bcast", size, ""): line(size) for size in POWERS})

    assert switches_of(measured) == ()
    assert traps_of(measured) == ()
    assert {one.outcome for one in checks_of(measured)} <= {"kept", "unclear"}


def test_a_documented_switch_is_named_with_its_variable() -> None:
    times = {("alltoall", s, ""): line(s) * (1 if s <= 256 else 3) for s in POWERS}

    (switch,) = switches_of(measured_of(times, ranks=8))
    (few,) = switches_of(measured_of(times, ranks=4))  # Bruck is for 8 ranks and more

    assert (switch.point.low, switch.point.high) == (256, 512)
    assert switch.words().endswith("documented 257 B (MPICH's selection file)")
    assert few.documented is None


@pytest.mark.parametrize(
    ("at", "factor", "words"),
    [
        (1024, 9.0, "1 KiB takes 4.5 times as long as two calls of 512 B; split it"),
        (1024, 3.0, "1 KiB takes 2.2 times as long as 2 KiB; pad to 2 KiB"),
    ],
)
def test_traps_are_told_in_plain_words(at: int, factor: float, words: str) -> None:
    def seconds(size: int) -> float:
        return 1e-6 * (factor * 1.5 if size == at else 1.5 if size < at else 2.0)

    traps = traps_of(measured_of({("gather", s, ""): seconds(s) for s in POWERS}))

    assert f"gather, 2 ranks: {words}" in [one.sentence for one in traps]


def test_the_rate_that_falls_above_256_bytes_is_a_trap() -> None:
    times = {("scatter", s, ""): 1e-6 if s <= 256 else 1e-6 * s / 100 for s in POWERS}

    sentences = [one.sentence for one in traps_of(measured_of(times))]

    assert any("above 256 B the rate falls, at 512 B to 39 % of what" in one for one in sentences)


def test_regret_is_against_the_fastest_and_clear_only_where_intervals_part() -> None:
    measured = measured_of(
        {
            ("bcast", 8, ""): 4e-6, ("bcast", 8, "binomial"): 2e-6, ("bcast", 8, "tree"): 3e-6,
            ("bcast", 64, ""): 4e-6, ("bcast", 64, "binomial"): 3.98e-6,
            ("bcast", 512, ""): 4e-6, ("bcast", 512, "binomial"): 8e-6,
        }
    )  # fmt: skip

    small, middle, large = regrets_of(measured)

    assert (small.best.choice, small.tried, small.is_clear) == ("binomial", 2, True)
    assert small.loss == pytest.approx(1.0, rel=0.01)
    assert not middle.is_clear
    assert (large.loss, large.is_clear) == (0.0, False)


def test_open_mpi_gets_a_classic_rule_file_that_its_reader_would_accept() -> None:
    times = {}
    for size in POWERS:
        times["allgather", size, ""] = 8e-6
        times["allgather", size, "bruck"] = 4e-6 if size <= 64 else 9e-6
        times["allgather", size, "ring"] = 9e-6 if size <= 64 else 2e-6
        times["alltoallv", size, ""] = 8e-6
        times["alltoallv", size, "pairwise"] = 4e-6
    (rules,) = rule_files(measured_of(times, family="openmpi", ranks=4))

    words = [line.partition("#")[0].split() for line in rules.text.splitlines()]
    numbers = [int(word) for line in words for word in line]
    found = {}
    position = 1
    for _ in range(numbers[0]):  # as coll/tuned reads it: a tree of counts
        collective, sizes = numbers[position], numbers[position + 1]
        position += 2
        for _ in range(sizes):
            ranks, messages = numbers[position], numbers[position + 1]
            position += 2
            rules_of = []
            for _ in range(messages):
                rules_of.append(tuple(numbers[position : position + 4]))
                position += 4
            found[collective, ranks] = rules_of
    assert position == len(numbers)
    gathers, alltoallv = (OPENMPI_RULE_IDS[name] for name in ("allgather", "alltoallv"))
    assert found == {
        (gathers, 4): [(0, 2, 0, 0), (4 * 128, 4, 0, 0)],  # Open MPI's own sizes
        (gathers, 5): [(0, 0, 0, 0)],  # more ranks were not measured
        (alltoallv, 4): [(0, 2, 0, 0)],
        (alltoallv, 5): [(0, 0, 0, 0)],
    }


def test_rules_of_several_numbers_of_ranks_stand_beside_each_other() -> None:
    parts = []
    for ranks, best in ((2, "ring"), (4, "bruck")):
        times = {("allgather", 64, ""): 8e-6, ("allgather", 64, best): 4e-6}
        parts.append(measured_of(times, family="openmpi", ranks=ranks))
    both = replace(parts[0], cells=(*parts[0].cells, *parts[1].cells))

    (rules,) = rule_files(both)

    lines = [line.partition(" #")[0] for line in rules.text.splitlines()]
    assert lines == ["1", "0", "4", "2", "1", "0 4 0 0", "3", "1", "0 0 0 0",
                     "4", "1", "0 2 0 0", "5", "1", "0 0 0 0"]  # fmt: skip


def test_only_plain_cells_make_rules() -> None:
    times = {("allgather", 64, ""): 8e-6, ("allgather", 64, "ring"): 4e-6}
    measured = measured_of(times, family="openmpi")
    dirty = [
        replace(one, cell=one.cell.model_copy(update={"buffers": "dirty"}))
        for one in measured.cells
    ]

    assert len(rule_files(measured)) == 1
    assert rule_files(replace(measured, cells=tuple(dirty))) == ()


def test_intel_gets_ranges_of_sizes_and_mpich_a_variable_where_one_is_best() -> None:
    times = {}
    for size in (16, 32, 64):
        times["allreduce", size, ""] = 8e-6
        times["allreduce", size, "algorithm 2"] = 4e-6 if size < 64 else 9e-6
        times["allreduce", size, "algorithm 7"] = 9e-6 if size < 64 else 4e-6
    (intel,) = rule_files(measured_of(times, family="intel"))
    assert intel.text == 'export I_MPI_ADJUST_ALLREDUCE="2:16-32@2-2;7:64-64@2-2"\n'

    one = {("bcast", 8, ""): 4e-6, ("bcast", 8, "binomial"): 2e-6}
    (hydra,) = rule_files(measured_of(one))
    assert "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial" in hydra.text
    assert rule_files(measured_of({("bcast", 8, ""): 4e-6})) == ()


def test_no_rule_that_would_slow_another_size_down() -> None:
    times = {
        ("allreduce", 16, ""): 4e-6,
        ("allreduce", 16, "recursive_doubling"): 2e-6,
        ("allreduce", 1 << 22, ""): 1e-3,
        ("allreduce", 1 << 22, "recursive_doubling"): 3e-3,
    }

    (rules,) = rule_files(measured_of(times))

    assert "export" not in rules.text
    assert "recursive_doubling wins at 16 bytes and loses at 4194304" in rules.text


def test_a_rule_without_sizes_is_not_given_where_it_would_slow_others_down() -> None:
    first = OPENMPI["alltoallv"][0]
    times = {
        ("alltoallv", 16, ""): 4e-6,
        ("alltoallv", 16, first): 2e-6,
        ("alltoallv", 1 << 20, ""): 1e-3,
        ("alltoallv", 1 << 20, first): 3e-3,
    }

    (rules,) = rule_files(measured_of(times, family="openmpi"))

    assert "0 0 0 0 # from this size: algorithm" in rules.text
    assert "0 1 0 0" not in rules.text


def test_guidelines_are_broken_only_beyond_doubt_and_take_the_next_larger_size() -> None:
    times = {("allgather", 64, ""): 30e-6, ("gather", 64, ""): 5e-6}
    measured = measured_of(times | {("bcast", 100, ""): 1e-6, ("bcast", 256, ""): 5e-6})

    broken = [one for one in checks_of(measured) if one.outcome == "broken"]

    (one,) = broken
    assert one.words == "allgather <= gather + bcast"
    assert [part.cell.size_bytes for part in one.right] == [64, 256]  # 2 x 64 is not measured
    assert one.factor == pytest.approx(3.0, rel=0.01)
    near = measured_of(times | {("bcast", 256, ""): 24e-6})  # 3 % are nobody's trouble
    assert [c.outcome for c in checks_of(near) if "gather + bcast" in c.words] == ["kept"]
    assert not [c for c in checks_of(measured_of(times)) if "bcast" in c.words]


def test_growth_with_size_is_a_guideline_too() -> None:
    measured = measured_of({("reduce", 8, ""): 9e-6, ("reduce", 16, ""): 3e-6})

    assert [one.words for one in checks_of(measured)] == ["reduce grows with size"]
    assert checks_of(measured)[0].outcome == "broken"


def test_oversubscribed_cells_are_no_results_whatever_they_say() -> None:
    times = {("gather", s, ""): 1e-6 if s <= 256 else 1e-3 for s in POWERS}
    measured = measured_of(times, oversubscribed=True)

    assert (measured.results, measured.curves) == ((), ())
    assert (switches_of(measured), traps_of(measured), checks_of(measured)) == ((), (), ())


def test_three_bandwidths_have_three_values() -> None:
    (one,) = measured_of({("allgather", 1000, ""): 1e-3}, ranks=4).cells

    assert k_throughput(one, by_ranks=True) == pytest.approx(4e6)
    assert bus_bandwidth(one) == pytest.approx(3e6)
    assert algorithm_bandwidth(one) == pytest.approx(1e6)


def test_cells_leave_out_what_a_collective_does_not_have() -> None:
    design = BenchDesign(
        collectives=("barrier", "bcast", "alltoallv"), sizes=(8, 64), shapes=("2x2",),
        along=("world", "row"), together=(False, True), counts=("uniform", "zipf:1"),
        operations=("sum", "max"), root_ranks=(0, 3),
    )  # fmt: skip
    cells = cells_of(design, 4)

    assert len(cells) == len(set(cells))
    barriers = [one for one in cells if one.collective == "barrier"]
    assert {(one.along, one.together) for one in barriers} == {
        ("world", False), ("row", False), ("row", True),
    }  # fmt: skip
    assert all((one.size_bytes, one.operation, one.root_rank) == (0, None, None)
               for one in barriers)  # fmt: skip
    assert {one.root_rank for one in cells if one.collective == "bcast"} == {0, 3}
    assert {one.counts for one in cells if one.collective == "bcast"} == {"uniform"}
    assert {one.counts for one in cells if one.collective == "alltoallv"} == {"uniform", "zipf:1"}
    with pytest.raises(UsageError, match="not 3 ranks"):
        cells_of(design, 3)


def test_buffers_of_a_rank_are_shared_by_its_peers() -> None:
    (cell,) = cells_of(BenchDesign(collectives=("alltoallv",), buffer_totals=(64_000_000,)), 256)

    assert cell.size_bytes == 250_000


def test_presets_cover_the_collectives_and_sizes_they_promise() -> None:
    small = PRESETS["small"]()
    assert set(small.design.collectives) == set(COLLECTIVE_NAMES)
    assert set(MPI_2_1) < set(COLLECTIVE_NAMES)
    assert len(MPI_2_1) == 16
    everything = PRESETS["all"]().design.sizes
    assert (everything[0], everything[-1]) == (1, 1 << 30)
    assert PRESETS["tsubame-figure-3"]().design.buffer_totals[-1] == 1_024_000_000
    for preset in PRESETS.values():
        assert cells_of(preset().design.checked(), 4)


def test_nothing_is_concluded_where_few_launches_disagree() -> None:
    times = {("gather", s, ""): 1e-6 if s <= 256 else 1e-3 for s in POWERS}
    measured = measured_of(times | {("gather", 16, "binomial"): 1e-7})
    assert traps_of(measured)
    assert regrets_of(measured)[0].is_clear

    slow = measured_of({key: 5 * value for key, value in times.items()})
    cells = tuple(
        replace(one, records=(*one.records[:2], other.records[2]))
        for one, other in zip(measured.cells, slow.cells, strict=False)
    )
    doubtful = replace(measured, cells=(*cells, measured.cells[-1]))

    assert all(one.launches_disagree for one in cells)
    assert traps_of(doubtful) == ()
    assert not regrets_of(doubtful)[0].is_clear
    assert {one.outcome for one in checks_of(doubtful)} == {"unclear"}
    assert all(one.bounds[1] == pytest.approx(5 * one.seconds) for one in cells)
