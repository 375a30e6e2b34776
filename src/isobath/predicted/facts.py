# SPDX-License-Identifier: Apache-2.0
"""A prediction for programs, and tables of it."""

from collections.abc import Mapping
from dataclasses import asdict
from statistics import fmean
from typing import Any

from isobath.costmodel.volume import OUTSIDE
from isobath.predicted.model import PREDICTION_SCHEMA, PredictionFindings
from isobath.predicted.reading import Answered
from isobath.predicted.simulated import Simulated
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import COMPUTING, WAITING, Piece, Spread
from isobath.prediction.predicted import Prediction
from isobath.study.tables import DataTable, TableOf, table_of

TABLES: Mapping[str, TableOf] = {
    "pieces": TableOf("predicted seconds of every phase of every level", "pieces"),
    "bottlenecks": TableOf("phases and calls, predicted beside measured", "bottlenecks"),
    "what-ifs": TableOf("what changes are predicted to bring", "what_ifs"),
}


def facts_of(answered: Answered) -> dict[str, Any]:
    """What predict --json prints; its schema is schema/prediction-1.json."""
    prediction = answered.prediction
    facts = {
        "schema": PREDICTION_SCHEMA,
        "kind": "predict",
        "run": answered.observed.run_id,
        "target": target_facts(prediction),
        "predicted_gteps": _spread(prediction.gteps),
        "predicted_seconds": _spread(prediction.spread),
        "costs_of_calls": list(prediction.sources),
        "computation_of": answered.works.words,
        "beyond": list(prediction.far),
        "unknown": list(prediction.unknown),
        "pieces": [_piece(piece) for piece in prediction.pieces],
        "bottlenecks": bottlenecks(prediction, answered.measured, answered.simulated),
        "simulated": _simulated(answered.simulated),
        "budget": _budget(answered),
        "what_ifs": [
            {
                "change": one.name,
                "outcome": one.outcome,
                "predicted_change": _spread(one.change) if one.change else None,
                "why_not": one.why_not,
            }
            for one in answered.what_ifs
        ],
        "problems": list(answered.problems),
    }
    return PredictionFindings.model_validate(facts).model_dump(mode="json", by_alias=True)


def data_of(answered: Answered, name: str) -> DataTable:
    """A table of it. Raises: KeyError."""
    return table_of(TABLES[name], facts_of(answered), PredictionFindings)


def target_facts(prediction: Prediction) -> dict[str, Any]:
    """What was asked about."""
    target = prediction.target
    return {
        "scale": target.scale,
        "plan": target.switches.plan,
        "exchange": target.switches.exchange,
        "ranks": target.layout.grid.size,
        "grid": str(target.layout.grid),
        "nodes": target.layout.nodes,
        "ranks_per_node": target.layout.per_node,
    }


def part_name(piece: Piece) -> str:
    """``fold, alltoallv``; computation and waiting by themselves."""
    return f"{piece.phase}, {piece.call}" if piece.call else piece.phase


def bottlenecks(
    prediction: Prediction, measured: Observed | None, simulated: Simulated | None = None
) -> list[dict[str, Any]]:
    """By predicted time, the largest first, each with its place in what was measured (S-05)."""
    said = prediction.by(part_name)
    took = measured_parts(measured) if measured is not None else {}
    order = sorted(took, key=lambda name: -took[name])
    return [
        {
            "name": str(name),
            "predicted_seconds": _spread(spread),
            "predicted_place": place,
            "measured_seconds": took.get(str(name)),
            "measured_place": order.index(str(name)) + 1 if name in order else None,
            "simulated_seconds": simulated.parts.get(str(name)) if simulated else None,
        }
        for place, (name, spread) in enumerate(said.items(), start=1)
    ]


def measured_parts(measured: Observed) -> dict[str, float]:
    """Seconds of a search by the same names, the mean over searches."""
    found = {
        COMPUTING: fmean(
            one.outside + sum(level.computing for level in one.levels) for one in measured.searches
        ),
        WAITING: fmean(sum(level.waiting for level in one.levels) for one in measured.searches),
    }
    share = 1 / len(measured.searches)
    for search in measured.searches:
        for one in search.calls:
            name = f"{one.call.phase}, {one.call.name}"
            found[name] = found.get(name, 0.0) + one.seconds * share
    return found


def measured_levels(measured: Observed) -> dict[int, float]:
    """Seconds of every level, the mean over the searches that have it by all of them."""
    found: dict[int, float] = {OUTSIDE: fmean(one.outside for one in measured.searches)}
    for search in measured.searches:
        for level in search.levels:
            share = level.seconds / len(measured.searches)
            found[level.level] = found.get(level.level, 0.0) + share
    return found


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "level": piece.level,
        "phase": piece.phase,
        "call": piece.call,
        "predicted_seconds": _spread(piece.spread),
    }


def _spread(spread: Spread) -> dict[str, float]:
    return asdict(spread)


def _simulated(simulated: Simulated | None) -> dict[str, Any] | None:
    if simulated is None:
        return None
    return {
        "study": simulated.study_id,
        "platform": simulated.platform,
        "simulated_seconds": simulated.seconds,
    }


def _budget(answered: Answered) -> dict[str, Any] | None:
    budget, measured = answered.budget, answered.measured
    if budget is None or measured is None:
        return None
    return {
        "measured_run": measured.run_id,
        "measured_seconds": budget.measured,
        "predicted_seconds": budget.predicted,
        "volume_seconds": budget.volume,
        "cost_model_seconds": budget.cost_model,
        "application_seconds": budget.application,
    }
