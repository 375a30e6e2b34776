# SPDX-License-Identifier: Apache-2.0
"""Memory of shortest paths. Against runs: tests/system/test_memory_plan.py."""

import itertools

import pytest

from isobath.plan.grid_numbers import NARROW_LINE
from isobath.plan.memory import estimate_memory
from isobath.plan.path_memory import arcs_of_bucket
from isobath.plan.rank_arrays import HUGE_PAGE
from isobath.plan.scaling import Place, Values, arrays
from isobath.plan.search_plans import PATH_PLANS, usual_path_plan

GRIDS = [(1, 1), (2, 1), (1, 2), (3, 4)]


@pytest.mark.parametrize("plan", PATH_PLANS)
@pytest.mark.parametrize(("rows", "cols"), GRIDS)
@pytest.mark.parametrize("kernel", ["sssp", "both"])
def test_peaks_grow_with_the_scale(plan: str, rows: int, cols: int, kernel: str) -> None:
    peaks = [
        estimate_memory(s, rows=rows, cols=cols, kernel=kernel, sssp_plan=plan).peak_bytes
        for s in range(8, 31)
    ]

    assert all(a < b for a, b in itertools.pairwise(peaks))


def test_weights_take_four_bytes_an_edge() -> None:
    for edges, weights in (("memory", 4 << 26), ("file", 0), ("regenerate", 0)):
        estimate = estimate_memory(22, edges=edges, kernel="sssp")
        assert estimate.moments[estimate.moment].get("weights", 0) == weights
    on_disk = [estimate_memory(22, edges="file", kernel=k).edge_file_bytes for k in ("bfs", "sssp")]
    assert on_disk[1] - on_disk[0] == 4 << 26


@pytest.mark.parametrize("plan", PATH_PLANS)
def test_both_kernels_take_more_than_either(plan: str) -> None:
    both = estimate_memory(20, kernel="both", sssp_plan=plan).peak_bytes
    assert both > estimate_memory(20, kernel="sssp", sssp_plan=plan).peak_bytes
    assert both > estimate_memory(20).peak_bytes


def test_pruning_takes_less_than_all_edges() -> None:
    pruned = estimate_memory(24, kernel="sssp", sssp_plan="landmark").peak_bytes
    assert pruned < 0.6 * estimate_memory(24, kernel="sssp", sssp_plan="delta-stepping").peak_bytes


@pytest.mark.parametrize(("rows", "cols"), [(32, 32), (4, 1), (1, 4), (2, 3)])
def test_rounds_of_the_descent_are_counted_array_by_array(rows: int, cols: int) -> None:
    at = Place(24 if rows < 32 else 30, rows, cols, 1)
    planned = estimate_memory(
        at.scale, rows=rows, cols=cols, kernel="sssp", sssp_plan="delta-stepping"
    ).moments["shortest paths: searching"]["shortest paths: rounds of the descent"]

    size = {a.name: a.bytes_at(Values(at)) for a in arrays() if "grid_descent" in a.where}
    size.pop("GridDescent::asked_, questions and answers of 64 bits")  # where positions are wide
    assert len(size) == 4
    if rows == 1:  # there is nobody to tell
        size.pop("GridDescent::told_")
        size.pop("GridDescent::own_told_")
    assert planned / (rows * cols) == pytest.approx(sum(size.values()))


def test_a_round_of_the_descent_worked_out_by_hand() -> None:
    """One column: 4 bytes for each of four ranks' vertices, 4 for the own. One rank: no round."""
    plan = "delta-stepping"
    alone = estimate_memory(20, kernel="sssp", sssp_plan=plan)
    column = estimate_memory(20, rows=4, kernel="sssp", sssp_plan=plan)
    own = column.facts.searched_vertices / 4

    name = "shortest paths: rounds of the descent"
    assert column.moments["shortest paths: searching"][name] == pytest.approx(4 * (4 * 4 + 4) * own)
    assert name not in alone.moments["shortest paths: searching"]


PLACES = [
    Place(26, 1, 2, 1),
    Place(26, 4, 1, 2),
    Place(30, 2, 3, 2),
    Place(38, 64, 32, 12),
    Place(38, 128, 128, 12),
    Place(42, 316, 316, 48),
]

