# SPDX-License-Identifier: Apache-2.0
"""How much of the time is MPI, which call leads, and what may not be believed."""

from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import compact, count_of, percent, printable
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Block, Fact, Facts, Headline, Notice, Section

TITLE = "Result"

MOST_OVERHEAD = 0.01
"""share of the wall time beyond which times are not to be believed"""


def render(data: ProfileData) -> Section:
    """The share of MPI with its spread over ranks, warnings, and a few figures."""
    whole = data.profile.whole
    share = whole.share_of_wall
    blocks: list[Block] = [
        Headline(
            percent(share.mean),
            "",
            "of the wall time in MPI",
            f"{percent(share.min)} to {percent(share.max)} over {count_of(whole.ranks, 'rank')}",
            badge(data),
            not notices(data),
        )
    ]
    blocks += [Notice(text) for text in notices(data)]
    sent = sum(one.bytes_sent for one in data.profile.calls)
    blocks.append(
        Facts(
            (
                Fact("wall time", format_seconds(whole.wall_seconds.max), "MPI_Init to the end"),
                Fact("calls", compact(whole.calls), "over all ranks"),
                Fact("bytes sent", format_bytes(sent), "to other ranks"),
                Fact("waiting", waiting(data), "of the time in MPI, as far as known"),
            ),
            style="large",
        )
    )
    return Section("result", TITLE, tuple(blocks), lead=sentence(data))


def badge(data: ProfileData) -> str:
    """What the profiler cost, by its own measure."""
    whole = data.profile.whole
    return (
        f"the profiler cost {format_seconds(whole.overhead_seconds_per_call)} a call, "
        f"{whole.share_overhead * 100:.2g} % of the wall time at most"
    )


def notices(data: ProfileData) -> list[str]:
    """What a reader must know before believing a number."""
    whole = data.profile.whole
    found = []
    if whole.ranks_recorded < whole.ranks:
        found.append(
            f"Of {whole.ranks} ranks {whole.ranks_recorded} could write what they had; the others "
            "were killed."
        )
    if set(whole.endings) != {"finalized"}:
        found.append(f"Ranks ended: {', '.join(map(printable, whole.endings))}.")
    if whole.share_overhead > MOST_OVERHEAD:
        found.append("The profiler took more than 1 % of the wall time: times are too long.")
    if data.oversubscribed:
        found.append(
            f"OVERSUBSCRIBED: {whole.ranks} ranks on {data.processors} processors. Bytes and calls "
            "are facts; times say how ranks took turns."
        )
    return found


def waiting(data: ProfileData) -> str:
    """Share of the time in MPI that ranks waited for others."""
    inside = sum(one.mpi_seconds for one in data.profile.ranks)
    if data.profile.whole.waits == "unknown" or not inside:
        return "unknown"
    return percent(sum(one.wait_seconds for one in data.profile.ranks) / inside)


def sentence(data: ProfileData) -> str:
    """The call that leads, and of what its time consists."""
    if not data.profile.calls:
        return "The program made no MPI calls between MPI_Init and its end."
    call = data.profile.calls[0]
    text = (
        f"{mpi_name(call.call)} takes {percent(call.share_of_mpi)} of the time in MPI, "
        f"{format_seconds(call.seconds.mean)} a rank in {compact(call.calls)} calls"
    )
    if call.wait_seconds is not None and call.seconds.mean > 0:
        share = min(1.0, call.wait_seconds.mean / call.seconds.mean)
        text += f", of which {percent(share)} is waiting for other ranks"
    return f"{text}."
