# SPDX-License-Identifier: Apache-2.0
"""Platforms of simulate as networks of predict and advise: costs by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from compared.test_compare_command import Store, store
from isobath.errors import UsageError
from isobath.predicted.platforms import (
    adapter_bytes_per_second,
    is_network,
    links_on_a_route,
    network_named,
    network_of_platform,
)
from isobath.prediction.calls import TOLD
from isobath.simulation.platform import PLATFORMS, Platform
from isobath.simulation.segments import Segment

__all__ = ["store"]

CROSSBAR = Platform(
    "made", "made", "crossbar", 8, 1e9, 1e-6, "measured", "us", 2e-7, 1e10, 3e-7
)  # fmt: skip
FILE = """
topology = "fat-tree"
source = "literature"
told = "a data sheet"
bytes_per_second = 1e9
latency_seconds = 1e-6
down = [2, 4]
up = [1, 2]
cables = [1, 1]
"""


def test_costs_of_a_crossbar_by_hand() -> None:
    """0.2 us of each rank and 0.3 us within a node; two links of 1 us between nodes."""
    found = network_of_platform(CROSSBAR)

    told = dict(zip(TOLD, found.costs.central, strict=False))
    wanted = [4e-7 + 3e-7, 2e-7, 1e-10, 4e-7 + 2e-6, 2e-7, 1e-9]
    assert list(told.values()) == [pytest.approx(one) for one in wanted]
    assert found.source == "measured"
    assert found.links is None
    assert found.costs.of == "platform made (measured)"
    assert found.costs.draws.std(axis=0).max() == pytest.approx(0)


def test_segments_are_ranges_by_hand() -> None:
    """Small messages tell the latency that is expected, large ones the rate; others are ends."""
    segments = (
        Segment(0, 1e-6, 0.0, 2e-6, 0.0, 2.0, 0.5),
        Segment(1024, 2e-6, 1e-9, 2e-6, 1e-9, 1.0, 1.0),
    )
    found = network_of_platform(replace(CROSSBAR, overhead=0.0, segments=segments)).costs

    assert found.central[3:6] == pytest.approx([3e-6 + 2 * 2e-6, 2e-6, 2e-9 + 1e-9])
    assert found.draws[:, 5].min() < found.central[5] * 0.99  # half a byte's cost in small ones
    assert found.draws[:, 0].max() > 3.3e-6 + 1e-7


def test_messages_that_stay_on_a_node_have_costs_of_their_own() -> None:
    segments = (Segment(0, 5e-6, 0.0, 4e-6, 0.0),)
    own = (Segment(0, 1e-7, 1e-10, 3e-7, 0.0),)
    platform = replace(CROSSBAR, overhead=0.0, segments=segments, node_segments=own)

    found = network_of_platform(platform).costs.central

    assert found[:3] == pytest.approx([4e-7 + 3e-7, 3e-7, 1e-10 + 1e-10])
    assert found[3:6] == pytest.approx([9e-6 + 2e-6, 5e-6, 1e-9])


def test_what_nobody_works_and_a_busy_card_count_too() -> None:
    """A node's own latency and rate by its segments; between nodes a card that is slower than a
    link.
    """
    segments = (Segment(0, 1e-6, 0.0, 1e-6, 0.0, 0.5, 4.0, 3e-6, 2e-9),)
    own = (Segment(0, 1e-7, 0.0, 1e-7, 0.0, 2.0, 0.5),)
    platform = replace(CROSSBAR, overhead=0.0, segments=segments, node_segments=own)

    found = network_of_platform(platform).costs.central

    assert found[:3] == pytest.approx([2e-7 + 6e-7, 1e-7, 2e-10])
    assert found[3:6] == pytest.approx([2e-6 + 1e-6, 3e-6, 2e-9])


def test_costs_of_both_routes_at_once_have_factors_within_a_node_and_no_card_there() -> None:
    segments = (Segment(0, 1e-6, 0.0, 1e-6, 0.0, 8.0, 0.01, 1e-3, 1e-7),)
    platform = replace(CROSSBAR, overhead=0.0, segments=segments)

    central = network_of_platform(platform).costs.central

    assert central[:3] == pytest.approx([2e-6 + 8 * 3e-7, 1e-6, 1e-10 / 0.01])
    assert central[3:6] == pytest.approx([2e-6 + 8 * 2e-6, 1e-3, 1e-7])


def test_routes_and_adapters_by_hand() -> None:
    torus = replace(CROSSBAR, topology="torus", shape=(4, 2, 1), nodes=8)
    tree = replace(CROSSBAR, topology="fat-tree", down=(2, 4), up=(1, 2), cables=(1, 1))

    assert links_on_a_route(torus).expected == pytest.approx((0 + 1 + 2 + 1) / 4 + 1 / 2)
    assert (links_on_a_route(torus).low, links_on_a_route(torus).high) == (1, 3)
    assert adapter_bytes_per_second(torus) == 3e9  # two ways along four, one along two
    assert (links_on_a_route(tree).low, links_on_a_route(tree).high) == (2, 4)
    links = network_of_platform(tree).links
    assert links is not None
    assert links.topology.shape.nodes == 8
    assert links.cost.expected == pytest.approx(1e-9)


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_known_platform_is_a_network(name: str) -> None:
    found = network_named(name)

    assert is_network(name)
    assert found.source == PLATFORMS[name].source
    assert all(found.costs.known)
    assert f"({PLATFORMS[name].source})" in found.costs.of


def test_a_platform_is_told_from_a_file_of_costs(tmp_path: Path) -> None:
    site, costs = tmp_path / "site.toml", tmp_path / "costs.toml"
    site.write_text(FILE, encoding="utf-8")
    costs.write_text(
        'source = "measured"\n[within]\nlatency_seconds = 1e-6\nbytes_per_second = 1e9\n'
        '[topology]\nshape = "torus"\nsizes = [4]\nbytes_per_second = 1e9\n', encoding="utf-8",
    )  # fmt: skip

    assert network_named(str(site)).name == "site"
    assert network_named(str(site)).costs.known == (True,) * 6
    assert network_named(str(costs)).costs.known == (True,) * 3 + (False,) * 3
    site.write_text(FILE.replace("1e9", "0"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"site\.toml: bytes_per_second is a number from 1"):
        network_named(str(site))
    with pytest.raises(UsageError, match="cannot read"):
        network_named(str(tmp_path / "none.toml"))


def test_advice_by_a_platform_says_what_it_is(store: Store, tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text(FILE, encoding="utf-8")
    words = ("advise", "--nodes", "4", "--scale", "14", "--ranks-per-node", "1", "--plan", "simple")

    said = store.isobath(*words, "--platform", str(site))
    known = store.isobath(*words, "--platform", "crossbar")

    assert said.code == known.code == 0
    assert "platform site (literature)" in " ".join(said.out.split())
    assert "platform crossbar (assumed)" in " ".join(known.out.split())
    both = store.isobath(*words, "--platform", str(site), "--platform", "crossbar")
    assert both.code == 2
    assert "one file or platform tells costs" in " ".join(both.err.split())
