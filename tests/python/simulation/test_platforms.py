# SPDX-License-Identifier: Apache-2.0
"""Platforms: what SimGrid reads of them, and what is no platform."""

from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.calls import Layout
from isobath.simulation.platform import PLATFORMS, SOURCES, platform_named, platform_of
from isobath.simulation.segments import Segment
from isobath.simulation.simgrid import host_file, options, platform_digest, platform_xml

TREE: dict[str, Any] = {
    "topology": "fat-tree", "source": "literature", "told": "a data sheet",
    "bytes_per_second": 1e9, "latency_seconds": 1e-6, "down": [4, 8], "up": [1, 4],
    "cables": [1, 1],
}  # fmt: skip

FREE = {"from_bytes": 0, "send_seconds": 0, "send_seconds_per_byte": 0, "receive_seconds": 0,
        "receive_seconds_per_byte": 0}  # fmt: skip

WITHOUT_LISTS = {key: value for key, value in TREE.items() if key not in ("down", "up", "cables")}


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_platform_has_its_nodes_and_says_where_its_numbers_are_from(name: str) -> None:
    platform = PLATFORMS[name]
    cluster = ElementTree.fromstring(platform_xml(platform)).find("cluster")

    assert cluster is not None
    assert cluster.get("radical") == f"0-{platform.nodes - 1}"
    if platform.topology == "torus":
        assert prod(platform.shape) == platform.nodes
    if platform.topology == "fat-tree":
        assert prod(platform.down) == platform.nodes
    assert platform.source in SOURCES
    assert platform.source != "measured", "none was calibrated"
    assert platform.told
    assert platform.source in platform.words


def test_a_platform_of_a_site_is_read(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text(
        'topology = "torus"\nsource = "measured"\ntold = "us"\nshape = [2, 3]\n'
        "bytes_per_second = 1e9\nlatency_seconds = 1e-6\noverhead_seconds = 2e-7\n",
        encoding="utf-8",
    )
    platform = platform_named(str(file))

    assert (platform.name, platform.nodes, platform.overhead) == ("site", 6, 2e-7)
    assert 'topo_parameters="2,3"' in platform_xml(platform)
    assert "--cfg=smpi/os:0:2e-07:0" in options(platform)
    assert 'topo_parameters="2;4,8;1,4;1,1"' in platform_xml(platform_of(TREE, "here"))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"topology": "mesh"}, "topology is one of crossbar, fat-tree, torus"),
        ({"source": "guess"}, "source is one of"),
        ({"told": " "}, "told says in words"),
        ({"speed": 3}, "there is no speed"),
        ({"bytes_per_second": 0}, r"bytes_per_second is a number from 1 to 1e\+18"),
        ({"bytes_per_second": 1e-300}, "bytes_per_second is a number from 1"),
        ({"latency_seconds": -1}, "latency_seconds is a number from 0 to 3600"),
        ({"latency_seconds": 1e300}, "latency_seconds is a number from 0 to 3600"),
        ({"latency_seconds": float("nan")}, "latency_seconds is a number from 0 to 3600"),
        ({"name": ["a"]}, "name is a word or some words"),
        ({"shape": [4, 8]}, "shape is of a torus, not of a fat-tree"),
        ({"topology": "torus", "shape": [32]}, "down is of a fat-tree, not of a torus"),
        ({"down": [4, 0]}, "down is a list of whole numbers above 0"),
        ({"up": [1]}, "needs down, up and cables"),
        ({"nodes": 7}, "nodes is 7, but the fat-tree has 32"),
        ({"nodes": True}, "nodes is a whole number"),
        ({"down": [4096, 4096]}, "more than the"),
        ({"node_segments": [FREE]}, "node_segments go with segments"),
        ({"segments": [FREE], "node_segments": []}, r"write \[\[node_segments\]\]"),
        ({"segments": [FREE], "node_segments": [3]}, "node segment 1 is no table"),
        ({"segments": [FREE], "node_segments": [FREE | {"gap_seconds": 1}]}, "leave gaps out"),
        ({"segments": [FREE], "node_segments": [FREE | {"x": 1}]}, "latency_factor, rate_factor$"),
        ({"segments": [FREE | {"gap_seconds": 1}], "latency_seconds": 0}, "as a part of their lat"),
        ({"segments": [FREE], "node_segments": [FREE | {"from_bytes": 1}]}, "begin at 0 bytes"),
    ],
)
def test_what_is_no_platform_is_told_in_a_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        platform_of(TREE | changed, "here.toml")


@pytest.mark.parametrize(
    ("topology", "sentence"),
    [("torus", "a torus needs shape"), ("crossbar", "a crossbar needs nodes")],
)
def test_what_a_topology_needs_is_told(topology: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        platform_of(WITHOUT_LISTS | {"topology": topology}, "here.toml")


def test_sides_of_one_are_no_links_for_simgrid() -> None:
    """It refuses a torus that has them: links of a node with itself."""
    flat = platform_of(WITHOUT_LISTS | {"topology": "torus", "shape": [1, 4, 1, 2]}, "here")
    point = platform_of(WITHOUT_LISTS | {"topology": "torus", "shape": [1, 1]}, "here")

    assert (flat.nodes, point.nodes) == (8, 1)
    assert 'topo_parameters="4,2"' in platform_xml(flat)
    assert "topology" not in platform_xml(point)


def test_names_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there are crossbar, this-node, tsubame2"):
        platform_named("tsubame3")
    with pytest.raises(UsageError, match="cannot read"):
        platform_named(str(tmp_path / "none.toml"))
    torn = tmp_path / "torn.toml"
    torn.write_text("topology = ", encoding="utf-8")
    with pytest.raises(UsageError, match=r"torn\.toml"):
        platform_named(str(torn))
    torn.write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="does not tell topology"):
        platform_named(str(torn))
    with pytest.raises(UsageError, match="--nodes 33"):
        PLATFORMS["deck-fdr"].of_nodes(33)
    with pytest.raises(UsageError, match=r"this-node has 1 node$"):
        PLATFORMS["this-node"].of_nodes(2)


def test_platforms_that_differ_in_what_messages_cost_have_digests_of_their_own() -> None:
    plain = PLATFORMS["crossbar"]
    cheap, dear = Segment(0, 1e-6, 0.0, 1e-6, 0.0), Segment(0, 2e-6, 0.0, 1e-6, 0.0)
    platforms = (
        plain,
        replace(plain, overhead=1e-6),
        replace(plain, segments=(cheap,)),
        replace(plain, segments=(dear,)),
        replace(plain, segments=(dear,), node_segments=(cheap,)),
        replace(plain, segments=(replace(dear, gap_seconds=1e-6),)),
    )

    assert len(set(map(platform_digest, platforms))) == len(platforms)
    assert platform_digest(replace(plain)) == platform_digest(plain)


def test_ranks_lie_as_they_are_mapped() -> None:
    grid = Grid(2, 4)
    assert host_file(Layout.even(grid, 2)) == "n0\nn0\nn1\nn1\nn2\nn2\nn3\nn3\n"
    assert host_file(Layout.even(grid, 4, "rows")) == 4 * "n0\nn1\n"
