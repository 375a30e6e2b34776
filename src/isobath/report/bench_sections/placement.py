# SPDX-License-Identifier: Apache-2.0
"""Where ranks were asked to be, and where they were: nodes, machines, processors, shape."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, zip_longest

from isobath.bench.places import PRETENDED
from isobath.bench.plan import Arm
from isobath.bench.shapes import Shaped, shapes_of
from isobath.records.collective import LaunchRecord
from isobath.records.placement import at, host_words, laid_out, shape_of
from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of, listing
from isobath.view.content import Block, Section, Table, columns

TITLE = "Where ranks were"


def render(bench: BenchData) -> Section:
    """A row for each place that was asked for, beside what was obtained; then the shapes."""
    rows = tuple(dict.fromkeys(_row(bench, arm) for arm in bench.measured.plan.arms))
    blocks: list[Block] = [
        Table(
            "Asked for, and obtained",
            columns("=transport", "#ranks", "=asked for", "=obtained", "machines", "processors"),
            rows,
            measured=False,
        )
    ]
    shapes = shapes_of(bench.measured)
    if shapes:
        heads = columns("=shape asked for", "=obtained", "verdict")
        verdicts = tuple(dict.fromkeys(map(_verdict, shapes)))
        blocks.append(Table("Shapes of the ranks", heads, verdicts, measured=False))
        heads = columns("=shape", "#rank", "=asked for", "=obtained", "#node")
        blocks.append(
            Table("Ranks in their shape", heads, _in_shape(shapes), folded=True, measured=False)
        )
    return Section("placement", TITLE, tuple(blocks), lead=lead(bench), measured=False)


def lead(bench: BenchData) -> str:
    """Whether all is as it was asked for, and what of it is pretended."""
    measured = bench.measured
    there = [(arm, measured.launch_of_arm.get(arm.arm)) for arm in measured.plan.arms]
    known = [(arm, launch) for arm, launch in there if launch is not None]
    if not known:
        return "No launch has told yet where its ranks are."
    other = [arm for arm, launch in known if not launch.is_placed_as(arm.placement)]
    words = (
        f"OTHERWISE PLACED: ranks of {count_of(len(other), 'arm')} were on other nodes than asked."
        if other
        else "Every rank was on the node that it was asked to be on."
    )
    if any(shape.fault for shape in shapes_of(measured)):
        words += " OTHERWISE SHAPED: ranks lay elsewhere in a shape than asked."
    if any(arm.placement.is_pretended for arm in measured.plan.arms):
        words += (
            " Nodes of a rate-limited transport are pretended: network namespaces of one machine. "
            "Their bytes are facts, their times those of its processors and of the rate."
        )
    return words


def _row(bench: BenchData, arm: Arm) -> tuple[str, ...]:
    asked = arm.placement
    way = asked.transport + (f" ({PRETENDED})" if asked.is_pretended else "")
    wanted = _words(asked.ranks_of_nodes(arm.ranks)) + (", strict" if asked.strict else "")
    if asked.nodes == 1 and not asked.strict:
        wanted = "as the launcher does"
    launch = bench.measured.launch_of_arm.get(arm.arm)
    if launch is None:
        return way, str(arm.ranks), wanted, "not launched yet"
    counts = Counter(launch.node_of_rank)
    obtained = _words([counts[node] for node in sorted(counts)])
    if not launch.is_placed_as(arm.placement):
        obtained += ", OTHERWISE"
    names = [host_words(host.hostname) for host in launch.hosts]
    return way, str(arm.ranks), wanted, obtained, _names(names), _processors(launch)


def _words(counts: list[int]) -> str:
    """``2 nodes of 4 ranks``."""
    each = [(number, len(list(same))) for number, same in groupby(counts)]
    return " and ".join(
        f"{count_of(nodes, 'node')} of {count_of(ranks, 'rank')}" for ranks, nodes in each
    )


def _names(names: list[str]) -> str:
    return listing(names) if len(names) <= 4 else f"{listing(names[:3])} and {len(names) - 3} more"


def _processors(launch: LaunchRecord) -> str:
    bound = dict.fromkeys(
        ",".join(binding.thread_cpus) or binding.cpus for binding in launch.binding
    )
    own = " (OVERSUBSCRIBED)" if launch.oversubscribed else ""
    return "; ".join(list(bound)[:4]) + (" ..." if len(bound) > 4 else "") + own


def _verdict(shape: Shaped) -> tuple[str, ...]:
    verdict = f"OTHERWISE: {shape.fault}" if shape.fault else "as asked for"
    return shape.asked, shape_of(shape.obtained), verdict


def _in_shape(shapes: Sequence[Shaped]) -> tuple[tuple[str, ...], ...]:
    """Every rank in every shape, with its node."""
    rows = (
        (shape.asked, str(rank), at(wanted), at(place), str(nodes[rank]) if nodes else "")
        for shape in shapes
        for nodes in (shape.node_of_rank,)
        for rank, (wanted, place) in enumerate(
            zip_longest(laid_out(shape.asked), shape.obtained, fillvalue=())
        )
    )
    return tuple(dict.fromkeys(rows))
