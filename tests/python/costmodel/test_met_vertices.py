# SPDX-License-Identifier: Apache-2.0
"""Vertices met, against their sum over classes one by one."""

from math import comb, exp, expm1, log1p

import pytest

from isobath.costmodel.arcs import met_vertices
from isobath.costmodel.kronecker import neighbour_classes


def one_by_one(scale: int, share: float, *, without_leaves: bool) -> float:
    """As the docstring of met_vertices says it, a class of neighbours after the other."""
    edges = 16 << scale
    ends = [
        sum(group.count * group.rate for group in neighbour_classes(scale, ones, edges))
        for ones in range(scale + 1)
    ]
    total = 0.0
    for ones in range(scale + 1):
        unmet = leaf = 0.0
        for group in neighbour_classes(scale, ones, edges):
            present = -expm1(-group.rate)
            if without_leaves:
                leaf += group.count * present * exp(-min(700.0, ends[ones] - group.rate))
                present *= -expm1(-(ends[group.ones] - group.rate))
            unmet += group.count * log1p(-min(share * present, 1 - 1e-15))
        total += comb(scale, ones) * max(0.0, -expm1(unmet) - share * leaf)
    return total


@pytest.mark.parametrize("without_leaves", [False, True])
@pytest.mark.parametrize("scale", [1, 2, 5, 11, 18])
def test_vertices_met_are_those_summed_one_by_one(scale: int, without_leaves: bool) -> None:
    for share in (0.0, 1e-12, 1e-6, 0.003, 0.25, 0.77, 1.0):
        found = met_vertices(scale, 16, share, without_leaves=without_leaves)

        expected = one_by_one(scale, share, without_leaves=without_leaves)
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)
