# SPDX-License-Identifier: Apache-2.0
"""Shapes that ranks were laid out along, against those asked for."""

import pytest

from isobath.records.placement import Coordinates, laid_out, shape_fault, shape_of


def test_dimension_0_varies_fastest_with_the_rank() -> None:
    assert laid_out("2x3") == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))
    assert laid_out("3") == ((0,), (1,), (2,))
    assert laid_out("2x1x2") == ((0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1))


@pytest.mark.parametrize("shape", ["1x1", "2x3", "3x2", "4", "2x2x2"])
def test_a_shape_is_told_from_its_coordinates(shape: str) -> None:
    assert shape_of(laid_out(shape)) == shape
    assert shape_fault(shape, laid_out(shape)) == ""


@pytest.mark.parametrize(
    ("shape", "obtained", "fault"),
    [
        ("2x2", ((0, 0), (0, 1), (1, 0), (1, 1)), "rank 1 was to be at 1,0 and is at 0,1"),
        ("2x3", laid_out("3x2"), "rank 2 was to be at 0,1 and is at 2,0"),
        ("2x2", laid_out("2x1"), "2 ranks lie in it, not 4"),
        ("2x2", (*laid_out("2x2")[:3], (0, 0)), "rank 3 was to be at 1,1 and is at 0,0"),
    ],
)
def test_the_first_rank_that_lies_elsewhere_is_named(
    shape: str, obtained: Coordinates, fault: str
) -> None:
    assert shape_fault(shape, obtained) == fault
