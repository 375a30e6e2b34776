# SPDX-License-Identifier: Apache-2.0
"""Decisions of a library: what surely changed is a code, what its tables say is told."""

from dataclasses import replace

import pytest

from baseline.made_baselines import FACTS, NOW
from guard.made_regressions import (
    BCAST,
    archive_of,
    baseline_of,
    found_of,
    name_of,
    side_of,
    times,
)
from isobath.baseline.entries import Acceptance
from isobath.comparison.measured import Chosen, Side
from isobath.comparison.table_switches import SELECTION, SWITCHES
from isobath.errors import ExitCode
from isobath.kinds.regress.facts import facts_of, junit_text
from isobath.kinds.regress.outcome import Outcome, outcome_of
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.sections import sections_of
from isobath.kinds.regress.wording import advice_words, verdict_words
from isobath.view.content import Table


def decided(
    now: Chosen | None, before: str = "stack", old: str = "binomial", old_source: str = ""
) -> Outcome:
    kept = {"chosen": "binomial", "chosen_source": before}
    first = archive_of({BCAST: times(1e-6)}, **kept)
    chosen = Chosen(old, old_source or before)
    return outcome_of(found_of(
        baseline_of(first),
        {"old": side_of("old", first.cells, {BCAST: times(1e-6)}, chosen=chosen),
         "new": side_of("new", first.cells, {BCAST: times(1e-6, seed=2)}, chosen=now)},
    ))  # fmt: skip


def test_another_algorithm_for_certain_changes_the_exit_code() -> None:
    outcome = decided(Chosen("ring", "stack"))

    assert outcome.exit_code == ExitCode.REGRESSION
    assert verdict_words(outcome) == (
        "DECIDES OTHERWISE than mpi: another algorithm in 1 cell: bcast, 8 B runs by ring and ran "
        "by binomial."
    )
    assert "baseline accept mpi CELL" in advice_words(outcome)
    assert facts_of(outcome)["decisions"] == [
        {"cell": "bcast, 8 B", "algorithm_before": "binomial", "algorithm_now": "ring"}
    ]
    assert 'failures="1"' in junit_text(outcome)


@pytest.mark.parametrize(
    "outcome",
    [
        decided(Chosen("binomial", "stack")),
        decided(None),
        decided(Chosen("ring", "table")),  # a table says what should run
        decided(Chosen("ring", "stack"), before="table"),
        decided(Chosen("ring", "stack"), old="ring"),  # then it is not the library that changed
    ],
)
def test_what_was_not_read_on_both_sides_or_is_not_of_the_library_changes_nothing(
    outcome: Outcome,
) -> None:
    assert outcome.exit_code == ExitCode.DONE
    assert outcome.moved == ()


@pytest.mark.parametrize(
    ("now", "before", "old", "moved"),
    [
        (Chosen("ring", "forced"), "table", "table", ("bcast, 8 B",)),
        (Chosen("ring", "table"), "forced", "forced", ("bcast, 8 B",)),
        (Chosen("binomial", "forced"), "table", "table", ()),  # what the table says
        (Chosen("ring", "forced"), "table", "forced", ()),  # the machine forces it, old and new
        (Chosen("ring", "table"), "table", "table", ()),  # a table is no reading
    ],
)
def test_a_variable_that_decides_where_none_did_is_another_decision(
    now: Chosen, before: str, old: str, moved: tuple[str, ...]
) -> None:
    outcome = decided(now, before, old_source=old)

    assert tuple(one.cell for one in outcome.moved) == moved
    assert outcome.exit_code == (ExitCode.REGRESSION if moved else ExitCode.DONE)


def with_tables(before: dict[str, str], now: dict[str, str]) -> Outcome:
    """Of a baseline of bcast at two sizes, whose library's file had these tables."""
    at = {BCAST: times(1e-6), ("bcast", 4096): times(2e-6, seed=3)}
    first = archive_of(at, chosen="binomial", chosen_source="table")
    (member,) = first.members
    launches = {name: one.model_copy(update={"facts": {**one.facts, **before}})
                for name, one in member.launches.items()}  # fmt: skip
    first = first.model_copy(
        update={"members": (member.model_copy(update={"launches": launches}),)}
    )
    chosen = Chosen("binomial", "table")
    sides: dict[SideName, Side] = {
        "old": side_of("old", first.cells, at, chosen=chosen),
        "new": side_of("new", first.cells, at, chosen=chosen, facts={**FACTS, **now}),
    }
    return outcome_of(found_of(baseline_of(first), sides))


