# SPDX-License-Identifier: Apache-2.0
"""Cells of two sides that are of the same thing, and what is not compared."""

from comparison.sides import cell, side
from isobath.comparison.changes import changes_of
from isobath.comparison.matching import match
from isobath.comparison.measured import BOUNDS, Bound, pooled

RANKS: tuple[Bound, ...] = ("ranks",)


def test_a_setting_with_one_value_a_side_is_what_changed_and_no_part_of_a_name() -> None:
    before = side(
        "A", cell([1.0], settings={"mpi": "mpich", "threads": 1}), compiler="GNU 12", began=[0]
    )
    after = side(
        "B", cell([1.0], settings={"mpi": "openmpi", "threads": 1}), compiler="Clang 19", began=[0]
    )

    found = match(before, after)

    assert [one.words for one in found.pairs] == ["bcast, 8 B, 2 ranks"]
    assert [(one.name, one.before, one.after) for one in changes_of(before, after)] == [
        ("compiler", "GNU 12", "Clang 19"), ("mpi", "mpich", "openmpi"),
    ]  # fmt: skip


def test_a_setting_that_tells_cells_of_a_side_apart_is() -> None:
    both = [cell([1.0], settings={"mpi": one}) for one in ("mpich", "openmpi")]
    after = [cell([2.0], settings={"mpi": one}) for one in ("openmpi", "intel")]

    found = match(side("A", *both), side("B", *after))

    assert [(one.words, one.reference.value, one.other.value) for one in found.pairs] == [
        ("bcast, 8 B, 2 ranks, mpi openmpi", 1.0, 2.0)
    ]
    assert [one.settings["mpi"] for one in found.only_reference] == ["mpich"]
    assert [one.settings["mpi"] for one in found.only_other] == ["intel"]


def test_other_ranks_are_compared_only_where_that_is_wanted() -> None:
    before, after = side("A", cell([1.0])), side("B", cell([1.0], ranks="4 ranks"))

    apart = match(before, after)
    wanted = match(before, after, RANKS)

    assert (apart.pairs, dict(apart.differing)) == ((), {"ranks": ("2 ranks", "4 ranks")})
    assert len(wanted.pairs) == 1
    assert dict(wanted.differing) == {"ranks": ("2 ranks", "4 ranks")}  # said beside it


def test_what_may_differ_still_tells_cells_of_one_side_apart() -> None:
    both = [cell([1.0], ranks=one) for one in ("1 rank", "2 ranks")]

    found = match(side("A", *both), side("B", *both), RANKS)

    assert [one.reference.bound["ranks"] for one in found.pairs] == ["1 rank", "2 ranks"]
    assert all(one.reference.bound == one.other.bound for one in found.pairs)


def test_what_a_cell_is_never_differs() -> None:
    before, after = side("A", cell([1.0])), side("B", cell([1.0], title="reduce, 8 B"))

    found = match(before, after, BOUNDS)

    assert (found.pairs, dict(found.differing)) == ((), {})


def test_equal_cells_of_several_studies_are_one_with_all_their_launches() -> None:
    (whole,) = pooled([cell([1.0, 2.0]), cell([3.0], trouble="wrong data")])

    assert [one.value for one in whole.taken] == [1.0, 2.0, 3.0]
    assert whole.trouble == "wrong data"
    assert len(pooled([cell([1.0]), cell([1.0], settings={"mpi": "openmpi"})])) == 2


def test_what_one_side_did_not_record_is_told_as_that() -> None:
    before, after = (
        side("A", cell([1.0]), began=[0]),
        side("B", cell([1.0]), governor="performance", began=[0]),
    )

    (change,) = changes_of(before, after)

    assert (change.name, change.before, change.after) == ("governor", "not recorded", "performance")
    told = side("B", cell([1.0]), began=[0], **{"variable FI_PROVIDER": "tcp"})
    (change,) = changes_of(before, told)
    assert (change.before, change.after) == ("not set", "tcp")
