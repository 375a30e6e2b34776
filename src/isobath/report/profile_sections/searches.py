# SPDX-License-Identifier: Apache-2.0
"""The searches that a program announces."""

from collections import defaultdict
from collections.abc import Sequence

from isobath.records.profile import ProfileSearchRecord
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import compact, milliseconds, share_of
from isobath.units import Seconds, format_bytes
from isobath.view.content import Section, Table, columns, first_rows, nothing

TITLE = "Searches"

NONE = "This program announces no searches; isobath_region_search() of isobath_region.h does."


def render(data: ProfileData) -> Section:
    """Every search in numbers."""
    calls_of: dict[int, list[ProfileSearchRecord]] = defaultdict(list)
    for call in data.profile.searches:
        calls_of[call.search].append(call)
    if not calls_of:
        return nothing("searches", TITLE, NONE)
    rows, left_out = first_rows(
        [_row(number, calls) for number, calls in sorted(calls_of.items())], 128, "records.jsonl"
    )
    table = Table(
        "Searches, in the order of the program",
        columns("#search", "#calls", "#ms in MPI a rank", "#waiting", "#sent", "=longest call"),
        rows,
        folded=True,
        left_out=left_out,
    )
    slowest = max(calls_of, key=lambda number: _seconds(calls_of[number]))
    return Section(
        "searches",
        TITLE,
        (table,),
        lead=f"Search {slowest} spends most in MPI, {milliseconds(_seconds(calls_of[slowest]))} ms "
        f"a rank, most of it in {mpi_name(_longest(calls_of[slowest]).call)}.",
    )


def _seconds(calls: Sequence[ProfileSearchRecord]) -> Seconds:
    return sum(call.seconds.mean for call in calls)


def _longest(calls: Sequence[ProfileSearchRecord]) -> ProfileSearchRecord:
    return max(calls, key=lambda call: call.seconds.mean)


def _row(number: int, calls: Sequence[ProfileSearchRecord]) -> tuple[str, ...]:
    waits = [call.wait_seconds_mean for call in calls if call.wait_seconds_mean is not None]
    seconds = _seconds(calls)
    sent = sum(call.bytes_sent for call in calls)
    return (
        str(number),
        compact(sum(call.calls for call in calls)),
        milliseconds(seconds),
        share_of(min(seconds, sum(waits)), seconds) if waits else "",
        format_bytes(sent) if sent else "",
        mpi_name(_longest(calls).call),
    )