ARRAYS_OF_PARTS: dict[str, str | tuple[str, ...]] = {
    "delivering arcs: arcs as they arrived": "deliver_weighted_arcs",
    "coding arcs: arcs as they arrived": "deliver_weighted_arcs",
    "coding arcs: arcs of leaves": "weigh_leaves",
    "counting rows: arcs with codes": "code_arcs",
    "dealing arcs: arcs with codes": "code_arcs",
    "coding arcs: rows and columns present": "PresentIndices",
    "counting rows: row lengths": "rows_of_arcs: length",
    "dealing arcs: arcs in buckets": "WeightedArcBuckets::arcs_: a first page",
    "sorting arcs: arcs in buckets": "WeightedArcBuckets::arcs_",
    "sorting arcs: buckets of threads": "WeightedArcBuckets::Scratch",
    "sorting arcs: row starts": ("Graph::weighted.start", "Graph::compact_weighted.start"),
    "searching: row starts": ("Graph::weighted.start", "Graph::compact_weighted.start"),
    "searching: rows": "Graph::weighted.neighbour",
    "searching: column originals": "Graph::column_original",
    "searching: streams": "PullStreams",
    "searching: state": "TentativePaths",
    "searching: rounds of the descent": "GridDescent",
}
"""How the names of the arrays begin that a part of the plan holds."""


def parts_of(at: Place) -> dict[str, float]:
    """Of a rank of delta-stepping, by moment and name."""
    moments = estimate_memory(
        at.scale,
        rows=at.rows,
        cols=at.cols,
        threads=at.threads,
        kernel="sssp",
        sssp_plan="delta-stepping",
    ).moments
    return {
        f"{moment}: {name}".replace("shortest paths: ", ""): size / (at.rows * at.cols)
        for moment, alive in moments.items()
        for name, size in alive.items()
    }


def sizes_of(at: Place) -> dict[str, float]:
    """Arrays of delta-stepping."""
    values = Values(at)
    return {a.name: a.bytes_at(values) for a in arrays() if a.plan == "delta-stepping"}


@pytest.mark.parametrize("at", PLACES, ids=lambda at: f"{at.scale}-{at.rows}x{at.cols}")
def test_delta_stepping_is_counted_array_by_array(at: Place) -> None:
    parts, sizes = parts_of(at), sizes_of(at)
    if at.rows == 1:  # there is nobody to tell
        sizes = {name: s for name, s in sizes.items() if not name.endswith("told_")}
    if at.cols == 1:  # nobody else has a part of a row
        for name in list(sizes):
            if name.startswith(("GridDescent::outgoing_", "GridDescent::asked_")):
                assert sizes.pop(name) == 0
        del sizes["TentativePaths::original_parent_"]
        sizes["TentativePaths::bound_, parent_"] /= 2

    for part, begins in ARRAYS_OF_PARTS.items():
        total = sum(
            size
            for name, size in sizes.items()
            if name.startswith(begins)
            and (begins != "WeightedArcBuckets::arcs_" or "first page" not in name)
        )
        pages = (9 + at.threads) * HUGE_PAGE
        assert parts.get(part, 0.0) == pytest.approx(total, rel=1e-3, abs=pages), part


@pytest.mark.parametrize(
    ("at", "are_few"),
    [(PLACES[0], False), (PLACES[1], False), (PLACES[2], False), *((p, True) for p in PLACES[3:])],
    ids=lambda it: str(it) if isinstance(it, bool) else f"{it.scale}-{it.rows}x{it.cols}",
)
def test_hypersparse_rows_and_columns_have_entries_of_what_is_present(
    at: Place, are_few: bool
) -> None:
    values, parts = Values(at), parts_of(at)
    rows, cols = values["S"] / values["R"], values["S"] / values["C"]

    assert ("coding arcs: rows and columns present" in parts) == are_few
    assert (parts["searching: row starts"] < 0.25 * 8 * rows) == are_few
    assert (parts["searching: column originals"] < 0.5 * 4 * cols) == are_few
    assert (parts["searching: streams"] < 4 * rows) == are_few
    codes = 4 * (values["n"] / values["R"] + values["n"] / values["C"])
    assert (parts["numbering: codes of the grid"] < 0.2 * codes) == are_few


