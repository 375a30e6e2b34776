# SPDX-License-Identifier: Apache-2.0
"""A race for programs, and in one line."""

from typing import Any

from isobath.race.results import CellResult, RaceResults
from isobath.report.wording import gteps


def fastest_words(results: RaceResults) -> str:
    """The fastest cell that is a result."""
    timed = [
        result
        for result in results.matrix
        if result.teps is not None and result.validated and not result.oversubscribed
    ]
    if not timed:
        return "no times of this machine"
    best = max(timed, key=lambda result: result.teps.value if result.teps else 0.0)
    named = best.cell.factors.get("plan", "one plan") if best.cell else "one plan"
    return f"{named} fastest: {gteps(best.teps.value) if best.teps else '-'} GTEPS"


def facts_of(results: RaceResults) -> dict[str, Any]:
    """Every cell with its rate, bytes of a search and rank, and the audit."""
    return {
        "scaling": results.plan.scaling,
        "keys": results.plan.keys,
        "official": results.plan.official,
        "runs_left": results.to_do,
        "cells": [_cell_facts(result) for result in results.cells],
        "problems": list(results.altered),
    }


def _cell_facts(result: CellResult) -> dict[str, Any]:
    cell = result.cell
    return {
        "cell": cell.cell if cell else None,
        "factors": dict(cell.factors) if cell else {},
        "runs": len(result.runs),
        "validated": result.validated,
        "oversubscribed": result.done and result.oversubscribed,
        "teps": result.teps.value if result.teps else None,
        "teps_standard_error": result.teps.standard_error if result.teps else None,
        "bytes_per_rank_and_search": result.bytes_per_rank.value if result.bytes_per_rank else None,
        "construction_seconds": result.construction_seconds,
        "peak_bytes": result.peak_bytes,
        "audited": result.audited,
        "problems": list(result.problems),
    }
