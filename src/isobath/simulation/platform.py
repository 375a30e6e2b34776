# SPDX-License-Identifier: Apache-2.0
"""Platforms: nodes and links that a search is simulated on, with where their numbers are from."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any, Literal, get_args

from isobath.errors import UsageError
from isobath.simulation.segments import Segment, has_gaps, read_segments

Topology = Literal["crossbar", "fat-tree", "torus"]
TOPOLOGIES: tuple[Topology, ...] = get_args(Topology)

Source = Literal["measured", "literature", "assumed"]
SOURCES: tuple[Source, ...] = get_args(Source)

MOST_NODES = 1 << 17
SUFFIX = ".toml"


@dataclass(frozen=True)
class Platform:
    """Nodes and what joins them. Every node has one link of so many bytes a second each way."""

    name: str
    title: str
    topology: Topology
    nodes: int
    bandwidth: float
    """bytes a second of a link, in each direction"""
    latency: float
    """seconds of a link; a message crosses two on a crossbar"""
    source: Source
    """where the numbers are from"""
    told: str
    """by whom, in words"""
    overhead: float = 0.0
    """seconds that a rank works for each message it sends, and for each it receives"""
    node_bandwidth: float = 5e9
    """bytes a second between two ranks of a node; its ranks do not share it"""
    node_latency: float = 3e-7
    down: tuple[int, ...] = ()
    """of a fat tree: links down from each level of switches, the lowest first"""
    up: tuple[int, ...] = ()
    cables: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    """of a torus: its sides, the one along which nodes are numbered first"""
    segments: tuple[Segment, ...] = ()
    """what messages cost by their size; none: the overhead of each, and links as they are"""
    node_segments: tuple[Segment, ...] = ()
    """of messages that stay on a node; none: they cost their ranks the same as the others"""

    def of_nodes(self, nodes: int) -> "Platform":
        """Checks that there are so many. Raises: UsageError where there are not."""
        if nodes < 1 or nodes > self.nodes:
            there = f"1 to {self.nodes:,} nodes" if self.nodes > 1 else "1 node"
            raise UsageError(f"--nodes {nodes}: the platform {self.name} has {there}")
        return self

    @property
    def words(self) -> str:
        """For a reader: what it is, and where its numbers are from."""
        return f"{self.title} ({self.source}: {self.told})"


TSUBAME = "TSUBAME 2.0 paper: two 4x QDR InfiniBand adapters a node, full fat tree, up to 512 nodes"
DECK = "HPC Advisory Council deck: 32 nodes on one switch"

PLATFORMS: dict[str, Platform] = {
    platform.name: platform
    for platform in (
        Platform(
            "crossbar", "crossbar of 12.5 GB/s links", "crossbar", 1 << 14, 12.5e9, 5e-7,
            "assumed", "one link of 100 Gbit/s a node, nothing shared",
        ),
        Platform(
            "this-node", "one node", "crossbar", 1, 12.5e9, 5e-7, "assumed",
            "5 GB/s and 0.3 us between ranks; not calibrated on this machine",
        ),
        Platform(
            "tsubame2", "fat tree of TSUBAME 2.0", "fat-tree", 1408, 6.4e9, 4e-7, "literature",
            f"{TSUBAME}; 3.2 GB/s of each adapter, latencies and switch layout assumed, not "
            "validated",
            down=(16, 88), up=(1, 6), cables=(1, 3),
        ),
        Platform(
            "k-computer", "torus of the K computer", "torus", 24 * 16 * 16 * 12, 5e9, 1e-7,
            "literature",
            "Tofu, Ajima et al., IEEE Micro 2012: 5 GB/s a link and direction; latency of a hop "
            "assumed, not validated",
            shape=(24, 16, 16, 2, 3, 2),
        ),
        Platform(
            "deck-fdr", "cluster of the deck, FDR InfiniBand", "crossbar", 32, 6.8e9, 3.5e-7,
            "literature", f"{DECK}; 54.5 Gbit/s of the FDR standard, latency assumed",
        ),
        Platform(
            "deck-qdr", "cluster of the deck, QDR InfiniBand", "crossbar", 32, 4e9, 6e-7,
            "literature", f"{DECK}; 32 Gbit/s of the QDR standard, latency assumed",
        ),
        Platform(
            "deck-10gbe", "cluster of the deck, 10 Gbit/s Ethernet", "crossbar", 32, 1.25e9, 5e-6,
            "literature", f"{DECK}; 10 Gbit/s of the standard, latency assumed",
        ),
        Platform(
            "namespaces-100mbit", "namespaces at 100 Mbit/s and 0.2 ms", "crossbar", 64, 12.5e6,
            1e-4, "assumed", "what is asked of the kernel (several-nodes-on-one-machine)",
        ),
        Platform(
            "namespaces-10mbit", "namespaces at 10 Mbit/s and 2 ms", "crossbar", 64, 1.25e6, 1e-3,
            "assumed", "what is asked of the kernel (several-nodes-on-one-machine)",
        ),
    )
}  # fmt: skip
"""Those that are known, by name."""

NUMBERS = {"bandwidth": "bytes_per_second", "latency": "latency_seconds",
           "overhead": "overhead_seconds", "node_bandwidth": "node_bytes_per_second",
           "node_latency": "node_latency_seconds"}  # fmt: skip
"""What a file calls them."""

LISTS: Mapping[str, tuple[Topology, ...]] = {
    "down": ("fat-tree",), "up": ("fat-tree",), "cables": ("fat-tree",), "shape": ("torus",),
}  # fmt: skip
"""Of which topology each is."""

LEAST_RATE, MOST_RATE, MOST_SECONDS = 1.0, 1e18, 3600.0
"""What a file may tell: times of what lies beyond cannot be simulated, or mean nothing."""

LEAST_WAITING = 1e-9
"""seconds of a link where there are gaps: SimGrid takes waiting as a factor of them"""

SEGMENTS, NODE_SEGMENTS = "segments", "node_segments"
KEYS = ("name", "topology", "nodes", "source", "told", *NUMBERS.values(), *LISTS, SEGMENTS,
        NODE_SEGMENTS)  # fmt: skip
NEEDED = ("topology", "source", "told", "bytes_per_second", "latency_seconds")


def platform_named(word: str) -> Platform:
    """A known one, or that of a file. Raises: UsageError for neither, and for a wrong file."""
    if word.endswith(SUFFIX):
        return read_platform(Path(word).expanduser())
    if word not in PLATFORMS:
        raise UsageError(
            f"--platform {word}: there is no such platform; there are {', '.join(PLATFORMS)}, or "
            "write a file that ends in .toml"
        )
    return PLATFORMS[word]


def read_platform(path: Path) -> Platform:
    """Raises: UsageError for what is no platform, naming the place."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"cannot read {path}: {why}; a platform is a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from None
    return platform_of(table, str(path))


