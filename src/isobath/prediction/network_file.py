# SPDX-License-Identifier: Apache-2.0
"""A network told by a TOML file: latencies, gaps and rates with intervals, of a site or a paper."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from isobath.costmodel.arcs import Range
from isobath.costmodel.fat_tree import FatTree
from isobath.costmodel.topology import Topology
from isobath.costmodel.torus import Torus
from isobath.errors import UsageError
from isobath.prediction.costs import CallCosts, told_costs
from isobath.prediction.links import Links

SOURCES = ("measured", "literature")
PLACES = ("within", "between")
COST_KEYS = ("latency_seconds", "gap_seconds", "bytes_per_second")
TOPOLOGY = "topology"
SHAPES = {"torus": ("sizes",), "mesh": ("sizes",), "fat tree": ("down", "up", "cables")}
"""Shapes of networks, and the lists of whole numbers that each is told by."""

OFFLOAD_KEYS = ("host_seconds", "hop_seconds", "piece_seconds")
EXAMPLE = "for example [between] latency_seconds = [1e-6, 2e-6, 3e-6]"


@dataclass(frozen=True)
class Offload:
    """Reductions in switches: host + 2 depth hop + ceil(m/256) piece (O-09)."""

    host: Range
    hop: Range
    piece: Range


@dataclass(frozen=True)
class NetworkFile:
    """What the file says."""

    name: str
    source: Literal["measured", "literature", "assumed"]
    costs: CallCosts
    offload: Offload | None
    links: Links | None = None


def read_network(path: Path) -> NetworkFile:
    """Raises: UsageError for what is no network, naming the place."""
    return network_of(read_tables(path), str(path))


def read_tables(path: Path) -> dict[str, Any]:
    """Raises: UsageError for what is no TOML file, naming the place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"cannot read {path}: {why}; a network is a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from None


def network_of(tables: Mapping[str, Any], place: str) -> NetworkFile:
    """Raises: as ``read_network``."""
    _known(tables, ("name", "source", *PLACES, "offload", TOPOLOGY), place)
    source = tables.get("source")
    if source not in SOURCES:
        raise UsageError(
            f'{place}: say where its numbers come from: source = "measured" or "literature"'
        )
    costs: list[Range | None] = []
    for where in PLACES:
        table = _table(tables, where, COST_KEYS, place)
        costs += [_cost(table, key, f"{place}: [{where}] {key}") for key in COST_KEYS]
    if not any(costs):
        raise UsageError(f"{place} tells no cost; write {EXAMPLE}")
    table = _table(tables, "offload", OFFLOAD_KEYS, place)
    parts = [_cost(table, key, f"{place}: [offload] {key}") for key in OFFLOAD_KEYS]
    host, hop, piece = parts
    if table and (host is None or hop is None or piece is None):
        raise UsageError(f"{place}: [offload] needs {', '.join(OFFLOAD_KEYS)}")
    name = str(tables.get("name", Path(place).stem))
    words = f"{name} ({source})"
    offload = Offload(host, hop, piece) if host and hop and piece else None
    return NetworkFile(name, source, told_costs(costs, words), offload, _links(tables, place))


def _links(tables: Mapping[str, Any], place: str) -> Links | None:
    """Of [topology]: shape, its lists, and bytes_per_second of one link and direction."""
    if TOPOLOGY not in tables:
        return None
    where = f"{place}: [{TOPOLOGY}]"
    table = tables[TOPOLOGY]
    shape = table.get("shape") if isinstance(table, dict) else None
    if shape not in SHAPES:
        raise UsageError(f"{where} needs a shape: {', '.join(SHAPES)}")
    _known(table, ("shape", "bytes_per_second", *SHAPES[shape]), where)
    cost = _cost(table, "bytes_per_second", f"{where} bytes_per_second")
    if cost is None:
        raise UsageError(f"{where} needs bytes_per_second of a link")
    lists = [_whole(table.get(key), f"{where} {key}") for key in SHAPES[shape]]
    if shape == "fat tree":
        down, up, cables = lists
        words = f"fat tree of {', '.join(map(str, down))} below a switch"
        return Links(Topology(FatTree(down, up, cables), words), cost)
    (sizes,) = lists
    torus = Torus(sizes, (shape == "torus",) * len(sizes))
    return Links(Topology(torus, f"{shape} {torus}"), cost)


def _whole(value: object, place: str) -> tuple[int, ...]:
    if (
        not isinstance(value, list)
        or not value
        or not all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in value)
    ):
        raise UsageError(f"{place} is a list of whole numbers above 0, for example [8, 4, 8]")
    return tuple(value)


def _table(
    tables: Mapping[str, Any], name: str, keys: tuple[str, ...], place: str
) -> Mapping[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"{place}: {name} is a table; write [{name}]")
    _known(table, keys, f"{place}: [{name}]")
    if table and name in PLACES and not {"latency_seconds", "bytes_per_second"} <= set(table):
        raise UsageError(f"{place}: [{name}] needs latency_seconds and bytes_per_second")
    return table


def _known(table: Mapping[str, Any], keys: tuple[str, ...], place: str) -> None:
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise UsageError(f"{place}: there is no {unknown[0]}; there are {', '.join(keys)}")


def _cost(table: Mapping[str, Any], key: str, place: str) -> Range | None:
    if key not in table:
        # A gap that nobody tells is no cost of its own: the latency holds it.
        return Range.exactly(0.0) if key == "gap_seconds" and table else None
    value = table[key]
    numbers = value if isinstance(value, list) else [value]
    if (
        len(numbers) not in (1, 3)
        or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in numbers)
        or not all(0 <= one < float("inf") for one in numbers)
        or list(numbers) != sorted(numbers)
    ):
        raise UsageError(
            f"{place} is one number, or three from low to high, of 0 or more; {EXAMPLE}"
        )
    low, middle, high = numbers * 3 if len(numbers) == 1 else numbers
    if key != "bytes_per_second":
        return Range(float(low), float(middle), float(high))
    if low <= 0:
        raise UsageError(f"{place} is above 0")
    return Range(1 / high, 1 / middle, 1 / low)
