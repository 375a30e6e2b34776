# SPDX-License-Identifier: Apache-2.0
"""Results that other programs printed: recognised by what they print, read without a doubt of whose
they are.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from isobath.errors import EnvironmentProblem, UsageError
from isobath.interchange import graph500_text, imb, osu, reframe
from isobath.interchange.foreign_value import ForeignValue, Output
from isobath.records import strict_json

LARGEST = 1 << 26
"""bytes; an output of OSU has a few kB"""

MOST_VALUES = 3_000_000
"""in a report of ReFrame; a short text of empty lists takes dozens of times its size in memory"""

BASELINE = '{"entries":'
"""How a baseline of Isobath begins."""

Format = Literal["osu", "imb", "reframe", "graph500"]

OF_TEXT: Mapping[Format, Callable[[str], Output]] = {
    "osu": osu.read_osu,
    "imb": imb.read_output,
    "graph500": graph500_text.read_graph500,
}


@dataclass(frozen=True)
class Foreign:
    """What a file holds."""

    programs: tuple[str, ...]
    """as they call themselves"""
    values: tuple[ForeignValue, ...]
    remarks: tuple[str, ...] = field(default=())
    """what is left out, and what a reader has to know: one sentence each"""


def read_foreign(path: Path) -> Foreign:
    """Raises: EnvironmentProblem where the file cannot be read, UsageError where nobody knows it or
    it holds no result.
    """
    text = _text(path)
    if text.startswith(BASELINE):
        raise UsageError(
            f"{path} is a baseline of Isobath: ./isobath baseline import {path} takes it in"
        )
    outputs = [_of_reframe(path, text)] if text.lstrip().startswith("{") else _of_text(text)
    foreign = _together(outputs)
    if not foreign.programs:
        raise UsageError(
            f"{path} is no output that is known: of the OSU micro-benchmarks, the Intel MPI "
            "Benchmarks, Graph500's reference, RIKEN's search, nor a report of ReFrame (JSON)"
        )
    if not foreign.values:
        why = foreign.remarks[0] if foreign.remarks else "it has no row of numbers"
        raise UsageError(f"{path} ({', '.join(foreign.programs)}) holds no result: {why}")
    return foreign


def _text(path: Path) -> str:
    try:
        with path.open("rb") as source:
            raw = source.read(LARGEST + 1)
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    if len(raw) > LARGEST:
        raise EnvironmentProblem(f"{path} is too large: more than {LARGEST} bytes; cut it up")
    return raw.decode("utf-8", errors="replace")


def _of_text(text: str) -> list[Output]:
    """A job's log may hold outputs of several programs."""
    return [read(text) for read in OF_TEXT.values()]


def _of_reframe(path: Path, text: str) -> Output:
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise UsageError(
            f"{path} has more values than a report has ({MOST_VALUES}); cut it up, or look who "
            "wrote it"
        )
    try:
        return reframe.read_reframe(strict_json.loads(text))
    except (ValueError, json.JSONDecodeError) as error:
        raise UsageError(f"{path} is no JSON that can be read: {error}") from error


def _together(outputs: Iterable[Output]) -> Foreign:
    known = [output for output in outputs if output.programs]
    return Foreign(
        tuple(dict.fromkeys(name for output in known for name in output.programs)),
        tuple(value for output in known for value in output.values),
        tuple(dict.fromkeys(words for output in known for words in output.remarks)),
    )
