# SPDX-License-Identifier: Apache-2.0
"""Numbers and outcomes of comparisons as people read them."""

from collections.abc import Sequence

from isobath.comparison.measured import Scale
from isobath.comparison.verdicts import CellVerdict, Outcome
from isobath.report.wording import count_of, listing, percent
from isobath.units import format_seconds, format_teps

MOST_NAMED = 3

OUTCOME_WORDS: dict[Outcome, str] = {
    "slower": "slower",
    "faster": "faster",
    "same": "the same",
    "cannot tell": "cannot tell",
    "no result": "no result",
}


def value_words(value: float | None, scale: Scale) -> str:
    """A value of a cell: less is better of each, and of searches it is shown as a rate."""
    if value is None:
        return ""
    if scale == "TEPS":
        return format_teps(1 / value)
    if scale in ("rate", "number"):
        return f"{1 / value if scale == 'rate' else value:,.4g}"
    return percent(value) if scale == "share" else format_seconds(value)


def speed_words(speed: float | None) -> str:
    """``speed_words(1.0834) == "1.083"``; fewer digits where they would say nothing."""
    if speed is None:
        return ""
    return f"{speed:.3f}" if 0.1 <= speed < 10 else f"{speed:.3g}"


def interval_words(cell: CellVerdict, level: float = 0.95) -> str:
    """Bounds of the speed; with their own level where so few launches bear no better."""
    if cell.bounds is None or cell.level is None:
        return "none"
    low, high = map(speed_words, cell.bounds)
    own = "" if cell.level >= level else f" ({percent(cell.level)})"
    return f"{low} to {high}{own}"


def whole_percent(share: float) -> str:
    """What somebody chose: ``whole_percent(0.05) == "5 %"``."""
    return f"{100 * share:g} %"


def counted(counts: dict[str, int], margin: float) -> str:
    """``Of 11 cells 2 slower, 1 faster and 8 the same within 5 %``."""
    told = []
    for outcome, number in counts.items():
        words = OUTCOME_WORDS.get(outcome, outcome)  # type: ignore[call-overload]
        within = f" within {whole_percent(margin)}" if outcome == "same" else ""
        told.append(f"{number} {words}{within}")
    return f"of {count_of(sum(counts.values()), 'cell')} {listing(told)}" if told else "no cell"


def few(studies: Sequence[str]) -> str:
    """The first of many; all stand in the JSON."""
    more = len(studies) - MOST_NAMED
    return ", ".join(studies) if more <= 0 else f"{', '.join(studies[:MOST_NAMED])} and {more} more"


def launches_words(cell: CellVerdict) -> str:
    """How many launches on both sides, and whether they are pairs."""
    before, after = cell.launches
    if cell.comparison is not None and cell.comparison.how == "pairs":
        return f"{cell.comparison.counts[0]} pairs"
    return f"{before} and {after}"
