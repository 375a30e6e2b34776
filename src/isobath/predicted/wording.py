# SPDX-License-Identifier: Apache-2.0
"""Words of predictions."""

from collections.abc import Sequence

from isobath.prediction.pieces import Spread
from isobath.units import format_seconds

METHOD = {
    "predicted": "computed from a run and from costs of calls; not measured, not simulated",
    "90 % interval": "over draws: of bytes by the closed forms' intervals (one draw for all "
    "levels of a search: what is too much in one is too much in all), of costs by drawing "
    "measured points again and by how single calls scatter, of computation by drawing searches",
    "costs of a call": "rounds, messages and bytes of its algorithm, within a node and between "
    "nodes, times latency, gap and seconds of a byte (docs/explanation/predicting.md)",
    "computation": "of a level, of vertices, of arcs top-down and bottom-up, of tuples, of the "
    "frontier and of what is found, as the runs took; where a rank has twice as many vertices arcs "
    "take longer, as runs of other sizes say, else 12 % (0 to 25 %)",
    "waiting": "before the last rank came: shares of computation and of calls as in the runs, as "
    "much again for each doubling of ranks; unknown, and in no number, where all runs had one rank",
    "volume, cost model, application": "what the closed forms of bytes, the costs of calls, and "
    "all else add to the error; together they are the error",
    "cannot tell": "the 90 % interval of the change holds no change",
}


def without(unknown: Sequence[str]) -> str:
    """What an interval does not hold, behind other words; empty where it holds all."""
    return f", without {' and '.join(unknown)}: unknown" if unknown else ""


def unknown_notice(unknown: Sequence[str]) -> str:
    """What has to be known before any number is believed."""
    return (
        f"UNKNOWN: {' and '.join(unknown)}. Runs of one rank, which waits for nobody, do not tell "
        "it: predicted times of several ranks are too short by it, rates too high, and no interval "
        "holds it. Name a run of several ranks."
    )


def spread_words(spread: Spread) -> str:
    """``1.2 ms to 3.4 ms``."""
    return f"{format_seconds(spread.low)} to {format_seconds(spread.high)}"


def seconds_words(spread: Spread) -> str:
    """With its interval."""
    return f"{format_seconds(spread.middle)} ({spread_words(spread)})"


def gteps_words(spread: Spread) -> str:
    """GTEPS with its interval."""
    return f"{spread.middle:.3g} GTEPS ({spread.low:.3g} to {spread.high:.3g})"


def change_words(change: Spread) -> str:
    """``-12 % (-20 % to -3 %)``."""
    low, middle, high = (
        f"{100 * value:+.1f} %" for value in (change.low, change.middle, change.high)
    )
    return f"{middle} ({low} to {high})"
