# SPDX-License-Identifier: Apache-2.0
"""Where the time of all searches goes, phase by phase; for the page and for the terminal."""

from dataclasses import dataclass

from isobath.records.phases import SEARCH_PHASES
from isobath.report.run_data import RunData

OTHER = "other"
"""what no phase accounts for"""

NOTED_EXCESS = 1.02
"""from here on the page says that phases add up to more than the search"""


@dataclass(frozen=True)
class PhaseShare:
    """One phase over all timed searches; seconds per search."""

    phase: str
    mean: float
    low: float
    high: float
    share: float
    """of the time of all searches"""


def shares(data: RunData) -> tuple[PhaseShare, ...]:
    """Phases that took time, longest first; ``other`` is what no phase accounts for.

    Phases are the longest over ranks, so with several ranks they may add up to more than the
    search; then shares are of that sum.
    """
    searches = data.searches
    count = len(searches)
    spent = sum(max(s.seconds, sum(s.phases.values())) for s in searches)
    phases = []
    for phase in SEARCH_PHASES:
        times = [search.phases.get(phase, 0.0) for search in searches]
        if sum(times) > 0:
            phases.append(
                PhaseShare(phase, sum(times) / count, min(times), max(times), sum(times) / spent)
            )
    rest = [max(0.0, s.seconds - sum(s.phases.values())) for s in searches]
    if phases and sum(rest) > 0.002 * spent:
        phases.append(PhaseShare(OTHER, sum(rest) / count, min(rest), max(rest), sum(rest) / spent))
    return tuple(sorted(phases, key=lambda share: -share.mean))
