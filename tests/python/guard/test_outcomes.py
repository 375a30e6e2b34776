# SPDX-License-Identifier: Apache-2.0
"""What a regression comes to: codes in order, whose fault it is, nodes, noise that expired."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from markupsafe import escape

from baseline.made_baselines import FACTS, NOW
from guard.made_regressions import (
    BCAST,
    BEGAN,
    HOUR,
    archive_of,
    baseline_of,
    found_of,
    in_turns,
    name_of,
    side_of,
    sitting,
    times,
)
from isobath.baseline.entries import Acceptance, Sitting
from isobath.compared.launch_facts import BUILD
from isobath.comparison.measured import Cell, Side
from isobath.errors import ExitCode
from isobath.kinds.regress.facts import facts_of
from isobath.kinds.regress.kind import KIND
from isobath.kinds.regress.learned import apart_of, noises_of
from isobath.kinds.regress.outcome import Outcome, is_over, outcome_of
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.sections import sections_of
from isobath.kinds.regress.wanted import USUAL_TURNS, turns_for
from isobath.kinds.regress.wording import advice_words, verdict_words
from isobath.view.content import Table


def as_before(**words: object) -> RegressFound:
    return in_turns({BCAST: times(1e-6)}, {BCAST: times(1e-6, seed=2)}, **words)


def slower(**words: object) -> RegressFound:
    return in_turns({BCAST: times(1e-6)}, {BCAST: times(1.5e-6, seed=2)}, **words)


def archived(
    sittings: Sequence[Sitting], level: float = 1e-6, facts: dict[str, str] = FACTS
) -> RegressFound:
    """Without the old library, a hundred hours after the baseline."""
    first = archive_of({BCAST: times(1e-6, 4)})
    side = side_of("new", first.cells, {BCAST: times(level, seed=5)}, facts=facts)
    return found_of(baseline_of(first, *sittings), {"new": side})


def sittings_every(gap: float, number: int, keep_days: float = 3e4) -> list[Sitting]:
    return [
        sitting({BCAST: times(1e-6, 24, seed=10 + place)}, BEGAN + 10 * HOUR + place * gap,
                keep_days)
        for place in range(number)
    ]  # fmt: skip


# The first of 1, 5, 3 and 6 that applies.


@pytest.mark.parametrize(
    ("is_wrong", "is_slower", "is_failed", "code"),
    [
        (True, True, True, 1), (True, False, False, 1), (False, True, True, 5),
        (False, True, False, 5), (False, False, True, 3), (False, False, False, 0),
    ],
)  # fmt: skip
def test_the_first_code_that_applies_is_the_exit_code(
    is_wrong: bool, is_slower: bool, is_failed: bool, code: int
) -> None:
    found = slower() if is_slower else as_before()
    found = replace(found, wrong_by={"new": ("wrong",)} if is_wrong else {},
                    failed=("a01-3: it failed",) if is_failed else ())  # fmt: skip

    assert outcome_of(found).exit_code == code


def test_could_not_measure_comes_before_cannot_tell() -> None:
    undecided = in_turns({BCAST: times(1e-6, 3)}, {BCAST: times(1e-6, 3, 2)})

    assert outcome_of(undecided).exit_code == ExitCode.INCONCLUSIVE
    assert outcome_of(replace(undecided, failed=("it failed",))).exit_code == ExitCode.ENVIRONMENT
    assert outcome_of(replace(undecided, turns=0)).exit_code == ExitCode.ENVIRONMENT


# Whose results are wrong.


@pytest.mark.parametrize(
    ("sides", "verdict", "advice"),
    [
        (("new",), "WRONG RESULTS: it", "Do not give this library to users: keep the old one"),
        (("old",), "WRONG RESULTS of the old library: it", "do not go back to the old one"),
        (("old", "new"), "WRONG RESULTS of both libraries: it", "Both libraries are wrong"),
    ],
)
def test_the_advice_names_the_side_that_is_wrong(
    sides: Sequence[str], verdict: str, advice: str
) -> None:
    outcome = outcome_of(replace(as_before(), wrong_by={one: ("it",) for one in sides}))  # type: ignore[misc]

    assert outcome.exit_code == ExitCode.VIOLATIONS
    assert verdict_words(outcome).startswith(verdict)
    assert advice in advice_words(outcome)
    assert facts_of(outcome)["wrong_sides"] == list(sides)


def test_a_wrong_cell_of_the_old_library_is_its_own() -> None:
    found = as_before()
    (cell,) = found.cells
    spoiled = replace(cell.sides["old"], trouble="WRONG DATA: rank 1 has 3, not 7")
    sides: dict[SideName, Cell] = {"old": spoiled, "new": cell.sides["new"]}
    outcome = outcome_of(replace(found, cells=(replace(cell, sides=sides),)))

    assert (outcome.exit_code, outcome.wrong_sides) == (ExitCode.VIOLATIONS, ("old",))
    assert "do not go back to the old one" in advice_words(outcome)


def test_in_turns_times_of_the_old_library_are_those_of_today() -> None:
    """The archive was measured at another hour: its times beside a ratio of today mislead."""
    first = archive_of({BCAST: times(1e-6)})
    sides: dict[SideName, Side] = {
        "old": side_of("old", first.cells, {BCAST: times(3e-6)}),
        "new": side_of("new", first.cells, {BCAST: times(3e-6)}),
    }
    sections = sections_of(outcome_of(found_of(baseline_of(first), sides)))
    (table,) = next(one for one in sections if one.identifier == "cells").blocks

    assert isinstance(table, Table)
    assert [head.title for head in table.columns][4:6] == ["old library", "now"]
    assert table.rows[0][4] == table.rows[0][5]


def test_a_sitting_of_noise_is_held_against_nothing() -> None:
    found = archived(sittings_every(HOUR, 3))
    noise = replace(found, plan=found.plan.model_copy(update={"purpose": "noise"}))

    outcome = outcome_of(noise)

    assert (outcome.cells, outcome.moved, outcome.guidelines) == ((), (), ())
    assert "cells" not in [one.identifier for one in sections_of(outcome)]


# Nodes.


def test_other_nodes_are_no_reference() -> None:
    there = sittings_every(HOUR, 3)
    elsewhere = archived(there, facts=FACTS | {"nodes": "n2"})

    outcome = outcome_of(elsewhere)

    assert outcome_of(archived(there)).cells[0].word != "cannot tell"
    assert outcome.exit_code == ExitCode.INCONCLUSIVE
    assert "of other nodes (n1; here n2): --across-machines" in outcome.cells[0].reason
    assert "of other nodes" in advice_words(outcome)
    assert is_over(replace(elsewhere, turns=1)), "no time is spent on what says nothing"
    across = elsewhere.plan.model_copy(update={"across_machines": True})
    assert outcome_of(replace(elsewhere, plan=across)).cells[0].word != "cannot tell"


# Noise: how far sittings were apart, and until when it holds.


def test_sittings_one_after_the_other_are_one() -> None:
    together, hours = sittings_every(60, 3), sittings_every(2 * HOUR, 3)

    close, apart = outcome_of(archived(together)), outcome_of(archived(hours))

    assert (close.cells[0].word, apart.cells[0].word) == ("cannot tell", "the same")
    assert "1 sitting; 2 more were less than 15 min after the one before" in close.cells[0].reason
    assert "of 3 that have not expired" in close.cells[0].reason
    assert apart_of(hours).words() == "3 sittings, 2.0 h apart"
    told = facts_of(apart)["sittings"]
    assert (told["recorded"], told["separate"]) == (3, 3)
    assert told["nearest_seconds"] == pytest.approx(2 * HOUR - 40)
    assert facts_of(close)["sittings"]["separate"] == 1
    (cells,) = [one for one in sections_of(apart) if one.identifier == "cells"]
    assert cells.lead == ("Intervals hold what varies between sittings: 3 sittings, 2.0 h apart.")
    baseline = archived(together).baseline
    assert baseline is not None
    assert noises_of(baseline, together)[name_of(*BCAST)].sittings == 2  # the archive and these
    assert facts_of(outcome_of(as_before()))["sittings"] is None


def test_sittings_that_differ_are_answered_with_more_sittings() -> None:
    differ = [
        sitting({BCAST: times(1e-6 * (1 + 0.3 * place), 24, seed=place)},
                BEGAN + (10 + place) * HOUR, keep_days=3e4)
        for place in range(3)
    ]  # fmt: skip

    outcome = outcome_of(archived(differ))

    assert outcome.cells[0].reason == "sittings scatter more than this budget can tell"
    assert advice_words(outcome).startswith("Longer does not help, more sittings do")


def test_noise_that_expired_is_none() -> None:
    held, expired = sittings_every(HOUR, 3), sittings_every(HOUR, 3, keep_days=-9e3)

    found = archived(expired)
    outcome = outcome_of(found)

    assert outcome.exit_code == ExitCode.INCONCLUSIVE
    assert "0 sittings, of 3 that have not expired" in outcome.cells[0].reason
    assert found.baseline is not None
    (cell,) = found.baseline.archive.cells
    assert turns_for(found.baseline, [cell], 0.08, 600, 2) == USUAL_TURNS
    fresh = archived(held).baseline
    assert fresh is not None
    assert turns_for(fresh, [cell], 0.08, 600, 2) < USUAL_TURNS


def test_noise_that_held_when_it_was_measured_holds_when_it_is_shown_again() -> None:
    """A stored verdict does not change with the calendar."""
    measured = archived(sittings_every(HOUR, 3))
    until = measured.measured_at + timedelta(seconds=1)
    sittings = [one.model_copy(update={"expires": until}) for one in sittings_every(HOUR, 3)]

    assert outcome_of(archived(sittings)).cells[0].word == "the same"


# What was accepted.


def accepted_as(factor: float) -> Acceptance:
    return Acceptance(previous="", at=NOW, cell=name_of(*BCAST), factor=factor, study="r",
                      reason="meant", who="somebody")  # fmt: skip


def with_acceptance(found: RegressFound, *, old_is_another: bool = False) -> Outcome:
    baseline = found.baseline
    assert baseline is not None
    if old_is_another:  # a library that came after the one of the baseline
        (old,) = found.sides["old"]
        launches = {name: replace(one, facts={**one.facts, "MPI library": "MPICH 5.0.3"})
                    for name, one in old.launches.items()}  # fmt: skip
        found = replace(found, sides={**found.sides, "old": (replace(old, launches=launches),)})
    return outcome_of(replace(found, baseline=baseline_of(baseline.archive, accepted_as(1.5))))


def test_what_was_accepted_holds_against_the_library_of_the_baseline() -> None:
    outcome = with_acceptance(slower())
    assert [one.word for one in outcome.cells] == ["accepted"]
    assert outcome.exit_code == ExitCode.DONE


@pytest.mark.parametrize(("found", "word"), [(slower(), "slower"), (as_before(), "the same")])
def test_what_was_accepted_is_no_excuse_against_another_library(
    found: RegressFound, word: str
) -> None:
    """That one may have what was accepted already."""
    outcome = with_acceptance(found, old_is_another=True)
    assert [one.word for one in outcome.cells] == [word]


def test_another_build_of_the_same_release_is_another_library() -> None:
    found = slower()
    baseline = found.baseline
    assert baseline is not None
    words: list[str] = []
    for build in ("aa", "bb"):
        (old,) = found.sides["old"]
        launches = {name: replace(one, facts={**one.facts, BUILD: build})
                    for name, one in old.launches.items()}  # fmt: skip
        (member,) = baseline.archive.members
        kept = {name: one.model_copy(update={"facts": {**one.facts, BUILD: "aa"}})
                for name, one in member.launches.items()}  # fmt: skip
        members = (member.model_copy(update={"launches": kept}),)
        archive = baseline.archive.model_copy(update={"members": members})
        changed = replace(found, sides={**found.sides, "old": (replace(old, launches=launches),)},
                          baseline=baseline_of(archive, accepted_as(1.5)))  # fmt: skip
        words += [one.word for one in outcome_of(changed).cells]

    assert words == ["accepted", "slower"]


# The page.


@pytest.mark.parametrize("found", [slower(), as_before()])
def test_the_page_begins_with_the_verdict_and_what_to_do(found: RegressFound) -> None:
    outcome = outcome_of(found)

    html = KIND.html(outcome, found.folder.path)

    head, main = (re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", " ", part)
                  for part in html.split('<main', 1))  # fmt: skip
    assert re.findall(r"<h1>(.*?)</h1>", head) == [escape(verdict_words(outcome))]
    assert "<h1" not in main
    said = [line for line in re.sub(r"<[^>]+>", "\n", main.split(">", 1)[1]).splitlines() if line]
    assert said[:2] == ["What to do", escape(advice_words(outcome))]
    assert verdict_words(outcome) not in main
