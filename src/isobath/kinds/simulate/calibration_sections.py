# SPDX-License-Identifier: Apache-2.0
"""A calibration of a network as sections: what was measured, and whether it comes back."""

from collections.abc import Iterator
from typing import Any

from isobath.kinds.simulate.calibrating import Calibrated
from isobath.simulation.calibration import Compared
from isobath.simulation.segments import Segment, has_gaps
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Fact, Facts, Section, Table, columns

LARGEST_ERROR = 0.05
"""median over sizes, of each curve"""

LARGEST_OF_LARGE = 0.1
"""of each of the largest ping-pongs, on which the rate of a link rests"""

LARGE_SIZES = 3


def holds(network: Calibrated) -> bool:
    """Whether every curve comes back, and the largest ping-pongs one by one."""
    return not _wrong(network) and not _wrong_large(network)


def _wrong(network: Calibrated) -> list[Compared]:
    return [curve for curve in network.curves if curve.median_error > LARGEST_ERROR]


def _wrong_large(network: Calibrated) -> list[str]:
    return [
        f"{curve.name} of {format_bytes(size)} ({error:+.1%})"
        for curve in network.curves
        if curve.name.startswith("ping-pong")
        for size, error in list(zip(curve.measured.sizes, curve.errors, strict=True))[-LARGE_SIZES:]
        if abs(error) > LARGEST_OF_LARGE
    ]


def verdict(network: Calibrated) -> str:
    """In a sentence or two."""
    busy = "Others used the processors meanwhile: measure again on an idle machine. "
    return (busy if network.is_busy else "") + _of_curves(network)


def _of_curves(network: Calibrated) -> str:
    wrong, large = _wrong(network), _wrong_large(network)
    allowed = f"{LARGEST_ERROR:.0%}"
    words = []
    if wrong:
        names = ", ".join(f"{curve.name} ({curve.median_error:.1%})" for curve in wrong)
        words.append(
            f"Simulated again, these do not come back within {allowed}: {names}. "
            "Simulated times that rest on them are wrong by as much."
        )
    if large:
        words.append(
            f"Of the largest messages, these do not come back within {LARGEST_OF_LARGE:.0%}: "
            f"{', '.join(large)}. The rate rests on them: measure again."
        )
    if not words:
        return f"Simulated again, every measured curve comes back: median errors up to {allowed}."
    return " ".join(words)


def sections_of(network: Calibrated) -> Iterator[Section]:
    """All of them."""
    yield _summary(network)
    yield from _segments(network)
    for curve in network.curves:
        yield _curve(curve)


def _summary(network: Calibrated) -> Section:
    facts = [
        Fact(f"SIMULATED {curve.name}", f"{curve.median_error:.1%}",
             f"median error over {len(curve.errors)} sizes, at most {_largest(curve):.0%}")
        for curve in network.curves
    ]  # fmt: skip
    facts.append(Fact("platform", network.platform.told))
    facts.append(Fact("simulated by", f"SimGrid {network.simgrid}"))
    return Section("calibration", "Network, measured and simulated again",
                   (Facts(tuple(facts), style="pairs"),), lead=verdict(network))  # fmt: skip


def _largest(curve: Compared) -> float:
    return max(map(abs, curve.errors))


def _segments(network: Calibrated) -> Iterator[Section]:
    platform = network.platform
    heads = columns("#from", "#sender works", "#receiver works", "#both copy", "#network, latency",
                    "#network, rate", "#card busy", "#and for bytes")  # fmt: skip
    rows = tuple(
        (
            *_row(segment, 2 * platform.latency, platform.bandwidth),
            format_seconds(segment.gap_seconds), _rate(segment.gap_seconds_per_byte),
        )
        for segment in platform.segments
    )  # fmt: skip
    between = "What a message costs, from a size on"
    if not has_gaps(platform.segments):
        heads, rows = heads[:6], tuple(row[:6] for row in rows)
    yield Section("segments", "Segments of sizes, fitted", (Table(between, heads, rows),))
    if platform.node_segments:
        own = tuple(
            _row(segment, platform.node_latency, platform.node_bandwidth)
            for segment in platform.node_segments
        )
        yield Section("node-segments", "Segments of sizes within a node, fitted",
                      (Table("What a message costs that stays on a node", heads[:6], own),)
                      )  # fmt: skip


def _row(segment: Segment, latency: float, bandwidth: float) -> tuple[str, ...]:
    return (
        format_bytes(segment.from_bytes), format_seconds(segment.send_seconds),
        format_seconds(segment.receive_seconds),
        _rate(segment.send_seconds_per_byte + segment.receive_seconds_per_byte),
        format_seconds(latency * segment.latency_factor),
        _rate(1 / (bandwidth * segment.rate_factor)),
    )  # fmt: skip


def _rate(seconds_per_byte: float) -> str:
    return f"{format_bytes(1 / seconds_per_byte)}/s" if seconds_per_byte > 1e-13 else "no cost"


def _curve(curve: Compared) -> Section:
    rows = tuple(
        (format_bytes(size), format_seconds(seconds), format_seconds(again), f"{error:+.1%}")
        for size, seconds, again, error in zip(
            curve.measured.sizes, curve.measured.seconds, curve.simulated.seconds, curve.errors,
            strict=True,
        )
    )  # fmt: skip
    heads = columns("#bytes", "#measured", "#simulated", "#error")
    name = curve.name.replace(" ", "-")
    return Section(name, f"{curve.name.capitalize()}, a message",
                   (Table("Time of a message, measured and SIMULATED", heads, rows),))  # fmt: skip


def facts_of(network: Calibrated) -> dict[str, Any]:
    """For --json."""
    return {
        "holds": holds(network),
        "is_busy": network.is_busy,
        "verdict": verdict(network),
        "told": network.platform.told,
        "simgrid": network.simgrid,
        "bytes_per_second": network.platform.bandwidth,
        "latency_seconds": network.platform.latency,
        "node_bytes_per_second": network.platform.node_bandwidth,
        "node_latency_seconds": network.platform.node_latency,
        "segments": [vars(segment) for segment in network.platform.segments],
        "node_segments": [vars(segment) for segment in network.platform.node_segments],
        "curves": [
            {
                "name": curve.name,
                "median_error": curve.median_error,
                "sizes": list(curve.measured.sizes),
                "measured_seconds": list(curve.measured.seconds),
                "simulated_seconds": list(curve.simulated.seconds),
            }
            for curve in network.curves
        ],
    }
