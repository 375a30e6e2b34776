# SPDX-License-Identifier: Apache-2.0
"""The rules do on the reference's own output what is known of them, and on Isobath's the same.

Isobath's samples are of `isobath run --scale 12`; tests/system holds the rules against real runs.
"""

import re
from pathlib import Path

import pytest

from downstream_parsers import READS_REFERENCE, READS_SPECIFICATION, ramble

DATA = Path(__file__).resolve().parents[1] / "data"
REFERENCE = (DATA / "reference-3.0-stdout-bfs.txt").read_text(encoding="ascii")
OWN_REFERENCE = (DATA / "isobath-official-reference.txt").read_text(encoding="ascii")
OWN_SPECIFICATION = (DATA / "isobath-official-spec.txt").read_text(encoding="ascii")
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


def value_of(text: str, label: str) -> float:
    (found,) = re.findall(rf"(?m)^{label}:[\s!]*(\S+)$", text)
    return float(found)


@pytest.mark.parametrize("name", READS_REFERENCE)
def test_the_reference_text_of_isobath(name: str) -> None:
    rule, finds_it = READS_REFERENCE[name]

    value = value_of(OWN_REFERENCE, "bfs  harmonic_mean_TEPS")
    assert rule(OWN_REFERENCE) == (value if finds_it else None)


@pytest.mark.parametrize("name", READS_SPECIFICATION)
def test_the_specification_text_of_isobath(name: str) -> None:
    rule, finds_it = READS_SPECIFICATION[name]

    value = value_of(OWN_SPECIFICATION, "bfs_harmonic_mean_TEPS")
    assert rule(OWN_SPECIFICATION) == (value if finds_it else None)


def test_isobath_has_the_labels_of_the_reference() -> None:
    def labels(text: str) -> list[str]:
        return [line.partition(":")[0] for line in text.splitlines()]

    assert labels(OWN_REFERENCE) == labels(REFERENCE)


def test_isobath_without_the_bang_is_read_by_the_strictest() -> None:
    value = value_of(OWN_REFERENCE, "bfs  harmonic_mean_TEPS")
    assert ramble(OWN_REFERENCE.replace("!", " ")) == value
