# SPDX-License-Identifier: Apache-2.0
"""Time between polls of an exchange that sends while it scans: waiting, which looks like computing.

Where links are slower than the scan, a rank that has enough under way tests for arrivals, yields
its processor, tests again: hundreds of thousands of times in a level. What passes between tests is
outside of every call, yet it is the network that is waited for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isobath.prediction.calls import Layout
from isobath.records.communication import CallCell

POLLS = ("test", "testany", "testsome", "testall", "iprobe")

AS_LONG_AS_TESTS = 2.0
"""A yield of a processor is a system call. It is taken for at most so many times what a test takes,
for each thread that takes turns: more than that is computation."""


@dataclass(frozen=True)
class _Idle:
    """Of a level: polls of a rank that found nothing, and seconds of a poll."""

    polls: float
    seconds: float


def polled(
    cells: Sequence[CallCell], outside: Mapping[int, float], layout: Layout
) -> dict[int, float]:
    """Seconds between idle polls, by level.

    One poll is followed by the same pause everywhere: the shortest that any level allows, as if
    ranks had done nothing else there. Args: outside are seconds of a level outside of calls.
    """
    idle = _idle(cells, layout.grid.size)
    pauses = [outside[level] / one.polls for level, one in idle.items() if outside.get(level)]
    if not pauses:
        return {}
    pause = min(pauses)
    most = AS_LONG_AS_TESTS * layout.crowding
    return {
        level: min(outside.get(level, 0.0), one.polls * min(pause, most * one.seconds))
        for level, one in idle.items()
    }


def _idle(cells: Sequence[CallCell], ranks: int) -> dict[int, _Idle]:
    """Levels where polls that found nothing are most of them."""
    polls: defaultdict[int, float] = defaultdict(float)
    seconds: defaultdict[int, float] = defaultdict(float)
    messages: defaultdict[int, float] = defaultdict(float)
    for cell in cells:
        if cell.phase != "fold":
            continue
        messages[cell.level] += cell.messages / ranks
        if cell.call in POLLS:
            polls[cell.level] += cell.calls / ranks
            seconds[cell.level] += cell.seconds_mean
    return {
        level: _Idle(number - 2 * messages[level], seconds[level] / number)
        for level, number in polls.items()
        if number > 4 * messages[level]
    }
