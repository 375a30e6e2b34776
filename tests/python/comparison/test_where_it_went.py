# SPDX-License-Identifier: Apache-2.0
"""A difference is followed down to its bottom, and decisions of a library are held together."""

from comparison.sides import cell, side
from isobath.comparison.decisions import decisions_of
from isobath.comparison.drill_down import cuts_of, path_of
from isobath.comparison.matching import Pair, match
from isobath.comparison.measured import Cell, Chosen, Value, Zoom


def searched(fold: float, level: str = "3") -> Cell:
    return Cell(
        "search", "TEPS", {}, {}, {}, (),
        zooms=((
            Zoom(("phase",), {("expand",): 1.0, ("fold",): fold}),
            Zoom(("phase", "level"), {("fold", "2"): 1.0, ("fold", level): fold - 1,
                                      ("expand", "2"): 1.0}),
            Zoom(("phase", "level", "call"), {("fold", level, "alltoallv"): fold - 1.2,
                                              ("fold", level, "allreduce"): 0.1}),
            Zoom(("call", "size"), {("alltoallv", "4 kB to 8 kB"): fold - 1.3,
                                    ("allgather", "8 B to 16 B"): 9.0 * fold}),
        ),),
    )  # fmt: skip


def test_the_path_goes_into_what_says_most_each_time() -> None:
    cuts = cuts_of(Pair(searched(3.0), searched(5.0)))

    assert [cut.rows[0].part for cut in cuts][:2] == [("fold",), ("fold", "3")]
    assert [(name, part, round(row.difference, 9)) for name, part, row in path_of(cuts)] == [
        ("phase", "fold", 2.0),
        ("level", "3", 2.0),
        ("call", "alltoallv", 2.0),
        ("size", "4 kB to 8 kB", 2.0),  # of that call, though another grew more
    ]


def test_a_part_that_one_side_lacks_took_it_no_time() -> None:
    (_, levels, *_) = cuts_of(Pair(searched(3.0), searched(3.0, level="4")))

    assert {row.part: (row.before, row.after) for row in levels.rows}[("fold", "4")] == (0.0, 2.0)
    assert cuts_of(Pair(searched(3.0), cell([1.0]))) == ()
    assert path_of(cuts_of(Pair(searched(3.0), searched(3.0)))) == ()


def curve(names: str, *, times: str = "", mpi: str = "mpich") -> list[Cell]:
    """One letter for the algorithm of each size, from 1 B in powers of two; a dot is unknown."""
    found = []
    for place, letter in enumerate(names):
        size = 1 << place
        identity: dict[str, Value] = {"collective": "bcast", "size_bytes": size}
        took = float((times or "1" * len(names))[place]) * (1 + 0.001 * place)
        one = cell([took, took * 1.001, took * 0.999], title=f"bcast, {size} B", identity=identity,
                   settings={"mpi": mpi})  # fmt: skip
        chosen = None if letter == "." else Chosen(letter, "stack")
        found.append(Cell(one.title, one.scale, one.identity, one.bound, one.settings, one.taken,
                          chosen=chosen))  # fmt: skip
    return found


def pairs(before: list[Cell], after: list[Cell]) -> tuple[Pair, ...]:
    return match(side("A", *before), side("B", *after)).pairs


def test_another_algorithm_is_told_by_its_sizes_and_a_switch_by_where_it_was() -> None:
    found = decisions_of(pairs(curve("aaabbb"), curve("aaaabb")))

    (other,) = found.algorithms
    assert (other.curve, other.first_bytes, other.last_bytes) == ("bcast, 2 ranks", 8, 8)
    assert (other.before, other.after) == ("b", "a")
    (switch,) = found.switches
    assert (switch.fate, switch.before, switch.after) == ("moved", (4, 8), (8, 16))
    assert (switch.words, switch.known_by) == ("a to b", "names")
    assert (found.cells, found.cells_known) == (6, 6)


def test_switches_come_and_go() -> None:
    gone = decisions_of(pairs(curve("aabb"), curve("aaaa"))).switches
    new = decisions_of(pairs(curve("aabb"), curve("aabc"))).switches

    assert [(one.fate, one.before, one.after) for one in gone] == [("gone", (2, 4), None)]
    assert [(one.fate, one.after, one.words) for one in new] == [("new", (4, 8), "b to c")]
    assert decisions_of(pairs(curve("aabb"), curve("aabb"))).switches == ()


def test_where_no_algorithm_is_known_times_say_where_the_law_changes() -> None:
    before, after = curve("." * 10, times="1111199999"), curve("." * 10, times="1111111999")

    found = decisions_of(pairs(before, after))

    (switch,) = found.switches
    assert (switch.fate, switch.known_by) == ("moved", "times")
    assert (switch.before, switch.after) == ((16, 32), (64, 128))
    assert (found.algorithms, found.cells_known) == ((), 0)
    assert decisions_of(pairs(before, before)).switches == ()


def test_what_is_forced_is_no_decision() -> None:
    forced = [
        Cell(one.title, one.scale, dict(one.identity) | {"forced": "ring"}, one.bound, one.settings,
             one.taken, chosen=one.chosen)
        for one in curve("ab")
    ]  # fmt: skip

    assert decisions_of(pairs(forced, forced)).cells == 0
