# SPDX-License-Identifier: Apache-2.0
"""What calls ask of a network, by hand."""

import pytest

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.algorithms import KNOWN, known_name, usual
from isobath.prediction.calls import BYTE_AMONG, Call, Group, Layout, terms_of


def call(name: str, group: Group, messages: float, sent: float) -> Call:
    return Call(0, "fold", name, group, 1, messages, sent)


def test_a_reduction_doubles_first_in_the_node() -> None:
    """16 ranks, 4 on each of 4 nodes, 8 bytes: two rounds inside, two outside."""
    found = terms_of(call("allreduce", Group(16, 4, 4), 15, 8 * 15))

    assert found.tolist() == [2, 0, 16, 2, 0, 16, 0, 0, 0]


def test_a_short_gather_doubles_and_a_long_one_goes_round() -> None:
    short = terms_of(call("allgatherv", Group(8), 7, 7 * 1024))
    long = terms_of(call("allgatherv", Group(8), 7, 7 * 65536))

    assert short.tolist() == [3, 0, 7 * 1024, 0, 0, 0, 0, 0, 0]
    assert long.tolist() == [7, 0, 7 * 65536, 0, 0, 0, 0, 0, 0]


def test_a_gather_over_nodes_brings_each_node_what_is_not_its_own() -> None:
    """Two groups of 4 side by side on 2 nodes, 2 ranks of each on a node, 100 bytes a rank."""
    found = terms_of(call("allgatherv", Group(4, 2, 2, 2), 3, 300))

    assert found.tolist() == [1, 0, 300, 1, 0, 2 * 100 * 2, 0, 0, 0]


def test_an_exchange_loads_the_adapter_of_a_node_by_all_its_ranks() -> None:
    """8 ranks on 2 nodes, 10 bytes to each other: 4 of 7 partners are on the other node."""
    found = terms_of(call("alltoallv", Group(8, 2, 4), 7, 70))

    assert found.tolist() == pytest.approx([0, 3, 30, 1, 4, 4 * 4 * 10, 0, 0, 0])


def test_small_equal_pieces_go_by_bruck() -> None:
    """8 ranks of a node, 8 bytes a pair: 3 rounds of 4 pieces."""
    assert terms_of(call("alltoall", Group(8), 7, 56)).tolist() == [3, 0, 96, 0, 0, 0, 0, 0, 0]
    assert terms_of(call("alltoall", Group(4), 3, 24)).tolist() == [1, 3, 24, 0, 0, 0, 0, 0, 0]


def test_a_ring_pays_for_every_step() -> None:
    assert terms_of(call("sendrecv", Group(4), 4, 400)).tolist() == [4, 0, 400, 0, 0, 0, 0, 0, 0]
    assert terms_of(call("sendrecv", Group(4, 4, 1, 3), 4, 400)).tolist() == [
        0, 0, 0, 4, 0, 1200, 0, 0, 0
    ]  # fmt: skip


def test_alone_nothing_is_sent() -> None:
    assert not terms_of(call("alltoallv", Group(1), 0, 0)).any()


@pytest.mark.parametrize(
    ("mapping", "row", "column"),
    [
        ("columns", Group(4, 4, 1, 4), Group(4, 1, 4, 1)),
        ("rows", Group(4, 1, 4, 1), Group(4, 4, 1, 4)),
    ],
)
def test_a_mapping_decides_what_stays_in_a_node(mapping: str, row: Group, column: Group) -> None:
    layout = Layout.even(Grid(4, 4), 4, mapping)  # type: ignore[arg-type]

    assert layout.group("row") == row
    assert layout.group("column") == column
    assert (layout.nodes, layout.per_node) == (4, 4)
    assert layout.group("world") == Group(16, 4, 4, 1)


def test_no_rank_on_a_node() -> None:
    with pytest.raises(UsageError, match="0 ranks on a node are none"):
        Layout.even(Grid(2, 2), 0)


def forced(name: str, algorithm: str, group: Group, piece: float) -> list[float]:
    others = group.size - 1
    made = Call(0, "fold", name, group, 1, others, others * piece, algorithm)
    return [float(term) for term in terms_of(made)]


def test_a_forced_algorithm_is_taken_at_every_size() -> None:
    """Long gathers by Bruck's, short ones round the ring; an alltoall of 8 bytes at once."""
    assert forced("allgatherv", "brucks", Group(8), 65536) == [3, 0, 7 * 65536, 0, 0, 0, 0, 0, 0]
    assert forced("allgatherv", "ring", Group(8), 1) == [7, 0, 7, 0, 0, 0, 0, 0, 0]
    assert forced("alltoall", "scattered", Group(8), 8) == [1, 7, 56, 0, 0, 0, 0, 0, 0]
    assert forced("alltoall", "brucks", Group(8), 4096) == [3, 0, 3 * 4 * 4096, 0, 0, 0, 0, 0, 0]
    assert forced("alltoall", "pairwise", Group(8), 8) == [7, 0, 56, 0, 0, 0, 0, 0, 0]


def test_a_long_reduction_in_two_halves() -> None:
    """Rabenseifner's on 4 nodes of 1: four rounds, 2 x 3/4 of the vector."""
    found = forced("allreduce", "reduce_scatter_allgather", Group(4, 4, 1), 1000)

    assert found == [0, 0, 0, 4, 0, 1500, 0, 0, 0]


@pytest.mark.parametrize("name", KNOWN)
def test_every_algorithm_has_a_formula_of_its_own_but_for_twins(name: str) -> None:
    """Bruck's allgather and recursive doubling cost the same; all others differ."""
    told = {tuple(forced(name, one, Group(8, 8, 1), 4096)) for one in KNOWN[name]}

    twins = 1 if name in ("allgather", "allgatherv") else 0
    assert len(told) == len(KNOWN[name]) - twins
    assert usual(name, 8, 4096) in KNOWN[name]


def test_names_of_other_libraries_are_known() -> None:
    assert known_name("alltoall", "modified_bruck") == "brucks"
    assert known_name("allgatherv", "ring") == "ring"
    assert known_name("allgatherv", "neighbor") == ""


def test_bytes_from_several_nodes_at_once_count_once_more_for_each_doubling() -> None:
    """700 bytes leave each of 8 nodes for the others: two doublings beyond the first. Who sends one
    after the other, or gathers, meets nobody.
    """
    nodes = Group(8, 8, 1)
    together = terms_of(call("alltoallv", nodes, 7, 700))
    pairs = terms_of(Call(0, "fold", "alltoallv", nodes, 1, 7, 700, forced="pairwise"))

    assert together[BYTE_AMONG] == 2 * 700
    assert terms_of(call("isend", Group(2, 2, 1), 1, 100))[BYTE_AMONG] == 0
    assert pairs[BYTE_AMONG] == 0
    assert terms_of(call("allgatherv", nodes, 7, 700))[BYTE_AMONG] == 0
