# SPDX-License-Identifier: Apache-2.0
"""The first line says what it does not hold for; JSON and JUnit say what the exit code says."""

import xml.etree.ElementTree as XML
from dataclasses import replace
from typing import Any

import pytest

from baseline.made_baselines import FACTS, NOW
from guard.made_regressions import (
    BCAST,
    archive_of,
    baseline_of,
    found_of,
    in_turns,
    name_of,
    side_of,
    times,
)
from isobath.baseline.entries import Acceptance, KeptCell, Member
from isobath.comparison.measured import Side
from isobath.errors import ExitCode, UsageError
from isobath.kinds.regress.facts import facts_of, junit_text
from isobath.kinds.regress.members import measurable
from isobath.kinds.regress.model import RegressFindings
from isobath.kinds.regress.outcome import Outcome, outcome_of
from isobath.kinds.regress.plan import NotMeasured
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.sections import sections_of
from isobath.kinds.regress.wording import advice_words, verdict_words
from isobath.view.terminal import printed

REDUCE = ("reduce", 8)
PROFILED = NotMeasured(cells=("a profile, 2 ranks",), why="a profile is not measured again")


def as_before(**words: Any) -> RegressFound:
    return in_turns({BCAST: times(1e-6)}, {BCAST: times(1e-6, seed=2)}, **words)


def slower(**words: Any) -> RegressFound:
    return in_turns({BCAST: times(1e-6)}, {BCAST: times(1.5e-6, seed=2)}, **words)


def planned(found: RegressFound, **update: Any) -> RegressFound:
    return replace(found, plan=found.plan.model_copy(update=update))


def page_of(outcome: Outcome) -> str:
    return "\n".join(map(str, printed(list(sections_of(outcome)), 100, whole=True, notices=())))


# Cells that nothing measures again.


def member_like(member: Member, kind: str, name: str, settings: object) -> Member:
    cells: tuple[KeptCell, ...] = (member.cells[0].model_copy(update={"name": name}),)
    return member.model_copy(update={"kind": kind, "cells": cells, "settings": settings})


def test_members_that_cannot_be_measured_again_are_named_with_their_cells() -> None:
    (able,) = archive_of({BCAST: times(1e-6)}).members
    profile = member_like(able, "profile", "searched", {})
    old = member_like(able, "bench collectives", "of before", None)
    cells = [*able.cells, *profile.cells, *old.cells]

    found, left_out = measurable([able, profile, old], cells)

    assert found == [able]
    assert [(one.cells, one.why) for one in left_out] == [
        (("searched",), "a profile is not measured again"),
        (("of before",), "nobody knows the settings that make the bench collectives again"),
    ]
    with pytest.raises(UsageError, match="nothing of the suite can be measured again: a profile"):
        measurable([profile], cells)


def test_what_was_not_measured_again_is_never_green() -> None:
    outcome = outcome_of(planned(as_before(), not_measured=(PROFILED,)))

    assert outcome_of(as_before()).exit_code == ExitCode.DONE
    assert outcome.exit_code == ExitCode.INCONCLUSIVE
    assert verdict_words(outcome) == (
        "CANNOT TELL of all: of the 1 cell that were measured none is slower. 1 cell more was not "
        "measured: a profile is not measured again."
    )
    assert "--suite FILE" in advice_words(outcome)
    assert "a profile, 2 ranks: a profile is not measured again" in page_of(outcome)
    told = RegressFindings.model_fields["not_measured"]
    assert told.is_required()
    assert facts_of(outcome)["not_measured"] == [
        {"cells": ["a profile, 2 ranks"], "reason": "a profile is not measured again"}
    ]
    skipped = XML.fromstring(junit_text(outcome)).findall(".//skipped")
    assert [one.get("message") for one in skipped] == [
        "not measured: a profile is not measured again"
    ]
    worse = outcome_of(planned(slower(), not_measured=(PROFILED,)))
    assert worse.exit_code == ExitCode.REGRESSION
    assert "1 cell more was not measured" in verdict_words(worse)


# What the first line does not hold for.


def accepted(found: RegressFound, **update: Any) -> RegressFound:
    assert found.baseline is not None
    entry = Acceptance(previous="", at=NOW, cell=name_of(*BCAST), factor=1.5, study="r",
                       reason="meant", who="somebody").model_copy(update=update)  # fmt: skip
    return replace(found, baseline=baseline_of(found.baseline.archive, entry))


