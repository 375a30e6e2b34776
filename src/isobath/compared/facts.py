# SPDX-License-Identifier: Apache-2.0
"""A comparison for other programs: its findings, and tables of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from isobath.compared.choice import Shown
from isobath.compared.model import COMPARISON_SCHEMA, ComparisonFindings
from isobath.comparison.decisions import Decisions, SwitchChange
from isobath.comparison.drill_down import cuts_of
from isobath.comparison.measured import Cell, Side
from isobath.comparison.table_switches import MovedInTable
from isobath.comparison.verdicts import Against, CellVerdict
from isobath.study.tables import DataTable, TableOf, table_of

TABLES: Mapping[str, TableOf] = {
    "cells": TableOf("every cell: verdict, speed, interval", "against.cells"),
    "changes": TableOf("what is not alike on both sides", "against.changes"),
    "parts": TableOf("where the time of every cell went", "against.cells.parts"),
}


def facts_of(shown: Shown) -> dict[str, Any]:
    """What compare --json prints; its schema is schema/comparison-1.json."""
    compared = shown.compared
    facts = {
        "schema": COMPARISON_SCHEMA,
        "kind": "compare",
        "of": compared.reference.kind,
        "margin": compared.margin,
        "alpha": compared.alpha,
        "cells_tested": compared.tests,
        "cells_shown": sum(len(shown.cells_of(against)) for against in compared.others),
        "sides": [side_facts(side) for side in compared.sides],
        "against": [_against(against, shown) for against in compared.others],
    }
    # Validated, so that nothing leaves that the schema does not have.
    return ComparisonFindings.model_validate(facts).model_dump(mode="json", by_alias=True)


def data_of(shown: Shown, name: str) -> DataTable:
    """A table of it. Raises: KeyError."""
    return table_of(TABLES[name], facts_of(shown), ComparisonFindings)


def side_facts(side: Side) -> dict[str, Any]:
    """Which studies, when, and what is wrong with them."""
    began = sorted(launch.began for launch in side.launches.values())
    times = [
        datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
        for moment in began
        if moment > 0  # of what was imported nobody knows it
    ]
    return {
        "side": side.name,
        "studies": list(side.studies),
        "launches": len(side.launches),
        "began": times[0] if times else None,
        "ended": times[-1] if times else None,
        "altered": side.is_altered,
        "problems": list(side.problems),
    }


def _against(against: Against, shown: Shown) -> dict[str, Any]:
    decisions = shown.decisions_of(against)
    return {
        "side": against.side.name,
        "changes": [vars(change) for change in against.changes],
        "across": dict(against.matched.differing),
        "cells": [_cell(cell) for cell in shown.cells_of(against)],
        "only_before": [name_alone(cell) for cell in against.matched.only_reference],
        "only_after": [name_alone(cell) for cell in against.matched.only_other],
        "decisions": None if decisions is None else _decisions(decisions, shown.tables_of(against)),
    }


def name_alone(cell: Cell) -> str:
    """A cell that has no counterpart."""
    return ", ".join((cell.title, *cell.bound.values()))


def shown_value(cell: Cell) -> float | None:
    """The median in its unit: of searches a rate."""
    value = cell.value
    return 1 / value if cell.scale in ("TEPS", "rate") and value else value


def _cell(verdict: CellVerdict) -> dict[str, Any]:
    bound: dict[str, Any] = {
        str(name): words for name, words in verdict.pair.reference.bound.items()
    }
    return bound | {
        "cell": verdict.pair.words,
        "outcome": verdict.outcome,
        "reason": verdict.reason or None,
        "speed": verdict.speed,
        "speed_interval": verdict.bounds,
        "level": verdict.level,
        "unit": verdict.pair.reference.scale,
        "before": shown_value(verdict.pair.reference),
        "after": shown_value(verdict.pair.other),
        "launches_before": len(verdict.pair.reference.taken),
        "launches_after": len(verdict.pair.other.taken),
        "taken_as": verdict.comparison.how if verdict.comparison else None,
        "p_differs": verdict.p_differs,
        "p_same": verdict.p_equivalent,
        "parts": [
            {
                "of": ", ".join(cut.of),
                "part": ", ".join(row.part),
                "before_seconds": row.before,
                "after_seconds": row.after,
                "more_seconds": row.difference,
            }
            for cut in cuts_of(verdict.pair)
            for row in cut.rows
        ],
    }


def _decisions(decisions: Decisions, tables: Sequence[MovedInTable]) -> dict[str, Any]:
    return {
        "algorithms": [vars(algorithm) for algorithm in decisions.algorithms],
        "switches": [switch_facts(switch) for switch in decisions.switches],
        "tables": table_facts(tables),
        "cells": decisions.cells,
        "cells_known": decisions.cells_known,
    }


def switch_facts(switch: SwitchChange) -> dict[str, Any]:
    """Its model is ``SwitchFacts``."""
    return {
        "curve": switch.curve,
        "fate": switch.fate,
        "algorithms": switch.words or None,
        "before_interval": switch.before,
        "after_interval": switch.after,
        "known_by": switch.known_by,
    }


def table_facts(tables: Sequence[MovedInTable]) -> list[dict[str, Any]]:
    """Their model is ``TableSwitchFacts``."""
    return [switch_facts(moved.switch) | {"cells": list(moved.cells)} for moved in tables]
