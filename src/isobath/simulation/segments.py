# SPDX-License-Identifier: Apache-2.0
"""What a message costs by its size, in segments: as a file tells it, and as SimGrid takes it.

In a segment a message of m bytes costs its sender and its receiver a time of their own each, and
the network latency and rate with a factor. Between two nodes it keeps the cards of both busy for a
gap: a lone message pays nothing of it, the next one on the same card waits for its end. But for the
gap the model is SimGrid's (SMPI 3.32): it carries 16 bytes more than a message has, and a sender of
64 KiB or more pays for both ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from isobath.errors import UsageError
from isobath.units import Bytes, Seconds

ENVELOPE: Bytes = 16
"""that SimGrid carries with each message"""

DETACHED: Bytes = 65536
"""A smaller message goes on by itself, and its receiver pays for it too."""


@dataclass(frozen=True)
class Segment:
    """Messages from a size on, up to the next segment."""

    from_bytes: Bytes
    send_seconds: Seconds
    """that the sender works"""
    send_seconds_per_byte: Seconds
    receive_seconds: Seconds
    receive_seconds_per_byte: Seconds
    latency_factor: float = 1.0
    """of the platform's latency, or that of its nodes"""
    rate_factor: float = 1.0
    """of the platform's rate, or that of its nodes; above 1 a message is faster than its link, and
    takes as much less of the link's time"""
    gap_seconds: Seconds = 0.0
    """from when a message leaves until its sender's card takes the next"""
    gap_seconds_per_byte: Seconds = 0.0

    def sent(self, size: Bytes) -> Seconds:
        """What the sender works."""
        return self.send_seconds + self.send_seconds_per_byte * size

    def received(self, size: Bytes) -> Seconds:
        """What the receiver works."""
        return self.receive_seconds + self.receive_seconds_per_byte * size

    def on_ranks(self, size: Bytes) -> Seconds:
        """What both ends work."""
        return self.sent(size) + self.received(size)

    def gap(self, size: Bytes) -> Seconds:
        """For which cards are busy."""
        return self.gap_seconds + self.gap_seconds_per_byte * size


MOST, MOST_BYTES = 3600.0, 1e15
"""of seconds, seconds of a byte, and factors: beyond, nothing can be simulated"""

KEYS = tuple(field.name for field in fields(Segment))


OF_CARDS = ("gap_seconds", "gap_seconds_per_byte")
"""Keys that are none within a node, whose messages cross no card."""


def read_segments(value: object, place: str, name: str = "segments") -> tuple[Segment, ...]:
    """Of [[segments]], or [[node_segments]]. Raises: UsageError for what is none, naming the
    place.
    """
    if not isinstance(value, list) or not value:
        raise UsageError(f"{place}: {name} are tables; write [[{name}]]")
    one = name.removesuffix("s").replace("_", " ")
    segments = tuple(
        _segment(table, f"{place}: {one} {n + 1}", name) for n, table in enumerate(value)
    )
    starts = [segment.from_bytes for segment in segments]
    if starts[0] != 0 or starts != sorted(set(starts)):
        raise UsageError(f"{place}: {name} begin at 0 bytes, each beyond the one before it")
    return segments


def _segment(table: object, place: str, name: str) -> Segment:
    if not isinstance(table, Mapping):
        raise UsageError(f"{place} is no table; write [[{name}]]")
    if name != "segments" and set(OF_CARDS) & set(table):
        raise UsageError(f"{place}: messages within a node cross no card; leave gaps out")
    keys = _keys_of(name)
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise UsageError(f"{place}: there is no {unknown[0]}; there are {', '.join(keys)}")
    missing = [key for key in KEYS[:5] if key not in table]
    if missing:
        raise UsageError(f"{place} does not tell {missing[0]}")
    given = {key: _number(table[key], f"{place}: {key}") for key in KEYS if key in table}
    whole = given.pop("from_bytes")
    if whole != int(whole):
        raise UsageError(f"{place}: from_bytes is a whole number")
    if given.get("rate_factor", 1.0) == 0:
        raise UsageError(f"{place}: rate_factor is a number above 0")
    return Segment(int(whole), **given)


def _keys_of(name: str) -> list[str]:
    return [key for key in KEYS if name == "segments" or key not in OF_CARDS]


