# SPDX-License-Identifier: Apache-2.0
"""From two-dim as published to hybrid, one switch at a time, in seconds and in bytes."""

from collections.abc import Sequence
from itertools import pairwise

from isobath.report.marks import Span
from isobath.report.race_cell import (
    RacedCell,
    bytes_ratio,
    seconds_ratio,
    speed_ratio,
)
from isobath.report.race_data import RaceData
from isobath.report.race_marks import RowChart, RowPanel
from isobath.report.race_sections.cell_words import (
    audit_of,
    bytes_of_rank,
    memory_of,
    share_in_mpi,
)
from isobath.report.race_wording import byte_unit, change, ratio_number, with_interval
from isobath.report.wording import count_of, gteps, listing, milliseconds
from isobath.stats.ratios import Ratio
from isobath.units import format_bytes
from isobath.view.content import Figure, Paragraph, Section, Table, columns, nothing

TITLE = "From two-dim to hybrid, step by step"


def render(race: RaceData) -> Section:
    """A row per step with its effect on seconds and on bytes."""
    steps = race.ladder
    if not steps:
        return nothing("ladder", TITLE, "This race has no ladder from two-dim to hybrid.")
    blocks = (_figure(race, steps), Paragraph(_note(steps)))
    return Section("ladder", TITLE, blocks, lead=caption(steps))


def caption(steps: Sequence[RacedCell]) -> str:
    """One sentence: what the whole ladder and its largest step come to."""
    first, last = steps[0], steps[-1]
    if len(steps) == 1:
        return f"Only one step was run: {name(first)}."
    fewer, faster = bytes_ratio(first, last), speed_ratio(last, first)
    gains = []
    if fewer is not None:
        gains.append(f"{ratio_number(fewer.value)} times fewer bytes")
    if faster is not None:
        doubt = " (oversubscribed: not a fact)" if first.oversubscribed else ""
        gains.append(f"{ratio_number(faster.value)} times the speed{doubt}")
    text = f"From {first.plan} {name(first)} to {last.plan} with {name(last)}"
    text += f": {listing(gains)}" if gains else f" in {count_of(len(steps) - 1, 'step')}"
    effects = [
        (ratio.value, name(step))
        for before, step in pairwise(steps)
        if (ratio := bytes_ratio(step, before)) is not None
    ]
    if effects:
        value, step = min(effects)
        text += f"; the largest step in bytes is {step} ({change(value)})"
    return f"{text}."


def name(cell: RacedCell) -> str:
    """The name of a step."""
    return cell.step or cell.name


def _figure(race: RaceData, steps: Sequence[RacedCell]) -> Figure:
    seconds, amounts, texts, byte_texts, short, byte_short, reach = [], [], [], [], [], [], []
    rows = []
    before: RacedCell | None = None
    size_of_unit, unit = byte_unit(max(step.mean_bytes for step in steps))
    for step in steps:
        spent, moved = step.mean_seconds * 1e3, step.mean_bytes / size_of_unit
        seconds.append((Span(0.0, spent, "call-1"),))
        amounts.append((Span(0.0, moved, "call-3"),) if moved else ())
        time = seconds_ratio(step, before) if before else None
        size = bytes_ratio(step, before) if before else None
        own = f"{milliseconds(step.mean_seconds)} ms"
        texts.append(f"{own}, {change(time.value)}" if time else own)
        short.append(change(time.value) if time else own)
        sent = format_bytes(step.mean_bytes)
        byte_texts.append(f"{sent}, {change(size.value)}" if size else sent)
        byte_short.append(change(size.value) if size else sent)
        reach.append(_reach(step, time, before))
        rows.append(
            (name(step), own, with_interval(time) if time else "", sent,
             with_interval(size) if size else "",
             "oversubscribed" if step.oversubscribed else "",
             *_rate(step, steps[0]), bytes_of_rank(step), f"{step.mean_messages:,.0f}",
             share_in_mpi(step), memory_of(step), audit_of(step))
        )  # fmt: skip
        before = step
    panels = [
        RowPanel(
            "milliseconds per search", tuple(seconds), tuple(texts), tuple(reach), tuple(short)
        ),
        RowPanel(f"{unit} per search, all ranks", tuple(amounts), tuple(byte_texts), (),
                 tuple(byte_short)),
    ]  # fmt: skip
    cell = steps[0]
    own = steps[-1].grid
    place = f"on {cell.grid}" if own == cell.grid else f"on {cell.grid}, the last on {own},"
    return Figure(
        RowChart(tuple(map(name, steps)), tuple(panels), race.words),
        f"Each row changes one thing in the row above, {place} with "
        f"{count_of(cell.ranks, 'rank')}; percentages are against the row above, lines show the "
        "95 % interval of that comparison, root by root.",
        table=Table(
            "Steps in numbers",
            columns("=step", "#mean search", "#times the step before (95 %)", "#bytes per search",
                    "#times the step before (95 %)", "=remark", "#GTEPS", "#times the first step",
                    "#bytes a rank", "#messages", "#in MPI", "#peak memory", "=audit"),
            tuple(rows),
        ),
    )  # fmt: skip


def _rate(step: RacedCell, first: RacedCell) -> tuple[str, str]:
    """GTEPS, and how many times that of the first step."""
    ratio = speed_ratio(step, first)
    return (
        gteps(step.teps.value) if step.teps else "",
        "" if ratio is None else ratio_number(ratio.value),
    )


def _reach(
    step: RacedCell, ratio: Ratio | None, before: RacedCell | None
) -> tuple[float, float] | None:
    """The interval of the ratio around the bar of this step, in milliseconds."""
    if ratio is None or before is None or ratio.low is None or ratio.high is None:
        return None
    own = step.mean_seconds * 1e3
    return own * ratio.low / ratio.value, own * ratio.high / ratio.value


def _note(steps: Sequence[RacedCell]) -> str:
    if any(step.oversubscribed for step in steps):
        return (
            "The ladder ran oversubscribed: its bytes are facts, its seconds say only how ranks "
            "shared too few processors."
        )
    return "Every step searched the same graph from the same roots, so each root is its own base."
