# SPDX-License-Identifier: Apache-2.0
"""Nodes that ranks go to: one declaration for every kind that launches MPI programs.

Kinds that compare take several numbers and transports, the others one of each.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.transport import LEAST_NODES, MOST_NODES, SHARED_MEMORY, transport_of
from isobath.plan.layout import MOST_RANKS
from isobath.records.placement import Placement
from isobath.settings.declaration import NODES, setting
from isobath.settings.values import parts_of

PAGE = "see [several-nodes-on-one-machine.md](../how-to/several-nodes-on-one-machine.md)"
HOST = re.compile(r"(?P<name>[A-Za-z0-9_][A-Za-z0-9_.@-]*)(?:(?::| +slots *= *)(?P<count>\d+))?")


def parse_transport(origin: str, text: str) -> str:
    """The shortest words that mean the same. Raises: UsageError."""
    try:
        return transport_of(text).text()
    except UsageError as error:
        raise UsageError(f"{origin}: {error}") from error


def _nodes(default: Any, phrase: str, metavar: str) -> Any:
    return setting(
        default, phrase, metavar=metavar, least=1, most=MOST_RANKS, panel=NODES, is_plain=True,
        usual="those of --hosts and --hostfile, of a rate-limited transport, else this machine",
        more="of a rate-limited transport so many network namespaces",
    )  # fmt: skip


def _ranks_per_node(default: Any, phrase: str, metavar: str) -> Any:
    return setting(
        default, phrase, metavar=metavar, least=1, most=MOST_RANKS, panel=NODES, is_plain=True,
        usual="the ranks, shared out evenly", more="ranks are so many times the nodes",
    )  # fmt: skip


def _transport(default: Any, phrase: str, metavar: str) -> Any:
    return setting(
        default, phrase, metavar=metavar, parse=parse_transport, panel=NODES,
        hints=("shared-memory", "tcp", "rate-limited"), is_plain=True,
        takes="`shared-memory`, `tcp`, `rate-limited[:RATE][:NODES][:LATENCY]`", more=PAGE,
        usual=SHARED_MEMORY.text(),
    )  # fmt: skip


@dataclass(frozen=True)
class Hosted:
    """Which machines, and whether ranks must be where they are asked to be."""

    hosts: str | None = setting(
        None, "Machines to run on, by name, reached by ssh", metavar="HOST,..", panel=NODES,
        is_plain=True, takes="names, each as it is or as `NAME:RANKS`; several with commas",
        usual="the allocation that we are in, else this machine",
        more="the checkout and the studies lie at the same path on all", is_outside=True,
    )  # fmt: skip
    hostfile: str | None = setting(
        None, "File with a machine in each line, as `name` or `name slots=N`", metavar="FILE",
        panel=NODES, is_plain=True, takes="file", usual="none", is_outside=True,
    )  # fmt: skip
    strict_placement: bool = setting(
        False, "Measure nothing and end with 3 where ranks are not placed as asked", panel=NODES,
        is_plain=True, more="nodes, their names, processors of their own, places in shapes",
    )  # fmt: skip


@dataclass(frozen=True)
class OnNodes(Hosted):
    """Of kinds that launch in one way."""

    nodes: int | None = _nodes(None, "Nodes to run on", "N")
    ranks_per_node: int | None = _ranks_per_node(None, "Ranks on each node", "N")
    transport: str = _transport(
        SHARED_MEMORY.text(),
        "What carries messages between ranks: shared-memory, tcp or rate-limited", "WAY",
    )  # fmt: skip


@dataclass(frozen=True)
class OnSeveralNodes(Hosted):
    """Of kinds that compare numbers of nodes and ways that bytes go."""

    nodes: tuple[int, ...] = _nodes((), "Numbers of nodes to run on", "N,..")
    ranks_per_node: tuple[int, ...] = _ranks_per_node((), "Numbers of ranks on each node", "N,..")
    transport: tuple[str, ...] = _transport(
        (SHARED_MEMORY.text(),),
        "What carries messages between ranks: shared-memory, tcp or rate-limited", "WAY,..",
    )  # fmt: skip


@dataclass(frozen=True)
class Placed:
    """So many ranks in one place."""

    ranks: int
    placement: Placement


def placed(
    wanted: OnNodes | OnSeveralNodes, ranks: Sequence[int], usual: Sequence[int]
) -> tuple[Placed, ...]:
    """Every number of ranks in every place that is asked for, each once.

    Where made-up nodes are compared with other transports, those have as many ranks here.

    Args: ranks are numbers that were asked for; usual are taken where nothing tells of ranks.
    Raises: UsageError for what does not go together, EnvironmentProblem for a file of hosts that
        cannot be read.
    """
    names, slots = _machines(wanted)
    each = _several(wanted.ranks_per_node) or (() if ranks else slots)
    ways = _several(wanted.transport)
    made_up = max((transport.nodes for transport in map(transport_of, ways)), default=1)
    places: list[Placed] = []
    for way, asked in itertools.product(ways, _several(wanted.nodes) or (None,)):
        number_of_nodes = cast("int | None", asked)
        is_beside = made_up > 1 and transport_of(way).nodes == 1 and not names
        if is_beside:  # as many ranks, on this machine as it is
            placement = Placement(transport=way, strict=wanted.strict_placement)
            nodes = number_of_nodes or made_up
        else:
            placement = _placement(way, number_of_nodes, names, strict=wanted.strict_placement)
            nodes = placement.nodes
        for number in _numbers(nodes, each, ranks, usual):
            placement.ranks_of_nodes(number)
            places.append(Placed(number, placement))
    return tuple(dict.fromkeys(places))


def _several(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _placement(way: str, asked: int | None, names: Sequence[str], *, strict: bool) -> Placement:
    transport = transport_of(way)
    if transport.kind == "rate-limited":
        if names:
            raise UsageError(
                f"--transport {way} makes nodes up on this machine, and --hosts names machines; "
                "leave one of the two out"
            )
        nodes = asked or transport.nodes
        if not LEAST_NODES <= nodes <= MOST_NODES:
            raise UsageError(
                f"--nodes {nodes}: a rate-limited transport has {LEAST_NODES} to {MOST_NODES} nodes"
            )
        text = transport_with(way, nodes)
        return Placement(transport=text, nodes=nodes, strict=strict)
    if names:
        nodes = asked or len(names)
        if nodes > len(names):
            raise UsageError(
                f"--nodes {nodes}: {len(names)} machines are named; name more, or take fewer nodes"
            )
        return Placement(transport=way, nodes=nodes, hosts=tuple(names[:nodes]), strict=strict)
    return Placement(transport=way, nodes=asked or 1, strict=strict)


def transport_with(way: str, nodes: int) -> str:
    """A rate-limited transport with another number of nodes."""
    words = [word for word in way.split(":") if not word.endswith("nodes")]
    return transport_of(":".join((*words, f"{nodes}nodes"))).text()


def _numbers(
    nodes: int, each: Sequence[int], ranks: Sequence[int], usual: Sequence[int]
) -> tuple[int, ...]:
    if each:
        products = tuple(nodes * per_node for per_node in each)
        wrong = [number for number in ranks if number not in products]
        if wrong:
            raise UsageError(
                f"--ranks {wrong[0]}: {nodes} node{'' if nodes == 1 else 's'} of "
                f"{' or '.join(map(str, each))} ranks are {' or '.join(map(str, products))}; leave "
                "one of the two out"
            )
        return products
    return tuple(ranks) or tuple(max(number, nodes) for number in usual)


def _machines(wanted: Hosted) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names, and the number of ranks on each where they say it."""
    if wanted.hosts is not None and wanted.hostfile is not None:
        raise UsageError("--hosts and --hostfile both name machines; leave one of the two out")
    if wanted.hosts is not None:
        where, words = "--hosts", tuple(parts_of(wanted.hosts))
    elif wanted.hostfile is not None:
        where, words = wanted.hostfile, _lines(wanted.hostfile)
    else:
        return (), ()
    names: list[str] = []
    counts: set[int | None] = set()
    for word in words:
        machine = HOST.fullmatch(word)
        if machine is None:
            raise UsageError(f"{where}: {word} is no name of a machine; write for example node01")
        names.append(machine["name"])
        counts.add(int(machine["count"]) if machine["count"] else None)
    if not names:
        raise UsageError(f"{where} names no machine; write one, or leave it out")
    if len(set(names)) < len(names):
        raise UsageError(f"{where} names a machine twice; say its ranks with --ranks-per-node")
    if len(counts) > 1:
        raise UsageError(
            f"{where}: machines have different numbers of ranks; nodes are filled evenly: leave "
            "the numbers out"
        )
    return tuple(names), tuple(count for count in counts if count)


def _lines(path: str) -> tuple[str, ...]:
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise EnvironmentProblem(f"cannot read {path}: {reason}; check the path") from error
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(line for line in lines if line)


def placement_of(wanted: OnNodes, ranks: int | None) -> Placement:
    """Of a kind that launches in one way. Raises: as ``placed``."""
    return _first(wanted, ranks).placement


def ranks_of(settings: OnNodes) -> int | None:
    """Ranks that are asked for; None where nothing tells. Raises: as ``placed``."""
    asked: int | None = getattr(settings, "ranks", None)
    place = _first(settings, asked)
    tells = settings.ranks_per_node is not None or asked is not None or _machines(settings)[1]
    return place.ranks if tells or place.placement.is_pretended else None


def machines_of(settings: OnNodes) -> int:
    """Real machines that are asked for. Raises: as ``placed``."""
    return _first(settings, getattr(settings, "ranks", None)).placement.machines


def _first(settings: OnNodes, ranks: int | None = None) -> Placed:
    return placed(settings, () if ranks is None else (ranks,), (1,))[0]
