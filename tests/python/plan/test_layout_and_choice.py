# SPDX-License-Identifier: Apache-2.0
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isobath.errors import RefusedError, UsageError
from isobath.machine.facts import Machine
from isobath.plan.choice import choose_scale, largest_that_fits, require_fit
from isobath.plan.duration import Calibration, calibration_of, estimate_duration
from isobath.plan.estimator import Estimator
from isobath.plan.grid_numbers import NARROW_LINE, GridNumbers
from isobath.plan.layout import Layout, choose_layout, parse_grid, squarest, vertices_per_line
from isobath.plan.memory import MemoryEstimate, estimate_memory, fits
from isobath.plan.rank_arrays import HUGE_PAGE
from isobath.records.run_records import RunRecords
from records import examples

MACHINE = Machine(
    hostname="here",
    cpu_model="a processor",
    cpus=(0, 1, 2, 3, 4, 5, 6, 7),
    numa_cpus=((0, 1, 2, 3), (4, 5, 6, 7)),
    cpu_limit=None,
    memory_bytes=24 * 10**9,
    available_bytes=20 * 10**9,
    memory_limit_bytes=None,
    shm_bytes=10**9,
    shm_free_bytes=10**9,
    huge_pages="madvise",
    load=0.0,
)

CALIBRATION = Calibration(
    key="k",
    scale=16,
    ranks=1,
    threads=2,
    startup_seconds=0.5,
    generation_seconds_per_edge=4e-8,
    construction_seconds_per_edge=7e-8,
    search_seconds_per_edge=2e-10,
    validation_seconds_per_edge=8e-9,
    measured_at=0.0,
    load=0.0,
)


@given(st.integers(1, 5000))
def test_the_squarest_grid_holds_all_ranks(ranks: int) -> None:
    rows, cols = squarest(ranks)

    assert rows * cols == ranks
    assert rows <= cols
    assert all(ranks % d for d in range(rows + 1, int(ranks**0.5) + 1))


def test_one_rank_per_numa_node_with_all_its_cores() -> None:
    layout = choose_layout(MACHINE)

    assert (layout.ranks, layout.threads, layout.grid) == (2, 4, "1x2")
    assert not layout.oversubscribed
    assert "one rank per NUMA node" in layout.reasons[0]


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"ranks": 1}, (1, 8, "1x1", False)),
        ({"ranks": 16}, (16, 1, "4x4", True)),
        ({"threads": 8}, (2, 8, "1x2", True)),
        ({"grid": "3x2"}, (6, 1, "3x2", False)),
        ({"grid": "2x2", "ranks": 4, "threads": 2}, (4, 2, "2x2", False)),
    ],
)
def test_wishes_are_kept_and_the_rest_follows(
    wish: dict[str, object], expected: tuple[int, int, str, bool]
) -> None:
    layout = choose_layout(MACHINE, **wish)  # type: ignore[arg-type]

    assert (layout.ranks, layout.threads, layout.grid, layout.oversubscribed) == expected


def test_a_containers_quota_counts() -> None:
    layout = choose_layout(replace(MACHINE, cpu_limit=2.0))

    assert (layout.ranks, layout.threads) == (2, 1)
    assert choose_layout(replace(MACHINE, cpu_limit=0.5)).ranks == 1


@pytest.mark.parametrize("text", ["", "2", "x2", "2x", "0x3", "2x-1", "axb", "2x3x4"])
def test_what_is_no_grid_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no grid"):
        parse_grid(text)


def test_a_grid_that_does_not_fit_the_ranks_is_refused() -> None:
    with pytest.raises(UsageError, match="--grid 2x3 needs 6 ranks, but this run has 4"):
        choose_layout(MACHINE, ranks=4, grid="2x3")


GRID = GridNumbers(8, 8)
"""large enough for every scale that memory allows here"""


def memory_at(scale: int) -> MemoryEstimate:
    return estimate_memory(scale)


@given(st.integers(1, 42), st.sampled_from(["memory", "file", "regenerate"]))
def test_memory_grows_with_scale_and_edges_in_memory_cost_most(scale: int, edges: str) -> None:
    here, above = estimate_memory(scale, edges=edges), estimate_memory(scale + 1, edges=edges)

    assert here.peak_bytes < above.peak_bytes
    assert here.peak_bytes <= estimate_memory(scale, edges="memory").peak_bytes
    assert (here.edge_file_bytes > 0) == (edges == "file")
    assert here.moment in here.moments


