# SPDX-License-Identifier: Apache-2.0
"""Guidelines that are newly broken: in turns and against sittings, and paid for look by look."""

import math

import numpy as np
import pytest

from guard.made_regressions import (
    BEGAN,
    HOUR,
    archive_of,
    baseline_of,
    found_of,
    in_turns,
    side_of,
    sitting,
)
from isobath.baseline.entries import Broken
from isobath.errors import ExitCode
from isobath.guard.design import GUIDELINES, SHARES
from isobath.kinds.regress.guideline_checks import newly_broken
from isobath.kinds.regress.outcome import outcome_of
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.wording import advice_words, verdict_words
from isobath.stats.rank_tests import signed_rank

ALLGATHER, ALLTOALL = ("allgather", 8), ("alltoall", 8)
SMALL, LARGE = ("bcast", 8), ("bcast", 4096)
TURNS = 40


def times(level: float, number: int = TURNS, seed: int = 1) -> list[float]:
    rng = np.random.default_rng(seed)
    return [float(x) for x in level * np.exp(0.01 * rng.standard_normal(number))]


def test_a_guideline_that_the_new_library_breaks_is_found_in_turns() -> None:
    """Alltoall became faster, so that allgather is slower than what does more work."""
    old = {ALLGATHER: times(1e-6), ALLTOALL: times(1.2e-6, seed=2)}
    new = {ALLGATHER: times(1e-6, seed=3), ALLTOALL: times(0.8e-6, seed=4)}
    found = in_turns(old, new)

    (broken,) = newly_broken(found, is_last=True)

    assert broken.words == "allgather <= alltoall at 8 B, 2 ranks"
    assert (broken.before, broken.factor) == pytest.approx((1 / 1.2, 1 / 0.8), rel=0.02)
    outcome = outcome_of(found)
    assert [one.word for one in outcome.cells if one.word == "slower"] == []
    assert outcome.exit_code == ExitCode.REGRESSION
    assert verdict_words(outcome).startswith("BREAKS A GUIDELINE that held under mpi: ")
    assert "a guideline that held is broken" in advice_words(outcome)
    assert "accept" not in advice_words(outcome), "it refuses what is not slower"
    assert newly_broken(in_turns(old, old), is_last=True) == ()


def test_what_the_baseline_broke_is_not_new() -> None:
    old = {ALLGATHER: times(1e-6), ALLTOALL: times(1.2e-6, seed=2)}
    new = {ALLGATHER: times(1e-6, seed=3), ALLTOALL: times(0.8e-6, seed=4)}
    found = in_turns(old, new)
    assert found.baseline is not None
    known = (Broken(words="allgather <= alltoall at 8 B, 2 ranks", factor=1.1),)
    archive = found.baseline.archive.model_copy(update={"guidelines": known})
    kept = RegressFound(**{**vars(found), "baseline": baseline_of(archive)})

    assert newly_broken(kept, is_last=True) == ()
    # It was above the limit before, too: a rise from there breaks nothing.
    above = {ALLGATHER: times(1e-6), ALLTOALL: times(0.9e-6, seed=2)}
    assert newly_broken(in_turns(above, new), is_last=True) == ()


def test_a_small_size_that_takes_longer_than_a_large_one_is_broken() -> None:
    old = {SMALL: times(1e-6), LARGE: times(1.5e-6, seed=2)}
    new = {SMALL: times(1e-6, seed=3), LARGE: times(0.7e-6, seed=4)}

    (broken,) = newly_broken(in_turns(old, new), is_last=True)

    assert broken.words == "bcast grows with size at 8 B, 2 ranks"


def doubtful() -> tuple[RegressFound, float]:
    """Twenty of forty turns, with a probability between the share of the first look and all of it.

    The rise is twice the limit in most turns, and a small fall in some.
    """
    for fallen in range(1, 8):
        rises = [0.3 + 0.001 * turn for turn in range(20)]
        for turn in range(fallen):
            rises[turn] = -0.02 - 0.001 * turn
        p = signed_rank(np.array(rises) - math.log1p(0.01))[1]
        if SHARES[0] * GUIDELINES < p < GUIDELINES:
            break
    level = [1e-6] * 20
    old = {ALLGATHER: level, ALLTOALL: level}
    new = {ALLGATHER: [1e-6 * math.exp(rise) for rise in rises], ALLTOALL: level}
    return in_turns(old, new, turns=TURNS), p


def test_a_look_spends_its_share_and_no_more() -> None:
    """A regression whose cells are all decided at the first look stops there: what was planned for
    later looks is not spent.
    """
    found, p = doubtful()
    assert SHARES[0] * GUIDELINES < p < GUIDELINES

    assert newly_broken(found, is_last=False) == ()
    assert len(newly_broken(found, is_last=True)) == 1  # the time is over: all that is left


def test_guidelines_without_a_change_are_called_broken_as_rarely_as_was_planned() -> None:
    """At the limit of what is kept, over all looks; the error is larger here so that it is seen."""
    rng = np.random.default_rng(7)
    tries, broken = 400, 0
    for _ in range(tries):
        sides = [{ALLGATHER: list(np.exp(0.05 * rng.standard_normal(20))),
                  ALLTOALL: list(np.exp(-math.log(1.05) + 0.05 * rng.standard_normal(20)))}
                 for _ in range(2)]  # fmt: skip
        broken += bool(newly_broken(in_turns(*sides), is_last=True))

    assert broken <= 2


def archived(gap: float, alltoall: float) -> RegressFound:
    """Three sittings under the old library; alltoall takes so long now."""
    first = archive_of({ALLGATHER: times(1e-6, 4), ALLTOALL: times(1.2e-6, 4, 2)})
    sittings = [
        sitting({ALLGATHER: times(1e-6, 24, 10 + place), ALLTOALL: times(1.2e-6, 24, 20 + place)},
                BEGAN + 10 * HOUR + place * gap, keep_days=3e4)
        for place in range(6)
    ]  # fmt: skip
    now = {ALLGATHER: times(1e-6, seed=3), ALLTOALL: times(alltoall, seed=4)}
    return found_of(baseline_of(first, *sittings), {"new": side_of("new", first.cells, now)})


def test_a_guideline_is_held_against_the_sittings_where_the_old_library_is_gone() -> None:
    (broken,) = newly_broken(archived(HOUR, 0.4e-6), is_last=True)

    assert broken.words == "allgather <= alltoall at 8 B, 2 ranks"
    assert (broken.before, broken.factor) == pytest.approx((1 / 1.2, 1 / 0.4), rel=0.02)
    assert outcome_of(archived(HOUR, 0.4e-6)).exit_code == ExitCode.REGRESSION
    assert newly_broken(archived(HOUR, 1.2e-6), is_last=True) == ()
    assert newly_broken(archived(60, 0.4e-6), is_last=True) == ()  # one sitting, whatever it says
