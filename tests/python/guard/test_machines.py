# SPDX-License-Identifier: Apache-2.0
"""A baseline is held against the machine that it is of, and says which that is."""

from typing import Any

import pytest

from guard.made_regressions import BCAST, archive_of, baseline_of, found_of, side_of, times
from isobath.baseline.chain import Baseline
from isobath.errors import ExitCode, InconclusiveError
from isobath.kinds.regress import wanted
from isobath.kinds.regress.outcome import outcome_of
from isobath.kinds.regress.wanted import check_machine
from isobath.kinds.regress.wording import verdict_words


def of(facts: dict[str, str] | None = None, **key: Any) -> Baseline:
    """A baseline with other keys, or launches that say something else."""
    first = archive_of({BCAST: times(1e-6)})
    (member,) = first.members
    launches = {
        name: launch if facts is None else launch.model_copy(update={"facts": facts})
        for name, launch in member.launches.items()
    }
    cells = tuple(cell.model_copy(update={"key": cell.key.model_copy(update=key)})
                  for cell in member.cells)  # fmt: skip
    told = member.model_copy(update={"cells": cells, "launches": launches})
    return baseline_of(first.model_copy(update={"members": (told,)}))


@pytest.mark.parametrize(
    ("baseline", "sentence"),
    [
        (of({}, machine=""), "mpi does not say on which machine it was measured"),
        (of(machine=""), "says machine not known, and its launches a processor"),
        (of(machine="another"), "says machine another, and its launches a processor"),
        (of(mpi="MPICH 5.0.9"), "says MPI MPICH 5.0.9, and its launches MPICH 5.0.2"),
        (of({}, machine="another"), r"on another machine \(another; here a processor\)"),
    ],
)
def test_a_machine_that_is_not_known_is_not_this_one(
    baseline: Baseline, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wanted, "machine_here", lambda: "a processor")

    check_machine(of())
    check_machine(of({}, machine="a processor"))  # launches that say nothing contradict nothing
    with pytest.raises(InconclusiveError, match=sentence) as caught:
        check_machine(baseline)
    assert "--across-machines compares all the same" in str(caught.value)


def test_where_this_machine_is_not_known_it_is_not_that_of_the_baseline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wanted, "machine_here", lambda: "")

    with pytest.raises(InconclusiveError, match="here not known"):
        check_machine(of())


def test_what_was_measured_against_a_baseline_of_nowhere_cannot_tell() -> None:
    baseline = of({}, machine="")
    found = found_of(baseline, both_sides(baseline))
    across = found_of(baseline, both_sides(baseline), across_machines=True)

    assert outcome_of(found).exit_code == ExitCode.INCONCLUSIVE
    assert outcome_of(across).exit_code == ExitCode.DONE
    assert "Across machines: the baseline does not say on which" in verdict_words(
        outcome_of(across)
    )


def both_sides(baseline: Baseline) -> Any:
    cells = baseline.archive.cells
    return {"old": side_of("old", cells, {BCAST: times(1e-6)}),
            "new": side_of("new", cells, {BCAST: times(1e-6)})}  # fmt: skip
