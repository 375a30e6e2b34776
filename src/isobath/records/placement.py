# SPDX-License-Identifier: Apache-2.0
"""Where the ranks of a launch are asked to go, as plans keep it; the machinery is in launch."""

import re
from collections.abc import Iterable, Sequence
from itertools import product

from pydantic import BaseModel, ConfigDict, Field

from isobath.errors import UsageError

MADE_UP = re.compile(r"isobath-[0-9a-f]+-(node\d+)")
"""Host name of a network namespace: drawn by launch, with its number."""


class Placement(BaseModel):
    """The nodes of a launch as they are asked for. Ranks fill them evenly and in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    transport: str = "shared-memory"
    """as transport_of takes it; of made-up nodes with their number"""
    nodes: int = Field(default=1, ge=1)
    hosts: tuple[str, ...] = ()
    """names of as many machines, reached by ssh; absent: those of the allocation, or this one"""
    strict: bool = False
    """nothing is measured where ranks are placed otherwise"""

    @property
    def is_pretended(self) -> bool:
        """Nodes are network namespaces on this machine."""
        return self.transport.startswith("rate-limited")

    @property
    def machines(self) -> int:
        """Real ones."""
        return 1 if self.is_pretended else self.nodes

    def ranks_of_nodes(self, ranks: int) -> list[int]:
        """How many ranks each node gets. Raises: UsageError where one would have none."""
        if ranks < self.nodes:
            raise UsageError(
                f"{ranks} ranks cannot fill the {self.nodes} nodes{self._of_transport()}; use at "
                f"least {self.nodes} ranks, or fewer nodes"
            )
        return shared_ranks(ranks, self.nodes)

    def node_of_rank(self, ranks: int) -> list[int]:
        """Raises: UsageError where a node would have no rank."""
        counts = self.ranks_of_nodes(ranks)
        return [node for node, count in enumerate(counts) for _ in range(count)]

    def host_list(self, ranks: int) -> str:
        """Named machines with their ranks, as launchers take them: ``a:2,b:2``."""
        pairs = zip(self.hosts, self.ranks_of_nodes(ranks), strict=True)
        return ",".join(f"{host}:{count}" for host, count in pairs)

    def words(self) -> str:
        """In a few words; empty for one machine as it is."""
        if self == Placement(strict=self.strict):
            return ""
        if self.is_pretended or self.nodes == 1:
            return self.transport
        named = f" ({', '.join(self.hosts)})" if self.hosts else ""
        return f"{self.nodes} nodes{named}, {self.transport}"

    def _of_transport(self) -> str:
        return f" of {self.transport}" if self.is_pretended else ""


OTHERWISE_PLACED = (
    "OTHERWISE PLACED: ranks were on other nodes than asked; --strict-placement measures nothing "
    "then"
)


def host_words(name: str) -> str:
    """A machine for people. Made-up nodes have other names in every launch: ``made-up node0``."""
    made_up = MADE_UP.fullmatch(name)
    return f"made-up {made_up[1]}" if made_up else name


def share_processors(cpus_of_ranks: Iterable[Sequence[str]]) -> bool:
    """Whether threads of two ranks of one machine are bound to the same processor.

    Made-up nodes share them where there are more nodes than processors: ranks then take turns.

    Args: cpus_of_ranks are for each rank what each of its threads may run on, as ``3`` or ``0-3``.
    """
    alone = [cpu for cpus in cpus_of_ranks for cpu in dict.fromkeys(cpus) if cpu.isdecimal()]
    return len(set(alone)) < len(alone)


Coordinates = tuple[tuple[int, ...], ...]
"""Of every rank in a shape."""


def laid_out(shape: str) -> Coordinates:
    """Where ranks of a shape are to lie: dimension 0 varies fastest with the rank."""
    extents = [int(extent) for extent in shape.split("x")]
    backwards = product(*(range(extent) for extent in reversed(extents)))
    return tuple(place[::-1] for place in backwards)


def shape_of(coordinates: Coordinates) -> str:
    """The extents that these fill."""
    return "x".join(str(max(along) + 1) for along in zip(*coordinates, strict=True))


def shape_fault(shape: str, obtained: Coordinates) -> str:
    """Which rank lies elsewhere than in the shape that was asked for; empty where none does."""
    asked = laid_out(shape)
    if len(obtained) != len(asked):
        return f"{len(obtained)} ranks lie in it, not {len(asked)}"
    for rank, (wanted, place) in enumerate(zip(asked, obtained, strict=True)):
        if wanted != place:
            return f"rank {rank} was to be at {at(wanted)} and is at {at(place)}"
    return ""


def at(place: tuple[int, ...]) -> str:
    """``1,0``."""
    return ",".join(map(str, place))


HERE = Placement()
"""One machine, as the MPI likes it."""


def shared_ranks(ranks: int, nodes: int) -> list[int]:
    """How many ranks each node gets; the first nodes get those that are over."""
    return [ranks // nodes + (number < ranks % nodes) for number in range(nodes)]
