# SPDX-License-Identifier: Apache-2.0
"""How much memory the run took, and how much of it lay on huge pages."""

from collections.abc import Sequence

from isobath.report.marks import Bar, BarChart
from isobath.report.run_data import RunData
from isobath.report.run_marks import Histogram
from isobath.report.wording import part_of, percent, significant
from isobath.units import format_bytes
from isobath.view.content import (
    Block,
    Chart,
    Fact,
    Facts,
    Figure,
    Section,
    Table,
    columns,
    first_rows,
)

TITLE = "Memory"

BARS = 32
"""up to so many ranks each gets a bar; more become a histogram"""

SHOWN_ROWS = 512

UNITS = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))

needs = ("finish.peak_bytes", "finish.peak_bytes_per_rank")


def render(data: RunData) -> Section:
    """Peaks of the ranks, their sum, and huge pages."""
    finish = data.records.finish
    if finish is None:
        return Section("memory", TITLE, lead="The run ended before its memory was summed up.")
    blocks: list[Block] = [Facts(_facts(data))]
    if len(finish.peak_bytes_per_rank) > 1:
        blocks.append(_figure(finish.peak_bytes_per_rank, unvalidated=not data.validated))
    return Section("memory", TITLE, tuple(blocks), lead=caption(data))


def caption(data: RunData) -> str:
    """One sentence: the peak and what it means per edge."""
    finish = data.records.finish
    if finish is None:
        return ""
    ranks = len(finish.peak_bytes_per_rank)
    whose = "The only rank" if ranks == 1 else f"The {ranks:,} ranks together"
    text = f"{whose} needed {format_bytes(finish.peak_bytes)} at the peak"
    built = data.records.construction
    if built is not None and built.num_edges:
        text += f", {significant(finish.peak_bytes / built.num_edges)} bytes per edge"
    return f"{text}."


def _facts(data: RunData) -> tuple[Fact, ...]:
    finish, built = data.records.finish, data.records.construction
    if finish is None:
        return ()
    facts = [Fact("peak, sum of ranks", format_bytes(finish.peak_bytes), "resident memory")]
    if len(finish.peak_bytes_per_rank) > 1:
        facts.append(Fact("largest rank", format_bytes(max(finish.peak_bytes_per_rank))))
        facts.append(Fact("smallest rank", format_bytes(min(finish.peak_bytes_per_rank))))
    if built is not None:
        facts.append(Fact("peak after construction", format_bytes(sum(built.peak_bytes_per_rank))))
    asked = finish.huge_pages_requested_bytes
    got = finish.huge_pages_obtained_bytes
    share = f"{percent(got / asked)} of {format_bytes(asked)}" if asked else "none requested"
    facts.append(Fact("on huge pages", format_bytes(got), share))
    sizes = [host.memory_bytes for host in data.records.run.hosts]
    total = sum(size for size in sizes if size is not None)
    if total and None not in sizes:
        facts.append(
            Fact(
                "memory of the machine" if len(data.records.run.hosts) == 1 else "of all machines",
                format_bytes(total),
                f"the run took {percent(finish.peak_bytes / total)}",
            )
        )
    return tuple(facts)


def _figure(peaks: Sequence[int], *, unvalidated: bool) -> Figure:
    rows = tuple((str(rank), f"{peak:,}") for rank, peak in enumerate(peaks))
    shown, left_out = first_rows(rows, SHOWN_ROWS, "records.jsonl")
    table = Table(
        "Peak of every rank in numbers",
        columns("#rank", "#peak, bytes"),
        shown,
        folded=True,
        left_out=left_out,
    )
    unit, size = next(((name, size) for name, size in UNITS if max(peaks) >= size), ("bytes", 1.0))
    imbalance = part_of(max(peaks) * len(peaks), sum(peaks))
    caption = (
        f"Peak resident memory of {len(peaks):,} ranks; the largest is {imbalance:.3f} times the "
        "mean."
    )
    if len(peaks) > BARS:
        values = tuple(peak / size for peak in peaks)
        chart: Chart = Histogram(values, f"peak of a rank, {unit}", "ranks", unvalidated)
    else:
        bars = (
            Bar(f"rank {rank}", peak / size, format_bytes(peak)) for rank, peak in enumerate(peaks)
        )
        chart = BarChart(tuple(bars), unit, unvalidated)
    return Figure(chart, caption, table=table, title="By rank")
