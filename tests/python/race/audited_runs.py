# SPDX-License-Identifier: Apache-2.0
"""A made-up run of two ranks with two levels, and what isobath-audit would say of it."""

import json
from collections.abc import Mapping

from isobath.records.communication import CallCell, CallsRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord
from records import examples

Counts = Mapping[tuple[int, str], int]
"""bytes by level (-1 outside levels) and phase"""

COUNTED: Counts = {(-1, "reset"): 40, (0, "reduce"): 16, (1, "fold"): 24, (1, "reduce"): 16}


def run_of(
    counted: Counts = COUNTED, calls: Counts | None = None, /, **run_changes: object
) -> RunRecords:
    """A run of one search that counted these bytes; ``calls``: what its ledger counted instead."""
    run = examples.run_record().model_copy(
        update={"grid_rows": 1, "grid_cols": 2, "ranks": 2, **run_changes}
    )
    sent = {"bytes_sent": sum(counted.values()), "messages": len(counted)}
    search = examples.search_record().model_copy(update={"index": 0, "warmup": False, **sent})
    levels = [level_of(level, counted) for level in sorted({level for level, _ in counted} - {-1})]
    return RunRecords.of(
        [run, examples.construction_record(), *levels, search, calls_of(calls or counted)]
    )


def level_of(level: int, counted: Counts) -> LevelRecord:
    sent = {phase: count for (one, phase), count in counted.items() if one == level}
    return examples.level_record().model_copy(
        update={
            "search": 0,
            "level": level,
            "direction": "top_down" if level == 0 else "bottom_up",
            "bytes_sent": sent,
        }
    )


def calls_of(counted: Counts) -> CallsRecord:
    (cell,) = examples.calls_record().cells
    cells = [
        CallCell.model_validate(
            {**cell.model_dump(), "level": level, "phase": phase, "bytes_sent": count}
        )
        for (level, phase), count in counted.items()
    ]
    return examples.calls_record().model_copy(update={"search": 0, "cells": tuple(cells)})


def lines_of(expected: Counts) -> list[str]:
    """As isobath-audit prints them."""
    return [
        json.dumps(
            {
                "search": 0,
                "level": level,
                "phase": phase,
                "audit_class": "b" if phase == "fold" else "a",
                "bytes": count,
                "bytes_of_rank": [count, 0],
            }
        )
        for (level, phase), count in expected.items()
    ]
