# SPDX-License-Identifier: Apache-2.0
"""Time of every call, cut into waiting and the rest."""

from isobath.records.profile import ProfileCallRecord
from isobath.report.marks import Span, SpanRow, StackChart
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import (
    compact,
    count_of,
    milliseconds,
    part_of,
    percent,
    printable,
    share_of,
)
from isobath.units import format_bytes
from isobath.view.content import (
    Figure,
    Legend,
    Paragraph,
    Section,
    Table,
    columns,
    first_rows,
    nothing,
)

TITLE = "Calls"

NONE = "The program spent no time in MPI calls."

DRAWN = 12
"""calls that get a bar"""

WAIT, REST, UNKNOWN = "time-wait", "time-transfer", "accent"


def render(data: ProfileData) -> Section:
    """Bars of the calls that took most time, and all calls in numbers."""
    if not data.profile.calls:
        return nothing("calls", TITLE, NONE)
    table = _table(data)
    limits = tuple(map(Paragraph, limits_of(data)))
    calls = [call for call in data.profile.calls if call.seconds.mean > 0]
    if not calls:
        return Section("calls", TITLE, (table, *limits), lead=NONE)
    figure = Figure(
        StackChart(tuple(map(_bar, calls[:DRAWN])), "milliseconds a rank, mean"),
        caption(calls),
        (
            Legend(WAIT, "waiting for the others"),
            Legend(REST, "transfer and software"),
            Legend(UNKNOWN, "waiting not known"),
        ),
        table,
        title="Time by call",
    )
    return Section("calls", TITLE, (figure, *limits), lead=lead(calls))


def _table(data: ProfileData) -> Table:
    rows, left_out = first_rows([_row(call) for call in data.profile.calls], 60, "records.jsonl")
    return Table(
        "Calls by time",
        columns("=call", "#calls", "#ms a rank", "#of MPI", "#waiting", "#sent", "#a call",
                "#slowest / mean", "#longest, ms"),
        rows,
        folded=True,
        left_out=left_out,
    )  # fmt: skip


def limits_of(data: ProfileData) -> list[str]:
    """What could not be counted, or not be told apart."""
    whole = data.profile.whole
    limits = []
    if whole.waits_reason:
        limits.append(f"Waits are {whole.waits}: {printable(whole.waits_reason)}.")
    if whole.calls_without_place:
        limits.append(
            f"{count_of(whole.calls_without_place, 'call')} counted without call site and region: "
            "there were too many."
        )
    if whole.requests_left_out:
        limits.append(f"{count_of(whole.requests_left_out, 'receive')} without bytes: too many.")
    if whole.receives_unknown:
        limits.append(
            f"What {count_of(whole.receives_unknown, 'receive')} of MPI_Isendrecv brought is "
            "unknown, and in no count of bytes received: this MPI library leaves their status as "
            "it was."
        )
    return limits


def waited(call: ProfileCallRecord) -> float | None:
    """Seconds of waiting, mean over ranks; None where nobody can know."""
    return None if call.wait_seconds is None else min(call.wait_seconds.mean, call.seconds.mean)


def _bar(call: ProfileCallRecord) -> SpanRow:
    whole, wait = call.seconds.mean * 1e3, waited(call)
    spans = (
        (Span(0.0, whole, UNKNOWN),)
        if wait is None
        else (Span(0.0, wait * 1e3, WAIT), Span(wait * 1e3, whole, REST))
    )
    text = f"{milliseconds(call.seconds.mean)} ms, {percent(call.share_of_mpi)} of MPI"
    return SpanRow(mpi_name(call.call), spans, text, percent(call.share_of_mpi))


def _row(call: ProfileCallRecord) -> tuple[str, ...]:
    wait = waited(call)
    return (
        mpi_name(call.call),
        f"{call.calls:,}",
        milliseconds(call.seconds.mean),
        percent(call.share_of_mpi),
        "" if wait is None else share_of(wait, call.seconds.mean),
        format_bytes(call.bytes_sent) if call.bytes_sent else "",
        format_bytes(call.bytes_sent / call.calls) if call.bytes_sent and call.calls else "",
        f"{call.seconds.max / call.seconds.mean:.2f}" if call.seconds.mean else "",
        milliseconds(call.max_call_seconds),
    )


def lead(calls: list[ProfileCallRecord]) -> str:
    """How few calls make up most of the time."""
    reached, number = 0.0, 0
    while reached < 0.9 and number < len(calls):
        reached += calls[number].share_of_mpi
        number += 1
    names = ", ".join(mpi_name(call.call) for call in calls[: min(number, 4)])
    more = f" and {number - 4} more" if number > 4 else ""
    return f"{percent(min(reached, 1.0))} of the time in MPI are {names}{more}."


def caption(calls: list[ProfileCallRecord]) -> str:
    """What waits, of what is known."""
    known = [(call, waited(call)) for call in calls]
    of_known = [(call, wait) for call, wait in known if wait is not None]
    if not of_known:
        return "Mean over ranks of the time inside each call; nobody can know how much is waiting."
    worst, wait = max(of_known, key=lambda pair: pair[1])
    total = sum(call.seconds.mean for call, _ in of_known)
    share = part_of(sum(wait for _, wait in of_known), total)
    return (
        f"Mean over ranks of the time inside each call. Of calls where it is known "
        f"{percent(share)} is waiting until the last rank came, most of it in "
        f"{mpi_name(worst.call)} ({milliseconds(wait)} ms of {milliseconds(worst.seconds.mean)} in "
        f"{compact(worst.calls)} calls)."
    )
