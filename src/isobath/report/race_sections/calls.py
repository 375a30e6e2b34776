# SPDX-License-Identifier: Apache-2.0
"""MPI time per call beside the sizes of messages, as the HPC Advisory Council deck showed them."""

from collections.abc import Sequence

from isobath.claims.claim import Claim, built_in_claims
from isobath.records.communication import RUN_PARTS, MessageSizesRecord, MpiTimeRecord
from isobath.records.phases import PhaseName
from isobath.report.marks import Span
from isobath.report.race_cell import RacedCell
from isobath.report.race_communication import calls_of, last_edge, sizes_of
from isobath.report.race_data import RaceData
from isobath.report.race_marks import (
    Bin,
    Distribution,
    DistributionChart,
    RowChart,
    RowPanel,
    log_axis,
)
from isobath.report.race_wording import CALL_COLOURS, OTHER_CALLS, octave, plan_colour
from isobath.report.wording import count_of, listing, milliseconds, percent
from isobath.units import format_bytes
from isobath.view.content import Block, Figure, Legend, Section, Table, columns, nothing

TITLE = "MPI calls and message sizes"

WEIGHTS = ("by messages", "by bytes", "by time")

MEANINGS = {
    "per_peer": "a size is what one rank sends to one other in one call",
    "call_total": "a size is what one rank sends in one call, to all others together",
    "own_segment": "a size is what a rank keeps for itself in a call",
}
"""What a size is a size of."""

PUBLISHED = {"deck-shares-reference": "deck, reference", "deck-shares-tuned": "deck, tuned"}
"""Claims that stand beside the bars, by the name of their row."""


def render(race: RaceData) -> Section:
    """Stacked bars of calls, distributions of sizes, wall time in MPI, and count exchanges."""
    cells = [cell for cell in race.profiled if of_part(cell)]
    sized = [cell for cell in race.profiled if sizes(cell)]
    counted = _counts_table(race)
    if not cells and not sized:
        return nothing("calls", TITLE, "No run of this race carries the times of its MPI calls.")
    blocks: list[Block] = []
    if cells:
        blocks.append(_calls_figure(race, cells))
    if sized:
        blocks.append(_sizes_figure(race, sized))
    if cells:
        blocks.append(_wall_table(race))
    if counted is not None:
        blocks.append(counted)
    return Section("calls", TITLE, tuple(blocks), lead=caption(cells, sized))


SEVERAL_CALLS = {"isend_all": "MPI_Isend to all others"}
"""What is one call in records alone."""


def of_part(cell: RacedCell, part: str = "search") -> list[MpiTimeRecord]:
    """The calls of a part of the first run, longest first."""
    return calls_of(cell.first.records, part)


def mpi_name(call: str) -> str:
    """A call as MPI names it: ``mpi_name("neighbor_alltoallv") == "MPI_Neighbor_alltoallv"``."""
    return SEVERAL_CALLS.get(call, f"MPI_{call.capitalize()}")


def wall_share(calls: Sequence[MpiTimeRecord]) -> tuple[float, float, float]:
    """Share of wall time in MPI: smallest, mean and largest over ranks.

    The extremes of calls may be of different ranks, so their sums bound those of the whole.
    """
    low = sum(call.share_of_wall.min for call in calls)
    mean = sum(call.share_of_wall.mean for call in calls)
    high = sum(call.share_of_wall.max for call in calls)
    return low, min(1.0, mean), min(1.0, high)


def sizes(cell: RacedCell) -> list[MessageSizesRecord]:
    """Message sizes of the searches of the first run."""
    return sizes_of(cell.first.records, "search")


def caption(cells: Sequence[RacedCell], sized: Sequence[RacedCell]) -> str:
    """One sentence: the call that leads, as a share of MPI and of the run; the typical size."""
    if not cells:
        return f"Message sizes of {count_of(len(sized), 'plan')}; no run has the time of its calls."
    cell = max(cells, key=lambda cell: of_part(cell)[0].share_of_mpi)
    call = of_part(cell)[0]
    _, mean, _ = wall_share(of_part(cell))
    text = (
        f"{mpi_name(call.call)} takes {percent(call.share_of_mpi)} of the MPI time of "
        f"{cell.plan}, which is {percent(call.share_of_wall.mean)} of its time: "
        f"MPI as a whole takes {percent(mean)}"
    )
    if sized:
        last = sized[-1]
        size = _median_size(sizes(last))
        text += f"; half of the bytes of {last.plan} travel in messages of {octave(size)} or more"
    return f"{text}."