@given(st.integers(10**8, 10**13))
def test_the_largest_that_fits_fits_and_the_next_does_not(available: int) -> None:
    best = largest_that_fits(memory_at, available, GRID)

    assert best is not None
    assert fits(memory_at(best), available)
    assert not fits(memory_at(best + 1), available)


def test_a_scale_that_does_not_fit_is_refused_with_one_that_does() -> None:
    best = largest_that_fits(memory_at, 10**10, GRID)

    with pytest.raises(RefusedError, match=f"the largest scale that fits is {best}"):
        require_fit(30, memory_at, 10**10, GRID)
    require_fit(30, memory_at, 10**10, GRID, force=True)
    require_fit(20, memory_at, 10**10, GRID)
    with pytest.raises(RefusedError, match="no scale fits"):
        require_fit(1, memory_at, 1000, GRID)


def test_the_scale_ends_in_about_a_minute_or_fills_the_memory() -> None:
    quick = choose_scale(memory_at, lambda scale: 2.0 ** (scale - 20), 10**13, GRID)
    full = choose_scale(memory_at, lambda scale: 1.0, 10**10, GRID)

    assert quick.scale == 25
    assert "the largest that ends in about a minute: 32 s; scale 26 takes 64 s" in quick.reason
    assert full.scale == largest_that_fits(memory_at, 10**10, GRID)
    assert "the largest that fits" in full.reason
    slow = choose_scale(memory_at, lambda scale: 1000.0, 10**10, GRID)
    assert slow.scale == 10
    with pytest.raises(RefusedError, match="too little for any run"):
        choose_scale(memory_at, lambda scale: 1.0, 1000, GRID)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 5000))
def test_vertices_of_a_line_are_those_of_its_blocks(rows: int, cols: int, vertices: int) -> None:
    base, larger = divmod(vertices, rows * cols)
    sizes = [base + (block < larger) for block in range(rows * cols)]
    in_columns = [sum(sizes[col * rows : (col + 1) * rows]) for col in range(cols)]
    in_rows = [sum(sizes[row::rows]) for row in range(rows)]

    assert vertices_per_line(rows, cols, vertices) == max(in_columns + in_rows)


@pytest.mark.parametrize(
    ("numbers", "largest", "more", "whose"),
    [
        (GridNumbers(1, 1), 31, "more than 2^31 vertices in a row or column", ""),
        (GridNumbers(64, 1), 31, "more than 2^31 vertices in a row or column", ""),
        (GridNumbers(1, 2), 32, "2^32 vertices or more on a rank", ""),
        (GridNumbers(1, 64), 33, "more than 2^32 vertices to search in a row or column", ""),
        (GridNumbers(2, 3), 34, "2^32 vertices or more on a rank", ""),
        (GridNumbers(16, 16), 38, "more than 2^32 vertices to search in a row or column", ""),
        (GridNumbers(316, 316), 42, "more than 2^32 vertices to search in a row or column", ""),
        (
            *(GridNumbers(16, 16, plan="two-dim"), 35),
            *("more than 2^31 vertices in a row or column", " with the plan two-dim"),
        ),
        *(
            (
                *(GridNumbers(16, 16, kernel=kernel, sssp_plan=plan), 35),
                *(
                    "more than 2^31 vertices in a row or column",
                    f" for shortest paths with the plan {plan}",
                ),
            )
            for kernel in ("sssp", "both")
            for plan in ("bellman-ford",)
        ),
        *(
            (
                *(GridNumbers(side, side, kernel=kernel, sssp_plan="delta-stepping"), largest),
                *("more than 2^32 vertices to search in a row or column", ""),
            )
            for kernel in ("sssp", "both")
            for side, largest in ((16, 38), (316, 42))
        ),
        (
            *(GridNumbers(64, 1, kernel="sssp", sssp_plan="delta-stepping"), 31),
            *("more than 2^31 vertices in a row or column", ""),
        ),
        (
            GridNumbers(16, 16, plan="two-dim", kernel="both", sssp_plan="delta-stepping"),
            35,
            *("more than 2^31 vertices in a row or column", " with the plan two-dim"),
        ),
    ],
    ids=lambda it: (
        f"{it.grid}-{it.plan}-{it.kernel}-{it.sssp_plan}" if isinstance(it, GridNumbers) else ""
    ),
)
def test_what_a_rank_cannot_number_is_refused_however_much_memory_there_is(
    numbers: GridNumbers, largest: int, more: str, whose: str
) -> None:
    assert largest_that_fits(memory_at, 10**18, numbers) == largest
    require_fit(largest, memory_at, 10**18, numbers)
    problem = f"{largest + 1} has {more} of a {numbers.grid} grid, more than a rank can number"
    for force in (False, True):
        with pytest.raises(RefusedError, match=re.escape(f"{problem}{whose}; take ")):
            require_fit(largest + 1, memory_at, 10**18, numbers, force=force)
    choice = choose_scale(memory_at, lambda scale: 1.0, 10**18, numbers)
    assert choice.reason.startswith(f"the largest that a {numbers.grid} grid can number")


