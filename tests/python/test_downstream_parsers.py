# SPDX-License-Identifier: Apache-2.0
"""The rules do on the reference's own output what is known of them."""

from pathlib import Path

import pytest

from downstream_parsers import READS_REFERENCE, READS_SPECIFICATION, ramble

DATA = Path(__file__).resolve().parents[1] / "data"
REFERENCE = (DATA / "reference-3.0-stdout-bfs.txt").read_text(encoding="ascii")
SPECIFICATION = "SCALE: 12\nbfs_harmonic_mean_TEPS:  3.16590000000000000e+07\n"


@pytest.mark.parametrize("name", READS_REFERENCE)
def test_the_reference_sample(name: str) -> None:
    rule, finds_it = READS_REFERENCE[name]

    assert rule(REFERENCE) == (3.1659e07 if finds_it else None)


@pytest.mark.parametrize("name", READS_SPECIFICATION)
def test_the_name_of_the_specification(name: str) -> None:
    rule, finds_it = READS_SPECIFICATION[name]

    assert rule(SPECIFICATION) == (3.1659e07 if finds_it else None)


def test_without_the_bang_the_strictest_rule_reads_it_too() -> None:
    assert ramble(REFERENCE.replace("!  ", "   ")) == 3.1659e07
