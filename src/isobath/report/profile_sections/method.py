# SPDX-License-Identifier: Apache-2.0
"""How it was measured, and with what."""

import shlex

from isobath.report.profile_data import ProfileData
from isobath.report.wording import count_of, listing, printable
from isobath.units import format_seconds
from isobath.view.content import Block, Fact, Facts, Paragraph, Preformatted, Section

TITLE = "Method"


def render(data: ProfileData) -> Section:
    """Command, library, limits of what is known."""
    whole = data.profile.whole
    facts = [
        Fact("MPI library", printable(whole.library), f"ABI {whole.abi}"),
        Fact("ranks", str(whole.ranks), f"on {count_of(len(whole.hosts), 'host')}"),
        Fact("hosts", printable(listing(whole.hosts[:4])), "" if len(whole.hosts) < 5 else "..."),
        Fact(
            "cost of the profiler",
            f"{format_seconds(whole.overhead_seconds_per_call)} a call",
            f"{format_seconds(whole.overhead_seconds.max)} of the costliest rank",
        ),
        Fact("waits", whole.waits, printable(whole.waits_reason or "")),
    ]
    blocks: list[Block] = [
        Facts(tuple(facts), style="pairs"),
        Preformatted("Command", printable(shlex.join(data.command)), wrapped=True),
        Paragraph(
            "The program ran unchanged with libisobath-profile preloaded. Bytes are those that an "
            "operation needs, whatever the library does inside: a broadcast of b bytes is b from "
            "the root to each other rank, an allreduce b from each to each other, an alltoallv the "
            "sum of its counts; a rank's own block is no message. A rank waits in a collective "
            "call until the last one comes, in a broadcast or scatter until the root comes; in a "
            "gather or reduction the root alone waits. The rest is transfer and software."
        ),
    ]
    return Section("method", TITLE, tuple(blocks), measured=False)
