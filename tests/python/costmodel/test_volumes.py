# SPDX-License-Identifier: Apache-2.0
"""The bytes of whole searches: plans against each other and against sums done by hand."""

from dataclasses import replace

import pytest

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.hubs import most_hubs
from isobath.costmodel.levels import Direction, LevelFacts, levels_from_profile, recorded_levels
from isobath.costmodel.switches import PLANS, Switches
from isobath.costmodel.volume import OUTSIDE, SearchVolumes
from isobath.costmodel.volumes import search_volumes, whole_search_fold
from isobath.errors import UsageError

SCALE = 20
N = 1 << SCALE
FRONTIERS = (1, 46, 70030, 539775, 35665, 126)
DIRECTIONS: tuple[Direction, ...] = (
    "top_down",
    "top_down",
    "bottom_up",
    "bottom_up",
    "top_down",
    "top_down",
)


def setting_of(plan: str, grid: Grid, **changed: object) -> GraphSetting:
    return GraphSetting(SCALE, Switches.of(plan, **changed), Blocks.even(N, grid))


def top_down(levels: int = 6) -> tuple[LevelFacts, ...]:
    return levels_from_profile(18, N * 0.6, levels=levels)


def sums(volumes: SearchVolumes) -> dict[str, int]:
    return {str(phase): count for phase, count in volumes.by_phase().items()}


def test_replicated_at_scale_20_on_16_ranks() -> None:
    found = search_volumes(setting_of("replicated-csr", Grid(16, 1)), top_down())

    assert all(part.audit_class == "a" for part in found)
    assert found.received_by(3) == 5 * (122_880 + 15 * 128) + 6 * 8 * 15
    assert sums(found) == {"expand": 16 * 5 * (122_880 + 1920), "reduce": 16 * 6 * 120}


def test_both_replicated_plans_move_the_same() -> None:
    one, other = (
        search_volumes(setting_of(plan, Grid(6, 1)), top_down())
        for plan in ("replicated-csr", "replicated-csc")
    )

    assert sums(one) == sums(other)


def test_two_dim_on_one_column_moves_the_bytes_of_replicated_but_for_the_summary() -> None:
    grid = Grid(6, 1)
    two_dim = search_volumes(setting_of("two-dim", grid), top_down())
    replicated = search_volumes(setting_of("replicated-csr", grid), top_down())
    summary = 5 * 5 * int(Blocks.even(N, grid).summary_bytes.sum())

    assert sums(two_dim) == {
        "expand": sums(replicated)["expand"] - summary,
        "reduce": sums(replicated)["reduce"],
    }


@pytest.mark.parametrize("dedup", ["none", "local"])
def test_two_dim_on_one_row_moves_the_bytes_of_simple(dedup: str) -> None:
    grid = Grid(1, 9)
    changed = {"duplicates": "drop", "dedup": dedup, "ids": 32}

    one, other = (
        search_volumes(setting_of(plan, grid, **changed), top_down())
        for plan in ("simple", "two-dim")
    )

    assert one == other


def test_plain_two_dim_folds_25_megabytes_a_rank() -> None:
    setting = setting_of("two-dim", Grid(4, 4))
    found = search_volumes(setting, top_down())
    whole = whole_search_fold(setting)

    assert found.of("expand").bytes_per_rank == 5 * 24_576
    assert found.of("fold").bytes_per_rank == pytest.approx(25.16e6, rel=0.01)
    assert found.of("fold").low_bytes == round(whole.low)
    assert found.of("fold").high_bytes == round(whole.high)
    assert whole.high - whole.low < 0.01 * whole.expected
    levels = [found.of("fold", level=level) for level in range(6)]
    assert sum(one.low_bytes for one in levels) < whole.low
    assert sum(one.high_bytes for one in levels) > whole.high


