# SPDX-License-Identifier: Apache-2.0
"""Loads of the busiest link as a symbol of formulas, from a network file's topology."""

from pathlib import Path

import pytest

from isobath.comparison.measured import Cell
from isobath.costmodel.torus import Torus
from isobath.errors import UsageError
from isobath.kinds.model.link_loads import with_link_loads

FILE = """
source = "literature"
[between]
latency_seconds = 1e-6
bytes_per_second = 1e9
[topology]
shape = "torus"
sizes = [4, 4]
bytes_per_second = 5e9
"""


@pytest.fixture
def network(tmp_path: Path) -> str:
    path = tmp_path / "torus.toml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def cell(collective: str, ranks: int, per_node: int, m: float = 100.0) -> Cell:
    numbers = {"p": float(ranks), "ppn": float(per_node), "nodes": ranks / per_node, "m": m}
    return Cell("x", "seconds", {"collective": collective}, {}, {}, (), numbers=numbers)


def test_exchanges_between_nodes_have_it(network: str) -> None:
    """One rank on each of 16 nodes: the closed form of the torus; two: four times as much."""
    one, two, inside, other = with_link_loads(
        [cell("alltoall", 16, 1), cell("alltoallv", 32, 2), cell("alltoall", 4, 4),
         cell("bcast", 16, 1)],
        network,
    )  # fmt: skip

    assert one.numbers["link"] == Torus((4, 4)).busiest_of_all_to_all(100.0)
    assert two.numbers["link"] == 4 * one.numbers["link"]
    assert "link" not in inside.numbers
    assert "link" not in other.numbers


def test_what_cannot_be_is_said(network: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text(FILE.partition("[topology]")[0], encoding="utf-8")

    with pytest.raises(UsageError, match=r"has no \[topology\]"):
        with_link_loads([], str(plain))
    with pytest.raises(UsageError, match=r"has 16 nodes .* and 32 are asked for"):
        with_link_loads([cell("alltoall", 32, 1)], network)
