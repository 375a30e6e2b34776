# SPDX-License-Identifier: Apache-2.0
"""A stretch of the program, rank by rank: work, wait, transfer."""

from isobath.records.profile import ProfileTimelineRecord
from isobath.report.marks import Span, SpanRow, StackChart
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.profile_sections.calls import REST, UNKNOWN, WAIT
from isobath.report.profile_sections.ranks import OUTSIDE
from isobath.report.wording import count_of, milliseconds, percent
from isobath.view.content import Figure, Legend, Section, nothing

TITLE = "Timeline"

CALLS = 40
"""collective calls of rank 0 that the stretch holds"""

MOST = 24
"""ranks that are drawn"""


def render(data: ProfileData) -> Section:
    """The stretch of the program in which rank 0 spent the longest in collective calls."""
    lines = [timeline for timeline in data.profile.timelines if timeline.place]
    if not lines:
        return nothing(
            "timeline",
            TITLE,
            "This profile has no timeline; with --timeline every collective call is kept.",
        )
    first, last = stretch(lines[0])
    on_clock = [timeline for timeline in lines if timeline.host == lines[0].host][:MOST]
    rows = [row_of(timeline, first, last) for timeline in on_clock]
    counted = sum(first <= entry < last for entry in lines[0].entry_nanoseconds)
    figure = Figure(
        StackChart(tuple(rows), "milliseconds of the stretch"),
        caption(on_clock, first, last),
        (
            Legend(OUTSIDE, "outside collective calls"),
            Legend(WAIT, "waiting for the others"),
            Legend(REST, "transfer and software"),
            Legend(UNKNOWN, "waiting not known"),
        ),
    )
    return Section(
        "timeline",
        TITLE,
        (figure,),
        lead=f"The {count_of(counted, 'collective call')} in a row in which rank {lines[0].rank} "
        f"spent most time, {milliseconds((last - first) * 1e-9)} ms of the program. All calls: "
        "isobath profile --of RUN --trace FILE, then open the file in Perfetto.",
    )


def stretch(line: ProfileTimelineRecord) -> tuple[int, int]:
    """First and last nanosecond of the calls in a row that took longest together."""
    number = min(CALLS, len(line.place))
    together = sum(line.nanoseconds[:number])
    best, at = together, 0
    for begin in range(1, len(line.place) - number + 1):
        together += line.nanoseconds[begin + number - 1] - line.nanoseconds[begin - 1]
        if together > best:
            best, at = together, begin
    end = at + number - 1
    return line.entry_nanoseconds[at], line.entry_nanoseconds[end] + line.nanoseconds[end]


def row_of(line: ProfileTimelineRecord, first: int, last: int) -> SpanRow:
    """A rank's spans between two moments, in milliseconds from the first."""
    spans: list[Span] = []
    at = inside = 0.0

    def add(until: float, colour: str) -> None:
        nonlocal at
        if until > at:
            spans.append(Span(at, until, colour))
            at = until

    whole = (last - first) * 1e-6
    rows = zip(line.entry_nanoseconds, line.nanoseconds, line.wait_nanoseconds, strict=True)
    for entry, duration, wait in rows:
        begin = (entry - first) * 1e-6
        end = begin + duration * 1e-6
        if end <= 0 or begin >= whole:
            continue
        end = min(end, whole)
        add(max(0.0, begin), OUTSIDE)
        inside += end - at
        if wait >= 0:
            add(min(end, begin + wait * 1e-6), WAIT)
            add(end, REST)
        else:
            add(end, UNKNOWN)
    add(whole, OUTSIDE)
    share = percent(inside / whole) if whole else ""
    return SpanRow(f"rank {line.rank}", tuple(spans), f"{share} in calls", share)


def caption(lines: list[ProfileTimelineRecord], first: int, last: int) -> str:
    """The call of the stretch with the most waiting."""
    waits: dict[str, int] = {}
    for line in lines:
        rows = zip(line.place, line.entry_nanoseconds, line.wait_nanoseconds, strict=True)
        for place, entry, wait in rows:
            if first <= entry < last and wait > 0:
                call = line.place_call[place]
                waits[call] = waits.get(call, 0) + wait
    if not waits:
        return "No rank is known to have waited for another in this stretch."
    call = max(waits, key=lambda name: waits[name])
    left_out = sum(timeline.left_out for timeline in lines)
    more = f" {left_out:,} later calls were not kept one by one." if left_out else ""
    return (
        f"Most waiting in this stretch is in {mpi_name(call)}: {milliseconds(waits[call] * 1e-9)} "
        f"ms over {count_of(len(lines), 'rank')}.{more}"
    )
