# SPDX-License-Identifier: Apache-2.0
"""Labels that stand above the numbers of studies of several launches, until there are enough."""

LEAST_LAUNCHES = 3
"""Launches differ more than the repetitions of one say: fewer bear no interval."""


def unfinished(done: int, planned: int) -> str:
    """UNFINISHED and how far it is, where launches are missing; else nothing."""
    return f"UNFINISHED: {done} of {planned} launches are done." if done < planned else ""


def few_launches(launches: int) -> str:
    """FEW LAUNCHES and why, where there are fewer than it takes; else nothing."""
    if launches >= LEAST_LAUNCHES:
        return ""
    return (
        f"FEW LAUNCHES: {launches}, fewer than {LEAST_LAUNCHES}; launches differ more than their "
        "repetitions say"
    )
