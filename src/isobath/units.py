# SPDX-License-Identifier: Apache-2.0
"""Units as types, and numbers as people read them."""

from typing import TypeAlias

Seconds: TypeAlias = float
Bytes: TypeAlias = int
EdgesPerSecond: TypeAlias = float

DAYS_FROM = 72 * 3600.0
"""Longer times are said in days."""


def format_bytes(count: float) -> str:
    """Bytes in decimal units, three significant digits: ``format_bytes(1536) == "1.54 kB"``."""
    rounded = _three_digits(count)
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(rounded) >= size:
            return f"{_plain(rounded / size)} {unit}"
    return f"{count:.0f} B"


def format_seconds(seconds: float) -> str:
    """Seconds with a unit that fits: ``format_seconds(0.0123) == "12.3 ms"``."""
    if seconds >= DAYS_FROM:
        return f"{seconds / 86400:,.0f} days"
    if seconds >= 7200:
        return f"{seconds / 3600:.1f} h"
    if seconds >= 120:
        return f"{seconds / 60:.1f} min"
    rounded = _three_digits(seconds)
    for unit, per_second in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if rounded * per_second >= 1:
            return f"{_plain(rounded * per_second)} {unit}"
    return f"{_plain(rounded * 1e9)} ns"


def format_roughly(seconds: float) -> str:
    """A time in whole units, for estimates: ``format_roughly(24.63) == "25 s"``."""
    if seconds >= DAYS_FROM:
        return format_seconds(seconds)
    if seconds >= 90:
        return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
    return f"{max(1.0, seconds):.0f} s"


def format_teps(teps: EdgesPerSecond) -> str:
    """Traversed edges per second with a unit that fits: ``format_teps(2.5e9) == "2.50 GTEPS"``."""
    for unit, size in (("TTEPS", 1e12), ("GTEPS", 1e9), ("MTEPS", 1e6), ("kTEPS", 1e3)):
        if teps >= size:
            return f"{teps / size:.2f} {unit}"
    return f"{teps:.0f} TEPS"


def format_count(count: int) -> str:
    """A count with thin groups of three: ``format_count(16775818) == "16,775,818"``."""
    return f"{count:,}"


def _three_digits(value: float) -> float:
    """Rounded before the unit is chosen: 0.9997 s is 1 s, not a thousand milliseconds."""
    return float(f"{value:.3g}")


def _plain(value: float) -> str:
    """Three digits without an exponent."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


def size_words(size: float) -> str:
    """Bytes in powers of two where it is one of their multiples, else in full.

    >>> size_words(256), size_words(4096), size_words(3 * 2**20), size_words(267), size_words(1e9)
    ('256 B', '4 KiB', '3 MiB', '267 B', '1,000,000,000 B')
    """
    for name, unit in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= unit and (size / unit * 4).is_integer() and size / unit < 1024:
            return f"{size / unit:g} {name}"
    return f"{size:,.0f} B"
