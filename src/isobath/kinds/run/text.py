# SPDX-License-Identifier: Apache-2.0
"""A run in the terminal: headline, searches, levels, phases, construction, validation."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from isobath.report.phase_shares import shares
from isobath.report.run_data import RunData
from isobath.report.sections import environment, headline, validation
from isobath.report.wording import (
    gteps,
    milliseconds,
    milliseconds_of,
    percent,
    phase_name,
    printable,
    significant,
)
from isobath.stats.estimates import summary
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN_LEVELS = 30

BAR = 26
"""characters of the longest bar"""


def parts(data: RunData) -> "Iterator[RenderableType]":
    """What is shown, from the headline down; a part without records is left out."""
    from rich.text import Text

    if data.doubt:
        yield Text(printable(data.doubt), style="bold red")
    yield headline_text(data)
    yield Text(printable(headline.sentence(data)))
    for notice in headline.notices(data):
        yield Text(printable(notice.text), style="bold red")
    if data.searches:
        yield searches_table(data)
    if data.typical is not None and data.typical.index in data.levels:
        yield levels_table(data)
    if data.searches and shares(data):
        yield phases_table(data)
    if data.records.construction is not None:
        yield construction_table(data)
    yield Text(printable(validation.caption(data)), style="green" if data.validated else "bold red")
    yield Text(printable(environment.caption(data.records.run)), style="dim")


def facts(data: RunData) -> dict[str, Any]:
    """What a run came to: seconds and TEPS of its searches, validation, phases of construction."""
    built = data.records.construction
    return {
        "state": data.records.state,
        "verdict": data.records.verdict,
        "labels": list(data.labels),
        "doubt": data.doubt or None,
        "scale": data.records.run.scale,
        "ranks": data.records.run.ranks,
        "harmonic_mean_teps": data.teps.value if data.teps else None,
        "harmonic_standard_error_teps": data.teps.standard_error if data.teps else None,
        "searches": [
            {"index": one.index, "root": one.root, "seconds": one.seconds, "teps": one.teps}
            for one in data.searches
        ],
        "searches_passed": data.passed,
        "levels": _level_facts(data),
        "construction_seconds": built.seconds if built else None,
        "generation_seconds": built.generation_seconds if built else None,
        "phase_seconds": {one.phase: one.mean for one in shares(data)} if data.searches else {},
        "construction_phase_seconds": dict(built.phases) if built else {},
    }


def _level_facts(data: RunData) -> list[dict[str, Any]]:
    if data.typical is None:
        return []
    return [
        {
            "search": one.search,
            "level": one.level,
            "direction": one.direction,
            "frontier_vertices": one.frontier_vertices,
            "arcs_scanned": one.arcs_scanned,
            "seconds": one.seconds,
            "bytes_sent": sum(one.bytes_sent.values()),
        }
        for one in data.levels.get(data.typical.index, ())
    ]


def headline_text(data: RunData) -> "RenderableType":
    """The number, its error, and whether it may be believed."""
    from rich.text import Text

    first = headline.headline(data)
    text = Text()
    for label in data.labels:
        text.append(f"{label} ", style="bold red")
    text.append(first.value, style="bold")
    if first.error:
        text.append(f" \N{PLUS-MINUS SIGN} {first.error}")
    text.append(f" {first.unit}" if first.unit else "", style="bold")
    text.append(f"  {first.meaning}\n")
    text.append(first.badge, style="bold green" if first.good else "bold red")
    return text


def searches_table(data: RunData) -> "Table":
    """Minimum, quartiles and maximum of time and rate."""
    table = _table(
        data, "Searches", "", "minimum", "1st quartile", "median", "3rd quartile", "maximum"
    )
    seconds = list(vars(summary([search.seconds for search in data.searches])).values())
    rates = list(vars(summary([search.teps for search in data.searches])).values())
    table.add_row("time, ms", *(milliseconds(value) for value in seconds[:5]))
    table.add_row("GTEPS", *(gteps(value) for value in rates[:5]))
    return table


def levels_table(data: RunData) -> "Table":
    """The levels of the typical search."""
    search = data.typical
    assert search is not None  # asked by the caller
    found = data.levels[search.index]
    sent = any(sum(level.bytes_sent.values()) for level in found)
    heads = ["#level", "direction", "#frontier", "#arcs scanned", "#time", "share"]
    table = _table(
        data,
        f"Levels of the typical search (search {search.index}, {format_seconds(search.seconds)})",
        *([*heads[:5], "#sent", *heads[5:]] if sent else heads),
    )
    longest = max(level.seconds for level in found) or 1.0
    for level in found[:SHOWN_LEVELS]:
        cells = [
            str(level.level),
            phase_name(level.direction),
            f"{level.frontier_vertices:,}",
            f"{level.arcs_scanned:,}",
            milliseconds_of(level.seconds, search.seconds),
        ]
        if sent:
            cells.append(format_bytes(sum(level.bytes_sent.values())))
        table.add_row(*cells, _bar(level.seconds / longest, 12 if sent else 20))
    if len(found) > SHOWN_LEVELS:
        table.add_row("", f"and {len(found) - SHOWN_LEVELS} more")
    return table


def phases_table(data: RunData) -> "Table":
    """Mean time of each phase over all searches."""
    table = _table(data, "Phases, mean over all searches", "phase", "#time", "#share", "")
    found = shares(data)
    total = sum(search.seconds for search in data.searches) / len(data.searches)
    for item in found:
        table.add_row(
            phase_name(item.phase),
            milliseconds_of(item.mean, total),
            percent(item.share),
            _bar(item.mean / (found[0].mean or 1.0), BAR),
        )
    return table


def construction_table(data: RunData) -> "Table":
    """Generation, construction and its phases, memory."""
    built = data.records.construction
    assert built is not None  # asked by the caller
    table = _table(data, "Construction", "phase", "#seconds", "#share", "")
    spent = max(built.seconds, sum(built.phases.values())) or 1.0
    longest = max(built.phases.values(), default=0.0) or 1.0
    for phase, seconds in built.phases.items():
        table.add_row(
            phase_name(phase),
            significant(seconds),
            percent(seconds / spent),
            _bar(seconds / longest, BAR),
        )
    table.add_row("all", significant(built.seconds), "", "", style="bold")
    table.add_row("edge generation", significant(built.generation_seconds), "", "not part of it")
    if data.records.finish is not None:
        table.caption = f"Peak memory {format_bytes(data.records.finish.peak_bytes)}, all ranks."
    return table


def _table(data: RunData, title: str, *heads: str) -> "Table":
    """A table of this run; its title carries the run's labels."""
    from rich import box
    from rich.table import Table

    words = " ".join((title, *data.labels))
    table = Table(
        title=words,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    numeric = heads[0] == ""
    for head in heads:
        name = head.removeprefix("#")
        is_number = head.startswith("#") or (numeric and head != "")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    return table


def _bar(share: float, width: int) -> str:
    """A bar in eighths of a character; something is drawn for every positive share."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    full, rest = divmod(eighths, 8)
    return "\N{FULL BLOCK}" * full + ("" if rest == 0 else chr(ord("\N{FULL BLOCK}") + 8 - rest))
