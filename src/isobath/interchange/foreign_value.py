# SPDX-License-Identifier: Apache-2.0
"""A value that another program printed, with what it says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from isobath.records.strict_json import LARGEST

WRONG = "WRONG DATA"
"""How the trouble of a value begins whose program found its contents wrong."""


@dataclass(frozen=True)
class ForeignValue:
    """One number. What agrees in all but the number was measured again: another launch."""

    what: str
    """in the words of Isobath where it has some: allreduce, search"""
    value: float
    """above 0"""
    unit: str = "s"
    """s, TEPS, or as it is printed"""
    more_is_better: bool = False
    program: str = ""
    """the family it comes from: two programs do not measure alike"""
    ranks: int | None = None
    """None where nothing says it"""
    size_bytes: int | None = None
    graph: str = ""
    keys: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    """how it was measured, as far as it is told"""
    trouble: str = ""
    """why it is no result"""


@dataclass(frozen=True)
class Output:
    """What a reader makes of a file; without programs it is none of its."""

    programs: tuple[str, ...] = ()
    values: tuple[ForeignValue, ...] = ()
    remarks: tuple[str, ...] = ()


def is_positive(value: float) -> bool:
    """A number that a time or a rate can be."""
    return 1 / LARGEST < value < LARGEST


def number_of(word: str) -> float | None:
    """A number as a program prints it; None of what is none, or endless."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if abs(value) < LARGEST else None
