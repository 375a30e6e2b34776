# SPDX-License-Identifier: Apache-2.0
"""Whether a value is one that a setting can have; what is wrong with it, in a sentence."""

import math
import os
from dataclasses import dataclass
from typing import Any

from isobath.errors import UsageError
from isobath.settings.values import nearest

TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off")
ON_OFF = ("on", "off")

TAKES = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    dict: 'settings, for example { plan = "simple" }',
}


@dataclass(frozen=True)
class Limits:
    """Which values there are."""

    above: float | None = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str | int, ...] = ()


NO_LIMITS = Limits()


def limit_words(limit: float, separator: str = "") -> str:
    """A limit for people: a whole number has all its digits.

    >>> limit_words(2**64 - 1)
    '18446744073709551615'
    """
    if isinstance(limit, int):
        return f"{limit:{separator}}"
    return f"{limit:{separator}.10g}"


def said(origin: str, value: Any) -> str:
    """A value after where it comes from, as it is written there."""
    return f"{origin} {value}" if origin.startswith("-") else f"{origin} = {value}"


def read_word(kind: type, text: str, origin: str) -> Any:
    """The value that a word of an option or variable stands for. Raises: UsageError."""
    if kind is bool:
        word = text.strip().lower()
        if word in TRUE_WORDS or word in FALSE_WORDS:
            return word in TRUE_WORDS
        raise UsageError(f"{said(origin, text or 'nothing')} is neither yes nor no; write 1 or 0")
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError as error:
        example = "a whole number, as 4" if kind is int else "one, as 0.5"
        raise UsageError(
            f"{said(origin, text or 'nothing')} is not a number; write {example}"
        ) from error


def checked(kind: type, value: Any, origin: str, limits: Limits) -> Any:
    """The value itself, or what it stands for. Raises: UsageError beginning with ``origin``."""
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if set(ON_OFF) <= set(limits.choices) and isinstance(value, bool):
        value = "on" if value else "off"
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(f"{said(origin, repr(value))}: this setting takes {TAKES[kind]}")
    if limits.choices and value not in limits.choices:
        near = nearest(str(value), map(str, limits.choices))
        hint = f"did you mean {near}? There are " if near else "choose one of "
        raise UsageError(f"{said(origin, value)}: {hint}{', '.join(map(str, limits.choices))}")
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"{said(origin, value)}: this setting takes a finite number")
    _check_reach(value, origin, limits)
    return value


def _check_reach(value: Any, origin: str, limits: Limits) -> None:
    if limits.above is not None and value <= limits.above:
        raise UsageError(f"{said(origin, value)}: it must be greater than {limits.above:g}")
    if limits.least is not None and value < limits.least:
        raise UsageError(f"{said(origin, value)}: the least is {limits.least:g}")
    if limits.most is not None and value > limits.most:
        raise UsageError(f"{said(origin, value)}: the most is {limit_words(limits.most)}")