def test_a_switch_point_that_moved_in_the_tables_is_told_with_its_sizes_and_cells() -> None:
    """What they say is no reading of what ran: the exit code stays."""
    outcome = with_tables({SWITCHES: "bcast 12289 a to b; scan 9 c to d"},
                          {SWITCHES: "bcast 2049 a to b; scan 99 c to d"})  # fmt: skip

    assert outcome.exit_code == ExitCode.DONE
    assert facts_of(outcome)["switches"] == [
        {"curve": "bcast", "fate": "moved", "algorithms": "a to b", "known_by": "tables",
         "before_interval": (12288, 12289), "after_interval": (2048, 2049),
         "cells": ["bcast, 4096 B"]}
    ]  # fmt: skip
    (section,) = [one for one in sections_of(outcome) if one.identifier == "decisions"]
    (table,) = [block for block in section.blocks if isinstance(block, Table)]
    assert table.rows == (("bcast", "moved", "12,289 B", "2,049 B", "a to b", "bcast, 4096 B"),)
    (changed,) = [one for one in sections_of(outcome) if one.identifier == "changed"]
    (changes,) = [block for block in changed.blocks if isinstance(block, Table)]
    assert ("MPI switch points", "bcast 12289 a to b, scan 9 c to d",
            "bcast 2049 a to b, scan 99 c to d") in changes.rows  # fmt: skip


def test_a_switch_point_of_what_was_read_is_told_with_where_it_was() -> None:
    sizes = (8, 64, 512)
    at = {("bcast", size): times(1e-6) for size in sizes}
    first = archive_of(at)
    (member,) = first.members

    def chosen(*names: str) -> tuple[Chosen, ...]:
        return tuple(Chosen(name, "stack") for name in names)

    kept = tuple(
        cell.model_copy(update={"chosen": one.name, "chosen_source": one.source})
        for cell, one in zip(member.cells, chosen("a", "a", "b"), strict=True)
    )
    first = first.model_copy(update={"members": (member.model_copy(update={"cells": kept}),)})
    new = side_of("new", kept, at)
    cells = tuple(
        replace(cell, chosen=one)
        for cell, one in zip(new.cells, chosen("a", "b", "b"), strict=True)
    )
    outcome = outcome_of(found_of(baseline_of(first), {"new": replace(new, cells=cells)}))

    (section,) = [one for one in sections_of(outcome) if one.identifier == "decisions"]
    tables = {block.caption: block.rows for block in section.blocks if isinstance(block, Table)}
    moved = ("bcast, 2 ranks", "moved", "64 B to 512 B", "8 B to 64 B", "a to b")
    assert tables["Switch points"] == (moved,)
    assert outcome.exit_code == ExitCode.REGRESSION


@pytest.mark.parametrize(("now", "told"), [("bcast bb, scan cc", ["bcast"]), ("bcast aa", [])])
def test_another_selection_table_is_told_without_a_code(now: str, told: list[str]) -> None:
    """Of collectives that are measured."""
    outcome = with_tables({SELECTION: "bcast aa, scan aa"}, {SELECTION: now})

    assert (facts_of(outcome)["tables"], outcome.exit_code) == (told, ExitCode.DONE)
    (section,) = [one for one in sections_of(outcome) if one.identifier == "decisions"]
    assert section.lead.endswith("whether another algorithm runs there cannot be told.")
    titles = [getattr(block, "title", "") for block in section.blocks]
    assert ("Other selection tables in the library's file" in titles) == bool(told)


def test_a_variable_that_was_set_is_no_news_and_what_was_accepted_neither() -> None:
    found = decided(Chosen("ring", "stack")).found
    variables = found.plan.model_copy(update={"variables": ("A=ring",)})
    accepted = Acceptance(previous="", at=NOW, cell=name_of(*BCAST), factor=1.0, study="r",
                          reason="meant", who="somebody", chosen="ring")  # fmt: skip
    assert found.baseline is not None

    assert outcome_of(replace(found, plan=variables)).moved == ()
    baseline = baseline_of(found.baseline.archive, accepted)
    assert outcome_of(replace(found, baseline=baseline)).exit_code == ExitCode.DONE
