# SPDX-License-Identifier: Apache-2.0
"""An acceptance is to what it was measured against: it holds there again, and nowhere else."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from baseline.made_baselines import FACTS
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
from isobath.baseline.accepting import accept
from isobath.baseline.chain import BaselineFolder
from isobath.baseline.entries import Acceptance, line_of
from isobath.compared.launch_facts import BUILD
from isobath.comparison.measured import Side
from isobath.errors import ExitCode
from isobath.kinds.regress.concluding import regression_of
from isobath.kinds.regress.facts import facts_of, junit_text
from isobath.kinds.regress.outcome import Outcome, outcome_of
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.wording import verdict_words

V1, V2 = "MPICH 5.0.2", "MPICH 5.0.3"
"""of the baseline, and the one after it, which is 0.7 times as slow"""


@pytest.fixture
def folder(tmp_path: Path) -> BaselineFolder:
    kept = BaselineFolder(tmp_path / "mpi")
    kept.begin(archive_of({BCAST: times(1e-6)}))
    return kept


def held_against(library: str, old: float, new: float, build: str = "") -> RegressFound:
    """In turns. Times of both are in microseconds."""
    told = FACTS | {"MPI library": library} | ({BUILD: build} if build else {})
    first = archive_of({BCAST: times(1e-6)})
    sides: dict[SideName, Side] = {
        "old": side_of("old", first.cells, {BCAST: times(1e-6 * old)}, facts=told),
        "new": side_of("new", first.cells, {BCAST: times(1e-6 * new, seed=2)}),
    }
    return found_of(baseline_of(first), sides)


def now(folder: BaselineFolder, found: RegressFound) -> Outcome:
    """Judged against the baseline as it is by now."""
    return outcome_of(replace(found, baseline=folder.read()))


def accepted(folder: BaselineFolder, found: RegressFound) -> Acceptance:
    """As somebody does who follows the advice."""
    outcome = now(folder, found)
    assert outcome.exit_code == ExitCode.REGRESSION
    number = len(folder.read().regressions)
    folder.append(lambda _: regression_of(outcome).model_copy(update={"study": f"r{number}"}))
    return accept(folder, "bcast", "meant", "somebody")


def test_what_is_accepted_against_another_library_is_no_room_against_the_baseline(
    folder: BaselineFolder,
) -> None:
    """1.2 times the second library, which takes 0.7 of the first: 0.84 of that. Taken as 1.2 times
    the baseline, a later slowdown of 40 % would pass.
    """
    entry = accepted(folder, held_against(V2, 0.7, 0.84))

    assert (entry.held_against, round(entry.factor, 1)) == (V2, 1.2)
    slower = now(folder, held_against(V1, 1.0, 1.19))
    assert [one.word for one in slower.cells] == ["slower"]
    (cell,) = slower.cells
    assert cell.reason.startswith("accepted as 1.20 times as long as MPICH 5.0.3, and held against")
    assert facts_of(slower)["cells"][0]["reason"] == cell.reason
    assert cell.reason in junit_text(slower)


def test_who_follows_the_advice_does_not_end_with_slower_for_ever(folder: BaselineFolder) -> None:
    found = held_against(V2, 0.7, 0.84)
    accepted(folder, found)

    again = now(folder, found)

    assert [one.word for one in again.cells] == ["accepted"]
    assert again.exit_code == ExitCode.DONE
    assert "bcast, 8 B (1.20 times as long)" in verdict_words(again)
    assert now(folder, held_against(V2, 0.7, 1.1)).exit_code == ExitCode.REGRESSION


def test_each_library_has_its_own_acceptance(folder: BaselineFolder) -> None:
    of_second = held_against(V2, 1.0, 1.2)
    of_first = held_against(V1, 1.0, 1.5)
    accepted(folder, of_second)
    entry = accepted(folder, of_first)

    assert entry.held_against == "", "the library of the baseline is the baseline"
    for found in (of_second, of_first):
        assert now(folder, found).exit_code == ExitCode.DONE
    between = now(folder, held_against(V2, 1.0, 1.5))
    assert between.exit_code == ExitCode.REGRESSION, "1.5 was accepted of the first alone"


def test_another_build_of_that_library_is_another_library(folder: BaselineFolder) -> None:
    entry = accepted(folder, held_against(V2, 1.0, 1.2, build="aa"))

    assert entry.held_against_build == "aa"
    codes = [now(folder, held_against(V2, 1.0, 1.2, build=build)).exit_code
             for build in ("aa", "bb")]  # fmt: skip
    assert codes == [ExitCode.DONE, ExitCode.REGRESSION]


def test_an_acceptance_of_before_is_to_what_its_regression_was_held_against(
    folder: BaselineFolder,
) -> None:
    found = held_against(V2, 0.7, 0.84)
    outcome = now(folder, found)
    folder.append(lambda _: regression_of(outcome))
    study = folder.read().regressions[-1].study
    of_before: dict[str, Any] = {"previous": "", "cell": name_of(*BCAST), "factor": 1.2,
                                 "study": study, "reason": "meant", "who": "somebody",
                                 "at": folder.read().archive.at}  # fmt: skip
    folder.append(lambda _: Acceptance(**of_before))

    assert '"held_against"' not in line_of(folder.read().accepted[-1])
    assert now(folder, found).exit_code == ExitCode.DONE
    assert now(folder, held_against(V1, 1.0, 1.19)).exit_code == ExitCode.REGRESSION


def test_without_an_acceptance_nothing_is_said_of_one() -> None:
    slower = outcome_of(in_turns({BCAST: times(1e-6)}, {BCAST: times(1.5e-6, seed=2)}))

    assert [(one.word, one.reason) for one in slower.cells] == [("slower", "")]
