# SPDX-License-Identifier: Apache-2.0
"""What sittings say: deviations of every cell, and what changes of 5, 8 and 15 % need."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Sitting
from isobath.guard.judging import Reference, reference_of
from isobath.guard.needed import CHANGES, needed_pairs, reached_by_archive, reached_by_pairs
from isobath.guard.noise import LEAST_SITTINGS, Noise
from isobath.kinds.regress.learned import noises_of, valid_sittings, values_by_sitting
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
    yield _sittings(baseline, sittings, now)
    if cells:
        values = values_by_sitting(baseline, sittings)
        yield _needed(cells, noises, sittings, values, budget)
        yield _deviations(cells, noises)


def _sittings(baseline: Baseline, sittings: Sequence[Sitting], now: datetime) -> Section:
    began = sorted(one.began for one in sittings)
    apart = [after - before for before, after in pairwise(began)]
    facts = [Fact("sittings", str(len(sittings)),
                  f"of {LEAST_SITTINGS} that noise between sittings needs")]  # fmt: skip
    if apart:
        facts.append(Fact("apart", f"{format_roughly(min(apart))} to {format_roughly(max(apart))}"))
    if sittings:
        facts.append(Fact("holds until", f"{min(one.expires for one in sittings):%Y-%m-%d}"))
    expired = len(baseline.sittings) - len(sittings)
    lead = f"{count_of(len(sittings), 'sitting')}" + (f", {expired} expired" if expired else "")
    lead += "." if len(sittings) >= LEAST_SITTINGS else ": call it again, hours later if you can."
    return Section("sittings", f"Noise of {baseline.name}", (Facts(tuple(facts), style="pairs"),),
                   lead=lead)  # fmt: skip


def _needed(
    cells: Sequence[KeptCell], noises: Mapping[str, Noise], sittings: Sequence[Sitting],
    values: Mapping[str, list[list[float]]], budget: float,
) -> Section:  # fmt: skip
    number = len(cells)
    rows = []
    for change in CHANGES:
        needs = [needed_pairs(noises[one.name].launch, change, number) for one in cells]
        known = [one for one in needs if one is not None]
        most = "beyond reach" if len(known) < len(needs) else str(max(known))
        rows.append((f"{change:.0%}", str(int(median(known))) if known else "beyond reach", most))
    heads = columns("=change", "#launches, median cell", "#launches, noisiest cell")
    seconds = max(one.seconds_a_turn for one in sittings)
    pairs = max(1, int(budget / (2 * seconds)))
    in_turns = [reached_by_pairs(noises[one.name].launch, pairs, number) for one in cells]
    facts = [
        Fact("a turn takes", format_roughly(2 * seconds), "one launch of everything on both sides"),
        Fact("in turns", _reach(in_turns), f"{pairs} pairs in {format_roughly(budget)}"),
    ]
    launches = max(1, int(budget / seconds))
    archive = [_archive(one, noises, values, launches, number) for one in cells]
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
    if noise.sitting_freedom < LEAST_SITTINGS - 1:
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