def test_a_refusal_names_the_grid_that_is_needed() -> None:
    with pytest.raises(RefusedError, match="take 4 ranks on a 2x2 grid or more"):
        require_fit(33, memory_at, 10**18, GridNumbers(1, 1))
    with pytest.raises(RefusedError, match="take 64 ranks on a 8x8 grid or more"):
        require_fit(34, memory_at, 10**18, GridNumbers(1, 1, kernel="sssp"))
    require_fit(34, memory_at, 10**18, GRID)


def test_landmark_has_no_more_vertices_on_any_grid() -> None:
    for kernel in ("sssp", "both"):
        numbers = GridNumbers(8, 8, kernel=kernel, sssp_plan="landmark")
        require_fit(31, memory_at, 10**18, numbers)
        with pytest.raises(RefusedError, match="with the plan landmark; take another --sssp-plan;"):
            require_fit(32, memory_at, 10**18, numbers)
    require_fit(34, memory_at, 10**18, GridNumbers(8, 8, kernel="sssp", sssp_plan="delta-stepping"))
    require_fit(34, memory_at, 10**18, GridNumbers(8, 8, sssp_plan="landmark"))


@pytest.mark.parametrize("plan", ["replicated-csr", "replicated-csc", "simple", "one-sided"])
def test_no_grid_is_named_where_the_plan_has_no_other(plan: str) -> None:
    for kernel in ("bfs", "both"):
        with pytest.raises(RefusedError, match=f"the plan {plan} runs on one grid row or"):
            require_fit(32, memory_at, 10**18, GridNumbers(1, 1, plan=plan, kernel=kernel))
    with pytest.raises(RefusedError, match="take 4 ranks on a 2x2 grid or more"):
        require_fit(32, memory_at, 10**18, GridNumbers(1, 1, plan=plan, kernel="sssp"))


@given(st.integers(30, 43), st.integers(0, 5), st.integers(0, 5), st.sampled_from(["bfs", "sssp"]))
def test_the_grid_that_is_named_is_the_least_square(
    scale: int, rows: int, cols: int, kernel: str
) -> None:
    numbers = GridNumbers(1 << rows, 1 << cols, kernel=kernel)
    side = numbers.least_square(scale)

    assert replace(numbers, rows=side, cols=side).can_number(scale)
    smaller = [replace(numbers, rows=each, cols=each) for each in range(1, side)]
    assert not any(each.can_number(scale) for each in smaller[-40:])


def test_positions_are_wide_where_32_bits_do_not_suffice() -> None:
    """From the fullest line of the grid on: of 3x2 ranks the first column has a vertex more."""
    assert [GridNumbers(2, 2).are_wide(scale) for scale in (31, 32, 33)] == [False, False, True]
    assert vertices_per_line(3, 2, 1 << 32) == NARROW_LINE + 1
    assert GridNumbers(3, 2).are_wide(32)
    assert not GridNumbers(2, 1).are_wide(40)
    assert not GridNumbers(2, 2, plan="two-dim").are_wide(40)
    for kernel in ("sssp", "both"):
        assert not GridNumbers(2, 2, kernel=kernel, sssp_plan="landmark").are_wide(40)
        assert GridNumbers(2, 2, kernel=kernel, sssp_plan="delta-stepping").are_wide(40)
        assert not GridNumbers(2, 1, kernel=kernel, sssp_plan="delta-stepping").are_wide(40)
    by_delta = GridNumbers(2, 2, plan="two-dim", kernel="sssp", sssp_plan="delta-stepping")
    assert by_delta.are_wide(40)
    assert not replace(by_delta, kernel="both").are_wide(40)


@given(st.integers(10, 40))
def test_time_grows_with_scale(scale: int) -> None:
    here = estimate_duration(CALIBRATION, scale, searches=64).total

    assert here < estimate_duration(CALIBRATION, scale + 1, searches=64).total
    assert here < estimate_duration(CALIBRATION, scale, searches=64, edges="regenerate").total
    assert here > estimate_duration(CALIBRATION, scale, searches=64, validation=False).total
    assert here > estimate_duration(CALIBRATION, scale, searches=8).total