def test_what_folds_more_than_tuples_has_no_whole() -> None:
    for plan in ("replicated-csc", "hybrid"):
        with pytest.raises(UsageError, match="not tuples alone"):
            whole_search_fold(setting_of(plan, Grid(4, 4)))


def test_eight_byte_tuples_are_half() -> None:
    wide, narrow = (
        search_volumes(setting_of("two-dim", Grid(2, 3), ids=ids), top_down()) for ids in (64, 32)
    )

    assert narrow.of("fold").bytes_sent == pytest.approx(wide.of("fold").bytes_sent / 2, abs=6)
    assert narrow.of("expand") == wide.of("expand")


@pytest.mark.parametrize(
    ("exchange", "counted"),
    [
        ("own", 0),
        ("sparse", 0),
        ("alltoallv", 1),
        ("pairwise", 1),
        ("neighbour", 1),
        ("persistent", 1),
        ("one-sided", 1),
        ("two-level", 1),
        ("eager", 0),
    ],
)
def test_count_exchanges_are_a_line_of_their_own(exchange: str, counted: int) -> None:
    found = search_volumes(setting_of("two-dim", Grid(4, 4), exchange=exchange), top_down())

    assert found.of("count").bytes_sent == counted * 6 * 16 * 3 * 8
    assert found.of("count").low_bytes == found.of("count").high_bytes


def test_an_eager_exchange_tells_lengths_in_its_folds() -> None:
    plain, eager = (
        search_volumes(setting_of("two-dim", Grid(4, 4), exchange=exchange), top_down())
        for exchange in ("own", "eager")
    )

    for level in range(6):
        told = eager.of("fold", level=level).bytes_sent - plain.of("fold", level=level).bytes_sent
        assert told == 16 * 3 * 8
    assert eager.fold_ends is None  # not tuples alone
    assert eager.bytes_sent == plain.bytes_sent + 6 * 16 * 3 * 8
    with pytest.raises(UsageError, match="not tuples alone"):
        whole_search_fold(setting_of("two-dim", Grid(4, 4), exchange="eager"))


def test_in_a_long_row_an_eager_exchange_is_an_alltoallv() -> None:
    for cols, is_few in ((16, True), (17, False)):
        alltoallv, eager = (
            search_volumes(setting_of("simple", Grid(1, cols), exchange=exchange), top_down())
            for exchange in ("alltoallv", "eager")
        )

        assert eager.bytes_sent == alltoallv.bytes_sent
        assert (eager == alltoallv) != is_few


def test_headers_and_hops_come_on_top_of_the_tuples() -> None:
    """A row of 4 on 2 nodes: of 3 others, one is two hops away."""
    direct, put, hops = (
        search_volumes(
            replace(setting_of("two-dim", Grid(4, 4), exchange=exchange), row_nodes=nodes),
            top_down(),
        ).of("fold", level=2)
        for exchange, nodes in (("alltoallv", 1), ("one-sided", 1), ("two-level", 2))
    )

    pairs = 16 * 3
    assert put.bytes_sent == pytest.approx(direct.bytes_sent + 8 * pairs, abs=1)
    assert hops.bytes_sent == pytest.approx((direct.bytes_sent + 16 * pairs) * (1 + 1 / 3), abs=1)


def test_the_emulation_of_one_sided_sends_24_bytes_where_windows_take_16() -> None:
    windows, emulated = (
        search_volumes(setting_of("one-sided", Grid(1, 6), exchange=exchange), top_down())
        for exchange in ("own", "emulated")
    )

    assert emulated.of("fold").bytes_sent == pytest.approx(
        1.5 * windows.of("fold").bytes_sent, abs=12
    )
    assert emulated.of("count").bytes_sent == 6 * 6 * 5 * 8
    assert windows.of("count").bytes_sent == 0


def test_a_row_lies_evenly_on_its_nodes() -> None:
    with pytest.raises(UsageError, match="4 ranks of a grid row do not lie evenly on 3 nodes"):
        replace(setting_of("two-dim", Grid(4, 4)), row_nodes=3)