def test_what_a_round_brings_is_bounded() -> None:
    """Told: 64 MiB of the column and 4 bytes for each own vertex; 64 MiB of offers either way.
    Answers have 64 bits.
    """
    at = PLACES[-1]
    own = Values(at)["S"] / Values(at)["P"]

    asked = 28 * own * (at.cols - 1) / at.cols
    wanted = 3 * (64 << 20) + 4 * own + asked
    assert parts_of(at)["searching: rounds of the descent"] == pytest.approx(wanted)


def test_buckets_are_short_and_not_too_many() -> None:
    assert arcs_of_bucket(1000) == 1000
    assert arcs_of_bucket(1 << 20) == 1 << 14
    assert arcs_of_bucket(1 << 27) == 1 << 18
    assert arcs_of_bucket(3 << 28) == 1 << 20
    assert arcs_of_bucket(1 << 40) == 1 << 30


def test_arcs_are_there_before_end_points_are_counted() -> None:
    """Scale 20, 2 ranks: 2^24 arcs of 12 bytes each, 96 whole pages."""
    parts = parts_of(Place(20, 1, 2, 1))
    for moment in (
        "delivering arcs",
        "counting",
        "numbering",
        "coding arcs",
        "counting rows",
        "dealing arcs",
    ):
        assert parts[f"{moment}: arcs as they arrived"] == 96 * HUGE_PAGE


@pytest.mark.parametrize("at", PLACES, ids=lambda at: f"{at.scale}-{at.rows}x{at.cols}")
def test_arcs_take_16_bytes_until_they_have_codes_where_positions_are_wide(at: Place) -> None:
    parts, values = parts_of(at), Values(at)
    is_wide = values["n"] > NARROW_LINE * min(at.rows, at.cols)
    arcs = 2 * values["m"] / values["P"]

    for moment in ("delivering arcs", "counting", "numbering", "coding arcs"):
        arrived = parts[f"{moment}: arcs as they arrived"]
        assert arrived == pytest.approx((16 if is_wide else 12) * arcs, rel=1e-3, abs=HUGE_PAGE)
    for moment in ("counting rows", "dealing arcs"):
        assert (f"{moment}: arcs with codes" in parts) == is_wide
        assert (f"{moment}: arcs as they arrived" in parts) != is_wide


@pytest.mark.parametrize(
    ("rows", "cols", "scale"), [(1, 1, 10), (1, 1, 20), (2, 3, 24), (32, 32, 30)]
)
def test_bellman_ford_is_counted_array_by_array(rows: int, cols: int, scale: int) -> None:
    at = Place(scale, rows, cols, 1)
    planned = estimate_memory(
        scale, rows=rows, cols=cols, kernel="sssp", sssp_plan="bellman-ford"
    ).moments["shortest paths: delivering arcs"]

    size = {a.name: a.bytes_at(Values(at)) for a in arrays() if a.plan == "bellman-ford"}
    ranks = rows * cols
    assert planned["shortest paths: arcs"] / ranks == pytest.approx(size["OwnerGraph::arcs"])
    of_pieces = size["exchange_in_pieces: lists, grouped, and as they arrive"]
    assert planned["shortest paths: messages"] / ranks == pytest.approx(of_pieces)
    of_vertices = size["row_starts, cursors, self_loops, labels, parents"]
    assert planned["shortest paths: vertices"] / ranks >= of_vertices


def test_bellman_ford_has_one_copy_of_its_arcs() -> None:
    """Scale 20, one rank: 2^25 arcs of 16 bytes, and 2^18 of a piece at 144."""
    estimate = estimate_memory(20, kernel="sssp", sssp_plan="bellman-ford")
    moment = estimate.moments["shortest paths: delivering arcs"]
    assert moment["shortest paths: arcs"] == 1 << 29
    assert moment["shortest paths: messages"] == 144 << 18


def test_an_official_run_leaves_out_no_edge() -> None:
    assert usual_path_plan(official=True) == "delta-stepping"
    assert usual_path_plan(official=False) == "landmark"
