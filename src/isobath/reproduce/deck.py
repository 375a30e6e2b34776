# SPDX-License-Identifier: Apache-2.0
"""The HPC Advisory Council's deck: interconnects by one number, shares and sizes simulated."""

from isobath.reproduce.deck_simulated import (
    call_shares,
    message_sizes,
    simulated_interconnects,
)
from isobath.reproduce.source import Item, Source
from isobath.reproduce.tsubame import statement
from isobath.view.content import Table, columns

GIGABITS = {"FDR": 56 * 64 / 66, "QDR": 40 * 8 / 10, "10GbE": 10.0}
"""data rates of a link: signalling less its code; from literature"""

STATED = {"QDR": 1.16, "10GbE": 2.09}
"""times as fast FDR is, as the deck states: +16 %, +109 %"""


def share_by_rate() -> float:
    """Share of the time on FDR that goes with a link's rate: the one number, fitted to QDR.

    T = (1 - s) + s FDR/rate, and T(QDR) = 1.16.
    """
    return (STATED["QDR"] - 1) / (GIGABITS["FDR"] / GIGABITS["QDR"] - 1)


def times_as_fast(link: str) -> float:
    """FDR over a link."""
    share = share_by_rate()
    return 1 - share + share * GIGABITS["FDR"] / GIGABITS[link]


def deck() -> Source:
    """All its text."""
    measured_there = "the cluster is not here; the factors are those of a race"
    return Source(
        "deck",
        "HPC Advisory Council: Graph500 performance study, March 2015",
        "all text, no pictures",
        (
            _interconnects(),
            simulated_interconnects(STATED),
            *(
                statement(name)
                for name in (
                    "deck-tuned",
                    "deck-shares-reference",
                    "deck-shares-tuned",
                    "deck-sizes",
                )
            ),
            call_shares(),
            message_sizes(),
            Item(
                "MPI libraries, compilers, processors",
                "HPC-X against Intel MPI, GNU against Intel",
                "in shape only",
                measured_there,
                (),
                "./isobath race --mpi all && ./isobath factors last",
            ),
            Item(
                "GTEPS against scale",
                "grows slowly for the reference, not for the tuned code",
                "in shape only",
                measured_there,
                (),
                "./isobath race --scale 18,20,22",
            ),
        ),
    )


def _interconnects() -> Item:
    rows = tuple(
        (
            link,
            f"{GIGABITS[link]:.1f}",
            f"{100 * (times_as_fast(link) - 1):+.0f} %",
            f"{100 * (STATED[link] - 1):+.0f} %" if link in STATED else "",
            "fitted" if link == "QDR" else "computed" if link in STATED else "",
        )
        for link in GIGABITS
    )
    off = times_as_fast("10GbE") / STATED["10GbE"] - 1
    heads = columns("=link", "#Gbit/s", "#FDR is faster by", "#stated", "=what")
    return Item(
        "interconnects",
        "FDR +16 % over QDR, +109 % over 10GbE, 32 nodes of 4",
        "computed",
        f"one number is fitted to QDR: {100 * share_by_rate():.0f} % of the time on FDR goes with "
        f"a link's rate; of 10GbE that says {100 * (times_as_fast('10GbE') - 1):+.0f} %, "
        f"{100 * off:+.1f} % off the time stated. Latencies, and what Ethernet's software costs, "
        "are not in it",
        (Table("Computed from links' rates", heads, rows, measured=False),),
        fails=abs(off) > 0.1,
    )
