# SPDX-License-Identifier: Apache-2.0
"""What suites reported, added up."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

OVER_TIME = 124
"""Status of a suite that its limit ended."""

LEFT_OUT = re.compile(r"left out: (?P<package>[^;]+); (?P<cure>.+)", re.S)
"""The reason that a test gives which needs a package of the system (tests/needs.py)."""


@dataclass(frozen=True)
class LeftOut:
    """A test that could not run, or a whole suite, because the system lacks a package."""

    name: str
    package: str
    cure: str


@dataclass(frozen=True)
class Results:
    """Counts of tests, and the names of those that failed, were skipped or left out."""

    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def __add__(self, other: "Results") -> "Results":
        return Results(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.left_out + other.left_out,
        )

    def sentence(self) -> str:
        """For example: 120 passed, 0 failed, 2 skipped, 158 left out."""
        said = f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
        return f"{said}, {len(self.left_out)} left out" if self.left_out else said

    def omissions(self) -> list[str]:
        """One line for each package that is missing, with what would mend it.

        For example: left out: chromium, 158 tests; apt-get install chromium
        """
        counts = Counter((omission.package, omission.cure) for omission in self.left_out)
        return [
            f"left out: {package}, {count} test{'s' * (count != 1)}; {cure}"
            for (package, cure), count in counts.items()
        ]

    def complete(self) -> "Results":
        """The same where nothing may be left out: what was has failed."""
        omitted = tuple(
            f"{omission.name} (left out: {omission.package})" for omission in self.left_out
        )
        return Results(self.passed, self.failed + omitted, self.skipped)


def results_of(name: str, status: int, junit: Path | None) -> Results:
    """Results of a suite: from its junit file where there is one, else one result for its status.

    A suite that failed without naming a failed test counts as one failure, and so does one that its
    limit ended, beside what it had found by then.
    """
    results = read_junit(junit, name) if junit is not None and junit.exists() else None
    if results is None:
        return Results(passed=1) if status == 0 else Results(failed=(name,))
    if status == OVER_TIME:
        return results + Results(failed=(f"{name} (ended by its limit; the rest did not run)",))
    if status != 0 and not results.failed:
        return results + Results(failed=(f"{name} (status {status})",))
    return results


def read_junit(path: Path, suite: str) -> Results | None:
    """Counts of a junit file as ctest and pytest write it; None where it is damaged."""
    try:
        root = ET.parse(path).getroot()
    except (ET.ParseError, OSError):
        return None
    passed, failed, skipped, left_out = 0, [], [], []
    for case in root.iter("testcase"):
        if case.get("name") is None:
            continue  # pytest was told to end in the middle of it
        place = case.get("classname") or ""
        name = f"{suite}: {place + '.' if place and place != case.get('name') else ''}"
        name += case.get("name") or "?"
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif (omission := _omission(case)) is not None:
            left_out.append(LeftOut(name, omission["package"], omission["cure"]))
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped.append(name)
        else:
            passed += 1
    return Results(passed, tuple(failed), tuple(skipped), tuple(left_out))


def _omission(case: ET.Element) -> re.Match[str] | None:
    """What a skipped test says of the package that it lacks, if it is that."""
    skipped = case.find("skipped")
    return LEFT_OUT.match(skipped.get("message") or "") if skipped is not None else None