def platform_of(table: Mapping[str, Any], place: str) -> Platform:
    """Raises: as ``read_platform``."""
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise UsageError(f"{place}: there is no {unknown[0]}; there are {', '.join(KEYS)}")
    missing = [key for key in NEEDED if key not in table]
    if missing:
        raise UsageError(f"{place} does not tell {missing[0]}; it needs {', '.join(NEEDED)}")
    topology = _choice(table, "topology", TOPOLOGIES, place)
    source = _choice(table, "source", SOURCES, place)
    told = table["told"]
    if not isinstance(told, str) or not told.strip():
        raise UsageError(f"{place}: told says in words who tells these numbers")
    for name in LISTS:
        if name in table and topology not in LISTS[name]:
            raise UsageError(f"{place}: {name} is of a {LISTS[name][0]}, not of a {topology}")
    given: dict[str, Any] = {
        name: _number(table[key], f"{place}: {key}")
        for name, key in NUMBERS.items()
        if key in table
    }
    given |= {name: _sides(table[name], f"{place}: {name}") for name in LISTS if name in table}
    if SEGMENTS in table:
        if "overhead" in given:
            raise UsageError(f"{place}: segments tell the overhead; leave overhead_seconds out")
        given[SEGMENTS] = read_segments(table[SEGMENTS], place)
        if has_gaps(given[SEGMENTS]) and given["latency"] < LEAST_WAITING:
            raise UsageError(
                f"{place}: messages wait for a gap as a part of their latency; latency_seconds is "
                f"at least {LEAST_WAITING:g} then"
            )
    if NODE_SEGMENTS in table:
        if SEGMENTS not in table:
            raise UsageError(f"{place}: node_segments go with segments, of messages between nodes")
        given[NODE_SEGMENTS] = read_segments(table[NODE_SEGMENTS], place, NODE_SEGMENTS)
    name = table.get("name", Path(place).stem)
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"{place}: name is a word or some words")
    whole = Platform(name, name, topology, 0, source=source, told=told, **given)
    return replace(whole, nodes=_nodes(whole, table, place))


def _choice(table: Mapping[str, Any], key: str, choices: tuple[Any, ...], place: str) -> Any:
    if table[key] not in choices:
        raise UsageError(f"{place}: {key} is one of {', '.join(choices)}")
    return table[key]


def _number(value: Any, place: str) -> float:
    is_rate = place.endswith("per_second")
    least, most = (LEAST_RATE, MOST_RATE) if is_rate else (0.0, MOST_SECONDS)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        raise UsageError(f"{place} is a number from {least:g} to {most:g}")
    return float(value)


def _sides(value: Any, place: str) -> tuple[int, ...]:
    if (
        not isinstance(value, list)
        or not value
        or not all(
            isinstance(side, int) and not isinstance(side, bool) and side > 0 for side in value
        )
    ):
        raise UsageError(f"{place} is a list of whole numbers above 0, for example [16, 88]")
    return tuple(value)


def _nodes(platform: Platform, table: Mapping[str, Any], place: str) -> int:
    """As many as its topology has. Raises: UsageError where it contradicts itself."""
    given = table.get("nodes")
    if given is not None and (not isinstance(given, int) or isinstance(given, bool) or given < 1):
        raise UsageError(f"{place}: nodes is a whole number above 0")
    if platform.topology == "crossbar":
        if given is None:
            raise UsageError(f"{place}: a crossbar needs nodes")
        there = int(given)
    elif platform.topology == "torus":
        if not platform.shape:
            raise UsageError(f"{place}: a torus needs shape, for example [8, 8, 8]")
        there = prod(platform.shape)
    else:
        if not platform.down or not len(platform.down) == len(platform.up) == len(platform.cables):
            raise UsageError(f"{place}: a fat tree needs down, up and cables, one number a level")
        there = prod(platform.down)
    if given is not None and given != there:
        raise UsageError(f"{place}: nodes is {given}, but the {platform.topology} has {there}")
    if there > MOST_NODES:
        raise UsageError(f"{place}: {there:,} nodes are more than the {MOST_NODES:,} that can be")
    return there
