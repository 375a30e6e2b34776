# SPDX-License-Identifier: Apache-2.0
"""A race in the terminal: one table of 80 columns, and what each factor changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isobath.plan.search_plans import PLANS
from isobath.race.comparisons import Change, changes, rate_ratio, reference_of
from isobath.race.results import CellResult, RaceResults
from isobath.race.spec import Value
from isobath.report.wording import compact, count_of, gteps, percent, printable, with_error
from isobath.units import format_bytes
from isobath.view.content import Column, Table, columns
from isobath.view.grid import grid_lines

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

WIDTH = 80
NO_RESULT = "*"
"""Stands beside a time that is none of this machine."""

NOTHING = "-"
SHOWN_CHANGES = 24


@dataclass(frozen=True)
class _Column:
    """One column of the table. ``weight`` says how early it is left out where width lacks; 0
    stays."""

    head: str
    cells: tuple[str, ...]
    weight: int = 0
    right: bool = True

    @property
    def width(self) -> int:
        """Characters of the widest cell."""
        return max(len(self.head), *(len(cell) for cell in self.cells), 0)


def parts(results: RaceResults) -> "Iterator[RenderableType]":
    """What is shown of a race, from its headline down."""
    from rich.text import Text

    yield Text(headline(results), style="bold")
    for notice in notices(results):
        yield Text(printable(notice), style="bold red")
    if any(one.done for one in results.matrix):
        yield cells_table(results, results.matrix, "All cells")
    if any(one.done for one in results.ladder):
        yield cells_table(results, results.ladder, "From two-dim to hybrid, one step at a time")
    found = changes(results)
    if found:
        yield changes_table(found)
    yield Text(footnote(results), style="dim")


def fastest_words(results: RaceResults) -> str:
    """The fastest cell that is a result."""
    timed = [
        one
        for one in results.matrix
        if one.teps is not None and one.validated and not one.oversubscribed
    ]
    if not timed:
        return "no times of this machine"
    best = max(timed, key=lambda one: one.teps.value if one.teps else 0.0)
    named = best.cell.factors.get("plan", "one plan") if best.cell else "one plan"
    return f"{named} fastest: {gteps(best.teps.value) if best.teps else '-'} GTEPS"


def facts(results: RaceResults) -> dict[str, Any]:
    """Every cell with its rate, bytes of a search and rank, and the audit."""
    return {
        "scaling": results.spec.scaling,
        "keys": results.spec.keys,
        "official": results.spec.official,
        "runs_left": results.to_do,
        "cells": [_cell_facts(one) for one in results.cells],
        "problems": list(results.altered),
    }


def _cell_facts(one: CellResult) -> dict[str, Any]:
    cell = one.cell
    return {
        "cell": cell.cell if cell else None,
        "factors": dict(cell.factors) if cell else {},
        "runs": len(one.runs),
        "validated": one.validated,
        "oversubscribed": one.done and one.oversubscribed,
        "teps": one.teps.value if one.teps else None,
        "teps_standard_error": one.teps.standard_error if one.teps else None,
        "bytes_per_rank_and_search": one.bytes_per_rank.value if one.bytes_per_rank else None,
        "construction_seconds": one.construction_seconds,
        "peak_bytes": one.peak_bytes,
        "audited": one.audited,
        "problems": list(one.problems),
    }


def headline(results: RaceResults) -> str:
    """What was raced, and whether it counts."""
    spec = results.spec
    scales = sorted({str(cell.settings["scale"]) for cell in spec.cells}, key=int)
    word = "official rules" if spec.official else "NOT OFFICIAL"
    scaling = f", {spec.scaling} scaling" if spec.scaling else ""
    runs = f"{len(spec.cells) * spec.repeats} runs"
    word_of_scale = "scale" if len(scales) == 1 else "scales"
    which = f"{word_of_scale} {', '.join(scales)}{scaling}, {spec.keys} keys, {runs}"
    return f"Race {results.name}: {which}  [{word}]"


def notices(results: RaceResults) -> Iterator[str]:
    """What must be known before any number is read."""
    if results.to_do:
        are = "is" if results.to_do == 1 else "are"
        yield f"{count_of(results.to_do, 'run')} {are} still to do"
    for one in results.cells:
        for problem in one.problems:
            name = one.cell.cell if one.cell else ""
            yield f"{name} failed: {problem}"
    unaudited = [one.cell.cell for one in results.cells if one.cell and one.audited is False]
    if unaudited:
        yield f"AUDIT UNEQUAL in {', '.join(unaudited)}: see audit.jsonl"
    unproved = [
        one.cell.cell for one in results.cells if one.cell and one.done and not one.validated
    ]
    if unproved:
        yield f"UNVALIDATED: {', '.join(unproved)}"


def cells_table(results: RaceResults, cells: Sequence[CellResult], title: str) -> "RenderableType":
    """A row for each cell that has a result."""
    rows = sorted((one for one in cells if one.done), key=lambda one: _place(results, one))
    known = [one for one in _columns(results, rows) if any(cell != NOTHING for cell in one.cells)]
    fitted = _fitted(known)
    if _needed(fitted) > WIDTH:
        return _in_parts(title, [one.cell.cell if one.cell else NOTHING for one in rows], known)
    table = _table(title)
    for column in fitted:
        table.add_column(column.head, justify="right" if column.right else "left", no_wrap=True)
    for values in zip(*(column.cells for column in fitted), strict=True):
        table.add_row(*values)
    return table


def changes_table(found: Sequence[Change]) -> "Text":
    """A row for each pair of cells that differ in one factor of two values."""
    title = "What one factor changes, all else equal"
    rows = [_change_cells(one) for one in found[:SHOWN_CHANGES]]
    if len(found) > SHOWN_CHANGES:
        rows.append((f"and {len(found) - SHOWN_CHANGES} more", "", "", ""))
    heads = columns("change", "at", "#rate", "#95 % interval")
    return _titled(title, Table(title, heads, tuple(rows)))


def _change_cells(one: Change) -> tuple[str, ...]:
    low, high = one.ratio.low, one.ratio.high
    reach = NOTHING
    if low is not None and high is not None:
        reach = f"{100 * (low - 1):+.0f} to {100 * (high - 1):+.0f} %"
    mark = NO_RESULT if one.no_result else ""
    return (
        f"{_word(one.factor, one.second)} vs {one.first}",
        ", ".join(_word(name, value) for name, value in one.others.items()),
        f"{one.ratio.change_percent:+.0f} %{mark}",
        reach,
    )


def footnote(results: RaceResults) -> str:
    """How the columns are to be read."""
    words = ["Bytes and messages are per search."]
    reference = ", ".join(_word(name, value) for name, value in results.spec.reference.items())
    if reference:
        words.append(f" x is the rate relative to {reference}, all else equal.")
    if results.ladder:
        words.append(" On the ladder, x is relative to its first step.")
    if any(one.oversubscribed for one in results.cells):
        words.append(
            f" {NO_RESULT} oversubscribed: more threads than processors, so this time is no "
            "result; bytes are facts."
        )
    return "".join(words)


def _columns(results: RaceResults, rows: Sequence[CellResult]) -> list[_Column]:
    names = [*results.spec.factors]
    if any(one.cell and one.cell.step for one in rows):
        steps = tuple(str(one.cell.step if one.cell else "") for one in rows)
        labels = [_Column("step", steps, right=False)]
    else:
        labels = [
            _Column(name, tuple(_setting(one, name) for one in rows), right=name == "ranks")
            for name in names
        ]
        if "scale" not in names and results.spec.scaling == "weak":
            scales = tuple(_setting(one, "scale") for one in rows)
            labels.append(_Column("scale", scales))
        if "grid" not in names:
            grids = tuple(_setting(one, "grid") for one in rows)
            labels.append(_Column("grid", grids, weight=4, right=False))
    return [
        *labels,
        _Column("GTEPS", tuple(_rate(one) for one in rows)),
        _Column("x", tuple(_ratio(results, one) for one in rows), weight=1),
        _Column("bytes/rank", tuple(_bytes(one) for one in rows)),
        _Column("messages", tuple(_messages(one) for one in rows), weight=3),
        _Column("memory", tuple(_memory(one) for one in rows), weight=5),
        _Column("in MPI", tuple(_share(one) for one in rows), weight=2),
        _Column("audit", tuple(_audit(one) for one in rows), weight=1, right=False),
    ]


def _fitted(known: Sequence[_Column]) -> list[_Column]:
    """As many columns as fit: those of the greatest weight go first."""
    found = list(known)
    while _needed(found) > WIDTH and any(one.weight for one in found):
        found.remove(max(found, key=lambda one: one.weight))
    return found


def _needed(known: Sequence[_Column]) -> int:
    return sum(one.width + 2 for one in known)


def _in_parts(title: str, names: Sequence[str], known: Sequence[_Column]) -> "Text":
    """All columns of many factors, below each other: rows are told apart by the names of cells."""
    heads = (Column("cell", whole=True), *(Column(c.head, c.right, whole=True) for c in known))
    rows = zip(names, *(column.cells for column in known), strict=True)
    return _titled(title, Table(title, heads, tuple(rows)))


def _titled(title: str, table: Table) -> "Text":
    """A table whose columns go on below where there is no room for all."""
    from rich.text import Text

    found = Text("\n".join([title, *grid_lines(table, WIDTH)]), no_wrap=True)
    found.stylize("bold", 0, len(title))
    return found


def _place(results: RaceResults, one: CellResult) -> tuple[int, ...]:
    """By rank count, then by the other factors as they were given, plans as published."""
    cell = one.cell
    if cell is None or cell.group == "ladder":
        return (results.cells.index(one),)
    order = ["scale", "ranks", *(n for n in results.spec.factors if n not in ("scale", "ranks"))]
    found = []
    for name in order:
        value = cell.settings.get(name)
        known = PLANS if name == "plan" else results.spec.factors.get(name, ())
        found.append(list(known).index(value) if value in known else -1)
    return tuple(found)


def _setting(one: CellResult, name: str) -> str:
    value = one.cell.settings.get(name) if one.cell else None
    return NOTHING if value is None else str(value)


def _rate(one: CellResult) -> str:
    if one.teps is None:
        return NOTHING
    interval = one.teps_interval
    reach = None if interval is None else (interval.high - interval.low) / 2e9
    value, error = with_error(one.teps.value / 1e9, reach)
    mark = NO_RESULT if one.oversubscribed else ""
    return (
        f"{value} \N{PLUS-MINUS SIGN} {error}{mark}" if error else f"{gteps(one.teps.value)}{mark}"
    )


def _ratio(results: RaceResults, one: CellResult) -> str:
    reference = reference_of(results, one) if one.cell and one.cell.group != "ladder" else None
    if one.cell and one.cell.group == "ladder":
        reference = results.ladder[0]
    ratio = rate_ratio(one, reference) if reference else None
    if ratio is None:
        return NOTHING
    mark = NO_RESULT if one.oversubscribed else ""
    return f"{ratio.value:.2f}{mark}" if ratio.value < 10 else f"{ratio.value:.0f}{mark}"


def _bytes(one: CellResult) -> str:
    return NOTHING if one.bytes_per_rank is None else format_bytes(one.bytes_per_rank.value)


def _messages(one: CellResult) -> str:
    return NOTHING if one.messages is None else compact(round(one.messages.value))


def _memory(one: CellResult) -> str:
    return NOTHING if one.peak_bytes is None else format_bytes(one.peak_bytes)


def _share(one: CellResult) -> str:
    return NOTHING if one.mpi_share is None else percent(one.mpi_share)


def _audit(one: CellResult) -> str:
    return NOTHING if one.audited is None else "equal" if one.audited else "UNEQUAL"


def _word(name: str, value: Value) -> str:
    if name == "plan":
        return str(value)
    if name == "ranks":
        return "1 rank" if value == 1 else f"{value} ranks"
    return f"{name.replace('_', ' ')} {value}"


def _table(title: str) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable

    return RichTable(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
