# SPDX-License-Identifier: Apache-2.0
"""The node axis of benchmarks of collectives: rates of nodes, transports, shapes, places."""

import json
import re

import pytest

from bench.made_up import HEADER, record
from isobath.bench.facts import json_text
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.places import (
    bytes_leaving_a_node,
    k_throughput,
    members,
    node_rate,
    nodes_of,
    reach_of,
)
from isobath.bench.plan import Arm, BenchPlan, Cell
from isobath.records.collective import LaunchRecord
from isobath.records.placement import HERE, Placement, host_words
from isobath.report.bench_data import BenchData, notices_of
from isobath.report.bench_page import bench_page_html
from isobath.report.bench_sections import (
    curves,
    method,
    nodes,
    placement,
    ranks,
    throughput,
    transports,
)
from isobath.report.race_marks import log_axis
from isobath.report.wording import significant
from isobath.view.content import Section
from isobath.view.terminal import printed as lines_of
from records.examples import launch_record

MILLISECOND = 1e-3


def on_nodes(
    count: int,
    each: int,
    size: int,
    seconds: float,
    *,
    asked: Placement | None = None,
    obtained: tuple[int, ...] = (),
    shape: str = "",
    along: str = "world",
    **told: object,
) -> tuple[MeasuredCell, LaunchRecord]:
    """An all-to-all on ``count`` made-up nodes of ``each`` ranks."""
    ranks = count * each
    made_up = Placement(transport=f"rate-limited:1gbit:{count}nodes", nodes=count)
    asked = asked or (made_up if count > 1 else HERE)
    shape = shape or str(ranks)
    obtained = obtained or tuple(node for node in range(count) for _ in range(each))
    name = f"a{count}-{each}-{asked.transport}"
    arm = Arm(arm=name, mpi="mpich", family="hydra", ranks=ranks, cells=(), placement=asked)
    cell = Cell(collective="alltoallv", size_bytes=size, shape=shape, along=along)
    inside = ranks if along == "world" else int(shape.split("x")[int(along)])
    rows = tuple(record(cell, seconds, launch, inside, **told) for launch in (1, 2, 3))
    binding = launch_record().binding[0]
    launch = launch_record().model_copy(update={
        "ranks": ranks, "node_of_rank": obtained, "nodes": len(set(obtained)),
        "binding": tuple(binding.model_copy(update={"rank": rank}) for rank in range(ranks)),
    })  # fmt: skip
    return MeasuredCell(cell, arm, rows, obtained), launch  # type: ignore[arg-type]


def bench_of(*found: tuple[MeasuredCell, LaunchRecord]) -> BenchData:
    cells = tuple(cell for cell, _ in found)
    arms = {cell.arm.arm: cell.arm for cell in cells}
    plan = BenchPlan(preset="small", seed=1, launches=3, cpus=64, arms=tuple(arms.values()))
    launches = {cell.arm.arm: launch for cell, launch in found}
    done = 3 * len(arms)
    of_launches = tuple(launches.values())
    return BenchData(Measured(HEADER, plan, cells, of_launches, (), done, launch_of_arm=launches))


def printed(section: Section, width: int = 80) -> str:
    return "\n".join(text.plain for text in lines_of([section], width, whole=True))


def test_what_leaves_a_node_is_counted_and_not_what_stays_in_it() -> None:
    one, _ = on_nodes(2, 4, 1000, MILLISECOND)

    assert nodes_of(one) == 2
    assert bytes_leaving_a_node(one) == 4 * 4 * 1000
    assert node_rate(one) == pytest.approx(16e6, rel=0.02)
    alone, _ = on_nodes(1, 4, 1000, MILLISECOND)
    assert bytes_leaving_a_node(alone) == 0


def test_a_launch_that_tells_of_fewer_ranks_tells_nothing_of_nodes() -> None:
    one, launch = on_nodes(2, 2, 64, 1e-6, obtained=(0, 1))
    assert reach_of(one) is None
    assert bytes_leaving_a_node(one) == 0
    assert "Rates of nodes" in printed(nodes.render(bench_of((one, launch))))


