# SPDX-License-Identifier: Apache-2.0
"""What official-runs.md says of the specification: every section, and places that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs/reference/official-runs.md").read_text(encoding="utf-8")

SECTIONS = (
    "Overall Benchmark",
    "Generating the Edge List",
    "Kernel 1",
    "Sampling 64 Search Keys",
    "Kernel 2 and 3 Output",
    "Validation",
    "Timing",
    "Performance Metric",
    "Output",
)
"""Of Graph500.org, V2.0."""


def rows() -> list[list[str]]:
    found = [line.strip("| \n").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    start = next(number for number, row in enumerate(found) if row[0] == "Section")
    return found[start + 1 :]


def test_every_section_has_a_rule_and_what_we_do() -> None:
    named = [row[0] for row in rows()]
    assert [one for one in SECTIONS if one not in named] == []
    assert all(len(row) >= 3 for row in rows() if row[0] in SECTIONS)


def test_the_code_that_is_named_is_there() -> None:
    places = re.findall(r"`(engine/[^`]+)`", TEXT)
    assert len(places) >= 5
    assert [one for one in places if not list(ROOT.glob(one.rstrip("/")))] == []
    for name in re.findall(r"`Run::(\w+)`", TEXT):
        protocol = (ROOT / "engine/graph500/protocol.cpp").read_text(encoding="utf-8")
        assert f"Run::{name}(" in protocol


def test_both_texts_on_structures_by_degree_are_told() -> None:
    assert "informed by vertex degree" in TEXT
    assert "f098d0f" in TEXT
