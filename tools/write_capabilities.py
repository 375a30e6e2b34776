#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of capabilities into README.md from docs/reference/capabilities.toml.

``--check`` writes nothing and fails when the table is not current or its evidence does not exist.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "docs" / "reference" / "capabilities.toml"
README = ROOT / "README.md"
BEGIN = "<!-- capabilities: written by tools/write_capabilities.py -->"
END = "<!-- end of capabilities -->"
STATES = {
    "proven": "proven here",
    "statistical": "statistically shown",
    "simulated": "simulated",
    "predicted": "predicted",
    "untested": "untested",
}


def table(capabilities: list[dict[str, object]]) -> str:
    """The table as Markdown, one row per capability."""
    rows = ["| capability | state | where |", "|---|---|---|"]
    for capability in capabilities:
        state = STATES[str(capability["state"])]
        rows.append(f"| {capability['name']} | {state} | {capability['where']} |")
    return "\n".join(rows)


def missing_evidence(capabilities: list[dict[str, object]]) -> list[str]:
    """Files named as evidence that are not there, and claims of proof without any."""
    missing = []
    for capability in capabilities:
        evidence = capability["evidence"]
        if not isinstance(evidence, list) or (capability["state"] == "proven" and not evidence):
            missing.append(f"{capability['name']}: no evidence is named")
            continue
        missing += [
            f"{capability['name']}: {path} is not there"
            for path in evidence
            if not (ROOT / path).exists()
        ]
    return missing


def with_table(readme: str, new_table: str) -> str:
    """The README with the text between the markers replaced."""
    before, rest = readme.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{new_table}\n{END}{after}"


def main() -> int:
    """Writes or checks; returns the exit status."""
    capabilities = tomllib.loads(SOURCE.read_text())["capability"]
    problems = missing_evidence(capabilities)
    readme = README.read_text()
    wanted = with_table(readme, table(capabilities))
    if "--check" in sys.argv[1:]:
        if wanted != readme:
            problems.append("README.md: its table is not current; run tools/write_capabilities.py")
    else:
        README.write_text(wanted)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
