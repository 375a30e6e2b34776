# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path
from typing import Any

import pytest

from isobath.plan.graph_facts import expected_facts

GOLDEN = Path(__file__).resolve().parents[2] / "data" / "graph500.jsonl"
FACTS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "golden", [facts for facts in FACTS if facts["scale"] >= 14], ids=lambda facts: facts["scale"]
)
def test_expectations_are_close_to_the_real_graphs(golden: dict[str, Any]) -> None:
    found = expected_facts(golden["scale"])

    connected = (1 << golden["scale"]) - golden["isolated_vertices"]
    assert found.num_edges == golden["edges"]
    assert found.connected_vertices == pytest.approx(connected, rel=0.005)
    assert found.distinct_edges == pytest.approx(golden["distinct_edges"], rel=0.005)


def test_leaves_are_as_many_as_were_counted_at_scale_20_and_26() -> None:
    """Shares of the vertices with a neighbour: 21.6 % and 25.4 %."""
    for scale, share in ((20, 0.216), (22, 0.230), (26, 0.254)):
        found = expected_facts(scale)
        assert found.leaves / found.connected_vertices == pytest.approx(share, abs=0.002)


@pytest.mark.parametrize("scale", [1, 5, 10, 32, 43])
def test_every_scale_gives_consistent_counts(scale: int) -> None:
    found = expected_facts(scale)

    assert 0 <= found.leaves <= found.connected_vertices <= found.num_vertices
    assert 0 < found.distinct_edges <= found.num_edges
    assert found.searched_vertices >= 0
