# SPDX-License-Identifier: Apache-2.0
"""What links inside a network make of calls, by hand and against messages routed one by one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from isobath.costmodel.arcs import Range
from isobath.costmodel.grid import Grid
from isobath.costmodel.topology import Topology, exchange_load
from isobath.costmodel.torus import Torus
from isobath.errors import UsageError
from isobath.prediction.budget import error_budget
from isobath.prediction.calls import Call, Layout
from isobath.prediction.costs import Costs, fitted_costs
from isobath.prediction.links import Links
from isobath.prediction.network_file import network_of
from isobath.prediction.predicted import Prediction, Target, predict
from prediction.made_runs import made_run
from prediction.test_prediction import TOLD

RING = {"shape": "torus", "sizes": [16], "bytes_per_second": 1e6}


def costs(topology: Mapping[str, Any] | None) -> Costs:
    network = network_of(TOLD | ({"topology": topology} if topology else {}), "made.toml")
    return fitted_costs((), network.name, network.costs, links=network.links)


def links(*sizes: int) -> Links:
    return Links(Topology(Torus(sizes), "torus"), Range.exactly(1e-6))


def call(name: str, layout: Layout, communicator: str, piece: float, forced: str = "") -> Call:
    group = layout.group(communicator)
    others = group.size - 1
    return Call(0, "fold", name, group, 1, others, others * piece, forced)


def test_an_all_to_all_of_all_nodes_is_the_closed_form() -> None:
    layout = Layout.even(Grid(1, 16), 1)

    found = links(4, 4).load(call("alltoallv", layout, "row", 10), layout, "row")

    assert found == Torus((4, 4)).busiest_of_all_to_all(10)


def test_rows_that_exchange_at_once_are_added_and_the_mapping_decides() -> None:
    """4x4 on a ring of 16 nodes, one rank each: a row's ranks are 4 apart, a column's neighbours.

    Every pair routed by itself: the sum over all rows, not the busiest of one.
    """
    layout = Layout.even(Grid(4, 4), 1)
    between = np.zeros((16, 16))
    for row in range(4):
        for source in range(row, 16, 4):
            for destination in range(row, 16, 4):
                between[source, destination] = float(source != destination)
    by_hand = Torus((16,)).loads(lambda node: between[node]).max()

    of_rows = links(16).load(call("alltoallv", layout, "row", 1), layout, "row")
    of_columns = links(16).load(call("alltoallv", layout, "column", 1), layout, "column")

    assert of_rows == by_hand == 8
    assert of_columns == 4
    assert exchange_load(links(16).topology, [range(4)], [0, 0, 0, 0]) == 0


def test_rounds_of_gathers_go_one_after_the_other() -> None:
    """A ring of 8 sends 7 pieces to the next; Bruck's 1, 2, 4 pieces over 1, 2, 4 links."""
    layout = Layout.even(Grid(8, 1), 1)
    ring = call("allgatherv", layout, "column", 10, "ring")
    bruck = call("allgatherv", layout, "column", 10, "brucks")
    reduced = call("allreduce", layout, "world", 10)

    assert links(8).load(ring, layout, "column") == 70
    # Four links round are as short both ways: half of the pieces each.
    assert links(8).load(bruck, layout, "column") == 10 * (1 * 1 + 2 * 2 + 4 * 2)
    assert links(8).load(reduced, layout, "world") == 10 * (1 + 2 + 2)


def test_inside_a_node_no_link_is_used() -> None:
    layout = Layout.even(Grid(1, 4), 4)

    assert links(4).load(call("alltoallv", layout, "row", 1), layout, "row") == 0.0


def predicted(topology: Mapping[str, Any] | None) -> Prediction:
    observed = made_run(Grid(4, 4), 1)
    target = Target(16, observed.setting.switches, observed.layout)
    return predict(observed, target, costs(topology))


