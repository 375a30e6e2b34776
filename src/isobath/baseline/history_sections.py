# SPDX-License-Identifier: Apache-2.0
"""The trend of a baseline as sections."""

from collections.abc import Iterator

from isobath.baseline.chain import Baseline
from isobath.baseline.history import LeftOut, Trend, drifting, history_of
from isobath.baseline.sections import when
from isobath.report.wording import count_of, listing
from isobath.view.content import Block, Listing, Page, Section, Table, columns, first_rows

MOST_ROWS = 40
MOST_POINTS = 6


def sections_of(baseline: Baseline) -> Iterator[Section]:
    """Slow drift first, then every regression and every cell."""
    found = history_of(baseline)
    yield _drifting(found.trends)
    yield _regressions(baseline, found.left_out)
    yield _cells(found.trends)


def page_of(baseline: Baseline) -> Page:
    """One page."""
    return Page(
        title=f"History of {baseline.name}",
        heading=f"What became of {baseline.name}",
        place="; ".join(dict.fromkeys(cell.key.machine for cell in baseline.archive.cells)),
        noun="history",
        name=baseline.name,
        made_from="the entries of the baseline",
        sections=tuple(sections_of(baseline)),
    )


def _drifting(trends: tuple[Trend, ...]) -> Section:
    slow = list(drifting(trends))
    lead = (
        f"{count_of(len(slow), 'cell')} crept up over several regressions."
        if slow
        else "No cell crept up over several regressions."
    )
    told = tuple(
        f"{one.cell}: {listing([f'{point.ratio:.3f}' for point in one.points[-MOST_POINTS:]])} "
        f"times as long as in the baseline, {drift:.0%} in all"
        for one, drift in slow
    )
    blocks = (Listing("Slow drift", told),) if told else ()
    return Section("drift", "Slow drift", blocks, lead=lead)


def _regressions(baseline: Baseline, left_out: tuple[LeftOut, ...]) -> Section:
    why = {one.regression.study: one.why for one in left_out}
    rows = tuple(
        (when(one.at), str(one.exit_code), one.mpi, one.held_against or one.against, one.verdict)
        for one in baseline.regressions
    )
    heads = columns("=when", "#code", "MPI", "against", "verdict")
    lead = count_of(len(rows), "regression") + "."
    blocks: list[Block] = [Table("Regressions", heads, rows)] if rows else []
    if why:
        told = tuple(f"{study}: {words}" for study, words in why.items())
        blocks.append(Listing("No part of the trend", told))
    return Section("regressions", "Regressions", tuple(blocks), lead=lead)


def _cells(trends: tuple[Trend, ...]) -> Section:
    ordered = sorted(trends, key=lambda one: -one.last)
    rows = [
        (one.cell, str(len(one.points)), f"{one.last:.3f}",
         "" if one.slope is None or len(one.points) < 3 else f"{one.slope:+.1%}",
         "" if one.drift is None else f"{one.drift:+.0%}")
        for one in ordered
    ]  # fmt: skip
    heads = columns("cell", "#regressions", "#times the baseline", "#a year", "#slow drift")
    if not rows:
        return Section("cells", "Cells", lead="No regression is part of a trend yet.")
    first, left_out = first_rows(rows, MOST_ROWS, "--json")
    return Section("cells", "Cells", (Table("Where each is now", heads, first, left_out=left_out),))
