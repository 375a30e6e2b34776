# SPDX-License-Identifier: Apache-2.0
"""What was varied, for other programs."""

from collections.abc import Mapping
from typing import Any

from isobath.compared.factor_model import FACTORS_SCHEMA, FactorsFindings
from isobath.compared.factor_reading import FactorsFound, Varied
from isobath.compared.facts import side_facts
from isobath.comparison.factors import Factor
from isobath.comparison.gains import Gain
from isobath.study.tables import DataTable, TableOf, table_of

TABLES: Mapping[str, TableOf] = {
    "gains": TableOf("what each level of each factor brings", "gains"),
    "interactions": TableOf("gains that depend on another factor", "interactions"),
}


def factor_facts(analysis: FactorsFound) -> dict[str, Any]:
    """What factors --json prints; its schema is schema/factors-1.json."""
    told = {
        "schema": FACTORS_SCHEMA,
        "kind": "factors",
        "of": analysis.side.kind,
        "studies": side_facts(analysis.side),
        "cells_left_out": analysis.left_out,
        "interactions_tried": sum(varied.tried for varied in analysis.varied),
        "gains": [_gain(varied, each) for varied in analysis.varied for each in varied.gains],
        "interactions": [
            {
                "measure": varied.measure,
                "factor": each.factor.title,
                "level": level_words(varied, each.factor, each.level),
                "by": each.by.title,
                "by_first": level_words(varied, each.by, each.by_first),
                "by_second": level_words(varied, each.by, each.by_second),
                "first_percent": percent_more(each.first),
                "second_percent": percent_more(each.second),
                "p": each.p,
            }
            for varied in analysis.varied
            for each in varied.interactions
        ],
    }
    # Validated, so that nothing leaves that the schema does not have.
    return FactorsFindings.model_validate(told).model_dump(mode="json", by_alias=True)


def factor_data(analysis: FactorsFound, name: str) -> DataTable:
    """A table of it. Raises: KeyError."""
    return table_of(TABLES[name], factor_facts(analysis), FactorsFindings)


def percent_more(speed: float) -> float:
    """``percent_more(1.16)`` is 16, as far as a float can say."""
    return 100 * (speed - 1)


def level_words(varied: Varied, factor: Factor, level: tuple[str, ...]) -> str:
    """A level, with what was found behind its short name: ``mpich-wheel (MPICH 5.0.2)``."""
    told = []
    for name, value in zip(factor.names, level, strict=True):
        behind = varied.table.described.get(name, {}).get(value)
        told.append(
            f"{value or 'none'} ({behind})" if behind and behind != value else value or "none"
        )
    return " + ".join(told)


def _gain(varied: Varied, gain: Gain) -> dict[str, Any]:
    return {
        "measure": varied.measure,
        "factor": gain.factor.title,
        "level": level_words(varied, gain.factor, gain.level),
        "reference": level_words(varied, gain.factor, gain.factor.levels[0]),
        "gain_percent": None if gain.speed is None else percent_more(gain.speed),
        "gain_interval_percent": (
            None if gain.bounds is None else tuple(percent_more(each) for each in gain.bounds)
        ),
        "interval_over": gain.effect.over if gain.effect else None,
        "contrasts": len(gain.contrasts),
        "least_percent": None if gain.least is None else percent_more(gain.least),
        "most_percent": None if gain.most is None else percent_more(gain.most),
        "confounded_with": list(gain.confounded),
        "other_sitting": gain.other_sitting,
    }
