# SPDX-License-Identifier: Apache-2.0
"""How single repetitions are distributed, and how far they may be trusted as independent."""

import math
from collections.abc import Sequence

from isobath.bench.measured import Measured, MeasuredCell
from isobath.report.bench_data import BenchData
from isobath.report.race_marks import Bin, Distribution, DistributionChart, log_axis
from isobath.report.wording import listing, percent, significant
from isobath.units import format_seconds
from isobath.view.content import Figure, Section, Table, columns, nothing

TITLE = "Distributions"

SHOWN = 8

BINS = 36


def render(bench: BenchData) -> Section:
    """Time by median of the cells that spread most, on one axis."""
    cells = [cell for curve in bench.curves for cell in curve.cells if cell.spread is not None]
    if not cells:
        return nothing("distributions", TITLE, "No cell of this benchmark has a time that counts.")
    widest = sorted(cells, key=_tail, reverse=True)[:SHOWN]
    ends = [end for cell in widest for end in _ends(cell)]
    axis = log_axis("time, by the median of the cell", ends, lambda value: f"{value:g}")
    low, high = math.log(axis.low), math.log(axis.high)
    drawn = [
        Distribution(str(place), "accent", (_bins(cell, low, high),))
        for place, cell in enumerate(widest, start=1)
    ]  # fmt: skip
    worst = widest[0]
    assert worst.spread is not None
    measured = bench.measured
    names = [f"{place} {measured.name_of(cell)}" for place, cell in enumerate(widest, start=1)]
    figure = Figure(
        DistributionChart(tuple(drawn), ("share of repetitions",), axis, bench.words),
        f"Repetitions of the {len(widest)} cells with the longest tails, all launches together; "
        f"of {measured.name_of(worst)} one in a hundred takes {significant(_tail(worst), 2)} "
        f"times the median. They are {listing(names)}.",
        table=_table(measured, widest),
    )
    low_share = sum(cell.effective_share < 0.5 for cell in cells)
    lead = (
        f"In {low_share} of {len(cells)} cells repetitions hang together so much that they are "
        "worth less than half their number; intervals over launches do not suffer from it."
    )
    return Section("distributions", TITLE, (figure,), lead=lead)


def _tail(measured: MeasuredCell) -> float:
    return measured.spread.p99 / measured.spread.median if measured.spread else 0.0


def _ends(measured: MeasuredCell) -> tuple[float, float]:
    assert measured.spread is not None
    middle = measured.spread.median
    return measured.spread.minimum / middle, measured.spread.maximum / middle


def _bins(measured: MeasuredCell, low: float, high: float) -> tuple[Bin, ...]:
    assert measured.spread is not None
    times = [math.log(t / measured.spread.median) for launch in measured.launches for t in launch]
    step = (high - low) / BINS
    counts = [0] * BINS
    for time in times:
        counts[min(BINS - 1, max(0, int((time - low) / step)))] += 1
    return tuple(
        Bin(math.exp(low + i * step), math.exp(low + (i + 1) * step), count / len(times))
        for i, count in enumerate(counts)
        if count
    )


def _table(measured: Measured, cells: Sequence[MeasuredCell]) -> Table:
    rows = []
    for cell in cells:
        spread = cell.spread
        assert spread is not None
        numbers = (spread.minimum, spread.p25, spread.median, spread.p75, spread.p95, spread.p99,
                   spread.maximum)  # fmt: skip
        rows.append(
            (measured.name_of(cell), *map(format_seconds, numbers), percent(cell.effective_share),
             percent(cell.share_apart), percent(cell.share_invalid))
        )  # fmt: skip
    return Table(
        "In numbers",
        columns("cell", "#least", "#P25", "#median", "#P75", "#P95", "#P99", "#most",
                "#effective share", "#outside fences", "#invalid"),
        tuple(rows),
        folded=True,
    )  # fmt: skip
