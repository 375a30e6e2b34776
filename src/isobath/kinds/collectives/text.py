# SPDX-License-Identifier: Apache-2.0
"""A benchmark as tables of a terminal."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isobath.bench.cross_check import DEFINITION, CrossCheck, cross_checks, summary
from isobath.bench.findings import penalties_of, switches_of, traps_of
from isobath.bench.guidelines import checks_of
from isobath.bench.identity import stretches_of
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.rates import bus_bandwidth
from isobath.bench.regret import regrets_of
from isobath.bench.words import size_words
from isobath.report.wording import count_of
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN = 12
"""findings of a kind in the summary"""

SIZES = 5
"""columns of the table in the summary"""

ROWS = 40
"""of a table in the summary"""

OVERSUBSCRIBED = (
    "OVERSUBSCRIBED: more ranks than processors; ranks take turns, so no time is shown. Data were "
    "checked, bytes are facts."
)


def parts(measured: Measured, view: str, bench: Path) -> "Iterator[RenderableType]":
    """What a view consists of; a summary ends with what IMB says, where it was launched."""
    yield from notices(measured)
    yield from VIEWS[view](measured)
    if measured.spec.cross_check and view == "summary":
        yield from cross_check_parts(cross_checks(measured, bench))


def consequences(measured: Measured) -> dict[str, Any]:
    """Regret and guidelines for programs."""
    return {
        "regret": [
            {
                "mpi": one.default.arm.mpi,
                "ranks": one.default.first.ranks,
                "cell": one.default.cell.words(),
                "default_seconds": one.default.seconds,
                "best_seconds": one.best.seconds,
                "best_algorithm": one.best.choice,
                "loss": one.loss,
                "is_clear": one.is_clear,
            }
            for one in regrets_of(measured)
        ],
        "guidelines": [
            {
                "guideline": one.words,
                "mpi": one.left.arm.mpi,
                "ranks": one.left.first.ranks,
                "size_bytes": one.left.cell.size_bytes,
                "factor": one.factor,
                "outcome": one.outcome,
            }
            for one in checks_of(measured)
        ],
    }


def cross_check_parts(checks: tuple[CrossCheck, ...]) -> "Iterator[RenderableType]":
    """Our times beside IMB's, by IMB's definition."""
    table = _table(
        "Cross-check with IMB, us: our mean and its interval, IMB's t_max and t_avg", "collective"
    )
    for name in ("P", "size", "ours", "from", "to", "t_max", "t_avg", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("")
    for column in table.columns:
        column.no_wrap = True
    for one in checks:
        numbers = (one.estimate.value, *one.bounds, one.their_largest, one.their_mean, one.ratio)
        texts = [f"{number:.2f}" for number in numbers]
        cell = one.ours.cell
        size = size_words(cell.size_bytes)
        table.add_row(cell.collective, str(one.ours.first.ranks), size, *texts, one.outcome)
    yield table
    yield summary(checks)
    for reason in dict.fromkeys(one.words() for one in checks if one.words()):
        same = [one for one in checks if one.words() == reason]
        yield f"  {len(same)} of them: {reason}"
    yield "What differs by definition:"
    yield from (f"  {sentence}" for sentence in DEFINITION)


def notices(measured: Measured) -> Iterator[str]:
    """What must be known before any number is read."""
    total = len(measured.spec.arms) * measured.spec.launches
    if measured.launches_done < total:
        yield f"UNFINISHED: {measured.launches_done} of {total} launches are done."
    if any(one.oversubscribed for one in measured.cells):
        yield OVERSUBSCRIBED
    if measured.spec.launches < 3:
        yield "FEW LAUNCHES: fewer than 3; launches differ more than their repetitions say."
    yield from (f"OFFLOAD, {mpi}: {words}" for mpi, words in measured.spec.offload.items())
    apart = sum(one.launches_disagree for one in measured.results)
    if apart:
        yield (
            f"FEW LAUNCHES: of {count_of(apart, 'cell')} the medians of launches differ by more "
            "than a quarter; their interval is the range of these medians, and nothing is "
            "concluded from them."
        )
    wrong = [one for one in measured.cells if one.data_failure]
    for one in wrong[:SHOWN]:
        yield f"WRONG DATA: {one.cell.words()}: {one.data_failure}"


def _summary(measured: Measured) -> "Iterator[RenderableType]":
    results, idle = measured.results, [one for one in measured.cells if one.not_runnable]
    checked = sum(not one.data_failure and not one.not_runnable for one in measured.cells)
    yield (
        f"{count_of(len(measured.cells), 'cell')}: {len(results)} with times that count, "
        f"{checked} with right data, {len(idle)} not runnable"
    )
    counted: dict[str, list[MeasuredCell]] = {}
    for one in idle:
        counted.setdefault(one.not_runnable, []).append(one)
    for reason, own in list(counted.items())[:SHOWN]:
        more = f" and {len(own) - 1} more" if len(own) > 1 else ""
        yield f"  not runnable: {own[0].cell.words()}{more}: {reason}"
    yield from _small_table(measured)
    yield from _findings(
        "Switch points", [f"{one.curve.title}: {one.words()}" for one in switches_of(measured)]
    )
    yield from _findings("Traps", [one.sentence for one in traps_of(measured)])
    clear = sorted((one for one in regrets_of(measured) if one.is_clear), key=lambda one: -one.loss)
    yield from _findings(
        "Regret of the default",
        [
            f"{one.default.cell.words()}: {one.best.choice} takes "
            f"{one.best.seconds / one.default.seconds:.0%} of its time"
            for one in clear
        ],
    )
    broken = [one for one in checks_of(measured) if one.outcome == "broken"]
    broken.sort(key=lambda one: -one.factor)
    yield from _findings("Guidelines broken", [one.sentence() for one in broken])
    dear = sorted(penalties_of(measured), key=lambda one: -one.per_byte)
    yield from _findings(
        "Irregular counts, time per byte against uniform ones",
        [f"{one.irregular.cell.words()}: {one.per_byte:.2f} times" for one in dear],
    )


def _findings(title: str, sentences: Sequence[str]) -> Iterator[str]:
    if sentences:
        more = f" ({SHOWN} of {len(sentences)})" if len(sentences) > SHOWN else ""
        yield f"\n{title}{more}"
        yield from (f"  {sentence}" for sentence in sentences[:SHOWN])


def _small_table(measured: Measured) -> "Iterator[Table]":
    """The library's own choices at few sizes: one row for each curve."""
    curves = [c for c in measured.default_curves if c.first.cell.form == "blocking"][:ROWS]
    if not curves:
        return
    sizes = sorted({one.cell.size_bytes for curve in curves for one in curve.cells} - {0})
    picked = spread_over(sizes or [0], SIZES)
    table = _table("Medians of the library's own choice", "collective")
    for size in picked:
        table.add_column(size_words(size), justify="right")
    for curve in curves:
        has_no_size = curve.first.cell.size_bytes == 0
        cells = [curve.at(0 if has_no_size else size) for size in picked]
        texts = [format_seconds(one.seconds) if one else "" for one in cells]
        table.add_row(curve.title, *texts)
    yield table


