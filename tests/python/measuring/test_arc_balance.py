# SPDX-License-Identifier: Apache-2.0
"""What benchmarks/arc_balance.py says of a rank."""

import doctest

import arc_balance


def test_its_examples_hold() -> None:
    assert doctest.testmod(arc_balance).failed == 0
