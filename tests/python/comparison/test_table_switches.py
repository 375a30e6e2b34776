# SPDX-License-Identifier: Apache-2.0
"""Switch points that moved in a library's own tables, with the sizes that lie between."""

import pytest

from comparison.sides import cell, side
from isobath.comparison.changes import changes_of
from isobath.comparison.measured import Cell, Value
from isobath.comparison.table_switches import SELECTION, SWITCHES, moved_in_tables, written

SIZES = (8, 4096, 8192, 16384)


def cells(collective: str, **more: Value) -> list[tuple[str, Cell]]:
    named: dict[str, Value] = {"collective": collective}
    return [
        (
            f"{collective} {size}",
            cell([1.0], ranks="4 ranks", identity={**named, "size_bytes": size, **more}),
        )
        for size in SIZES
    ]


def told(
    before: str, after: str, measured: list[tuple[str, Cell]]
) -> list[tuple[str, str, tuple[str, ...]]]:
    found = moved_in_tables({SWITCHES: (before,)}, {SWITCHES: (after,)}, measured)
    return [(one.switch.curve, one.switch.fate, one.cells) for one in found]


def test_sizes_between_where_it_was_and_is_may_run_otherwise() -> None:
    moved = told("bcast 12289 a to b", "bcast 4096 a to b", cells("bcast"))

    assert moved == [("bcast", "moved", ("bcast 4096", "bcast 8192"))]
    assert told("bcast 4096 a to b", "bcast 4096 a to b", cells("bcast")) == []
    # Back again it is the same sizes.
    assert told("bcast 4096 a to b", "bcast 12289 a to b", cells("bcast")) == moved


def test_the_size_of_all_blocks_is_that_of_one_times_the_ranks() -> None:
    moved = told("allgather total 32768 a to b", "allgather total 16384 a to b", cells("allgather"))

    assert moved == [("allgather, all blocks together", "moved", ("allgather 4096",))]


def test_switches_of_other_algorithms_are_gone_and_new() -> None:
    found = told("bcast 4096 a to b", "bcast 4096 a to c", cells("bcast"))

    assert found == [("bcast", "gone", ()), ("bcast", "new", ())]


@pytest.mark.parametrize(
    ("measured", "number"),
    [
        (cells("scan"), 0),  # nobody measured it
        (cells("bcast", forced="ring"), 0),
        (cells("bcast", form="persistent"), 0),
        (cells("bcast", form="nonblocking"), 0),
        (cells("bcast", form="blocking"), 1),
    ],
)
def test_only_what_the_table_decides_of_what_was_measured_is_told(
    measured: list[tuple[str, Cell]], number: int
) -> None:
    assert len(told("bcast 9 a to b", "bcast 99 a to b", measured)) == number


def test_collectives_that_do_not_wait_have_tables_of_their_own() -> None:
    moved = told("ibcast 9 a to b", "ibcast 8 a to b", cells("bcast", form="nonblocking"))

    assert moved == [("ibcast", "moved", ("bcast 8",))]


def test_where_a_side_tells_no_tables_nothing_is_known_to_have_moved() -> None:
    assert moved_in_tables({}, {SWITCHES: ("bcast 9 a to b",)}, cells("bcast")) == ()
    assert moved_in_tables({SWITCHES: ("bcast 9 a to b",)}, {}, cells("bcast")) == ()


def test_of_long_lists_what_is_not_alike_is_told_alone() -> None:
    def facts(digest: str, size: int) -> dict[str, str]:
        switches = {"bcast": (f"{size} a to b",), "scan": ("9 c to d",)}
        return {SELECTION: f"bcast {digest}, scan cc", SWITCHES: written(switches)}

    first = side("A", cell([1.0]), began=[1.0])
    before, after = (
        type(first)("A", (), first.kind, first.cells,
                    {"l0": type(first.launches["l0"])(1.0, facts(digest, size))})
        for digest, size in (("aa", 64), ("bb", 128))
    )  # fmt: skip

    assert [(one.name, one.before, one.after) for one in changes_of(before, after)] == [
        (SELECTION, "bcast aa", "bcast bb"),
        (SWITCHES, "bcast 64 a to b", "bcast 128 a to b"),
    ]
