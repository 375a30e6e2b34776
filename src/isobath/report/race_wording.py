# SPDX-License-Identifier: Apache-2.0
"""Words, colours and shapes that all sections of a race share."""

import math

from isobath.report.race_marks import Shape
from isobath.report.wording import significant
from isobath.stats.ratios import Ratio

SHAPES: dict[str, Shape] = {
    "replicated-csr": "circle",
    "replicated-csc": "square",
    "simple": "triangle-up",
    "one-sided": "triangle-down",
    "two-dim": "diamond",
    "hybrid": "cross",
}
"""The mark of each plan in charts; a plan that is not here gets a circle."""

PLANS = tuple(SHAPES)
"""The plans in the order of their publication, ours last."""

CALL_COLOURS = tuple(f"call-{number}" for number in range(1, 8))
"""for the MPI calls that take most time; the rest share a grey"""

OTHER_CALLS = "call-other"

KINDS = ("B", "KiB", "MiB", "GiB", "TiB")

OVERSUBSCRIBED = (
    "OVERSUBSCRIBED: more ranks times threads than processors. Bytes are facts, times are not: "
    "times of such a cell say how the ranks took turns, not how fast a machine is."
)


def plan_colour(plan: str) -> str:
    """The CSS variable of a plan."""
    return f"plan-{plan}" if plan in SHAPES else "plan-other"


def plan_shape(plan: str) -> Shape:
    """The mark of a plan."""
    return SHAPES.get(plan, "circle")


def plan_place(plan: str) -> tuple[int, str]:
    """Sorts plans as the report lists them; unknown ones come last, by name."""
    return (PLANS.index(plan) if plan in PLANS else len(PLANS), plan)


def times(value: float) -> str:
    """A ratio: ``times(2.345) == "2.35 times"``, and more digits close to one."""
    return f"{ratio_number(value)} times"


def ratio_number(value: float) -> str:
    """A ratio without its word; close to one the digits that differ from one are kept.

    >>> ratio_number(2.345), ratio_number(1.0123), ratio_number(0.0123), ratio_number(123.4)
    ('2.35', '1.012', '0.0123', '123')
    """
    if 0.95 <= value <= 1.05:
        return f"{value:.3f}"
    return significant(value)


def with_interval(ratio: Ratio) -> str:
    """A ratio and its interval: "2.35 (2.20 to 2.51)"."""
    if ratio.low is None or ratio.high is None:
        return ratio_number(ratio.value)
    decimals = max(2, 2 - math.floor(math.log10(ratio.value))) if ratio.value < 1 else 2
    decimals = max(decimals, 3) if 0.95 <= ratio.value <= 1.05 else decimals
    low, high = f"{ratio.low:,.{decimals}f}", f"{ratio.high:,.{decimals}f}"
    return f"{ratio.value:,.{decimals}f} ({low} to {high})"


def change(ratio: float) -> str:
    """A ratio as a change in per cent.

    >>> change(1.163), change(0.5), change(1.0), change(0.9996)
    ('+16 %', '\N{MINUS SIGN}50 %', '\N{PLUS-MINUS SIGN}0 %', '\N{PLUS-MINUS SIGN}0 %')
    """
    share = (ratio - 1) * 100
    if abs(share) < 0.05:
        return "\N{PLUS-MINUS SIGN}0 %"
    sign = "+" if share > 0 else "\N{MINUS SIGN}"
    size = abs(share)
    return f"{sign}{size:,.0f} %" if size >= 9.95 else f"{sign}{size:.1f} %"


def octave(size: float) -> str:
    """A size in powers of two: ``octave(4096) == "4 KiB"``.

    >>> octave(512), octave(4096), octave(1.5 * 2**20)
    ('512 B', '4 KiB', '1.5 MiB')
    """
    power = 0
    while size >= 1024 and power < len(KINDS) - 1:
        size, power = size / 1024, power + 1
    return f"{size:g} {KINDS[power]}"


def byte_unit(largest: float) -> tuple[float, str]:
    """The unit of an axis of bytes: its size and its name.

    >>> byte_unit(3.2e6), byte_unit(999)
    ((1000000.0, 'MB'), (1.0, 'bytes'))
    """
    for size, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if largest >= size:
            return size, name
    return 1.0, "bytes"
