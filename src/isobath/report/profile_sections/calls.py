# SPDX-License-Identifier: Apache-2.0
"""Time of every call, cut into waiting and the rest."""

from isobath.records.profile import ProfileCallRecord
from isobath.report import charts
from isobath.report.marks import Span, SpanRow
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import compact, milliseconds, part_of, percent, share_of
from isobath.units import format_bytes
from isobath.view.content import Figure, Legend, Section, Table, columns, first_rows, nothing

TITLE = "Calls"

DRAWN = 12
"""calls that get a bar"""

WAIT, REST, UNKNOWN = "time-wait", "time-transfer", "accent"


def render(data: ProfileData) -> Section:
    """Bars of the calls that took most time, and all calls in numbers."""
    calls = [one for one in data.profile.calls if one.seconds.mean > 0]
    if not calls:
        return nothing("calls", TITLE, "The program spent no time in MPI calls.")
    rows, left = first_rows([_row(one) for one in calls], 60, "records.jsonl")
    figure = Figure(
        charts.stacks(
            [_bar(one) for one in calls[:DRAWN]],
            axis="milliseconds a rank, mean",
            unvalidated=False,
        ),
        caption(calls),
        (
            Legend(WAIT, "waiting for the others"),
            Legend(REST, "transfer and software"),
            Legend(UNKNOWN, "waiting not known"),
        ),
        Table(
            "All calls in numbers",
            columns("=call", "#calls", "#ms a rank", "#of MPI", "#slowest / mean", "#waiting",
                    "#sent", "#longest, ms"),
            rows,
            folded=True,
            left_out=left,
        ),
        title="Time by call",
    )  # fmt: skip
    return Section("calls", TITLE, (figure,), lead=lead(calls))


def waited(one: ProfileCallRecord) -> float | None:
    """Seconds of waiting, mean over ranks; None where nobody can know."""
    return None if one.wait_seconds is None else min(one.wait_seconds.mean, one.seconds.mean)


def _bar(one: ProfileCallRecord) -> SpanRow:
    whole, wait = one.seconds.mean * 1e3, waited(one)
    spans = (
        (Span(0.0, whole, UNKNOWN),)
        if wait is None
        else (Span(0.0, wait * 1e3, WAIT), Span(wait * 1e3, whole, REST))
    )
    text = f"{milliseconds(one.seconds.mean)} ms, {percent(one.share_of_mpi)} of MPI"
    return SpanRow(mpi_name(one.call), spans, text, percent(one.share_of_mpi))


def _row(one: ProfileCallRecord) -> tuple[str, ...]:
    wait = waited(one)
    return (
        mpi_name(one.call),
        f"{one.calls:,}",
        milliseconds(one.seconds.mean),
        percent(one.share_of_mpi),
        f"{one.seconds.max / one.seconds.mean:.2f}" if one.seconds.mean else "",
        "" if wait is None else share_of(wait, one.seconds.mean),
        format_bytes(one.bytes_sent) if one.bytes_sent else "",
        milliseconds(one.max_call_seconds),
    )


def lead(calls: list[ProfileCallRecord]) -> str:
    """How few calls make up most of the time."""
    reached, number = 0.0, 0
    while reached < 0.9 and number < len(calls):
        reached += calls[number].share_of_mpi
        number += 1
    names = ", ".join(mpi_name(one.call) for one in calls[: min(number, 4)])
    more = f" and {number - 4} more" if number > 4 else ""
    return f"{percent(min(reached, 1.0))} of the time in MPI are {names}{more}."


def caption(calls: list[ProfileCallRecord]) -> str:
    """What waits, of what is known."""
    known = [(one, waited(one)) for one in calls]
    of_known = [(one, wait) for one, wait in known if wait is not None]
    if not of_known:
        return "Mean over ranks of the time inside each call; nobody can know how much is waiting."
    worst, wait = max(of_known, key=lambda pair: pair[1])
    total = sum(one.seconds.mean for one, _ in of_known)
    share = part_of(sum(wait for _, wait in of_known), total)
    return (
        f"Mean over ranks of the time inside each call. Of calls where it is known "
        f"{percent(share)} is waiting until the last rank came, most of it in "
        f"{mpi_name(worst.call)} ({milliseconds(wait)} ms of {milliseconds(worst.seconds.mean)} in "
        f"{compact(worst.calls)} calls)."
    )
