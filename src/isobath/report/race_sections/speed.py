# SPDX-License-Identifier: Apache-2.0
"""GTEPS against ranks, plan by plan: figures 5 and 6 of the TSUBAME 2.0 paper."""

from collections.abc import Sequence
from dataclasses import replace

from isobath.report.race_cell import RacedCell, speed_ratio
from isobath.report.race_data import RaceData, fastest
from isobath.report.race_marks import (
    Axis,
    Curve,
    CurveChart,
    Plot,
    Spot,
    linear_axis,
    log_axis,
    ranks_axis,
)
from isobath.report.race_wording import plan_colour, plan_shape, times
from isobath.report.wording import count_of, gteps, listing, significant
from isobath.units import format_seconds
from isobath.view.content import Figure, Legend, Section, Table, columns, nothing

TITLE = "GTEPS against ranks"

NEAR = 4
"""The first range ends at the largest number of ranks divided by this, as 128 nodes and 512 do."""

FAR_APART = 30
"""Rates that differ by more lie on a logarithmic axis."""

ENOUGH = 3
"""different numbers of ranks that a range must hold to be worth a panel"""


def render(race: RaceData) -> Section:
    """One curve per plan; points of oversubscribed cells are hollow."""
    cells = [cell for cell in race.main if cell.teps is not None]
    if not cells:
        return nothing("speed", TITLE, "No cell of this race has a rate.")
    return Section("speed", TITLE, (_figure(race, cells),), lead=caption(race, cells))


def caption(race: RaceData, cells: list[RacedCell]) -> str:
    """One sentence: who is fastest where times count, and who gains most from ranks."""
    fair = [cell for cell in cells if not cell.oversubscribed]
    best = fastest(fair)
    if best is None or best.teps is None:
        return (
            "Every cell is oversubscribed, so the rates below say how ranks took turns on too few "
            "processors, not how fast a plan is."
        )
    text = (
        f"Where ranks have processors of their own, {best.plan} is fastest: "
        f"{gteps(best.teps.value)} GTEPS with {count_of(best.ranks, 'rank')}"
    )
    under = race.under(best)
    text += f" under {under}" if under else ""
    gains = []
    for plan in race.plans:
        own = [cell for cell in fair if cell.plan == plan]
        if len(own) > 1:
            ratio = speed_ratio(own[-1], own[0])
            if ratio is not None:
                sure = ratio.is_clear or ratio.low is None
                gains.append((ratio.value, plan, own[0].ranks, own[-1].ranks, sure))
    if gains:
        value, plan, few, many, _ = max(gains)
        surest = max((gain for gain in gains if gain[-1] and gain[0] > 1), default=None)
        if surest is not None:
            value, plan, few, many, _ = surest
            text += f"; {plan} gains most from {few} to {many} ranks, {times(value)}"
        elif value > 1:
            text += f"; no plan gains more from {few} to {many} ranks than its searches differ"
        else:
            text += f"; no plan gains from {few} to {many} ranks, {plan} loses least"
    hollow = len(cells) - len(fair)
    if hollow:
        text += f"; {hollow} of {len(cells)} points are oversubscribed and hollow"
    return f"{text}."


def _figure(race: RaceData, cells: list[RacedCell]) -> Figure:
    ranks = sorted({cell.ranks for cell in cells})
    near = [number for number in ranks if number * NEAR <= ranks[-1]]
    ranges = [("all ranks", ranks)]
    if len(near) >= ENOUGH:
        ranges = [(f"up to {near[-1]} ranks", near), ("all ranks", ranks)]
    plots = [_plot(race, cells, title if len(ranges) > 1 else "", shown) for title, shown in ranges]
    legend = [Legend(plan_colour(plan), plan, plan_shape(plan)) for plan in race.plans]
    if any(cell.oversubscribed for cell in cells):
        legend.append(Legend("muted", "hollow: oversubscribed, no time of this machine", "ring"))
    fixed = [f"{name} {race.factors[name][0]}" for name in race.other_factors]
    held = f" Other factors stand at {listing(fixed)}." if fixed else ""
    which = "scale differs from point to point (weak scaling)" if race.scaling == "weak" else ""
    kind = f" Here the {which}." if which else ""
    return Figure(
        CurveChart(tuple(plots), race.words),
        f"Harmonic mean GTEPS of {count_of(len(cells), 'cell')} with its 95 % interval; the "
        f"counterpart of figures 5 and 6 of the TSUBAME 2.0 paper.{held}{kind}",
        tuple(legend),
        _table(cells),
    )


def _plot(race: RaceData, cells: list[RacedCell], title: str, shown: list[int]) -> Plot:
    kept = [cell for cell in cells if cell.ranks in shown]
    curves = []
    for plan in race.plans:
        spots = tuple(_spot(cell) for cell in kept if cell.plan == plan)
        curves.append(Curve(plan, plan_colour(plan), spots, plan_shape(plan)))
    y = _rates_axis([spot for curve in curves for spot in curve.spots])
    if y.logarithmic:
        curves = [replace(curve, spots=_above(curve.spots, y.low)) for curve in curves]
    return Plot(title, tuple(curves), ranks_axis("ranks", shown), y)


def _rates_axis(spots: Sequence[Spot]) -> Axis:
    """From zero; logarithmic where the slowest would lie on the axis."""
    rates = [spot.y for spot in spots if spot.y > 0]
    if rates and max(rates) > FAR_APART * min(rates):
        ends = [*rates, *(spot.high for spot in spots if spot.high)]
        return log_axis("GTEPS", ends, lambda value: f"{value:g}")
    highest = [spot.high or spot.y for spot in spots]
    return linear_axis("GTEPS", highest, lambda value: significant(value, 2) if value else "0")


def _above(spots: Sequence[Spot], least: float) -> tuple[Spot, ...]:
    """Intervals that end on the axis, which has no zero."""
    return tuple(
        spot if spot.low is None else replace(spot, low=max(spot.low, least)) for spot in spots
    )


def _spot(cell: RacedCell) -> Spot:
    rate = cell.teps.value / 1e9 if cell.teps else 0.0
    interval = cell.interval
    if interval is None:
        return Spot(cell.ranks, rate, hollow=cell.oversubscribed)
    low = max(0.0, interval.low / 1e9)
    return Spot(cell.ranks, rate, low, interval.high / 1e9, cell.oversubscribed)


def _table(cells: list[RacedCell]) -> Table:
    rows = []
    for cell in cells:
        interval = cell.interval
        bounds = ("", "")
        if interval is not None:
            bounds = (gteps(max(0.0, interval.low)), gteps(interval.high))
        rate = gteps(cell.teps.value) if cell.teps else ""
        remark = "oversubscribed" if cell.oversubscribed else ""
        rows.append(
            (cell.plan, str(cell.ranks), cell.grid, rate, *bounds,
             format_seconds(cell.mean_seconds), remark)
        )  # fmt: skip
    return Table(
        "Rates in numbers",
        columns(
            "=plan", "#ranks", "=grid", "#GTEPS", "#from", "#to (95 %)", "#mean search", "remark"
        ),
        tuple(rows),
        folded=True,
    )
