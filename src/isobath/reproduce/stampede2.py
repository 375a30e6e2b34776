# SPDX-License-Identifier: Apache-2.0
"""The Stampede2 report: its formula as a model to be beaten, its bandwidth explained."""

from isobath.reproduce.source import Item, Source
from isobath.reproduce.tsubame import statement
from isobath.view.content import Table, columns


def leaving_share(nodes: int, per_node: int) -> float:
    """Of an all-to-all, the bytes of a rank that leave its node."""
    ranks = nodes * per_node
    return (ranks - per_node) / (ranks - 1)


def stampede2() -> Source:
    """All its text."""
    return Source(
        "stampede2",
        "course report on Graph500 on Stampede2, with an alpha-beta model",
        "all text, no pictures",
        (
            Item(
                "alpha-beta model",
                "alltoallv as 2(sqrt p - 1) alpha + p(sqrt p - 1) beta (16 m/p^2)",
                "reproduced here",
                "built in as stampede2, fitted to any study and judged beside others: a wrong "
                "form on our studies (docs/explanation/models.md)",
                (),
                "./isobath model fit last:bench",
            ),
            Item(
                "x^(3/2)",
                "strong scaling looked like an exponent of 1.5",
                "reproduced here",
                "the exponent of time is fitted with its interval, 1.5 told from 1",
                (),
                "./isobath model fit last",
            ),
            _bandwidth(),
            Item(
                "ranking of bottlenecks",
                "Alltoall 17.0 %, Alltoallv 15.2 %, Allreduce 14.8 %",
                "in shape only",
                "predicted beside measured ranking of every run; its program and machine are not "
                "here",
                (),
                "./isobath predict last:run --view bottlenecks",
            ),
            statement("stampede2-shares"),
            statement("stampede2-bandwidth"),
            Item(
                "wishes",
                "p - 1 messages that skip empty pairs; a 2-D partition",
                "reproduced here",
                "the exchange sparse and the plan two-dim; predicted as what-ifs, measured by a "
                "race",
                (),
                "./isobath predict last:run --view what-if",
            ),
        ),
    )


def _bandwidth() -> Item:
    rows = tuple(
        (
            f"{nodes} x 64",
            f"{100 * leaving_share(nodes, 64):.1f} %",
            f"{1 / leaving_share(nodes, 64):.2f}",
        )
        for nodes in (2, 4, 8, 16)
    )
    heads = columns(
        "=nodes x ranks", "#of an all-to-all leaves a node", "#blended rate / link at most"
    )
    return Item(
        "bandwidth beyond the link",
        "more than 100 Gbit/s on 4 nodes of 64",
        "computed",
        f"of 4 nodes only {100 * leaving_share(4, 64):.1f} % of the bytes use the link: divided "
        f"by all bytes, a full link shows {1 / leaving_share(4, 64):.2f} times its rate. Here "
        "bytes between nodes stand apart",
        (Table("Computed shares", heads, rows, measured=False),),
        "./isobath bench collectives --nodes 4 --ranks-per-node 64 ... && ./isobath show last "
        "--view nodes",
    )
