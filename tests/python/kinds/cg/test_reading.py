# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.kinds.cg.findings import break_even, gain, sentences
from isobath.kinds.cg.reading import Group, first_difference, groups_of, norms_apart, own_norms
from isobath.kinds.cg.sections import section
from isobath.records.krylov import KrylovProgress, KrylovRecord, Method
from records import examples

ITERATIONS = 10


def records(
    method: Method, progress: KrylovProgress, microseconds: float, waiting: int = 0
) -> list[tuple[bool, KrylovRecord]]:
    """Three launches that differ by a thousandth."""
    return [
        (
            True,
            examples.krylov_record(
                method=method,
                progress=progress,
                nanoseconds=(int(microseconds * 1000 * ITERATIONS * (1 + launch / 1000)),) * 3,
                launch=launch,
                waiting=waiting,
            ),
        )
        for launch in range(3)
    ]


def group(*rows: list[tuple[bool, KrylovRecord]]) -> Group:
    (found,) = groups_of("some", [one for row in rows for one in row])
    return found


PLAIN = records("cg", "blocking", 10, waiting=40_000)
CONTROL = records("pipelined", "blocking", 12.5, waiting=20_000)
HIDDEN = records("pipelined", "library", 8, waiting=1_000)


def test_a_gain_is_algorithm_times_overlap() -> None:
    found = group(PLAIN, CONTROL, HIDDEN)
    row = found.row("pipelined", "library")
    assert row is not None

    said = gain(found, row)

    assert said is not None
    assert said.total.value == pytest.approx(1.25, rel=0.01)
    assert said.algorithm.value == pytest.approx(0.8, rel=0.01)
    assert said.overlap.value == pytest.approx(1.5625, rel=0.01)
    assert said.total.value == pytest.approx(said.algorithm.value * said.overlap.value)
    assert (said.total.is_gain, said.algorithm.is_loss, said.overlap.is_gain) == (True,) * 3
    assert "what it gains is hidden time" in sentences(found)[1]


def test_of_two_launches_nothing_is_sure() -> None:
    found = group(PLAIN[:2], CONTROL[:2], HIDDEN[:2])
    row = found.row("pipelined", "library")
    assert row is not None
    assert row.interval is None
    said = gain(found, row)
    assert said is not None
    assert not said.total.is_gain
    assert "cannot tell from 1" in sentences(found)[0]


def test_parts_are_of_one_iteration() -> None:
    row = group(PLAIN).rows[0]
    assert row.reduction_seconds == pytest.approx(40_000e-9 / ITERATIONS)
    assert row.work_seconds == pytest.approx(6_000e-9 / ITERATIONS)


def test_break_even_sets_reductions_against_extra_work() -> None:
    even = break_even(group(PLAIN, CONTROL), "pipelined")
    assert even is not None
    assert even.reductions == pytest.approx(4e-6)
    assert even.extra == 0
    assert even.can_pay
    assert break_even(group(CONTROL), "pipelined") is None


def test_blocking_rows_of_launches_that_slow_every_call_are_no_baseline() -> None:
    slowed = [(False, one) for _, one in records("cg", "blocking", 99)]
    found = group(slowed, PLAIN)
    assert found.plain is not None
    assert found.plain.iteration.value == pytest.approx(10e-6, rel=0.01)


def test_one_rank_and_no_result_are_said() -> None:
    crowded = [
        (base, one.model_copy(update={"oversubscribed": True})) for base, one in PLAIN + HIDDEN
    ]
    assert sentences(group(crowded)) == [
        "more ranks and threads than processors: no time is a result"
    ]
    alone = [(base, one.model_copy(update={"ranks": 1})) for base, one in PLAIN]
    assert "nobody to wait for" in sentences(group(alone))[0]
    assert sentences(group(HIDDEN)) == ["there are no plain conjugate gradients to compare with"]


def test_norms_are_held_against_ours_until_rounding_parts_them() -> None:
    assert first_difference((1.0, 0.5, 0.25), (1.0, 0.5, 0.25)) is None
    assert first_difference((1.0, 0.5, 0.2501), (1.0, 0.5, 0.25)) == 2
    assert first_difference((1.0, 3e-8), (1.0, 1e-8)) is None
    assert first_difference((1.0, float("nan")), (1.0, 0.5)) == 1

    ours = examples.krylov_record(method="cg", progress="blocking")
    theirs = ours.model_copy(update={"implementation": "petsc", "parts": None})
    wrong = theirs.model_copy(update={"norms": (1.0, 0.6)})
    assert norms_apart([ours, theirs]) == []
    (sentence,) = norms_apart([ours, wrong])
    assert sentence.endswith("the natural norm before iteration 1 is 0.6, ours 0.5")


def test_a_launch_counts_once_however_often_a_cell_stands_in_it() -> None:
    (row,) = group(PLAIN[:1], PLAIN[:1], PLAIN[:1]).rows
    assert row.iteration.launches == 1
    assert row.interval is None


def test_petscs_times_are_no_result_where_its_norms_are_not_held_against_ours() -> None:
    theirs = [
        (base, one.model_copy(update={"implementation": "petsc", "parts": None}))
        for base, one in PLAIN
    ]
    own = own_norms(one for _, one in PLAIN)
    assert own == {64: (1.0, 0.5)}
    (checked,) = group(theirs).held_against(own).rows
    assert checked.is_result
    (row,) = group(theirs).held_against({}).rows
    assert (row.remark, row.is_result) == ("not checked", False)
    assert "not checked" in sentences(group(theirs).held_against({}))[0]
    assert "NOT CHECKED: no result" in str(section(group(theirs).held_against({})))
    (row,) = group(theirs).held_against({64: (1.0, 0.6)}).rows
    assert row.remark == "wrong norms"
    (ours,) = group(PLAIN).held_against({}).rows
    assert ours.is_result
    failed = PLAIN[0][1].model_copy(update={"data_check": "failed", "data_check_failure": "no"})
    assert own_norms([failed]) == {}


def test_one_iteration_is_one() -> None:
    once = [(base, one.model_copy(update={"iterations": 1})) for base, one in PLAIN]
    assert "1 iteration in a solve: time of one" in str(section(group(once)))
