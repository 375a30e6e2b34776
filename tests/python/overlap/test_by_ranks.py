# SPDX-License-Identifier: Apache-2.0
"""Processes per node as an axis: one figure for each size and number of nodes."""

from isobath.kinds.nodes import Placed
from isobath.kinds.overlap.by_ranks import by_ranks, sweeps
from isobath.kinds.overlap.settings import OverlapSettings
from isobath.kinds.overlap.wanted import arms_of
from isobath.launch.mpi_library import MpiLibrary
from isobath.overlap.folders import OverlapRead
from isobath.overlap.plan import OverlapArm, OverlapPlan, is_alike
from isobath.overlap.reading import Place, groups_of, rows_of
from isobath.records.overlap import OverlapRecord
from isobath.records.placement import HERE, Placement
from isobath.view.html import page_html
from isobath.view.terminal import printed
from overlap.test_reading import record
from records import examples

LIBRARY = MpiLibrary("fake", "mpich-wheel", "5", "", "", healthy=True)
TWO = Placement(transport="rate-limited:1gbit:2nodes", nodes=2)
PRETENDED = Place("rate-limited:1gbit", 2, is_pretended=True)


def cell(ranks: int, nanoseconds: int, run: str, size: int = 512, **more: object) -> OverlapRecord:
    """Of so many ranks, whose overlap takes so long."""
    one = examples.overlap_record()
    assert one.parts is not None
    assert one.inside is not None
    times = examples.part_times(nanoseconds, nanoseconds, nanoseconds)
    parts = one.parts.model_copy(update={"overlap": times})
    told = {"run_id": run, "ranks": ranks, "size_bytes": size, "parts": parts} | more
    return record(**{name: getattr(value, "model_dump", lambda v=value: v)()
                     for name, value in told.items()})  # fmt: skip


def read_of(*records: OverlapRecord, places: dict[str, Place] | None = None) -> OverlapRead:
    arm = OverlapArm(arm="o01", modes=("library",), collectives=("allreduce",), ranks=2)
    plan = OverlapPlan(mpi="m", threads=1, seed=1, launches=3, method=(), work="product",
                       ratios="1", arms=(arm,))  # fmt: skip
    return OverlapRead(
        name="b",
        plan=plan,
        records=records,
        problems=(),
        not_measured=(),
        launches_done=4,
        launches=4,
        places=places or {},
    )


def test_ranks_is_a_list_and_every_number_has_arms_of_its_own() -> None:
    wanted = OverlapSettings(ranks=(1, 2, 4))
    places = tuple(Placed(ranks, HERE) for ranks in wanted.ranks)

    arms = arms_of([LIBRARY], ("library", "tests"), ("allreduce",), places, 1, 8)

    assert [(arm.arm, arm.ranks) for arm in arms] == [("o01", 1), ("o02", 2), ("o03", 4)]


def test_arms_that_two_numbers_of_ranks_share_are_measured_once() -> None:
    places = tuple(Placed(ranks, HERE) for ranks in (1, 2))

    arms = arms_of([LIBRARY], ("thread",), ("allreduce",), places, 1, 2)

    assert [(arm.ranks, arm.is_crowded) for arm in arms] == [(1, False), (2, True)]


def test_calls_are_calibrated_in_every_place() -> None:
    places = (Placed(2, HERE), Placed(2, TWO))
    arms = arms_of([LIBRARY], ("library",), ("allreduce",), places, 1, 8)
    plan = OverlapPlan(mpi="m", threads=1, seed=1, launches=1, method=(), work="product",
                       ratios="1", arms=arms)  # fmt: skip

    calibrations = [arm for arm, launch in plan.runs() if launch == 0]

    assert [one.arm for one in calibrations] == ["c2", "c2p1"]
    assert [[is_alike(one, arm) for arm in arms] for one in calibrations] == [
        [True, False], [False, True],
    ]  # fmt: skip


def test_one_figure_for_each_size_and_number_of_nodes() -> None:
    records = [
        cell(ranks, 500 + 50 * ranks, f"r{ranks}", size)
        for ranks in (1, 2, 4)
        for size in (16, 512)
    ]
    records += [cell(ranks, 900, f"n{ranks}") for ranks in (2, 4)]
    places = {"n2": PRETENDED, "n4": PRETENDED}
    read = read_of(*records, places=places)

    found = [(one[0].size_bytes, one[0].place.nodes, [group.ranks_per_node for group in one])
             for one in sweeps(read.groups)]  # fmt: skip

    assert found == [(16, 1, [1, 2, 4]), (512, 1, [1, 2, 4]), (512, 2, [1, 2])]
    (section,) = by_ranks(read)
    figures = section.blocks
    titles = [one.title for one in figures]  # type: ignore[union-attr]
    assert titles == [
        "allreduce of 16 B, 1 node", "allreduce of 512 B, 1 node",
        "allreduce of 512 B, 2 pretended nodes, rate-limited:1gbit",
    ]  # fmt: skip
    plot = figures[0].chart.plots[0]  # type: ignore[union-attr]
    assert plot.x.title == "processes per node"
    assert [spot.x for spot in plot.curves[0].spots] == [1, 2, 4]
    assert figures[2].chart.plots[0].curves[0].stroke == "dashed"  # type: ignore[union-attr]
    text = " ".join(part.plain for part in printed([section], 80, whole=True))
    assert "with 4 a node library is done first" in " ".join(text.split())


def test_oversubscribed_ranks_are_no_point_of_it() -> None:
    crowded = cell(4, 900, "r4", oversubscribed=True)
    assert by_ranks(read_of(cell(2, 500, "r2"), crowded)) == []


def test_a_row_of_zero_time_is_no_point_of_it_and_divides_nothing() -> None:
    zero = examples.part_times(500, 500, 500).model_copy(update={"together_nanoseconds": (0,) * 3})

    def coarse(ranks: int) -> OverlapRecord:
        one = cell(ranks, 500, f"r{ranks}")
        assert one.parts is not None
        return one.model_copy(update={"parts": one.parts.model_copy(update={"overlap": zero})})

    read = read_of(coarse(1), cell(2, 500, "r2"), coarse(4), cell(8, 900, "r8"))

    assert [[group.ranks for group in sweep] for sweep in sweeps(read.groups)] == [[2, 8]]
    assert by_ranks(read)
    assert by_ranks(read_of(coarse(1), coarse(2))) == []


def test_places_are_never_one_group() -> None:
    rows = rows_of([cell(2, 500, "a"), cell(2, 900, "b")], {"b": PRETENDED})
    assert [(one.place.nodes, len(one.rows)) for one in groups_of(rows)] == [(1, 1), (2, 1)]


def test_a_page_has_the_chart_once() -> None:
    from isobath.kinds.overlap.sections import page_of

    page = page_html(page_of(read_of(cell(1, 500, "r1"), cell(2, 600, "r2"))))
    assert page.count("Against processes per node</h2>") == 1
    assert "processes per node" in page
