# SPDX-License-Identifier: Apache-2.0
"""What suites reported, added up."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Results:
    """Counts of tests, and the names of those that failed or were skipped."""

    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def __add__(self, other: "Results") -> "Results":
        return Results(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def sentence(self) -> str:
        """For example: 120 passed, 0 failed, 2 skipped."""
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def results_of(name: str, status: int, junit: Path | None) -> Results:
    """Results of a suite: from its junit file where there is one, else one result for its status.

    A suite that failed without naming a failed test counts as one failure.
    """
    found = read_junit(junit, name) if junit is not None and junit.exists() else None
    if found is None:
        return Results(passed=1) if status == 0 else Results(failed=(name,))
    if status != 0 and not found.failed:
        return found + Results(failed=(f"{name} (status {status})",))
    return found


def read_junit(path: Path, suite: str) -> Results | None:
    """Counts of a junit file as ctest and pytest write it; None where it is damaged."""
    try:
        root = ET.parse(path).getroot()
    except (ET.ParseError, OSError):
        return None
    passed, failed, skipped = 0, [], []
    for case in root.iter("testcase"):
        place = case.get("classname") or ""
        name = f"{suite}: {place + '.' if place and place != case.get('name') else ''}"
        name += case.get("name") or "?"
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped.append(name)
        else:
            passed += 1
    return Results(passed, tuple(failed), tuple(skipped))