def test_at_its_own_scale_a_calibration_gives_back_what_was_measured() -> None:
    run = RunRecords.of(examples.one_of_each()[:-1])

    found = calibration_of(run, key="k", elapsed_seconds=0.9, measured_at=0.0, load=0.0)

    assert found is not None
    again = estimate_duration(found, 12, searches=1)
    assert again.construction == pytest.approx(0.01)
    assert again.generation == pytest.approx(0.005)
    assert again.search == pytest.approx(0.001)
    assert again.validation == pytest.approx(0.002)
    assert again.startup == pytest.approx(0.5)


def test_a_run_without_searches_calibrates_nothing() -> None:
    run = RunRecords.of([examples.run_record()])

    assert calibration_of(run, key="k", elapsed_seconds=1.0, measured_at=0.0, load=0.0) is None


def test_the_edges_are_copied_for_validation_where_that_pays_and_fits() -> None:
    layout = Layout(ranks=1, threads=2, rows=1, cols=1, cpus=2)

    def memory(scale: int, available: float, searches: int = 64) -> MemoryEstimate:
        return Estimator(layout, searches=searches, available_bytes=int(available)).memory_at(scale)

    assert memory(20, 20e9).copies_list
    assert not memory(20, 20e9, searches=2).copies_list
    assert memory(24, 20e9).copies_list
    without = memory(26, 1e9)
    assert not without.copies_list
    assert without.peak_bytes < 24e9
    assert Estimator(layout, validation_copy="on").memory_at(26).copies_list
    assert (
        not Estimator(layout, validation_copy="off", available_bytes=10**12)
        .memory_at(20)
        .copies_list
    )


def test_a_copy_of_the_edges_takes_four_bytes_an_edge_and_two_more_at_first() -> None:
    without = estimate_memory(22, threads=2)
    copied = estimate_memory(22, threads=2, copies_list=True)
    edges = copied.facts.num_edges

    def total(estimate: MemoryEstimate, moment: str) -> float:
        return sum(estimate.moments[moment].values())

    more = total(copied, "validating") - total(without, "validating")
    assert 4 * edges < more < 6 * edges
    checked = estimate_memory(22, threads=2, copies_list=True, construction_check=True)
    assert total(checked, "counting distinct edges") < 1.6e9
    assert total(checked, "looking arcs up") < total(copied, "copying the list")
    at_first = total(copied, "copying the list") - total(without, "validating")
    assert 6 * edges < at_first < 8 * edges


def test_ranks_copy_the_edges_where_each_has_an_edge_for_every_vertex() -> None:
    def copies(ranks: int, edgefactor: int = 16, scale: int = 20) -> bool:
        layout = Layout(ranks=ranks, threads=1, rows=ranks, cols=1, cpus=ranks)
        estimator = Estimator(layout, edgefactor=edgefactor, available_bytes=10**15)
        return estimator.memory_at(scale).copies_list

    assert copies(16)
    assert not copies(17)
    assert copies(4, edgefactor=4)
    assert not copies(4, edgefactor=3)
    assert copies(1, edgefactor=1)
    assert copies(1, scale=31)
    assert not copies(1, scale=32), "places are numbers of 32 bits"


def test_a_copy_on_several_ranks_takes_places_and_levels_of_all_vertices_on_each() -> None:
    def rank_has(rows: int) -> dict[str, float]:
        moments = estimate_memory(22, rows=rows, copies_list=True).moments
        assert "facts of all vertices" not in moments["validating"]
        return {name: size / rows for name, size in moments["validating"].items()}

    one, four = rank_has(1), rank_has(4)
    vertices = 1 << 22
    assert four["places"] == one["places"] == 4 * vertices
    assert four["copied rows"] == pytest.approx(one["copied rows"] / 4, abs=2 * HUGE_PAGE)
    assert four["parents of rows"] == pytest.approx(one["parents of rows"] / 4, abs=HUGE_PAGE)
    one_waits = one["parents of rows"]  # 4 bytes for each vertex that waits for its level
    assert one["levels"] == pytest.approx(1.5 * one_waits, abs=2 * HUGE_PAGE)
    assert four["levels"] == pytest.approx(0.58 * one_waits, abs=2 * HUGE_PAGE)
    on_their_way = vertices + 0.75 * one_waits  # 4 bytes an own vertex, 12 a row
    assert four["parents on their way"] == pytest.approx(on_their_way, abs=4 * HUGE_PAGE)
    assert "parents on their way" not in one
