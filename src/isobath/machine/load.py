# SPDX-License-Identifier: Apache-2.0
"""Whether others are at work on this machine."""

import time
from pathlib import Path

from isobath.machine.facts import read_text

LOOKS = 8
SECONDS_BETWEEN = 0.02

BUSY_SHARE = 0.5
"""of the processors; more work of others than that goes into every time we take"""


def load_of_others(root: Path = Path("/")) -> float:
    """Processes of others that want a processor: the load average, or less where it lags behind.

    The average of the last minute still holds what ended since, our own runs too; a few looks at
    what runs now do not, but one look alone may meet a process that has just woken up.
    """
    average, _ = _read(root)
    if average < 0.1:
        return average
    seen = []
    for _ in range(LOOKS):
        seen.append(_read(root)[1])
        time.sleep(SECONDS_BETWEEN)
    return min(average, sum(seen) / LOOKS)


def is_busy(load: float, cpus: int) -> bool:
    """Whether times taken under this load of others are not those of the machine."""
    return load > BUSY_SHARE * cpus


def _read(root: Path) -> tuple[float, int]:
    """Load average of the last minute, and processes that run now beside the one that asks."""
    words = read_text(root / "proc/loadavg").split()
    try:
        return float(words[0]), max(0, int(words[3].partition("/")[0]) - 1)
    except (IndexError, ValueError):
        return 0.0, 0
