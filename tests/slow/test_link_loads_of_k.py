# SPDX-License-Identifier: Apache-2.0
"""All pairs of 3,072 nodes of the K computer, routed (A6); seconds of a processor for a shape."""

import pytest

from isobath.costmodel.torus import all_to_all
from isobath.reproduce.k_computer import SHAPES, routed, torus_of


@pytest.mark.parametrize("shape", sorted(set(SHAPES[3072].values())))
def test_closed_form_and_brute_force_are_equal(shape: tuple[int, int, int]) -> None:
    torus = torus_of(shape)

    counted = torus.loads(all_to_all(torus.nodes)).max()

    assert counted == pytest.approx(torus.busiest_of_all_to_all())
    assert routed(shape) == pytest.approx(counted)
