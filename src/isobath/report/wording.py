# SPDX-License-Identifier: Apache-2.0
"""Numbers and lists as the report writes them. Units stand beside a number or in its heading."""

import math
from collections.abc import Iterable, Sequence

from isobath.units import EdgesPerSecond, Seconds

UNVALIDATED = "UNVALIDATED"

DIRECTIONS = {"top_down": "top-down", "bottom_up": "bottom-up"}


def gteps(teps: EdgesPerSecond, decimals: int = 3) -> str:
    """A rate in 10^9 edges per second, without its unit: ``gteps(7.1234e9) == "7.123"``."""
    value = teps / 1e9
    if value == 0:
        return "0"
    if value < 10 ** (1 - decimals):
        return f"{value:.2g}"
    return f"{value:,.{decimals}f}"


def with_error(value: float, error: float | None) -> tuple[str, str]:
    """A value and its standard error with the same decimals, two digits of the error deciding.

    >>> with_error(7.13219, 0.01834)
    ('7.132', '0.018')
    >>> with_error(7.13219, None)
    ('7.132', '')
    """
    if error is None:
        return f"{value:,.3f}" if value >= 0.1 else f"{value:.3g}", ""
    if error == 0:
        return f"{value:,.3f}" if value >= 0.1 else f"{value:.3g}", "0"
    decimals = max(0, min(6, 1 - math.floor(math.log10(error))))
    if round(error, decimals) == 0:
        return f"{value:.3g}", f"{error:.2g}"
    return f"{value:,.{decimals}f}", f"{error:,.{decimals}f}"


def milliseconds(seconds: Seconds) -> str:
    """Seconds as a number of milliseconds, three digits or more: 0.00281 is "2.81"."""
    return significant(seconds * 1e3)


def milliseconds_of(seconds: Seconds, total: Seconds) -> str:
    """Parts of a total with the same decimals: 0.0000712 of 0.00233 is "0.071 ms"."""
    return f"{parts_of(seconds * 1e3, total * 1e3)} ms"


def parts_of(value: float, total: float) -> str:
    """Parts of a total with the same decimals, without unit; never a false zero.

    >>> parts_of(0.0712, 2.33), parts_of(2.1, 2.33), parts_of(0.00002, 2.33)
    ('0.071', '2.100', '< 0.001')
    """
    decimals = max(0, 3 - math.floor(math.log10(total))) if total > 0 else 3
    smallest = 10.0**-decimals
    if 0 < value < smallest / 2:
        return f"< {smallest:.{decimals}f}"
    return f"{value:,.{decimals}f}"


def significant(value: float, digits: int = 3) -> str:
    """At least ``digits`` significant digits, no exponent where people compare values.

    >>> significant(2.8134), significant(28134.2), significant(0.000123), significant(0)
    ('2.81', '28,134', '0.000123', '0')
    """
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude < -6:
        return f"{value:.{digits - 1}e}"
    return f"{value:,.{max(0, digits - 1 - magnitude)}f}"


def compact(value: float) -> str:
    """A count for a chart label: ``compact(1234567) == "1.23 M"``; exact below ten thousand."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size and value >= 1e4:
            return f"{significant(value / size)} {unit}"
    return f"{value:,.0f}"


def percent(share: float) -> str:
    """A share: ``percent(0.1234) == "12 %"``; more digits near the ends, never a false 0 or 100."""
    if share <= 0:
        return "0 %"
    if share < 0.0005:
        return "< 0.1 %"
    if 0.995 <= share < 1:
        return f"{math.floor(share * 1000) / 10:.1f} %"
    return f"{share * 100:.0f} %" if share >= 0.0995 else f"{share * 100:.1f} %"


def part_of(part: float, whole: float) -> float:
    """A part as a number; nothing of nothing is 0, for places of rows and lengths of bars."""
    return part / whole if whole else 0.0


def share_of(part: float, whole: float) -> str:
    """A share where there is a whole: ``share_of(1, 8) == "12 %"``; nothing of nothing."""
    return percent(part / whole) if whole else ""


def count_of(number: int, singular: str, many: str = "") -> str:
    """``count_of(1, "search", "searches") == "1 search"``."""
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"


def all_of(number: int, singular: str, many: str = "") -> str:
    """``all_of(4, "rank") == "All 4 ranks"``, and ``all_of(1, "rank") == "The only rank"``."""
    return f"The only {singular}" if number == 1 else f"All {count_of(number, singular, many)}"


def was_of(number: int) -> str:
    """The verb behind a count: ``was_of(1) == "was"``."""
    return "was" if number == 1 else "were"


def listing(words: Iterable[str]) -> str:
    """``listing(["a", "b", "c"]) == "a, b and c"``."""
    items: Sequence[str] = tuple(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def phase_name(phase: str) -> str:
    """A phase as the page writes it: ``phase_name("bottom_up") == "bottom-up"``."""
    return DIRECTIONS.get(phase, phase.replace("_", " "))


def yes_no(value: bool) -> str:
    """The words for a statement that holds or does not."""
    return "yes" if value else "no"


def printable(text: str) -> str:
    """Text of a record without control characters, which a terminal or a drawing would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
