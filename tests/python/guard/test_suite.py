# SPDX-License-Identifier: Apache-2.0
"""The quick suite holds at most 60 cells: what searches call, from small to large."""

import pytest

from guard.made_regressions import archive_of, name_of
from isobath.baseline.entries import KeptCell, Member
from isobath.guard.design import MOST_CELLS
from isobath.kinds.regress.suite import OF_A_SEARCH, chosen, words_left_out

SIZES = [2**power for power in range(3, 23)]


def member(names: tuple[str, ...], sizes: list[int]) -> Member:
    (found,) = archive_of({(name, size): [1e-6] for name in names for size in sizes}).members
    return found


def as_search(cell: KeptCell) -> KeptCell:
    key = cell.key.model_copy(update={"collective": "", "size_bytes": None})
    return cell.model_copy(update={"key": key, "name": f"search {cell.name}"})


def searches(number: int) -> Member:
    return searches_of(SIZES[:number])


def searches_of(sizes: list[int]) -> Member:
    found = member(("search",), sizes)
    return found.model_copy(update={"cells": tuple(map(as_search, found.cells))})


@pytest.mark.parametrize("number", [0, 6, 20])
@pytest.mark.parametrize("sizes", [1, 6, 20])
def test_it_is_at_most_sixty_cells_whatever_the_baseline_holds(number: int, sizes: int) -> None:
    collectives = member((*OF_A_SEARCH, "scatter", "gather"), SIZES[:sizes])

    cells = chosen([collectives, searches(number)], "quick")

    assert len(cells) <= MOST_CELLS == 60
    assert sum(not cell.key.collective for cell in cells) == number
    kept = {cell.key.collective for cell in cells} - {""}
    assert kept == set(OF_A_SEARCH)
    spread = sorted({cell.key.size_bytes or 0 for cell in cells if cell.key.collective})
    assert spread[-1] == SIZES[:sizes][-1]
    assert len(chosen([collectives, searches(number)], "full")) == 10 * sizes + number


def test_many_searches_leave_no_more_than_sixty() -> None:
    many = member(("search",), [*SIZES, *(size + 1 for size in SIZES), *(3 * s for s in SIZES)])
    cells = tuple(map(as_search, many.cells)) + tuple(
        as_search(one).model_copy(update={"name": f"x {one.name}"}) for one in many.cells
    )

    assert len(chosen([many.model_copy(update={"cells": cells})], "quick")) == MOST_CELLS


@pytest.mark.parametrize(("number", "kept"), [(40, 40), (60, 40), (90, 40)])
def test_collectives_have_room_beside_any_number_of_searches(number: int, kept: int) -> None:
    sizes = SIZES[:8]
    collectives = member(OF_A_SEARCH, sizes)
    many = searches_of([8 * (place + 1) for place in range(number)])

    cells = chosen([many, collectives], "quick")

    assert len(cells) <= MOST_CELLS
    assert sum(not cell.key.collective for cell in cells) == kept
    there = [cell for cell in cells if cell.key.collective]
    assert {cell.key.collective for cell in there} == set(OF_A_SEARCH)
    assert len({cell.key.size_bytes for cell in there}) >= 2
    (sentence,) = words_left_out([many, collectives], cells, "quick")
    gone = number - kept
    assert f"has {len(cells)} of {number + 64} cells of the baseline" in sentence
    assert (f"{gone} of searches and the like" in sentence) == bool(gone)
    assert f"{64 - len(there)} of collectives: --suite full" in sentence


def test_nothing_is_said_where_nothing_is_left_out() -> None:
    few = member(OF_A_SEARCH, SIZES[:3])

    assert words_left_out([few], chosen([few], "quick"), "quick") == ()
    assert words_left_out([few], chosen([few], "full"), "full") == ()


def test_forced_and_nonblocking_cells_are_none_of_it() -> None:
    found = member(("bcast",), [8, 64, 512])
    plain, forced, started = found.cells
    forced = forced.model_copy(update={"identity": forced.identity | {"forced": "ring"}})
    started = started.model_copy(update={"identity": started.identity | {"form": "nonblocking"}})

    cells = chosen([found.model_copy(update={"cells": (plain, forced, started)})], "quick")

    assert [cell.name for cell in cells] == [name_of("bcast", 8)]