def spread_over(sizes: Sequence[int], count: int) -> list[int]:
    """So many of the sizes, the smallest and the largest among them, at equal steps."""
    if len(sizes) <= count:
        return list(sizes)
    return [sizes[round(at * (len(sizes) - 1) / (count - 1))] for at in range(count)]


def _sizes(measured: Measured) -> "Iterator[RenderableType]":
    """Every result: median, interval, bus bandwidth."""
    for curve in measured.curves:
        table = _table(curve.title, "size")
        for name in ("median", "from", "to", "p99", "bus bandwidth"):
            table.add_column(name, justify="right")
        for one in curve.cells:
            low, high = map(format_seconds, one.bounds)
            p99 = format_seconds(one.spread.p99) if one.spread else ""
            high += "  FEW LAUNCHES" if one.launches_disagree else ""
            table.add_row(
                size_words(one.cell.size_bytes), format_seconds(one.seconds), low, high, p99,
                _rate(one),
            )  # fmt: skip
        yield table


def _rate(one: MeasuredCell) -> str:
    return f"{format_bytes(bus_bandwidth(one))}/s" if one.wire_bytes else ""


def _regret(measured: Measured) -> "Iterator[RenderableType]":
    found = regrets_of(measured)
    if not found:
        yield "No algorithm was forced; name some with --algorithms."
        return
    table = _table("The library's choice against the best forced algorithm", "cell")
    for name in ("default", "best", "regret"):
        table.add_column(name, justify="right")
    table.add_column("best algorithm")
    for one in sorted(found, key=lambda one: -one.loss):
        mark = "" if one.is_clear else " ?"
        table.add_row(
            one.default.cell.words(), format_seconds(one.default.seconds),
            format_seconds(one.best.seconds), f"{one.loss:.0%}{mark}", one.best.choice,
        )  # fmt: skip
    yield table
    yield "? the intervals touch, or the loss is below 5 %"


def _algorithms(measured: Measured) -> "Iterator[RenderableType]":
    """Which algorithm every blocking cell had, and how that is known."""
    table = _table("Which algorithm ran", "cells")
    for name in ("sizes", "algorithm", "known by", "how"):
        table.add_column(name, overflow="fold")
    found = stretches_of(measured)
    for one in found:
        mark = " !" if one.identity.contradicts else ""
        known = f"{one.identity.source}, {one.identity.confidence}"
        table.add_row(
            one.title, one.sizes, one.identity.algorithm + mark, known, one.identity.evidence
        )
    yield table
    others = sum(one.cell.form != "blocking" for one in measured.cells)
    if others:
        yield f"Not blocking, so that no algorithm is known: {count_of(others, 'cell')}."
    if any(one.identity.contradicts for one in found):
        yield "! another one ran than was forced"


def _guidelines(measured: Measured) -> "Iterator[RenderableType]":
    found = checks_of(measured)
    counted = {word: sum(one.outcome == word for one in found) for word in ("kept", "broken")}
    yield (
        f"{count_of(len(found), 'check')}: {counted['kept']} kept, {counted['broken']} broken, "
        f"{len(found) - counted['kept'] - counted['broken']} unclear"
    )
    for one in sorted(found, key=lambda one: -one.factor):
        if one.outcome == "broken":
            yield f"  {one.sentence()}"


def _table(title: str, first: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)
    table.add_column(first, overflow="fold")
    return table


VIEWS: "dict[str, Callable[[Measured], Iterator[RenderableType]]]" = {
    "summary": _summary,
    "sizes": _sizes,
    "algorithms": _algorithms,
    "regret": _regret,
    "guidelines": _guidelines,
}
"""By name, the default first."""