def test_rates_of_nodes_stand_beside_those_of_ranks_against_nodes() -> None:
    bench = bench_of(
        on_nodes(2, 4, 8_000_000, 1.0), on_nodes(4, 4, 4_000_000, 1.0), on_nodes(1, 4, 9, 1.0)
    )

    ((key, sweep),) = nodes.sweeps(bench).items()
    assert key == (4, "mpich, rate-limited:1gbit")
    assert {total: [nodes_of(one) for one in own] for total, own in sweep.items()} == {
        64_000_000: [2, 4]
    }
    text = printed(nodes.render(bench))
    assert "with 64 MB a rank 192 MB/s leave each of 4 nodes, 1.50 of what" in flat(text)
    assert "MB/s per rank" in printed(nodes.render(bench), 160)
    assert "Pretended nodes are network namespaces" in flat(text)
    page = bench_page_html(bench)
    assert "MB/s leaving a node" in page
    assert "pretended nodes" in page


def flat(text: str) -> str:
    return " ".join(text.split())


def test_times_within_and_between_nodes_stand_apart() -> None:
    inside, one = on_nodes(2, 2, 64, 1e-6, shape="2x2", along="0")
    across, two = on_nodes(2, 2, 64, 9e-6, shape="2x2", along="1")
    both, three = on_nodes(2, 2, 64, 5e-6, shape="2x2")

    assert [members(cell) for cell in (inside, across, both)] == [(0, 1), (0, 2), (0, 1, 2, 3)]
    assert [reach_of(cell) for cell in (inside, across, both)] == [
        "within a node", "between nodes", "both",
    ]  # fmt: skip
    text = printed(nodes.render(bench_of((inside, one), (across, two), (both, three))), 160)
    (row,) = [line for line in text.splitlines() if "between nodes" in line and "9 us" in line]
    assert "alltoallv" in row
    assert "(mixed)" in text
    assert "the rate mixes memory and network" in flat(text)


def test_transports_stand_in_one_chart_and_made_up_nodes_are_marked() -> None:
    tcp = Placement(transport="tcp")
    cells = [on_nodes(2, 1, size, 1e-3) for size in (64, 1024)]
    cells += [on_nodes(1, 2, size, 1e-6) for size in (64, 1024)]
    cells += [on_nodes(1, 2, size, 1e-5, asked=tcp) for size in (64, 1024)]
    bench = bench_of(*cells)

    (curves,) = transports.compared(bench)
    assert len(curves) == 3
    section = transports.render(bench)
    (figure,) = section.blocks
    names = [one.text for one in figure.legend]  # type: ignore[union-attr]
    assert sorted(names) == [
        "rate-limited:1gbit:2nodes, 2 pretended nodes of 1", "shared-memory, 1 node", "tcp, 1 node",
    ]  # fmt: skip
    strokes = [one.stroke for one in figure.chart.plots[0].curves]  # type: ignore[union-attr]
    assert sorted(strokes) == ["dashed", "solid", "solid"]
    assert "1 ms" in flat(printed(section))


def test_throughput_is_size_times_nodes_by_time() -> None:
    cells = [on_nodes(count, 2, 1 << 20, 1e-3 * count) for count in (2, 4)]

    rate = k_throughput(cells[1][0], by_ranks=False)
    assert rate == pytest.approx((1 << 20) * 4 / 4e-3, rel=0.02)
    section = throughput.render(bench_of(*cells))
    (figure,) = section.blocks
    size, number = figure.chart.plots  # type: ignore[union-attr]
    assert (size.title, number.title) == ("against size", "against nodes")
    assert all(axis.logarithmic for axis in (size.x, size.y, number.x, number.y))
    assert size.y.title == "GiB/s"
    assert "0.977" in printed(section, 120)


def test_view_table_and_json_have_one_throughput() -> None:
    """Of 2 nodes of 4 ranks: size times 2 by time, not times 8."""
    bench = bench_of(*(on_nodes(2, 4, size, MILLISECOND) for size in (1 << 20, 1 << 21)))

    told = json.loads(json_text(bench.measured))["cells"]
    (view,) = throughput.render(bench).blocks
    (sizes,) = curves.render(bench).blocks
    of_view = [row[3] for row in view.table.rows]  # type: ignore[union-attr]
    of_sizes = [row[6] for row in sizes.table.rows]  # type: ignore[union-attr]
    of_json = [cell["k_computer_bytes_per_second"] for cell in told]

    assert of_json == pytest.approx([2.097e9, 4.194e9], rel=0.01)
    assert of_view == [significant(rate / 2**30) for rate in of_json]
    assert of_sizes == [significant(rate / 1e6) for rate in of_json]
    assert "size times nodes by seconds" in flat(printed(method.render(bench), 160))


