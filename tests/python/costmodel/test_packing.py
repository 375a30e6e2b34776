# SPDX-License-Identifier: Apache-2.0
"""Expected bytes of packed lists against lists that are packed."""

import numpy as np
import pytest

from isobath.costmodel.packing import list_bytes, number_bytes, proposals_bytes, source_bits


def packed(numbers: list[int]) -> int:
    """Ascending numbers as differences less one, 7 bits to a byte: counted digit by digit."""
    total, following = 0, 0
    for number in numbers:
        difference = number - following
        total += 1
        while difference >= 128:
            difference //= 128
            total += 1
        following = number + 1
    return total


@pytest.mark.parametrize(
    ("count", "out_of"), [(1, 50_000), (3, 1000), (200, 300), (500, 65_536), (40, 2_000_000)]
)
def test_lists_of_random_numbers(count: int, out_of: int) -> None:
    rng = np.random.default_rng(7)
    drawn = [
        packed(sorted(rng.choice(out_of, size=count, replace=False).tolist())) for _ in range(300)
    ]

    assert list_bytes(count, out_of) == pytest.approx(np.mean(drawn), rel=0.03)


@pytest.mark.parametrize(("vertices", "bits"), [(1, 0), (2, 1), (1024, 10), (1025, 11)])
def test_a_source_takes_the_bits_of_its_column(vertices: int, bits: int) -> None:
    assert source_bits(vertices) == bits


def test_a_parcel_is_its_count_its_targets_and_its_sources() -> None:
    """300 targets of 300 follow each other: a byte each; a count of 300 takes two bytes, 300
    sources of 5 bits 188, of which the form knows the mean rounding.
    """
    found = proposals_bytes(300, 300, 5)

    assert number_bytes(300) == 2
    assert found == 2 + 300 + 187.5 + 0.5


def test_nothing_takes_nothing() -> None:
    assert list_bytes(0, 100) == proposals_bytes(0, 100, 7) == 0
