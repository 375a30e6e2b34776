# SPDX-License-Identifier: Apache-2.0
"""Networks as `predict` and `advise` take them: a file of costs, or a platform of `simulate`.

A platform tells links and what messages cost ranks; costs of calls follow (docs/explanation/
predicting.md). Routes of trees and tori differ in length, and calibrated segments in costs, so
these costs are ranges, whose ends are taken for those of a 90 % interval.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from isobath.costmodel.arcs import Range
from isobath.costmodel.fat_tree import FatTree
from isobath.costmodel.topology import Topology
from isobath.costmodel.torus import Torus
from isobath.prediction.costs import told_costs
from isobath.prediction.links import Links
from isobath.prediction.network_file import NetworkFile, network_of, read_tables
from isobath.simulation.platform import PLATFORMS, Platform, platform_of
from isobath.simulation.segments import Segment

FILE = ".toml"


def is_network(word: str) -> bool:
    """Whether it names a file or a known platform, not a study."""
    return word.endswith(FILE) or word in PLATFORMS


def network_named(word: str) -> NetworkFile:
    """Raises: UsageError for what is neither, and for a wrong file."""
    if word in PLATFORMS:
        return network_of_platform(PLATFORMS[word])
    tables = read_tables(Path(word).expanduser())
    if isinstance(tables.get("topology"), str):  # in a file of costs it is a table
        return network_of_platform(platform_of(tables, word))
    return network_of(tables, word)


def network_of_platform(platform: Platform) -> NetworkFile:
    """Latency: what both ranks work for a message of no bytes, and its way. Gap: what one of them
    works, or for how long a card is busy. Bytes: what both work for one, and a link or a card.
    Within a node no card is crossed; factors count there, too, as SimGrid has it.
    """
    segments = platform.segments or (
        Segment(0, platform.overhead, 0.0, platform.overhead, 0.0),
    )  # fmt: skip
    links, adapter = links_on_a_route(platform), adapter_bytes_per_second(platform)
    own = platform.node_segments or segments
    own_start, own_gap, own_each = _work([replace(part, gap_seconds=0.0) for part in own])
    start, gap, each = _work(segments)
    way = range_of([one.latency_factor for one in segments], first=True)
    own_way = [one.latency_factor for one in own]
    own_rate = [1 / one.rate_factor for one in own]
    byte = [max(1 / (adapter * one.rate_factor), one.gap_seconds_per_byte) for one in segments]
    costs = [
        plus(own_start, range_of(own_way, first=True) * platform.node_latency),
        own_gap,
        plus(own_each, range_of(own_rate, first=False) * (1 / platform.node_bandwidth)),
        plus(start, times(way, links * platform.latency)),
        gap,
        plus(each, range_of(byte, first=False)),
    ]
    words = f"platform {platform.name} ({platform.source})"
    return NetworkFile(
        platform.name, platform.source, told_costs(costs, words), None, _links(platform)
    )


def _work(segments: Sequence[Segment]) -> tuple[Range, Range, Range]:
    """Of both ranks for a message of no bytes, of one or its card for a message, of both a byte."""
    return (
        range_of([one.send_seconds + one.receive_seconds for one in segments], first=True),
        range_of(
            [max(one.send_seconds, one.receive_seconds, one.gap_seconds) for one in segments],
            first=True,
        ),
        range_of(
            [one.send_seconds_per_byte + one.receive_seconds_per_byte for one in segments],
            first=False,
        ),
    )


def links_on_a_route(platform: Platform) -> Range:
    """Of two nodes: fewest, as of most pairs, most."""
    if platform.topology == "fat-tree":
        most = 2.0 * len(platform.down)
        return Range(2.0, most, most)
    if platform.topology == "torus":
        return Range(
            1.0,
            max(1.0, sum(_mean_steps(side) for side in platform.shape)),
            max(1.0, float(sum(side // 2 for side in platform.shape))),
        )
    return Range.exactly(2.0)


def _mean_steps(side: int) -> float:
    """Round a ring, to any node."""
    return sum(min(step, side - step) for step in range(side)) / side


def adapter_bytes_per_second(platform: Platform) -> float:
    """Of a node: its link; of a torus all of them, which its topology bounds."""
    if platform.topology != "torus":
        return platform.bandwidth
    ways = sum(min(side - 1, 2) for side in platform.shape)
    return platform.bandwidth * max(1, ways)


def _links(platform: Platform) -> Links | None:
    cost = Range.exactly(1 / platform.bandwidth)
    if platform.topology == "fat-tree":
        tree = FatTree(platform.down, platform.up, platform.cables)
        words = f"fat tree of {', '.join(map(str, platform.down))} below a switch"
        return Links(Topology(tree, words), cost)
    if platform.topology == "torus":
        torus = Torus(platform.shape)
        return Links(Topology(torus, f"torus {torus}"), cost)
    return None


def range_of(values: list[float], *, first: bool) -> Range:
    """Least and most of all segments; expected is the first's (small messages) or the last's."""
    return Range(min(values), values[0 if first else -1], max(values))


def plus(one: Range, other: Range) -> Range:
    """End by end."""
    return Range(one.low + other.low, one.expected + other.expected, one.high + other.high)


def times(one: Range, other: Range) -> Range:
    """End by end; none is below 0."""
    return Range(one.low * other.low, one.expected * other.expected, one.high * other.high)