def test_ranks_and_nodes_are_never_on_one_axis() -> None:
    """Real machines, 4 ranks on each: the point of one machine is at 1 node, not at 4."""
    measured = [
        on_nodes(count, 4, 1 << 20, MILLISECOND, asked=Placement(nodes=count, hosts=names))
        for count, names in ((1, ("a",)), (2, ("a", "b")), (4, ("a", "b", "c", "d")))
    ]

    bench = bench_of(*measured)

    (figure,) = throughput.render(bench).blocks
    _, number = figure.chart.plots  # type: ignore[union-attr]
    (curve,) = number.curves
    assert [spot.x for spot in curve.spots] == [1, 2, 4]
    (first, _, last) = (spot.y for spot in curve.spots)
    assert last == pytest.approx(4 * first)
    assert [row[1] for row in figure.table.rows] == ["1", "2", "4"]  # type: ignore[union-attr]
    assert figure.title == "alltoallv, mpich, 4 ranks a node"  # type: ignore[union-attr]
    assert "a rank stands for a node" not in throughput.render(bench).lead
    told = json.loads(json_text(bench.measured))["cells"]
    rates = [cell["k_computer_bytes_per_second"] for cell in told]
    assert rates == pytest.approx([1.048e9, 2.097e9, 4.194e9], rel=0.01)


def test_numbers_of_ranks_on_a_node_have_figures_of_their_own() -> None:
    cells = [on_nodes(count, each, 64, MILLISECOND) for count in (2, 4) for each in (1, 2)]

    figures = throughput.render(bench_of(*cells)).blocks

    link = "alltoallv, mpich, rate-limited:1gbit"
    titles = [figure.title for figure in figures]  # type: ignore[union-attr]
    assert titles == [f"{link}, 1 rank a node", f"{link}, 2 ranks a node"]


def test_one_machine_has_no_nodes_and_says_what_stands_for_them() -> None:
    cell, launch = on_nodes(1, 2, 1024, 1e-6)
    bench = bench_of((cell, launch))
    assert "here a rank stands for a node" in throughput.render(bench).lead
    (told,) = json.loads(json_text(bench.measured))["cells"]
    assert told["k_computer_bytes_per_second"] == pytest.approx(1024 * 2 / 1e-6, rel=0.02)


def test_what_was_asked_for_stands_beside_what_was_obtained() -> None:
    asked = Placement(nodes=2, hosts=("a", "b"))
    other = on_nodes(2, 2, 64, 1e-6, asked=asked, obtained=(0, 0, 0, 0))

    bench = bench_of(other)

    text = flat(printed(placement.render(bench), 160))
    assert "2 nodes of 2 ranks 1 node of 4 ranks, OTHERWISE" in text
    assert text.count("OTHERWISE PLACED: ranks of 1 arm were on other nodes than asked") == 1
    assert any(one.startswith("OTHERWISE PLACED") for one in notices_of(bench.measured))
    as_asked = bench_of(on_nodes(2, 2, 64, 1e-6))
    assert not any(one.startswith("OTHERWISE") for one in notices_of(as_asked.measured))


def test_a_shape_is_shown_with_the_coordinates_of_every_rank() -> None:
    laid_out = ((0, 0), (1, 0), (0, 1), (1, 1))
    bench = bench_of(on_nodes(2, 2, 64, 1e-6, shape="2x2", coordinates=laid_out))

    section = placement.render(bench)
    _, shapes, ranks = (one.rows for one in section.blocks)  # type: ignore[union-attr]

    assert shapes == (("2x2", "2x2", "as asked for"),)
    assert ranks == (("2x2", "0", "0,0", "0,0", "0"), ("2x2", "1", "1,0", "1,0", "0"),
                     ("2x2", "2", "0,1", "0,1", "1"), ("2x2", "3", "1,1", "1,1", "1"))  # fmt: skip
    assert "OTHERWISE" not in section.lead


