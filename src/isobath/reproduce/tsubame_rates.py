# SPDX-License-Identifier: Apache-2.0
"""TSUBAME's figures 5 and 6: rates against nodes, by simulated and computed communication.

Computation of its processors is not known. The paper states one time, of two-dim on 512 nodes: what
communication leaves of it is taken for the computation of every node, whose share of the graph is
the same under weak scaling. For the other plans communication alone says what rate is possible.
"""

from collections.abc import Sequence

from isobath.costmodel.published import weak_scaling_bytes_per_rank
from isobath.reproduce.source import Item
from isobath.reproduce.tsubame_links import RAIL_BYTES, all_to_all_bound
from isobath.reproduce.tsubame_simulated import simulated
from isobath.units import format_seconds
from isobath.view.content import Table, columns

GIGA = 1e9
SCALE_PER_NODE, EDGEFACTOR, LEVELS = 26, 16, 8
STATED_NODES, STATED_SECONDS = 512, 24.12
"""of two-dim on 32x32, as the paper states"""

NODE_BYTES = 5e9
"""a second between two ranks of a node: assumed, as in the platform that was simulated"""

SIMPLE_RANKS = 16
"""of a node"""

MESSAGE_BYTES, MESSAGE_SECONDS = 4096, 5e-6
"""of simple's tuples as they are found, and what one costs its rank in software: assumed"""

FIGURE_5_NODES = tuple(1 << power for power in range(8))
FIGURE_6_NODES = tuple(1 << power for power in range(10))
CHECKED = 0.1
"""by which a closed form may differ from what was simulated"""

COMMAND = (
    "./isobath simulate --plan two-dim --grid 32x32 --scale 35 --nodes 512 --platform tsubame2"
)


def edges_of(nodes: int) -> float:
    """Of the graph, scale 26 a node."""
    return float(nodes) * (EDGEFACTOR << SCALE_PER_NODE)


def replicated_seconds(nodes: int) -> float:
    """Closed form: in each level all of the bitmap passes every rank, in a ring over all ranks that
    enters and leaves a node once; between the two ranks of a node it is slower than between nodes.
    """
    bitmap = (nodes << SCALE_PER_NODE) / 8
    return LEVELS * bitmap / min(RAIL_BYTES, NODE_BYTES)


def simple_seconds(nodes: int, message_seconds: float) -> float:
    """Closed form: tuples that leave a node over its rails or the busiest cable, and messages of
    4096 bytes, each of which costs its rank.
    """
    ranks = SIMPLE_RANKS * nodes
    sent = weak_scaling_bytes_per_rank("simple", (1 << SCALE_PER_NODE) // SIMPLE_RANKS, ranks)
    leaving = (ranks - SIMPLE_RANKS) / (ranks - 1)
    bound = all_to_all_bound(nodes) if nodes > 1 else RAIL_BYTES
    return SIMPLE_RANKS * sent * leaving / bound + sent / MESSAGE_BYTES * message_seconds


def computing_seconds() -> float:
    """What the simulated communication leaves of the stated time: the one number that is fitted."""
    return STATED_SECONDS - simulated()["two-dim", STATED_NODES].simulated_seconds


def checks() -> dict[str, float]:
    """Closed forms over what was simulated of the same search."""
    known = simulated()
    replicated = max(nodes for plan, nodes in known if plan == "replicated-csr")
    simple = max(nodes for plan, nodes in known if plan == "simple")
    return {
        f"replicated on {2 * replicated} ranks": replicated_seconds(replicated)
        / known["replicated-csr", replicated].simulated_seconds,
        f"simple on {SIMPLE_RANKS * simple} ranks": simple_seconds(simple, 0.0)
        / known["simple", simple].simulated_seconds,
    }


def rates() -> list[Item]:
    """Both figures."""
    return [_figure("figure 5", FIGURE_5_NODES), _figure("figure 6", FIGURE_6_NODES)]


def _figure(name: str, nodes: Sequence[int]) -> Item:
    told = ", ".join(f"{what} {ratio:.2f}" for what, ratio in checks().items())
    computing = computing_seconds()
    return Item(
        name,
        f"GTEPS against 1 to {nodes[-1]} nodes, weak scaling at scale {SCALE_PER_NODE} a node",
        "simulated",
        f"communication alone, SIMULATED on its fat tree (platform not validated): two-dim to "
        f"32x32, replicated to 256 ranks and computed beyond, simple at {SIMPLE_RANKS} ranks a "
        f"node computed by what leaves a node and {MESSAGE_SECONDS * 1e6:g} us a message "
        f"(assumed). Computed over simulated times where both are: {told}. One number is fitted: "
        f"of the stated {STATED_SECONDS} s of two-dim on {STATED_NODES} nodes communication "
        f"leaves {computing:.1f} s, taken for computation on any number of nodes, so that "
        f"{STATED_NODES} nodes have the stated 22.8 GE/s by construction. Rates of the others are "
        "upper bounds: nothing is computed in them. Counts are even and the fold of two-dim "
        "is put together, so that neither skew nor the cost of messages is in it",
        (_table(nodes),),
        COMMAND,
        fails=computing <= 0 or any(abs(ratio - 1) > CHECKED for ratio in checks().values()),
    )


def _table(nodes: Sequence[int]) -> Table:
    rows = []
    for count in nodes:
        two_dim = simulated()["two-dim", count]
        known = simulated().get(("replicated-csr", count))
        replicated = known.simulated_seconds if known else replicated_seconds(count)
        simple = simple_seconds(count, MESSAGE_SECONDS)
        rows.append(
            (
                str(count),
                two_dim.grid,
                format_seconds(two_dim.simulated_seconds),
                _rate(count, two_dim.simulated_seconds + computing_seconds()),
                f"{format_seconds(replicated)}{'' if known else ' computed'}",
                _rate(count, replicated),
                format_seconds(simple),
                _rate(count, simple),
            )
        )
    heads = columns(
        "#nodes", "=grid", "#two-dim, simulated", "#GE/s, one number fitted",
        "#replicated, simulated", "#GE/s at most", "#simple, computed", "#GE/s at most",
    )  # fmt: skip
    return Table(
        "SIMULATED and computed communication of a search, and rates", heads, tuple(rows),
        measured=False,
    )  # fmt: skip


def _rate(nodes: int, seconds: float) -> str:
    return f"{edges_of(nodes) / seconds / GIGA:.3g}"