def test_two_levels_exchange_two_kinds_of_counts() -> None:
    setting = replace(setting_of("simple", Grid(1, 12), exchange="two-level"), row_nodes=3)

    found = search_volumes(setting, top_down())

    assert found.of("count").bytes_sent == 6 * 12 * 8 * (3 + 2)


def test_a_listed_frontier_is_four_bytes_a_vertex() -> None:
    levels = recorded_levels(["top_down"] * 6, FRONTIERS, [1] * 6, 6)
    listed = search_volumes(setting_of("two-dim", Grid(4, 4), frontier="list"), levels)
    smaller = search_volumes(setting_of("two-dim", Grid(4, 4), frontier="smaller"), levels)

    later = FRONTIERS[1:]
    assert listed.of("expand").bytes_sent == 3 * (5 * 8 * 16 + 4 * sum(later))
    best = sum(min(4 * vertices, N // 8) for vertices in later)
    assert smaller.of("expand").bytes_sent == 3 * (5 * 8 * 16 + best)


def hybrid(grid: Grid, **changed: object) -> SearchVolumes:
    setting = setting_of("hybrid", grid, leaves="in", **changed)
    by_policy = setting.switches.direction == "policy"
    levels = recorded_levels(
        DIRECTIONS if by_policy else ["top_down"] * 6,
        FRONTIERS,
        [None] * 6,
        1.0,
        share_reaching=setting.share_reaching,
    )
    return search_volumes(setting, levels)


def test_hybrid_goes_round_the_row_and_gathers_the_column_bottom_up() -> None:
    found = hybrid(Grid(4, 4), hubs="off", frontier="smaller")
    piece = N // 16 // 8

    for level in (2, 3):
        assert sums(found.of("rotate", level=level)) == {"rotate": 16 * 4 * piece}
        assert sums(found.of("expand", level=level)) == {"expand": 16 * 3 * piece}
        assert found.of("fold", level=level).low_bytes > 0
    assert not found.of("expand", level=0).parts  # every rank knows the root
    assert found.of("rotate").bytes_sent == 2 * 16 * 4 * piece


def nearly_all_found(grid: Grid, **changed: object) -> SearchVolumes:
    """Two levels bottom-up: the first finds all but a hundred, the second these."""
    setting = setting_of("hybrid", grid, leaves="in", **changed)
    levels = recorded_levels(
        ["top_down", "bottom_up", "bottom_up", "top_down"],
        [1, 3000, N - 3101, 100],
        [None] * 4,
        1.0,
        share_reaching=setting.share_reaching,
    )
    return search_volumes(setting, levels)


def test_with_hubs_few_are_left_and_ask_by_lists_unless_these_are_not_smaller() -> None:
    ring, told, padding = 16 * 4 * (N // 16 // 8), 8 * 16 * 3, 16 * 4 * 64

    many = hybrid(Grid(4, 4)).of("rotate", level=2)  # four in ten are never found here
    few = nearly_all_found(Grid(4, 4)).of("rotate", level=2)
    in_vain = 16 * 3 * 4096  # short lists, which went with their lengths

    assert many.high_bytes == few.high_bytes == ring + told + padding + in_vain
    assert many.bytes_sent == ring + told
    assert told < few.bytes_sent < ring / 100
    assert not few.of(exact=True).parts
    long_row = 17 * int(Blocks.even(N, Grid(1, 17)).piece_bytes.sum()) + 17 * 64 * 17
    assert hybrid(Grid(1, 17)).of("rotate", level=2).high_bytes == long_row + 8 * 17 * 16


def test_no_list_of_a_small_graph_is_longer_than_its_bitmap_and_a_tenth() -> None:
    setting = GraphSetting(12, Switches.of("hybrid"), Blocks.even(1 << 12, Grid(2, 2)))
    levels = recorded_levels(["bottom_up"] * 2, [1, 1000], [None] * 2, 1.0,
                             share_reaching=setting.share_reaching)  # fmt: skip
    ring, told, padding = 4 * 2 * (1 << 12) // 4 // 8, 8 * 4, 4 * 2 * 64

    found = search_volumes(setting, levels).of("rotate", level=0)

    assert found.high_bytes == ring + told + padding + round(4 * 1.1 * (1 << 12) / 4 / 8)


def test_few_visited_or_few_others_travel_as_lists_along_the_column() -> None:
    bitmaps, told = 3 * int(Blocks.even(N, Grid(4, 1)).piece_bytes.sum()), 8 * 4 * 3
    found = nearly_all_found(Grid(4, 1))

    begins, ends = (found.of("expand", level=level) for level in (1, 2))
    assert begins.high_bytes == ends.high_bytes == bitmaps + told + 4 * 3 * 64
    assert told < ends.bytes_sent < begins.bytes_sent < bitmaps / 10
    assert hybrid(Grid(4, 1)).of("expand", level=3).bytes_sent == bitmaps + told
    plain = nearly_all_found(Grid(4, 1), frontier="smaller").of("expand", level=1)
    assert plain.bytes_sent == plain.low_bytes == bitmaps


def test_every_level_of_hybrid_has_one_reduction_by_rows_then_columns() -> None:
    found, plain = hybrid(Grid(2, 3)), hybrid(Grid(2, 3), direction="top-down")
    # six ranks, a number to each of two others in the row and to one in the column
    one = 6 * 8 * (2 + 1)

    for one_search in (found, plain):  # the owner tells of the root
        assert one_search.of("reset", level=OUTSIDE).bytes_sent == 5 * 48
    # what was found, for the policy its arcs, and how many hubs are visited
    without, column = hybrid(Grid(2, 3), hubs="off"), hybrid(Grid(6, 1))
    for level in range(5):
        assert plain.of("reduce", level=level).bytes_sent == 2 * one
        assert found.of("reduce", level=level).bytes_sent == 3 * one
        assert without.of("reduce", level=level).bytes_sent == 2 * one
        assert column.of("reduce", level=level).bytes_sent == 2 * 6 * 8 * 5
    for searched in (
        found,
        plain,
        without,
        column,
    ):  # the last, which finds nothing, is not searched
        assert not searched.of(level=5).parts


def test_hubs_are_told_to_the_row_as_bits_then_as_a_list_of_the_few_others() -> None:
    found = nearly_all_found(Grid(4, 4))
    first, second = (found.of("hub_pass", level=level) for level in (1, 2))
    bits = 16 * 3 * (8 + 8 * most_hubs(N, Grid(4, 4)) / 4 / 64)

    assert bits < first.bytes_sent < bits + 16 * 3 * 8
    assert 16 * 3 * 8 < second.bytes_sent < first.bytes_sent / 2
    assert first.high_bytes == second.high_bytes > first.bytes_sent
    assert not hybrid(Grid(4, 1)).of("hub_pass").parts


def test_hubs_on_the_frontier_are_told_top_down_where_there_are_families() -> None:
    found = hybrid(Grid(4, 4))
    told = 16 * 3 * 8

    assert not found.of("hub_pass", level=0).parts  # every rank knows the root
    second, late = (found.of("hub_pass", level=level) for level in (1, 4))
    assert told + 46 * 3 * 4 < second.bytes_sent < told + 4 * 46 * 3 * 4
    assert second.low_bytes == 0  # where no hub is new
    assert (late.low_bytes, late.bytes_sent) == (0, 0)
    assert late.high_bytes > told
    for classes in ({"relabel": "classes"}, {"streams": "off"}, {"hubs": "off"}):
        assert not hybrid(Grid(4, 4), **classes).of("hub_pass", level=1).parts


def test_other_plans_reduce_over_all_ranks() -> None:
    found = search_volumes(setting_of("two-dim", Grid(2, 3)), top_down())

    assert {part.bytes_sent for part in found.of("reduce").parts} == {6 * 8 * 5}


def test_hybrid_on_one_column_folds_nothing_and_asks_once_more_where_nothing_is_likely() -> None:
    assert set(hybrid(Grid(3, 1)).by_phase()) == {"reset", "expand", "reduce"}

    found = hybrid(Grid(3, 1), frontier="smaller", likely_parents="off")

    assert set(found.by_phase()) == {"reset", "expand", "reduce", "emit"}
    assert found.of("emit").bytes_sent == 2 * int(Blocks.even(N, Grid(3, 1)).piece_bytes.sum())


@pytest.mark.parametrize("plan", PLANS)
def test_one_rank_sends_nothing(plan: str) -> None:
    found = search_volumes(setting_of(plan, Grid(1, 1)), top_down())

    assert found.bytes_sent == found.high_bytes == 0
    assert found.parts == ()


@pytest.mark.parametrize("plan", PLANS)
def test_intervals_hold_their_expectation(plan: str) -> None:
    setting = setting_of(plan, Switches.of(plan).grid_of(12))
    direction = setting.switches.direction
    levels = levels_from_profile(18, N * 0.5, distinct=True, direction=direction)
    found = search_volumes(setting, levels)

    assert found.parts
    for part in found:
        assert 0 <= part.low_bytes <= part.bytes_sent <= part.high_bytes
        assert part.is_exact == (part.low_bytes == part.high_bytes == part.bytes_sent)
        if part.sent_by_rank is not None and part.received_by_rank is not None:
            assert part.sent_by_rank.sum() == part.received_by_rank.sum() == part.bytes_sent


def test_packing_makes_folds_smaller() -> None:
    plain, packed = (hybrid(Grid(4, 4), fold=form).of("fold") for form in ("plain", "packed"))

    assert packed.bytes_sent < plain.bytes_sent
    assert packed.high_bytes < plain.high_bytes


def test_what_no_plan_has_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no search plan 'best'"):
        Switches.of("best")
    with pytest.raises(UsageError, match="there is no switch colour"):
        Switches.of("hybrid", colour="red")


def test_arcs_that_a_level_does_not_tell_follow_from_the_vertices_it_reached() -> None:
    setting = setting_of("hybrid", Grid(4, 4), leaves="in")
    told = [10, 20, None, None, 30, 0]
    found = recorded_levels(DIRECTIONS, FRONTIERS, told, 1e6, share_reaching=setting.share_reaching)

    assert [level.arcs.expected for level in found[:2]] == [1e-5, 2e-5]
    assert setting.met(found[3].arcs_before) == pytest.approx(sum(FRONTIERS[:4]), rel=0.005)
    assert found[2].arcs == Range(0.0, found[2].arcs.expected, 1 - 3e-5)
    with pytest.raises(UsageError, match="level 2 does not tell its arcs"):
        recorded_levels(DIRECTIONS, FRONTIERS, told, 1e6)


@pytest.mark.parametrize("scale", [4, 10, 13, 17, 26, 36])
@pytest.mark.parametrize("direction", ["top-down", "bottom-up", "policy"])
def test_profiles_give_levels_for_every_scale(scale: int, direction: str) -> None:
    levels = levels_from_profile(scale, 1000.0, direction=direction)

    assert sum(level.arcs.expected for level in levels) == pytest.approx(1)
    assert sum(level.vertices.expected for level in levels) == pytest.approx(1000)
    assert [level.arcs_before for level in levels] == sorted(level.arcs_before for level in levels)
    directions = {level.direction for level in levels}
    assert (
        directions
        == {
            "top-down": {"top_down"},
            "bottom-up": {"bottom_up"},
            "policy": {"top_down", "bottom_up"},
        }[direction]
    )
