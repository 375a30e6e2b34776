# SPDX-License-Identifier: Apache-2.0
"""What official-runs.md says of the specification: every section, and places that exist."""

import re
from pathlib import Path

import pytest

from isobath.records.run_records import RunRecords
from isobath.report.run_data import RunData
from isobath.report.sections import official
from report import sample_runs
from report.sample_runs import Sample

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


def data_of_a_run() -> RunData:
    records = RunRecords.of(sample_runs.records(Sample(searches=4, levels=False)))
    return RunData(records, {"official-reference.txt": "SCALE: 20\n"})


CLAIMS = re.compile(
    r"rules\s+of\s+(the|an)(\s+\w+){1,3}\s+were\s+enforced"
    r"|every\s+rule\s+was\s+enforced|[Nn]othing less"
)


@pytest.mark.parametrize(
    "claim",
    [
        "the rules of the specification were enforced",
        "the rules of an official run were enforced",
        "rules of the official\n runs were enforced",
        "every rule was enforced",
        "nothing less",
    ],
)
def test_a_claim_that_every_rule_was_enforced_is_seen(claim: str) -> None:
    assert CLAIMS.search(claim)


def test_no_place_says_that_every_rule_was_enforced() -> None:
    """Rules leave room for reading; a run is refused for what can be checked."""
    told = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/isobath/**/*.py")]
    assert [str(path) for path in told if CLAIMS.search(path.read_text(encoding="utf-8"))] == []
    lead = official.render(data_of_a_run()).lead
    assert "what can be checked of the rules" in lead
    assert "official-runs.md" in lead


def test_both_texts_on_structures_by_degree_are_told() -> None:
    assert "informed by vertex degree" in TEXT
    assert "f098d0f" in TEXT