def test_another_shape_than_asked_is_named_with_the_first_rank_that_is_elsewhere() -> None:
    other = ((0, 0), (0, 1), (1, 0), (1, 1))
    bench = bench_of(on_nodes(2, 2, 64, 1e-6, shape="2x2", coordinates=other))

    section = placement.render(bench)

    assert "OTHERWISE SHAPED" in section.lead
    assert "OTHERWISE: rank 1 was to be at 1,0 and is at 0,1" in flat(printed(section, 160))
    (said,) = [one for one in notices_of(bench.measured) if one.startswith("OTHERWISE SHAPED")]
    assert "in shape 2x2 rank 1 was to be at 1,0 and is at 0,1" in said


def test_made_up_nodes_that_share_processors_have_no_times() -> None:
    _, launch = on_nodes(2, 1, 64, 1e-6)
    first, second = launch.binding
    shared = launch.model_copy(update={"binding": tuple(
        one.model_copy(update={"thread_cpus": ("0",)}) for one in (first, second)
    )})  # fmt: skip
    own = launch.model_copy(update={"binding": (
        first.model_copy(update={"thread_cpus": ("0",)}),
        second.model_copy(update={"thread_cpus": ("1",)}),
    )})  # fmt: skip
    two = Placement(transport="rate-limited:1gbit:2nodes", nodes=2)

    assert shared.is_crowded(two)
    assert not own.is_crowded(two)
    assert not shared.is_crowded(Placement(nodes=2, hosts=("a", "b")))  # of two machines


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
@pytest.mark.parametrize("size", [0, 64])
def test_a_row_of_zero_time_or_bytes_divides_nothing(seconds: float, size: int) -> None:
    tcp = Placement(transport="tcp")
    bench = bench_of(
        on_nodes(1, 2, size, seconds), on_nodes(1, 4, size, seconds),
        on_nodes(1, 2, size, seconds, asked=tcp), on_nodes(2, 1, size, seconds),
        on_nodes(2, 2, size, MILLISECOND), on_nodes(4, 1, size, seconds),
    )  # fmt: skip

    for section in (nodes, ranks, transports, throughput, placement):
        text = printed(section.render(bench))
        assert text
        assert not re.search(r"\b(nan|inf)\b", text)
    html = bench_page_html(bench)
    assert "</html>" in html
    assert not re.search(r">(nan|inf)\b", html)


def test_why_there_is_no_chart_is_told_as_it_was() -> None:
    """A machine of few processors measures several nodes and has no time that counts."""
    timed = on_nodes(2, 1, 8192, MILLISECOND)
    crowded = [on_nodes(nodes, 4, 8192, MILLISECOND, oversubscribed=True) for nodes in (2, 4)]

    def said(*cells: tuple[MeasuredCell, LaunchRecord]) -> str:
        return " ".join(printed(nodes.render(bench_of(*cells))).split())

    assert "times that count on several numbers of nodes. OVERSUBSCRIBED: on 2 and 4" in (
        said(*crowded)
    )
    assert "nodes: all are of 2 nodes. OVERSUBSCRIBED: on 2 and 4 nodes" in said(timed, *crowded)
    assert said(on_nodes(1, 4, 8192, MILLISECOND)).endswith("--nodes 2,4 measures it.")
    here = on_nodes(1, 8, 8192, MILLISECOND)
    apart = " ".join(printed(transports.render(bench_of(here, *crowded))).split())
    assert "No collective has times that count on two transports" in apart
    alone = " ".join(printed(transports.render(bench_of(here))).split())
    assert "One transport was measured" in alone


def test_a_launch_knows_whether_it_is_placed_as_was_asked() -> None:
    _, launch = on_nodes(2, 2, 64, 1e-6)
    asked = Placement(nodes=2, hosts=("a", "b"))

    assert launch.is_placed_as(asked)
    assert launch.is_placed_as(HERE)  # nobody asked
    assert not launch.is_placed_as(Placement(strict=True))
    assert not launch.is_placed_as(Placement(nodes=4, hosts=("a", "b", "c", "d")))
    assert not launch.is_placed_as(Placement(nodes=8, hosts=tuple("abcdefgh")))


def test_names_that_are_drawn_for_every_launch_are_not_shown() -> None:
    assert host_words("isobath-97d9cc-node1") == "made-up node1"
    assert host_words("isobath-node1.example.org") == "isobath-node1.example.org"


def test_an_axis_without_a_round_number_on_it_is_labelled_by_what_was_measured() -> None:
    axis = log_axis("GiB/s", [0.3], lambda value: f"{value:g}")
    assert axis.ticks == ((0.3, "0.3"),)