def _number(value: Any, place: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    most = MOST_BYTES if place.endswith("from_bytes") else MOST
    if not is_number or not 0 <= value <= most:
        raise UsageError(f"{place} is a number from 0 to {most:g}")
    return float(value)


def has_gaps(segments: Sequence[Segment]) -> bool:
    """Whether cards are busy for longer than a message takes."""
    return any(one.gap_seconds > 0 or one.gap_seconds_per_byte > 0 for one in segments)


def segment_lines(segments: Sequence[Segment], name: str = "segments") -> Iterator[str]:
    """As a platform's file has them."""
    keys = _keys_of(name)
    for segment in segments:
        yield f"[[{name}]]"
        for key in keys:
            value = getattr(segment, key)
            yield f"{key} = {value if isinstance(value, int) else format(value, '.6g')}"


Cost = tuple[Bytes, Seconds, Seconds]
"""Of messages of so many bytes and more: seconds of each, and of each byte"""


def sender_costs(segments: Sequence[Segment]) -> Iterator[Cost]:
    """What senders pay: of messages that SimGrid does not let go by themselves, both ends."""
    for segment in _cut_at(segments, DETACHED):
        start, byte = segment.send_seconds, segment.send_seconds_per_byte
        if segment.from_bytes >= DETACHED:
            start += segment.receive_seconds
            byte += segment.receive_seconds_per_byte
        yield segment.from_bytes, start, byte


def receiver_costs(segments: Sequence[Segment]) -> Iterator[Cost]:
    """What receivers pay, of messages that went by themselves."""
    for segment in _cut_at(segments, DETACHED):
        yield segment.from_bytes, segment.receive_seconds, segment.receive_seconds_per_byte


def costs_by_route(within: Sequence[Segment], between: Sequence[Segment]) -> str:
    """As the programs of SimGrid read it (engine/skeleton/message_costs.hpp): what senders pay
    within a node and between two, what receivers do, factors of latency and rate of both, and for
    how long cards are busy.
    """
    lists = [sender_costs(within), sender_costs(between)]
    lists += [receiver_costs(within), receiver_costs(between)]
    lists += [_factors(within), _factors(between), _gaps(between)]
    return "|".join(";".join(_cost_text(*cost) for cost in costs) for costs in lists)


def _factors(segments: Sequence[Segment]) -> Iterator[tuple[Bytes, float, float]]:
    for segment in segments:
        yield segment.from_bytes, segment.latency_factor, segment.rate_factor


def _gaps(segments: Sequence[Segment]) -> Iterator[Cost]:
    for segment in segments:
        yield segment.from_bytes, segment.gap_seconds, segment.gap_seconds_per_byte


def _cost_text(size: Bytes, start: Seconds, byte: Seconds) -> str:
    return f"{size}:{start:.9g}:{byte:.9g}"


def segment_settings(segments: Sequence[Segment], *, by_route: bool = False) -> tuple[str, ...]:
    """Of the simulator: the segment of a size is the last that begins below it.

    Args: by_route, where programs are told costs by route: then SimGrid may not be told factors.
    """
    sends, receives = (
        [_cost_text(max(0, size - 1), start, byte) for size, start, byte in costs]
        for costs in (sender_costs(segments), receiver_costs(segments))
    )
    settings = (
        f"smpi/send-is-detached-thresh:{DETACHED}",
        f"smpi/async-small-thresh:{DETACHED}",  # else they wait until somebody receives
        f"smpi/os:{';'.join(sends)}",
        f"smpi/ois:{';'.join(sends)}",
        f"smpi/or:{';'.join(receives)}",
    )
    if by_route:
        return settings
    places = [(max(0, segment.from_bytes + ENVELOPE - 1) if segment.from_bytes else 0, segment)
              for segment in segments]  # fmt: skip
    latencies = [f"{place}:{segment.latency_factor:.9g}" for place, segment in places]
    rates = [f"{place}:{segment.rate_factor:.9g}" for place, segment in places]
    return (
        *settings,
        f"smpi/lat-factor:{';'.join(latencies)}",
        f"smpi/bw-factor:{';'.join(rates)}",
    )


def _cut_at(segments: Sequence[Segment], size: Bytes) -> Iterator[Segment]:
    """The same, with one that begins at a size."""
    values = [segment.from_bytes for segment in segments]
    for number, segment in enumerate(segments):
        yield segment
        end = values[number + 1] if number + 1 < len(values) else None
        if segment.from_bytes < size and (end is None or end > size):
            costs = {name: getattr(segment, name) for name in KEYS[1:]}
            yield Segment(size, **costs)
