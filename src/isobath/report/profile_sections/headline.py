# SPDX-License-Identifier: Apache-2.0
"""How much of the time is MPI, which call leads, and what may not be believed."""

from isobath.report.profile_data import ProfileData, in_mpi, mpi_name
from isobath.report.profile_doubts import doubts_of_world
from isobath.report.wording import compact, count_of, percent, printable
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Fact, Facts, Headline, Section

TITLE = "Result"


def render(data: ProfileData) -> Section:
    """The share of MPI with its spread over ranks, and a few figures."""
    whole = data.profile.whole
    share = whole.share_of_wall
    sent = sum(call.bytes_sent for call in data.profile.calls)
    several = " of the threads" if (whole.threads or 1) > 1 else ""
    headline = Headline(
        in_mpi(whole),
        "",
        f"of the wall time{several} in MPI",
        f"{percent(share.min)} to {percent(share.max)} over "
        f"{count_of(whole.ranks_recorded, 'rank')}"
        if in_mpi(whole) != "unknown"
        else "its threads were not told apart",
        badge(data),
        not doubts_of_world(data),
    )
    facts = Facts(
        (
            Fact("wall time", format_seconds(whole.wall_seconds.max), "MPI_Init to the end"),
            Fact("calls", compact(whole.calls), "over all ranks"),
            Fact("bytes sent", format_bytes(sent), "to other ranks"),
            Fact("waiting", waiting(data), "of the time in MPI, as far as known"),
        ),
        style="large",
    )
    return Section("result", TITLE, (headline, facts), lead=f"{sentence(data)} {library(data)}")


def badge(data: ProfileData) -> str:
    """What the profiler cost, by its own measure."""
    whole = data.profile.whole
    return (
        f"the profiler cost {format_seconds(whole.overhead_seconds_per_call)} a call, "
        f"{whole.share_overhead * 100:.2g} % of the wall time at most"
    )


def waiting(data: ProfileData) -> str:
    """Share of the time in MPI that ranks waited for others."""
    inside = sum(rank.mpi_seconds for rank in data.profile.ranks)
    if data.profile.whole.waits == "unknown" or not inside:
        return "unknown"
    return percent(sum(rank.wait_seconds for rank in data.profile.ranks) / inside)


def library(data: ProfileData) -> str:
    """The MPI that the program ran with."""
    whole = data.profile.whole
    name = " ".join(printable(whole.library.splitlines()[0]).split()) if whole.library else "?"
    return f"MPI is {name}, ABI {whole.abi}."


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
