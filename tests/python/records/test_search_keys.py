# SPDX-License-Identifier: Apache-2.0
"""Search keys as seeds draw them; that they are those of the engine, stored runs of it prove
(tests/data/studies), which are read with this check.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from isobath.records.search_keys import first_not_drawn, kronecker_candidates, uniform_candidates

SCALE = 20
SEEDS = (2, 3)


def candidates() -> Iterator[int]:
    return kronecker_candidates(SCALE, SEEDS)


def judged(roots: Mapping[int, int], isolated_share: float = 0.4) -> int | None:
    vertices = 1 << SCALE
    return first_not_drawn(candidates(), roots, vertices, int(isolated_share * vertices))


def test_candidates_are_those_that_the_engine_drew() -> None:
    """As runs of it at scales 6 and 18 and a search of 50,000 vertices recorded them."""
    assert list(islice(kronecker_candidates(6, SEEDS), 2)) == [28, 13]
    assert list(islice(kronecker_candidates(18, SEEDS), 2)) == [117395, 54946]
    assert list(islice(uniform_candidates(50_000, 1), 4)) == [47785, 37434, 41434, 40745]


def test_keys_are_candidates_in_their_order() -> None:
    drawn = list(islice(candidates(), 100))

    assert judged(dict(enumerate(drawn[:64]))) is None
    assert judged(dict(enumerate(drawn[1::2]))) is None, "so many may well be isolated"
    assert judged({0: drawn[0], 1: drawn[2], 2: drawn[1]}) == 2
    assert judged({0: drawn[0], 1: drawn[1] ^ 1}) == 1


def test_keys_that_were_picked_out_are_told() -> None:
    """The best 64 of many, which all are candidates in their order."""
    picked = list(islice(candidates(), 640))[::10]

    assert judged(dict(enumerate(picked))) is not None
    assert judged({0: picked[0], 1: picked[1]}, isolated_share=0) == 1


def test_searches_that_were_not_made_may_lie_between() -> None:
    drawn = list(islice(candidates(), 100))

    assert judged({3: drawn[3], 20: drawn[24]}) is None
    assert judged({3: drawn[2]}) == 3, "three keys stand before it"


def test_nothing_is_said_where_vertices_with_a_neighbour_are_rare() -> None:
    assert judged({0: 5}, isolated_share=1) is None
    assert judged({0: 5}, isolated_share=0.99) == 0


def test_a_small_graph_runs_out_of_candidates() -> None:
    assert first_not_drawn(kronecker_candidates(2, SEEDS), {0: 9}, 4, 0) == 0
