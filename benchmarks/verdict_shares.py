#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the verdict of ``isobath model fit`` is right, on known formulas and fresh seeds.

    PYTHONPATH=src python benchmarks/verdict_shares.py --seeds 200

Times are made of a formula with the noise of launches (3 %, a third of it shared by a launch); what
is judged are formulas of which it is known what must be said. Prints the share of right verdicts of
each case with its exact 95 % interval. Ends with 1 where an interval lies below 90 %. Seeds begin
at 1000, beyond those of the tests.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from isobath.models.fitting import model_subject
from isobath.models.formula import ASKED, read_formula
from isobath.models.points import Sample
from isobath.models.subjects import Subject
from isobath.models.time_formulas import WrittenFormula

FIRST_SEED = 1000
PROMISED = 0.9
LAUNCHES, NOISE = 5, 0.03
SIZES = tuple(4.0**power for power in range(2, 11))
RANKS = (2.0, 4.0, 8.0, 16.0)

TimeOf = Callable[[float, float], float]


def pairwise(p: float, m: float) -> float:
    """Seconds of an exchange in steps."""
    return (p - 1) * (2e-6 + 3e-10 * m)


def slower(p: float, m: float) -> float:
    """The same on another network."""
    return (p - 1) * (2e-5 + 8e-9 * m)


@dataclass(frozen=True)
class Case:
    """Times of a formula, a formula that is held against them, and what must be said."""

    name: str
    right: tuple[str, ...]
    formula: str
    times: TimeOf = pairwise
    noise: float = NOISE
    given: tuple[tuple[str, float], ...] = ()
    other: TimeOf | None = None
    """of a second place, in one set of parameters with the first"""


CASES = (
    Case("the right form", ("holds",), "(p - 1)*(alpha + beta*m)"),
    Case("ranks are missing", ("wrong form",), "alpha + beta*m"),
    Case("sizes are missing", ("wrong form",), "alpha + beta*p"),
    Case("a logarithm for a line", ("wrong form",), "log2(p)*(alpha + beta*m)"),
    Case("the report's mesh", ("wrong form",), "2*(sqrt(p) - 1)*alpha + p*(sqrt(p) - 1)*beta*m"),
    Case("a square for a line", ("wrong form",), "(p - 1)*(alpha + beta*m**2)"),
    Case("nothing but noise", ("no skill",), "alpha + beta*m", lambda p, m: 1e-5, 0.2),
    Case("a wrong value", ("wrong parameters",), "(p - 1)*(alpha + beta*m)",
         given=(("beta", 6e-10),)),
    Case("a right value", ("holds",), "(p - 1)*(alpha + beta*m)", given=(("beta", 3e-10),)),
    Case("two networks blended", ("wrong parameters",), "(p - 1)*(alpha + beta*m)", other=slower),
)  # fmt: skip


def samples_of(times: TimeOf, noise: float, rng: np.random.Generator, place: str) -> list[Sample]:
    """Of all ranks and sizes."""
    shared = noise / 3 * rng.standard_normal(LAUNCHES)
    return [
        Sample(
            f"{p:g} ranks, {m:g} B",
            {"p": p, "m": m},
            {"place": place} if place else {},
            tuple(
                (turn, float(times(p, m) * np.exp(shared[turn] + noise * rng.standard_normal())))
                for turn in range(LAUNCHES)
            ),
        )
        for p in RANKS
        for m in SIZES
    ]


def verdict_of(case: Case, seed: int) -> str:
    """What is said of one draw."""
    rng = np.random.default_rng(seed)
    samples = samples_of(case.times, case.noise, rng, "within a node" if case.other else "")
    if case.other is not None:
        samples += samples_of(case.other, case.noise, rng, "between nodes")
    subject = Subject("made", "alltoall", "", tuple(samples), is_blended=case.other is not None)
    formula = WrittenFormula(ASKED, read_formula(case.formula, {"p", "m"}), dict(case.given))
    modelled = model_subject(subject, formula, families=False, resamples=40, seed=seed)
    outcomes = [
        model.judged.verdict.outcome
        for model in modelled.models
        if model.candidate.formula.name == ASKED
    ]
    return outcomes[0] if outcomes else "not fitted"


def main() -> int:
    """Returns 0, or 1 where a share is surely below what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, metavar="N")
    seeds = parser.parse_args().seeds
    missed = 0
    print(f"{'case':<26} {'must be':<18} {'right':>9}  95 % interval    else")
    for case in CASES:
        said = Counter(verdict_of(case, FIRST_SEED + seed) for seed in range(seeds))
        right = sum(said[word] for word in case.right)
        interval = stats.binomtest(right, seeds).proportion_ci(0.95, "exact")
        missed += int(interval.high < PROMISED)
        others = ", ".join(f"{n} {word}" for word, n in said.items() if word not in case.right)
        told = f"{100 * interval.low:5.1f} to {100 * interval.high:5.1f} %"
        print(
            f"{case.name:<26} {'/'.join(case.right):<18} {right:>4}/{seeds:<4}  {told}  {others}",
            flush=True,
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
