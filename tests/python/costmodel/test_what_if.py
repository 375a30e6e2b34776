# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import levels_from_profile
from isobath.costmodel.switches import Switches
from isobath.costmodel.what_if import (
    Message,
    Network,
    alltoallv_seconds,
    grid_instead,
    reached_ranks,
    sparse_instead,
    sparse_seconds,
)
from isobath.errors import UsageError

LEVELS = levels_from_profile(18, 160_000.0)
SLOW_START = Network(Range(9e-5, 1e-4, 1.1e-4), Range.exactly(1e-12))
"""Latency is nearly all."""
NARROW = Network(Range.exactly(0.0), Range(0.9e-9, 1e-9, 1.1e-9))
"""Only bytes cost."""


def setting_of(ranks: int, scale: int = 18) -> GraphSetting:
    grid = Grid(1, ranks)
    return GraphSetting(scale, Switches.of("simple"), Blocks.even(1 << scale, grid))


def test_an_alltoallv_pays_for_every_rank_twice() -> None:
    message = Message(group=5, bytes_sent=1000, tuples=50)

    assert alltoallv_seconds(message, 1.0, 0.0) == 8
    assert alltoallv_seconds(message, 0.0, 1.0) == 1000 + 32
    assert sparse_seconds(message, 0.0, 1.0) == 1000


@pytest.mark.parametrize(("others", "tuples"), [(1, 3), (7, 1), (7, 5), (63, 40), (63, 1000)])
def test_reached_ranks_are_those_of_tuples_thrown_at_random(others: int, tuples: int) -> None:
    rng = np.random.default_rng(5)
    thrown = [len(set(rng.integers(others, size=tuples).tolist())) for _ in range(2000)]

    found = reached_ranks(Message(others + 1, 0.0, tuples))

    assert found == pytest.approx(np.mean(thrown), rel=0.03)


def test_one_rank_reaches_nobody() -> None:
    assert reached_ranks(Message(1, 0.0, 100)) == 0
    assert sparse_seconds(Message(1, 0.0, 100), 1.0, 1.0) == 0


def test_sparse_messages_win_where_latency_counts_and_ranks_are_many() -> None:
    found = sparse_instead(setting_of(1024), LEVELS, SLOW_START)

    assert found.verdict == "faster"
    assert found.instead.expected < found.as_is.expected / 2


def test_a_grid_saves_messages_and_pays_for_its_expand_in_bytes() -> None:
    assert grid_instead(18, 1024, LEVELS, SLOW_START).verdict == "faster"
    found = grid_instead(18, 16, LEVELS, NARROW)
    assert found.name == "grid 4x4 instead of 1x16"
    assert found.instead.expected < found.as_is.expected  # C - 1 of C arcs, against P - 1 of P
    expand = found.instead.expected - found.as_is.expected * (3 / 4) / (15 / 16)
    assert expand > 0


def test_intervals_that_overlap_tell_nothing() -> None:
    vague = Network(Range(0.0, 1e-6, 1e-3), Range(0.0, 1e-10, 1e-6))

    assert grid_instead(18, 64, LEVELS, vague).verdict == "cannot tell"
    assert sparse_instead(setting_of(64), LEVELS, vague).verdict == "cannot tell"


def test_a_network_is_given_in_order() -> None:
    with pytest.raises(UsageError, match="low <= expected <= high"):
        Network(Range(2.0, 1.0, 3.0), Range.exactly(0.0))
