# SPDX-License-Identifier: Apache-2.0
"""The busiest link of exchanges that were measured, from the topology of a network file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from isobath.comparison.measured import Cell
from isobath.costmodel.topology import Topology, exchange_load
from isobath.errors import UsageError
from isobath.models.families import EXCHANGES
from isobath.prediction.network_file import read_network


def with_link_loads(cells: Sequence[Cell], network: str) -> list[Cell]:
    """Cells of exchanges between nodes get the symbol link: bytes over the busiest link, every pair
    of nodes routed. Node n of a launch is node n of the topology.

    Raises: UsageError for a file without a topology, or one of fewer nodes.
    """
    links = read_network(Path(network).expanduser()).links
    if links is None:
        raise UsageError(f"--network {network}: it has no [topology], so no link has a load")
    return [_with_load(cell, links.topology) for cell in cells]


def _with_load(cell: Cell, topology: Topology) -> Cell:
    numbers = cell.numbers
    if cell.identity.get("collective") not in EXCHANGES or numbers.get("nodes", 1) < 2:
        return cell
    if not {"p", "ppn", "m"} <= set(numbers):
        return cell
    ranks, per_node = round(numbers["p"]), round(numbers["ppn"])
    topology.check(round(numbers["nodes"]))
    node_of = [rank // per_node for rank in range(ranks)]
    load = exchange_load(topology, [range(ranks)], node_of) * numbers["m"]
    return replace(cell, numbers={**numbers, "link": load})
