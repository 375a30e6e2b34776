# SPDX-License-Identifier: Apache-2.0
"""ReFrame's report of a run (JSON): performance values of test cases, with their units.

Reports of before version 4 list them under perfvars, those since under perfvalues.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from isobath.interchange.foreign_value import WRONG, ForeignValue, Output, is_positive, number_of

PROGRAM = "ReFrame"
SECONDS = {"s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3,
           "msec": 1e-3, "us": 1e-6, "usec": 1e-6, "\u00b5s": 1e-6, "ns": 1e-9}  # fmt: skip
RATE = re.compile(r"/ ?s(ec)?$|ps$|flops?$|hz$", re.IGNORECASE)
REPEAT = re.compile(r"\s*%\.?repeat_no=\d+")
"""Of a test that was asked for several times: each is another launch."""

PASSED = ("success", "pass")
SLOW = "performance"
"""A case that failed in this phase was right, and slower than its reference."""


@dataclass(frozen=True)
class _Value:
    name: str
    value: float
    lower: float | None
    upper: float | None
    """thresholds: one alone says which way is better"""
    unit: str


def read_reframe(report: Any) -> Output:
    """Cases of all its runs; what is a repetition of another is another launch."""
    runs = report.get("runs") if isinstance(report, dict) else None
    session = report.get("session_info") if isinstance(report, dict) else None
    if not isinstance(runs, list) or not isinstance(session, dict):
        return Output()
    version = str(session.get("version", "")).partition(" ")[0]
    remarks: dict[str, None] = {}
    values: list[ForeignValue] = []
    for case in _cases(runs):
        for told in _performance(case):
            read = _read(case, told, str(session.get("hostname", "")))
            if isinstance(read, str):
                remarks[read] = None
            else:
                values.append(read)
    return Output((f"{PROGRAM} {version}".strip(),), tuple(values), tuple(remarks))


def _cases(runs: list[Any]) -> Iterator[Mapping[str, Any]]:
    for run in runs:
        cases = run.get("testcases") if isinstance(run, dict) else None
        yield from (case for case in cases or () if isinstance(case, dict))


def _performance(case: Mapping[str, Any]) -> Iterator[_Value]:
    for row in case.get("perfvars") or ():
        if isinstance(row, dict):
            yield _Value(str(row.get("name")), _number(row.get("value")), row.get("thres_lower"),
                         row.get("thres_upper"), str(row.get("unit") or ""))  # fmt: skip
    named = case.get("perfvalues") or {}
    for name, row in named.items() if isinstance(named, dict) else ():
        if isinstance(row, list) and len(row) >= 5:
            yield _Value(name.rpartition(":")[2], _number(row[0]), row[2], row[3],
                         str(row[4] or ""))  # fmt: skip


def _number(value: Any) -> float:
    return (number_of(str(value)) if isinstance(value, int | float) else None) or math.nan


def _read(case: Mapping[str, Any], told: _Value, host: str) -> ForeignValue | str:
    """A value, or why it is left out."""
    test = REPEAT.sub("", str(case.get("display_name") or case.get("name") or "")).strip()
    what = f"{test}, {told.name}"
    if not is_positive(told.value):
        return f"{what}: it has no value above 0 and is left out"
    seconds = SECONDS.get(told.unit.lower())
    is_rate = seconds is None and RATE.search(told.unit) is not None
    if seconds is None and not is_rate:
        if (told.lower is None) == (told.upper is None):
            unit = told.unit or "no unit"
            return f"{what}: {unit} does not say whether more is better; it is left out"
        is_rate = told.upper is None
    ranks = case.get("num_tasks")
    return ForeignValue(
        what,
        told.value * (seconds or 1.0),
        "s" if seconds else told.unit,
        more_is_better=is_rate,
        program=PROGRAM,
        ranks=ranks if isinstance(ranks, int) and ranks > 0 else None,
        settings=_settings(case, host),
        trouble=_trouble(case),
    )


def _settings(case: Mapping[str, Any], host: str) -> dict[str, str]:
    system = str(case.get("system") or "")
    partition = str(case.get("partition") or "")
    told = {
        "system": f"{system}:{partition}" if partition else system or host,
        "environment": str(case.get("environ") or case.get("environment") or ""),
    }
    return {name: words for name, words in told.items() if words}


def _trouble(case: Mapping[str, Any]) -> str:
    result, phase = str(case.get("result", "")), str(case.get("fail_phase") or "")
    if result in PASSED or phase == SLOW:
        return ""
    if phase == "sanity":
        return f"{WRONG}: its check of sanity failed"
    return f"its test ended with {result}{f' in {phase}' if phase else ''}"
