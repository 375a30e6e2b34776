# SPDX-License-Identifier: Apache-2.0
"""The trend of a baseline for programs, and the schemas of it and of what a baseline holds."""

import json
from typing import Any, Literal

from pydantic import Field
from pydantic.json_schema import JsonSchemaMode

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import ENTRY, SCHEMA
from isobath.baseline.history import history_of
from isobath.records.described import Described
from isobath.study.findings import Facts

HISTORY_SCHEMA = 1
MODE: JsonSchemaMode = "serialization"
DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


class PointFacts(Facts):
    """A cell in one regression."""

    study: str
    at: str
    ratio: float
    """times then by times of the baseline, chained along the libraries that were in turns"""
    measured_ratio: float
    """by times of what it was held against"""
    low: float | None
    high: float | None
    outcome: str


class TrendFacts(Facts):
    """A cell over all regressions."""

    cell: str
    ratio: float
    """in the last one"""
    drift: float | None
    """a share: it crept up by so much over several regressions; null where it did not"""
    change_a_year: float | None
    """a share, of the median of all pairs"""
    points: list[PointFacts]


class RegressionFacts(Facts):
    """One regression."""

    study: str
    at: str
    exit_code: int
    verdict: str
    mpi: str
    against: str
    """the old library, in turns; or the archive"""
    held_against: str | None
    """that library, as it calls itself; null against the archive, and where it is not known"""
    left_out: str | None
    """why it is no part of the trend; null where it is"""


class HistoryFindings(Facts):
    """The history of a baseline. A field may be added at any time; one is renamed, removed or given
    another meaning only together with the number of the schema.
    """

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["history"]
    baseline: str
    regressions: list[RegressionFacts]
    """oldest first"""
    cells: list[TrendFacts]


def history_facts(baseline: Baseline) -> dict[str, Any]:
    """What history --json prints."""
    found = history_of(baseline)
    why = {one.regression.study: one.why for one in found.left_out}
    facts = {
        "schema": HISTORY_SCHEMA,
        "kind": "history",
        "baseline": baseline.name,
        "regressions": [
            {
                "study": one.study, "at": one.at.isoformat(), "exit_code": one.exit_code,
                "verdict": one.verdict, "mpi": one.mpi, "against": one.against,
                "held_against": one.held_against or None, "left_out": why.get(one.study),
            }
            for one in baseline.regressions
        ],
        "cells": [
            {
                "cell": trend.cell, "ratio": trend.last, "drift": trend.drift,
                "change_a_year": trend.slope,
                "points": [
                    {
                        "study": point.study, "at": point.at.isoformat(), "ratio": point.ratio,
                        "measured_ratio": point.measured, "low": point.low, "high": point.high,
                        "outcome": point.outcome,
                    }
                    for point in trend.points
                ],
            }
            for trend in found.trends
        ],
    }  # fmt: skip
    return HistoryFindings.model_validate(facts).model_dump(mode="json", by_alias=True)


def history_schema_text() -> str:
    """schema/history-1.json, byte for byte."""
    return _text(HistoryFindings.model_json_schema(by_alias=True, schema_generator=Described))


def baseline_schema_text() -> str:
    """schema/baseline-1.json: of one entry, a line of an exported file below its head line."""
    return _text(ENTRY.json_schema(by_alias=True, schema_generator=Described, mode=MODE))


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(DIALECT | schema, indent=2) + "\n"


BASELINE_SCHEMA = SCHEMA
