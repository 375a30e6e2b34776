# SPDX-License-Identifier: Apache-2.0
"""What SimGrid reads: the platform as XML, where ranks are, and the options of the simulator."""

import hashlib
from collections.abc import Sequence
from typing import Literal, get_args

from isobath.prediction.calls import Layout
from isobath.simulation.platform import Platform
from isobath.simulation.segments import costs_by_route, has_gaps, segment_settings

Selector = Literal["mpich", "ompi", "mvapich2", "impi", "default"]
"""Whose rules choose algorithms of collectives."""

SELECTORS: tuple[Selector, ...] = get_args(Selector)

SPEED = "1Gf"
"""of every host: the skeleton computes seconds times this (engine/skeleton/play.cpp)"""

STACK_KIB = 512
BLOCK = 1 << 20
"""bytes that stand for all buffers (engine/skeleton/simgrid.cpp), in one piece"""


def platform_xml(platform: Platform) -> str:
    """All nodes of it, named n0, n1, ..."""
    shape = ""
    sides = [side for side in platform.shape if side > 1]  # SimGrid knows no link of one node
    if sides:
        shape = f'topology="TORUS" topo_parameters="{_list(sides)}" '
    elif platform.topology == "fat-tree":
        levels = (platform.down, platform.up, platform.cables)
        parameters = ";".join([str(len(platform.down)), *map(_list, levels)])
        shape = f'topology="FAT_TREE" topo_parameters="{parameters}" '
    return (
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'  <cluster id="isobath" prefix="n" suffix="" radical="0-{platform.nodes - 1}" {shape}'
        f'speed="{SPEED}" bw="{platform.bandwidth:.9g}Bps" lat="{platform.latency:.9g}s" '
        f'sharing_policy="SPLITDUPLEX" loopback_bw="{platform.node_bandwidth:.9g}Bps" '
        f'loopback_lat="{platform.node_latency:.9g}s"/>\n'
        "</platform>\n"
    )


def platform_digest(platform: Platform) -> str:
    """SHA-256 of all that tells SimGrid of it: nodes and links, and what messages cost."""
    told = (platform_xml(platform), *options(platform), message_costs(platform))
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def host_file(layout: Layout) -> str:
    """The node of every rank, in their order."""
    return "".join(f"n{node}\n" for node in layout.node_of_rank)


def options(
    platform: Platform,
    *,
    selector: Selector = "mpich",
    algorithms: Sequence[str] = (),
) -> tuple[str, ...]:
    """Of the simulator. Links are as the platform says: no factor of another machine is in them.

    Args: algorithms: forced ones, as ``alltoall:pair``.
    """
    settings = (
        "smpi/simulate-computation:no",
        f"smpi/host-speed:{SPEED}",
        "smpi/test:1e-7",
        "smpi/iprobe:1e-7",
        "smpi/grow-injected-times:no",
        f"smpi/coll-selector:{selector}",
        *_of_messages(platform),
        "smpi/wtime:0",
        "smpi/shared-malloc:global",
        f"smpi/shared-malloc-blocksize:{BLOCK}",
        "network/latency-factor:1",
        "network/bandwidth-factor:1",
        "network/TCP-gamma:0",
        "network/crosstraffic:0",
        "network/weight-S:0",
        "contexts/factory:raw",
        f"contexts/stack-size:{STACK_KIB}",
        *(f"smpi/{algorithm}" for algorithm in algorithms),
    )
    return tuple(f"--cfg={setting}" for setting in settings)


def _of_messages(platform: Platform) -> tuple[str, ...]:
    """What a message costs, by its size or whatever its size."""
    if platform.segments:
        return segment_settings(platform.segments, by_route=_is_by_route(platform))
    cost = f"0:{platform.overhead:.9g}:0"
    return (
        f"smpi/os:{cost}", f"smpi/or:{cost}", f"smpi/ois:{cost}", "smpi/lat-factor:0:1",
        "smpi/bw-factor:0:1",
    )  # fmt: skip


def message_costs(platform: Platform) -> str:
    """For the simulated program, of a platform whose nodes have costs of their own or whose cards
    are busy for a gap; else empty.
    """
    if not _is_by_route(platform):
        return ""
    return costs_by_route(platform.node_segments or platform.segments, platform.segments)


def _is_by_route(platform: Platform) -> bool:
    return bool(platform.node_segments) or has_gaps(platform.segments)


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