def under(found: RegressFound, library: str) -> RegressFound:
    """The old library is another than the baseline's."""
    (old,) = found.sides["old"]
    launches = {name: replace(one, facts={**one.facts, "MPI library": library})
                for name, one in old.launches.items()}  # fmt: skip
    return replace(found, sides={**found.sides, "old": (replace(old, launches=launches),)})


def test_accepted_cells_are_none_in_which_eight_per_cent_is_excluded() -> None:
    before = {BCAST: times(1e-6), REDUCE: times(1e-6)}
    now = {BCAST: times(1.5e-6, seed=2), REDUCE: times(1e-6, seed=3)}
    outcome = outcome_of(accepted(in_turns(before, now)))

    assert outcome.exit_code == ExitCode.DONE
    assert verdict_words(outcome) == (
        "NOTHING SLOWER: in 1 of 2 cells 8 % or more is excluded. Accepted as slower, and held "
        "against that: bcast, 8 B (1.50 times as long)."
    )
    plain = verdict_words(outcome_of(as_before()))
    assert plain == "NOTHING SLOWER: in all 1 cell 8 % or more is excluded."


def test_another_library_than_the_baselines_is_named() -> None:
    same = outcome_of(under(as_before(), "MPICH 5.0.3"))

    assert verdict_words(same).endswith(
        "excluded. Held against MPICH 5.0.3, which is not the library of mpi."
    )
    assert advice_words(same).startswith("Give the library to users of MPICH 5.0.3;")
    worse = outcome_of(under(slower(), "MPICH 5.0.3"))
    assert verdict_words(worse).startswith("SLOWER than MPICH 5.0.3: 1 cell of 1 slower")
    assert verdict_words(outcome_of(slower())).startswith("SLOWER than mpi: 1 cell of 1 slower")


def test_another_machine_is_named_where_it_is_compared_all_the_same() -> None:
    first = archive_of({BCAST: times(1e-6)})
    there = FACTS | {"nodes": "n2"}
    sides: dict[SideName, Side] = {
        "old": side_of("old", first.cells, {BCAST: times(1e-6)}, facts=there),
        "new": side_of("new", first.cells, {BCAST: times(1e-6, seed=2)}, facts=there),
    }
    outcome = outcome_of(found_of(baseline_of(first), sides, across_machines=True))

    assert outcome.exit_code == ExitCode.DONE
    assert verdict_words(outcome).endswith(
        "excluded. Across machines: the baseline is of other nodes (n1; here n2)."
    )
    assert advice_words(outcome).startswith("Measure on the machine of the baseline")
    here = planned(as_before(), across_machines=True)
    assert "Across" not in verdict_words(outcome_of(here)), "they are the nodes of the baseline"


# Exit code, JSON and JUnit.

LATE = ("late-2 is not as it was sealed",)


@pytest.mark.parametrize(
    ("found", "code", "tags"),
    [
        (as_before(), 0, set()),
        (replace(as_before(), beyond_audit=("a01-1: not audited: no engine",)), 0, set()),
        (replace(as_before(), wrong_by={"new": ("rank 1 has 3",)}), 1, {"error wrong"}),
        (slower(), 5, {"failure"}),
        (replace(as_before(), failed=("a01-3: it failed",)), 3, {"error could not measure"}),
        (replace(as_before(), unaudited=("a01-3: not audited",)), 3, {"error could not measure"}),
        (replace(as_before(), is_altered=True, problems=LATE), 3, {"error could not measure"}),
        (replace(as_before(), turns=0), 3, {"error could not measure"}),
        (in_turns({BCAST: times(1e-6, 3)}, {BCAST: times(1e-6, 3, 2)}), 6, {"skipped"}),
        (planned(as_before(), not_measured=(PROFILED,)), 6, {"skipped"}),
    ],
)
def test_json_and_junit_agree_with_the_exit_code(
    found: RegressFound, code: int, tags: set[str]
) -> None:
    outcome = outcome_of(found)
    told = facts_of(outcome)
    (suite,) = XML.fromstring(junit_text(outcome))

    assert (outcome.exit_code, told["exit_code"]) == (code, code)
    properties = {one.get("name"): one.get("value") for one in suite.findall(".//property")}
    assert properties == {"verdict": verdict_words(outcome), "exit code": str(code)}
    marks = [child for case in suite.findall("testcase") for child in case]
    assert {" ".join((one.tag, one.get("type", ""))).strip() for one in marks
            if one.tag != "system-out"} == tags  # fmt: skip
    assert bool(told["could_not_measure"]) == (code == 3)
    assert told["could_not_measure"] == [
        one.get("message") for one in marks if one.get("type") == "could not measure"
    ]
    assert told["beyond_audit"] == [one.text for one in marks if one.tag == "system-out"]