def test_slow_links_decide_and_fast_ones_change_nothing() -> None:
    """Adapters have 100 MB/s, links 1 MB/s or 1 TB/s."""
    plain = predicted(None)
    slow = predicted(RING)
    fast = predicted(RING | {"bytes_per_second": 1e12})

    assert fast.seconds == plain.seconds
    assert fast.sources == plain.sources
    assert slow.seconds > 5 * plain.seconds
    assert any(words.startswith("torus 16: fold, isend by its busiest") for words in slow.sources)
    assert slow.spread.low <= slow.seconds <= slow.spread.high


def test_the_time_of_a_call_is_its_busiest_link() -> None:
    """Of the largest fold: latency and gaps, and bytes of the busiest link at its rate."""
    slow = predicted(RING)
    layout = Layout.even(Grid(4, 4), 1)
    fold = max((one for one in slow.calls if one.phase == "fold"), key=lambda one: one.bytes_sent)
    piece = next(one for one in slow.pieces if (one.level, one.phase) == (fold.level, "fold"))

    load = links(16).load(fold, layout, "row")

    assert piece.seconds == pytest.approx(load / 1e6, rel=0.01)


def test_the_budget_knows_links_too() -> None:
    """Else a network whose links decide would be blamed for its volume model."""
    observed = made_run(Grid(4, 4), 1)
    target = Target(16, observed.setting.switches, observed.layout)
    known = costs(RING)

    budget = error_budget(predict(observed, target, known), observed, known)

    assert abs(budget.volume) < 0.02 * budget.predicted
    assert budget.cost_model > 0.5 * budget.predicted


def test_an_uncertain_rate_widens_the_interval() -> None:
    sure = predicted(RING)
    unsure = predicted(RING | {"bytes_per_second": [5e5, 1e6, 2e6]})

    assert unsure.seconds == pytest.approx(sure.seconds)
    assert unsure.spread.high > 1.5 * sure.spread.high


def test_more_nodes_than_the_shape_has_are_refused() -> None:
    with pytest.raises(UsageError, match=r"has 8 nodes \(torus 4x2\), and 16 are asked for"):
        predicted({"shape": "torus", "sizes": [4, 2], "bytes_per_second": 1e9})


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (3, "needs a shape: torus, mesh, fat tree"),
        ({"shape": "ring"}, "needs a shape"),
        ({"shape": "torus"}, "needs bytes_per_second of a link"),
        ({"shape": "torus", "bytes_per_second": 1}, "sizes is a list of whole numbers above 0"),
        ({"shape": "mesh", "bytes_per_second": 1, "sizes": [0]}, "sizes is a list of whole"),
        ({"shape": "torus", "bytes_per_second": 1, "sizes": [2], "down": [2]}, "there is no down"),
        (
            {"shape": "fat tree", "bytes_per_second": 1, "down": [2, 2], "up": [1], "cables": [1]},
            "down, up and cables of each of its levels",
        ),
        (
            {"shape": "torus", "bytes_per_second": 1, "sizes": [2_000_000] * 3},
            r"links of 8,000,000,000,000,000,000 nodes \(torus 2000000x",
        ),
        ({"shape": "mesh", "bytes_per_second": 1, "sizes": [10**8]}, "are too many to route"),
        (
            {
                "shape": "fat tree",
                "bytes_per_second": 1,
                "down": [8, 8],
                "up": [1, 10**7],
                "cables": [1, 1],
            },
            "links of 64 nodes .* are too many to route",
        ),
    ],
)
def test_what_is_no_topology_is_said_in_a_sentence(table: object, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        network_of(TOLD | {"topology": table}, "bad.toml")


def test_a_fat_tree_of_a_file_is_the_tree() -> None:
    table = {"shape": "fat tree", "bytes_per_second": 1e9, "down": [16, 88], "up": [1, 6],
             "cables": [1, 3]}  # fmt: skip

    network = network_of(TOLD | {"topology": table}, "made.toml")

    assert network.links is not None
    assert network.links.topology.shape.nodes == 1408
