# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients as a table of 80 columns, one for each library, mesh and number of ranks."""

import textwrap
from collections.abc import Iterator
from typing import Any

from isobath.kinds.cg.findings import break_even, gain, sentences
from isobath.kinds.cg.measured import Measured
from isobath.kinds.cg.reading import Group, Ratio, Row
from isobath.report.wording import count_of

HEADS = ("method", "progress", "us/iteration", "95 % interval", "vs cg", "sums, %", "work, us")
WIDTHS = (9, 14, 12, 17, 6, 7, 8)


def parts(measured: Measured) -> Iterator[str]:
    """What has to be known first, then a table for each group."""
    yield from measured.labels
    for group in measured.groups:
        yield "\n".join(lines_of(group)) + "\n"


def headline_words(measured: Measured) -> str:
    """The fastest way of the largest mesh on most ranks, against plain conjugate gradients."""
    groups = [group for group in measured.groups if any(row.is_result for row in group.rows)]
    if not groups:
        return "no times"
    group = max(groups, key=lambda one: (one.ranks, one.elements))
    row = min((one for one in group.rows if one.is_result), key=lambda one: one.iteration.value)
    return f"{row.name} fastest: {micro(row.iteration.value)} us an iteration"


def title_of(group: Group) -> str:
    """``mpich-wheel, 2 ranks, 128 x 128 elements``."""
    mesh = f"{group.elements} x {group.elements} elements"
    return f"{group.mpi}, {count_of(group.ranks, 'rank')}, {mesh}"


def lines_of(group: Group) -> list[str]:
    """Times of an iteration, and what they mean."""
    iterations = group.rows[0].first.iterations
    lines = [f"{title_of(group)}, {count_of(iterations, 'iteration')}", _put(HEADS)]
    lines += [_put(_cells(group, row)) for row in group.rows]
    profiled = [row for row in group.rows if row.shares and row.is_result]
    if profiled:
        lines.append("  share of MPI calls under the profiler, %:")
        lines += [f"  {row.name:<24} {shares_text(row)}"[:80].rstrip() for row in profiled]
    for sentence in sentences(group):
        lines += textwrap.wrap(f"{sentence}.", 79, initial_indent="  ", subsequent_indent="  ")
    return lines


def _put(cells: tuple[str, ...]) -> str:
    left = [f"{cell:<{width}}" for cell, width in zip(cells[:2], WIDTHS[:2], strict=True)]
    right = [f"{cell:>{width}}" for cell, width in zip(cells[2:], WIDTHS[2:], strict=False)]
    return " ".join(left + right).rstrip()


def _cells(group: Group, row: Row) -> tuple[str, ...]:
    if row.remark is not None:
        return (row.first.method, row.progress, f"{row.remark.upper()}: no result")
    interval = row.interval
    between = f"{micro(interval.low)} - {micro(interval.high)}" if interval else "-"
    plain = group.plain
    ratio = f"{row.against(plain).value:.2f}" if plain else "-"
    return (row.first.method, row.progress, micro(row.iteration.value), between, ratio,
            share_of(row), micro(row.work_seconds))  # fmt: skip


def share_of(row: Row) -> str:
    """Of an iteration, in sums over ranks; PETSc does not tell."""
    seconds = row.reduction_seconds
    return "-" if seconds is None else f"{100 * seconds / row.iteration.value:.0f}"


def shares_text(row: Row) -> str:
    """``12.3: Allreduce 8.1, Waitall 3.0``: all calls, then the greatest three."""
    whole = sum(one.part for one in row.shares)
    calls = (f"{one.call.removeprefix('MPI_')} {100 * one.part:.1f}" for one in row.shares[:3])
    return f"{100 * whole:.1f}: {', '.join(calls)}"


def micro(seconds: float | None) -> str:
    """Microseconds with three digits or more."""
    if seconds is None:
        return "-"
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e6:.1f}" if seconds < 99.95e-6 else f"{seconds * 1e6:.0f}"


def as_json(measured: Measured) -> dict[str, Any]:
    """The same for programs. Seconds."""
    return {
        "groups": [_group_json(group) for group in measured.groups],
        "not_measured": list(measured.not_measured),
        "problems": list(measured.problems),
        "launches": {"done": measured.launches_done, "planned": measured.launches},
    }


def _group_json(group: Group) -> dict[str, Any]:
    even = break_even(group, "pipelined")
    return {
        "mpi": group.mpi,
        "ranks": group.ranks,
        "elements": group.elements,
        "rows": [_row_json(group, row) for row in group.rows],
        "break_even": None
        if even is None
        else {"method": even.method, "reduction_seconds": even.reductions,
              "extra_work_seconds": even.extra, "can_pay": even.can_pay},
        "findings": sentences(group),
    }  # fmt: skip


def _row_json(group: Group, row: Row) -> dict[str, Any]:
    one = row.first
    found: dict[str, Any] = {
        "method": one.method,
        "progress": one.progress,
        "tests": one.tests,
        "iterations": one.iterations,
        "threads_per_rank": one.threads_per_rank,
        "launches": len(row.records),
        "oversubscribed": one.oversubscribed,
        "remark": row.remark,
    }
    if not row.is_result:
        return found
    interval = row.interval
    against = gain(group, row) if one.progress != "blocking" else None
    return found | {
        "seconds_per_iteration": row.iteration.value,
        "interval": [interval.low, interval.high] if interval else None,
        "speedup": _ratio(row.against(group.plain)) if group.plain else None,
        "algorithm": _ratio(against.algorithm) if against else None,
        "overlap": _ratio(against.overlap) if against else None,
        "reduction_seconds": row.reduction_seconds,
        "work_seconds": row.work_seconds,
        "mpi_share": {one.call: one.part for one in row.shares} or None,
    }


def _ratio(ratio: Ratio) -> dict[str, float | None]:
    return {"value": ratio.value, "low": ratio.low, "high": ratio.high}
