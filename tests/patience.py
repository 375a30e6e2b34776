# SPDX-License-Identifier: Apache-2.0
"""How long a test waits for what it started: for hangs alone, never a measure of how fast it is.

Less than the test itself has (pytest's ``timeout``, more in the slow suites), so that the test says
what hung and stops it, before pytest ends the test without a word.
"""

SHARE = 0.8

_seconds: list[float] = []


def of_a_test(limit_seconds: float) -> None:
    """Told once by pytest, which knows what it was started with. Args: 0 is no limit."""
    _seconds[:] = [limit_seconds or 3600.0]


def patience() -> float:
    """Seconds."""
    return SHARE * _seconds[0]
