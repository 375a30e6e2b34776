# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, at the borders between units."""

import pytest

from isobath.units import format_bytes, format_roughly, format_seconds


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, "0 ns"),
        (3.1e-8, "31 ns"),
        (9.999e-7, "1 us"),
        (0.0236, "23.6 ms"),
        (0.9994, "999 ms"),
        (0.99976, "1 s"),
        (118.4, "118 s"),
        (120.0, "2.0 min"),
        (7200.0, "2.0 h"),
        (259_199.0, "72.0 h"),
        (259_200.0, "3 days"),
        (3_968_038_800.0, "45,926 days"),
    ],
)
def test_seconds_have_the_largest_unit_that_fits(seconds: float, expected: str) -> None:
    assert format_seconds(seconds) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1536, "1.54 kB"),
        (999_600, "1 MB"),
        (999_400_000, "999 MB"),
        (25_276_514_304, "25.3 GB"),
        (4_400_000_000_000_000, "4,400 TB"),
    ],
)
def test_bytes_never_have_an_exponent(count: int, expected: str) -> None:
    assert format_bytes(count) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.2, "1 s"), (24.63, "25 s"), (89.4, "89 s"), (150.0, "2 min"), (5400.0, "1.5 h")],
)
def test_estimates_are_whole_numbers(seconds: float, expected: str) -> None:
    assert format_roughly(seconds) == expected
