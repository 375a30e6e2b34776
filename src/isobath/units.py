# SPDX-License-Identifier: Apache-2.0
"""Units as types, and numbers as people read them."""

from typing import TypeAlias

Seconds: TypeAlias = float
Bytes: TypeAlias = int
EdgesPerSecond: TypeAlias = float


def format_bytes(count: float) -> str:
    """Bytes in decimal units, three significant digits: ``format_bytes(1536) == "1.54 kB"``."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(count) >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} B"


def format_seconds(seconds: float) -> str:
    """Seconds with a unit that fits: ``format_seconds(0.0123) == "12.3 ms"``."""
    if seconds >= 7200:
        return f"{seconds / 3600:.1f} h"
    if seconds >= 120:
        return f"{seconds / 60:.1f} min"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def format_teps(teps: EdgesPerSecond) -> str:
    """Traversed edges per second with a unit that fits: ``format_teps(2.5e9) == "2.50 GTEPS"``."""
    for unit, size in (("TTEPS", 1e12), ("GTEPS", 1e9), ("MTEPS", 1e6), ("kTEPS", 1e3)):
        if teps >= size:
            return f"{teps / size:.2f} {unit}"
    return f"{teps:.0f} TEPS"


def format_count(count: int) -> str:
    """A count with thin groups of three: ``format_count(16775818) == "16,775,818"``."""
    return f"{count:,}"
