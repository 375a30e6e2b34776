# SPDX-License-Identifier: Apache-2.0
"""The commands that make a link of a node limited and slow: token buckets, the kernel's delay."""

import sys

from isobath.launch import whole_frames
from isobath.launch.transport import Transport
from isobath.units import Bytes

INTERFACE = "eth0"
"""of every node, inside its namespace"""

QUEUE_BYTES: Bytes = 64 * 2**20
"""Room before a limited link: enough that nothing is lost, as TCP would wait long to repeat it."""

QUEUE_PACKETS = 100000
"""Frames of a node that are on their way at once, where there is a latency."""

FRAME_BYTES: Bytes = 1514
"""of the interfaces: an MTU of 1500 and the header of Ethernet"""

BURST_BYTES: Bytes = 2 * FRAME_BYTES
"""What a link may send at once after a pause. A link of a rate sends no message faster than that;
with one frame it would stop for a timer between any two."""

NETEM = "netem"
"""The kernel's own way to delay frames; not every kernel has it."""


def outgoing_link(transport: Transport, *, by_kernel: bool = True) -> list[tuple[str, ...]]:
    """Commands that limit what a node sends, and delay it where the kernel does that, to be run
    inside it.
    """
    add = ("tc", "qdisc", "add", "dev", INTERFACE)
    commands = [(*add, "root", "handle", "1:", *rate_words(transport))] * has_limit(transport)
    if transport.latency_us and by_kernel:
        place = ("parent", "1:1", "handle", "10:") if has_limit(transport) else ("root",)
        commands.append((*add, *place, *delay_words(transport)))
    return commands


def incoming_link(transport: Transport, port: str) -> list[tuple[str, ...]]:
    """Commands that limit what a node receives, to be run at its port of the switch."""
    return [("tc", "qdisc", "add", "dev", port, "root", *rate_words(transport))] * has_limit(
        transport
    )


def has_limit(transport: Transport) -> bool:
    """Whether links have a rate."""
    return transport.bits_per_second is not None


def rate_words(transport: Transport) -> tuple[str, ...]:
    """A token bucket of the link's rate."""
    rate = f"{transport.bits_per_second or 0}bit"
    return ("tbf", "rate", rate, "burst", str(BURST_BYTES), "limit", str(QUEUE_BYTES))


def delay_words(transport: Transport) -> tuple[str, ...]:
    """The kernel's delay of the link's latency."""
    return (NETEM, "delay", f"{transport.latency_us}us", "limit", str(QUEUE_PACKETS))


def whole_frames_on(interface: str) -> tuple[str, ...]:
    """The command after which an interface is handed frames as they travel, none larger."""
    return (sys.executable, "-I", "-S", whole_frames.__file__, interface)
