# SPDX-License-Identifier: Apache-2.0
"""All pairs of 3,072 nodes of the K computer, routed (A6); seconds of a processor for a shape."""

import pytest

from isobath.reproduce.k_computer import SHAPES, routed, torus_of


@pytest.mark.parametrize("shape", sorted(set(SHAPES[3072].values())))
def test_closed_form_and_brute_force_are_equal(shape: tuple[int, int, int]) -> None:
    assert routed(shape) == pytest.approx(torus_of(shape).busiest_of_all_to_all())
