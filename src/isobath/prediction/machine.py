# SPDX-License-Identifier: Apache-2.0
"""Processors that ranks share: how many threads take turns on each, as the record says."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from isobath.prediction.calls import Layout
from isobath.records.placement import MADE_UP, share_processors
from isobath.records.run import RunRecord


@dataclass(frozen=True)
class Machine:
    """Nodes of a run. Made-up nodes are all on one machine and share its processors."""

    processors: float
    """of a node; of made-up nodes those of the machine that they are on"""
    is_shared: bool = False
    """nodes are made up"""
    threads: int = 1
    """of a rank"""

    def crowded(self, layout: Layout) -> Layout:
        """The layout on such nodes: with the threads that take turns on a processor."""
        ranks = layout.grid.size if self.is_shared else layout.per_node
        crowding = max(1.0, ranks * self.threads / self.processors)
        return layout if layout.crowding == crowding else replace(layout, crowding=crowding)


UNCROWDED = Machine(inf)
"""Where nothing was run: nobody takes turns."""


def machine_of(run: RunRecord) -> Machine:
    """Processors that its threads may run on where these are too few, else all of the smallest
    node: more ranks would be given more of them. A container's share of them bounds both.
    """
    one_machine = run.node_map_is_override and len({host.hostname for host in run.hosts}) == 1
    made_up = bool(one_machine) or any(MADE_UP.fullmatch(host.hostname) for host in run.hosts)
    allowed: dict[str, set[int]] = {}
    for binding in run.binding:
        where = "" if made_up else binding.hostname
        for cpus in binding.thread_cpus or (binding.cpus,):
            allowed.setdefault(where, set()).update(_numbers(cpus))
    told = min((len(own) for own in allowed.values() if own), default=0)
    shares = made_up and share_processors(binding.thread_cpus for binding in run.binding)
    quota = min(host.cgroup_cpus or inf for host in run.hosts)
    if told and (run.oversubscribed or shares):
        return Machine(min(told, quota), made_up, run.threads_per_rank)
    fewest = min(host.cores for host in run.hosts)
    return Machine(min(max(fewest, told), quota), made_up, run.threads_per_rank)


def _numbers(cpus: str) -> Iterator[int]:
    """Of ``0-3,8``."""
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        if first.isdecimal() and (not last or last.isdecimal()):
            yield from range(int(first), int(last or first) + 1)