def _median_size(records: Sequence[MessageSizesRecord]) -> float:
    """The lower edge of the bucket in which half of all bytes are reached."""
    pairs = sorted(
        (low, amount)
        for record in records
        for low, amount in zip(record.from_bytes, record.bytes, strict=True)
    )
    half, reached = sum(amount for _, amount in pairs) / 2, 0
    for low, amount in pairs:
        reached += amount
        if reached >= half:
            return low
    return 0.0


def colours(cells: Sequence[RacedCell]) -> dict[str, str]:
    """A colour for each of the calls that take most time over all plans."""
    totals: dict[str, float] = {}
    for cell in cells:
        for call in of_part(cell):
            totals[call.call] = totals.get(call.call, 0.0) + call.share_of_mpi
    for claim in published():
        for name, figure in claim.shares.items():
            totals[name] = totals.get(name, 0.0) + figure.value / 100
    ordered = sorted(totals, key=lambda name: (-totals[name], name))
    return dict(zip(ordered, CALL_COLOURS, strict=False))


def published() -> list[Claim]:
    """Shares that others published, in the order of their rows."""
    return [built_in_claims()[name] for name in PUBLISHED]


def _calls_figure(race: RaceData, cells: Sequence[RacedCell]) -> Figure:
    named = colours(cells)
    of_mpi, of_wall, mpi_texts, wall_texts, short, reach = [], [], [], [], [], []
    rows = []
    for cell in cells:
        calls = of_part(cell)
        of_mpi.append(_stack([(call.call, call.share_of_mpi) for call in calls], named))
        of_wall.append(_stack([(call.call, call.share_of_wall.mean) for call in calls], named))
        low, mean, high = wall_share(calls)
        mpi_texts.append(f"{mpi_name(calls[0].call)} {percent(calls[0].share_of_mpi)}")
        wall_texts.append(f"{percent(mean)} of wall time")
        short.append(percent(mean))
        reach.append((low * 100, high * 100))
        rows += [_call_row(cell, call) for call in calls]
    for claim in published():
        shares = [(name, figure.value / 100) for name, figure in claim.shares.items()]
        of_mpi.append(_stack(shares, named))
        of_wall.append(())
        mpi_texts.append(f"{mpi_name(shares[0][0])} {percent(shares[0][1])}")
        wall_texts.append("not published")
        short.append("not published")
    whole = (0.0, 25.0, 50.0, 75.0, 100.0)
    panels = [
        RowPanel("share of MPI time, %", tuple(of_mpi), tuple(mpi_texts), ticks=whole),
        RowPanel(
            "share of wall time per rank, %",
            tuple(of_wall),
            tuple(wall_texts),
            (*reach, *(None for _ in PUBLISHED)),
            tuple(short),
            whole,
        ),
    ]
    legend = [Legend(colour, mpi_name(name)) for name, colour in named.items()]
    if any(call.call not in named for cell in cells for call in of_part(cell)):
        legend.append(Legend(OTHER_CALLS, "other calls"))
    return Figure(
        RowChart(
            (*(cell.plan for cell in cells), *PUBLISHED.values()), tuple(panels), race.words
        ),
        "Left, of which calls the MPI time of the searches consists; right, the same calls as a "
        "share of the time that a rank spends in searches, the line from the smallest sum of "
        "ranks to the largest: a call may be nearly all of MPI and little of the run. The last "
        "rows are those of the HPC Advisory Council deck, on 32 nodes; it has no share of the run.",
        tuple(legend),
        Table(
            "Calls in numbers",
            columns("=plan", "=call", "#ms per rank", "#of MPI", "#of wall, smallest", "#mean",
                    "#largest", "#calls", "#sent, bytes"),
            tuple(rows),
            folded=True,
        ),
        title="Share of MPI time per call",
    )  # fmt: skip


def _call_row(cell: RacedCell, call: MpiTimeRecord) -> tuple[str, ...]:
    wall = call.share_of_wall
    return (
        cell.plan,
        mpi_name(call.call),
        milliseconds(call.seconds_per_rank.mean),
        percent(call.share_of_mpi),
        percent(wall.min),
        percent(wall.mean),
        percent(wall.max),
        f"{call.calls:,}",
        f"{call.bytes_sent:,}",
    )


def _stack(parts: Sequence[tuple[str, float]], named: dict[str, str]) -> tuple[Span, ...]:
    """Parts laid end to end in per cent; calls without a colour of their own become one."""
    spans, at = [], 0.0
    rest = sum(share for name, share in parts if name not in named)
    shown = [(named[name], share) for name, share in parts if name in named]
    for colour, share in [*shown, (OTHER_CALLS, rest)]:
        if share > 0:
            spans.append(Span(at * 100, (at + share) * 100, colour))
            at += share
    return tuple(spans)


