# SPDX-License-Identifier: Apache-2.0
"""What sittings say: deviations of every cell, and what changes of 5, 8 and 15 % need."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Sitting
from isobath.guard.hours import LEAST_LAUNCHES
from isobath.guard.judging import Reference, reference_of
from isobath.guard.needed import CHANGES, needed_pairs, reached_by_archive, reached_by_pairs
from isobath.guard.noise import GAP_SECONDS, LEAST_SITTINGS, Noise
from isobath.kinds.regress.learned import (
    Apart,
    apart_of,
    noises_of,
    values_by_sitting,
)
from isobath.kinds.regress.sittings_kept import left_out_sittings, valid_sittings
from isobath.kinds.regress.suite import chosen
from isobath.report.wording import count_of
from isobath.units import format_roughly
from isobath.view.content import Fact, Facts, Section, Table, columns, first_rows

MOST_ROWS = 60


def sections_of(baseline: Baseline, suite: str, budget: float, now: datetime) -> Iterator[Section]:
    """Args: budget is what a regression is to take, in seconds."""
    sittings = valid_sittings(baseline, now)
    noises = noises_of(baseline, sittings)
    cells = [one for one in chosen(baseline.archive.members, suite) if one.name in noises]
    left_out = left_out_sittings(baseline, now)
    yield _sittings(baseline, sittings, left_out)
    if cells:
        values = values_by_sitting(baseline, sittings)
        yield _needed(cells, noises, sittings, values, budget)
        yield _deviations(cells, noises)


def _sittings(
    baseline: Baseline, sittings: Sequence[Sitting], left_out: tuple[str, ...]
) -> Section:
    apart = apart_of(sittings, left_out)
    facts = [Fact("sittings", apart.words(),
                  f"of {LEAST_SITTINGS} that noise between sittings needs")]  # fmt: skip
    if sittings:
        launches = sorted(one.turns for one in sittings)
        facts.append(Fact("launches of a sitting", told_range(launches[0], launches[-1])))
        facts.append(Fact("holds until", f"{min(one.expires for one in sittings):%Y-%m-%d}"))
    expired = len(baseline.sittings) - len(sittings) - len(left_out)
    lead = f"{count_of(len(sittings), 'sitting')}" + (f", {expired} expired" if expired else "")
    asked = list(asked_for(sittings, apart))
    lead += f": {'; '.join(asked)}." if asked else "."
    return Section("sittings", f"Noise of {baseline.name}", (Facts(tuple(facts), style="pairs"),),
                   lead=lead)  # fmt: skip


def told_range(least: int, most: int) -> str:
    """10, or 10 to 24."""
    return str(least) if least == most else f"{least} to {most}"


def asked_for(sittings: Sequence[Sitting], apart: Apart) -> Iterator[str]:
    """What is to be done before the numbers below hold."""
    if apart.separate < LEAST_SITTINGS:
        gap = format_roughly(GAP_SECONDS)
        yield f"call it again, hours later if you can; what is closer than {gap} is one sitting"
    if any(one.turns < LEAST_LAUNCHES for one in sittings):
        yield (
            f"fewer than {LEAST_LAUNCHES} launches of a sitting say little of how they scatter; "
            f"--launches {LEAST_LAUNCHES}"
        )


def _needed(
    cells: Sequence[KeptCell], noises: Mapping[str, Noise], sittings: Sequence[Sitting],
    values: Mapping[str, list[list[float]]], budget: float,
) -> Section:  # fmt: skip
    number = len(cells)
    rows = []
    for change in CHANGES:
        needs = [needed_pairs(noises[one.name], change, number) for one in cells]
        known = [one for one in needs if one is not None]
        most = "beyond reach" if len(known) < len(needs) else str(max(known))
        rows.append((f"{change:.0%}", str(int(median(known))) if known else "beyond reach", most))
    heads = columns("=change", "#launches, median cell", "#launches, noisiest cell")
    seconds = max(one.seconds_a_turn for one in sittings)
    pairs = max(1, int(budget / (2 * seconds)))
    in_turns = [reached_by_pairs(noises[one.name], pairs, number) for one in cells]
    facts = [
        Fact("a turn takes", format_roughly(2 * seconds), "one launch of everything on both sides"),
        Fact("in turns", _reach(in_turns), f"{pairs} pairs in {format_roughly(budget)}"),
    ]
    launches = max(1, int(budget / seconds))
    is_known = apart_of(sittings).separate >= LEAST_SITTINGS
    archive = [_archive(one, noises, values, launches, number) if is_known else None
               for one in cells]  # fmt: skip
    facts.append(
        Fact("old library gone", _reach(archive), f"{launches} launches against all sittings")
    )
    return Section(
        "needed",
        "What changes need",
        (Table("Launches of each side, in turns", heads, tuple(rows)),
         Facts(tuple(facts), "Smallest change that is found in 95 of 100", style="pairs")),
    )  # fmt: skip


def _archive(
    cell: KeptCell, noises: Mapping[str, Noise], values: Mapping[str, list[list[float]]],
    launches: int, number: int,
) -> float | None:  # fmt: skip
    noise = noises[cell.name]
    if noise.sittings < LEAST_SITTINGS:
        return None
    reference: Reference = reference_of(values[cell.name])
    return reached_by_archive(launches, reference, noise, number)


def _reach(changes: Sequence[float | None]) -> str:
    known = sorted(one for one in changes if one is not None)
    if not known:
        return "nothing"
    told = f"{known[0]:.1%} to {known[-1]:.0%}, median {median(known):.1%}"
    left = len(changes) - len(known)
    return told + (f"; nothing in {count_of(left, 'cell')}" if left else "")


def _deviations(cells: Sequence[KeptCell], noises: Mapping[str, Noise]) -> Section:
    heads = columns("cell", "#within a launch", "#between launches", "#between sittings")
    rows = []
    for cell in cells:
        noise = noises[cell.name]
        within = "" if noise.within is None else f"{noise.within:.1%}"
        sitting = f"{noise.sitting:.1%}" if noise.sitting_freedom else "not known"
        rows.append((cell.name, within, f"{noise.launch:.1%}", sitting))
    first, left_out = first_rows(rows, MOST_ROWS, "the JSON of the baseline")
    return Section("deviations", "What varies",
                   (Table("Deviations", heads, first, left_out=left_out),))  # fmt: skip
