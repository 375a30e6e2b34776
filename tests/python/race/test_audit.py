# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from pydantic import ValidationError

from isobath.errors import InternalError
from isobath.race.audit import (
    audit,
    audit_arguments,
    audited_searches,
    differences,
    expected_steps,
    verdict,
    why_not,
)
from isobath.records.audit import AuditRecord
from isobath.records.run_records import RunRecords
from race.audited_runs import COUNTED, Counts, lines_of, run_of
from records import examples


def audited(counted: Counts, expected: Counts = COUNTED) -> tuple[AuditRecord, ...]:
    return audit(run_of(counted), expected_steps(lines_of(expected)))


def test_equal_bytes_are_equal_step_by_step() -> None:
    found = audited(COUNTED)

    assert verdict(found) == "equal"
    assert [(one.level, one.phase, one.audit_class, one.counted_bytes) for one in found] == [
        (-1, "reset", "a", 40),
        (0, "reduce", "a", 16),
        (1, "fold", "b", 24),
        (1, "reduce", "a", 16),
    ]


def test_a_changed_byte_is_named_with_search_level_and_phase() -> None:
    changed = {**COUNTED, (1, "fold"): 25}

    (wrong,) = differences(audited(changed))

    assert (wrong.search, wrong.level, wrong.phase) == (0, 1, "fold")
    assert verdict(audited(changed)) == (
        "search 0, level 1, phase fold: 25 bytes counted, 24 expected (+1)"
    )


@pytest.mark.parametrize("step", COUNTED)
def test_every_step_can_say_no(step: tuple[int, str]) -> None:
    assert verdict(audited({**COUNTED, step: COUNTED[step] + 8})) != "equal"
    missing = {one: count for one, count in COUNTED.items() if one != step}
    assert verdict(audited(missing)) != "equal"
    assert verdict(audited(COUNTED, missing)) != "equal"


def test_outside_levels_is_said_as_that() -> None:
    assert verdict(audited({**COUNTED, (-1, "emit"): 8})) == (
        "search 0, outside levels, phase emit: 8 bytes counted, 0 expected (+8)"
    )


def test_levels_and_calls_must_both_be_right() -> None:
    lines = expected_steps(lines_of(COUNTED))
    wrong = {**COUNTED, (0, "reduce"): 24}

    for run in (run_of(wrong, COUNTED), run_of(COUNTED, wrong)):
        assert verdict(audit(run, lines)) == (
            "search 0, level 0, phase reduce: 24 bytes counted, 16 expected (+8)"
        )


def test_many_differences_are_counted() -> None:
    twice = {step: 2 * count for step, count in COUNTED.items()}

    assert verdict(audited(twice)).endswith("; and 1 more")


def test_the_program_is_told_graph_grid_plan_and_switches() -> None:
    words = audit_arguments(run_of(node_of_rank=(0, 1)).run)
    options = dict(zip(words[::2], words[1::2], strict=True))

    assert options["--scale"] == "12"
    assert options["--grid"] == "1x2"
    assert options["--plan"] == "hybrid"
    assert (options["--ids"], options["--leaves"], options["--fold"]) == ("32", "out", "packed")
    assert options["--node-map"] == "0,1"


def test_the_program_is_told_roots_and_directions() -> None:
    (line,) = audited_searches(run_of()).splitlines()

    ways = ["top_down", "bottom_up"]
    assert json.loads(line) == {"search": 0, "root": examples.KEYS[0], "directions": ways}


def test_runs_without_switches_or_calls_cannot_be_audited() -> None:
    assert why_not(run_of()) == ""
    assert "switches" in why_not(run_of(switches=None))
    without_calls = RunRecords.of([examples.run_record(), examples.search_record()])
    assert "calls" in why_not(without_calls)


def test_lines_of_another_program_are_no_expectation() -> None:
    with pytest.raises(InternalError, match="nobody reads"):
        expected_steps(['{"search":0}'])


@pytest.mark.parametrize(
    "change",
    [
        {"audit_class": "a", "equal": True, "low_bytes": None, "high_bytes": None},
        {"counted_bytes": 13},
        {"equal": False},
        {"low_bytes": None},
    ],
)
def test_a_record_does_not_contradict_itself(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        AuditRecord.model_validate({**examples.audit_record().model_dump(), **change})