def _sizes_figure(race: RaceData, cells: Sequence[RacedCell]) -> Figure:
    distributions, rows = [], []
    for cell in cells:
        counted = sizes(cell)
        weights = tuple(
            _bins(counted, [getattr(record, name) for record in counted])
            for name in ("count", "bytes", "seconds")
        )
        distributions.append(Distribution(cell.plan, plan_colour(cell.plan), weights))
        rows += _size_rows(cell, counted)
    edges = [
        edge
        for cell in cells
        for record in sizes(cell)
        for i, low in enumerate(record.from_bytes)
        for edge in (float(low), last_edge(record, i))
    ]
    meanings = {record.meaning for cell in cells for record in sizes(cell)}
    said = listing(sorted(MEANINGS.get(meaning, meaning) for meaning in meanings))
    axis = log_axis("size of a message", edges, octave, base=2)
    shown, left = rows[:512], len(rows) - 512
    deck = built_in_claims()["deck-sizes"]
    return Figure(
        DistributionChart(tuple(distributions), WEIGHTS, axis, race.words),
        f"Sizes of the messages of all searches, weighted by their number, their bytes and the "
        f"time of their calls; {said}. Each bar is a bucket, the highest of each panel fills it. "
        f"The deck's: {deck.quotable}. {deck.note}",
        table=Table(
            "Sizes in numbers",
            columns("=plan", "=call", "meaning", "#from, bytes", "#below, bytes", "#messages",
                    "#bytes", "#time, ms"),
            tuple(shown),
            folded=True,
            left_out=f"{left:,} more rows stand in records.jsonl." if left > 0 else "",
        ),
        title="Message sizes",
    )  # fmt: skip


def _bins(
    counted: Sequence[MessageSizesRecord], values: Sequence[Sequence[float]]
) -> tuple[Bin, ...]:
    """The buckets of all calls together, each with its share; messages of no byte stay away."""
    sums: dict[tuple[float, float], float] = {}
    for record, amounts in zip(counted, values, strict=True):
        for i, (low, amount) in enumerate(zip(record.from_bytes, amounts, strict=True)):
            if low > 0 and amount > 0:
                bucket = (float(low), last_edge(record, i))
                sums[bucket] = sums.get(bucket, 0.0) + amount
    total = sum(sums.values()) or 1.0
    return tuple(Bin(low, high, sums[(low, high)] / total) for low, high in sorted(sums))


def _size_rows(cell: RacedCell, counted: Sequence[MessageSizesRecord]) -> list[tuple[str, ...]]:
    return [
        (
            cell.plan,
            mpi_name(record.call),
            record.meaning.replace("_", " "),
            f"{record.from_bytes[i]:,.0f}",
            f"{last_edge(record, i):,.0f}",
            f"{record.count[i]:,}",
            f"{record.bytes[i]:,}",
            milliseconds(record.seconds[i]),
        )
        for record in counted
        for i in range(len(record.from_bytes))
    ]


def _wall_table(race: RaceData) -> Table:
    rows = []
    for cell in race.profiled:
        for part in RUN_PARTS:
            calls = of_part(cell, part)
            if not calls:
                continue
            low, mean, high = wall_share(calls)
            leader = calls[0]
            rows.append(
                (cell.plan, part, percent(low), percent(mean), percent(high), mpi_name(leader.call),
                 percent(leader.share_of_mpi))
            )  # fmt: skip
    return Table(
        "Wall time in MPI, part by part",
        columns("=plan", "part of the run", "#smallest rank", "#mean", "#largest rank",
                "longest call", "#of MPI"),
        tuple(rows),
        folded=True,
    )  # fmt: skip


def _counts_table(race: RaceData) -> Table | None:
    """Count exchanges as a line of their own, beside the data that they announce."""
    rows = []
    for cell in race.profiled:
        count = len(cell.searches)
        names: tuple[PhaseName, ...] = ("count", "fold")
        spent = {p: sum(s.phases.get(p, 0.0) for s in cell.searches) for p in names}
        sent = {p: sum(level.bytes_sent.get(p, 0) for level in cell.levels) for p in names}
        whole = sum(search.seconds for search in cell.searches)
        if not spent["count"] and not sent["count"]:
            continue
        rows.append(
            (
                cell.plan,
                milliseconds(spent["count"] / count),
                percent(spent["count"] / whole),
                milliseconds(spent["fold"] / count),
                percent(spent["fold"] / whole),
                format_bytes(sent["count"] / count),
                format_bytes(sent["fold"] / count),
            )
        )
    if not rows:
        return None
    return Table(
        "Count exchanges beside the data they announce, per search",
        columns("=plan", "#counts, ms", "#of the time", "#data, ms", "#of the time", "#counts",
                "#data"),
        tuple(rows),
    )  # fmt: skip
