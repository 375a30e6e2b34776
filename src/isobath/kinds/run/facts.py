# SPDX-License-Identifier: Apache-2.0
"""A run or search for programs."""

from typing import Any

from isobath.report.phase_shares import shares
from isobath.report.run_data import RunData
from isobath.report.sections.official import disclosures_of


def facts_of(data: RunData) -> dict[str, Any]:
    """What a run came to: seconds and TEPS of its searches, validation, phases of construction."""
    built = data.records.construction
    return {
        "state": data.records.state,
        "verdict": data.records.verdict,
        "labels": list(data.labels),
        "doubt": data.doubt or None,
        "scale": data.records.run.scale,
        "ranks": data.records.run.ranks,
        "harmonic_mean_teps": data.teps.value if data.teps else None,
        "harmonic_standard_error_teps": data.teps.standard_error if data.teps else None,
        "searches": [
            {
                "index": search.index,
                "root": search.root,
                "seconds": search.seconds,
                "teps": search.teps,
            }
            for search in data.searches
        ],
        "searches_passed": data.passed,
        "levels": _level_facts(data),
        "disclosures": list(disclosures_of(data)),
        "plainest": _plainest_facts(data),
        "construction_seconds": built.seconds if built else None,
        "generation_seconds": built.generation_seconds if built else None,
        "phase_seconds": {part.phase: part.mean for part in shares(data)} if data.searches else {},
        "construction_phase_seconds": dict(built.phases) if built else {},
    }


def _plainest_facts(data: RunData) -> dict[str, Any] | None:
    if data.plainest is None:
        return None
    figure = data.plainest.figure
    if figure is None:
        return {"problem": data.plainest.problem}
    return {
        "harmonic_mean_teps": figure.teps.value,
        "harmonic_standard_error_teps": figure.teps.standard_error,
        "searches_passed": figure.searches,
        "construction_seconds": figure.construction_seconds,
        "official_to_plainest": figure.ratio.value,
        "official_to_plainest_low": figure.ratio.low,
        "official_to_plainest_high": figure.ratio.high,
    }


def _level_facts(data: RunData) -> list[dict[str, Any]]:
    if data.typical is None:
        return []
    return [
        {
            "search": level.search,
            "level": level.level,
            "direction": level.direction,
            "frontier_vertices": level.frontier_vertices,
            "arcs_scanned": level.arcs_scanned,
            "seconds": level.seconds,
            "bytes_sent": sum(level.bytes_sent.values()),
        }
        for level in data.levels.get(data.typical.index, ())
    ]
