# SPDX-License-Identifier: Apache-2.0
"""A serial walk of the graph of a run: which bytes had to be sent."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.launch.limits import NOTHING_ASKED, Asked, Limits, of_walk
from isobath.launch.serial_program import answer_of
from isobath.race.audit import (
    Expected,
    Step,
    audit_arguments,
    audited_searches,
    expected_steps,
)
from isobath.records.run_records import RunRecords

PROGRAM = "isobath-audit"
LARGEST_WALK = 20
"""Scale to which the graph is walked: some seconds, and 40 bytes an edge."""


def walk(
    records: RunRecords, audit_program: Path, asked: Asked = NOTHING_ASKED
) -> Mapping[Step, Expected]:
    """What a walk of the graph of a run says had to be sent.

    Raises: EnvironmentProblem where the program fails, TimeoutProblem where it does not end.
    """
    edges = records.run.edgefactor << records.run.scale
    limits = of_walk(asked, edges, len(records.searches))
    words = audit_arguments(records.run)
    done = walked(audit_program, words, audited_searches(records), limits)
    return expected_steps(lines_of(done))


def walked(
    audit_program: Path, words: Sequence[str], searches: str, limits: Limits
) -> subprocess.CompletedProcess[str]:
    """The program, ended. Args: searches are the lines of its input. Raises: TimeoutProblem."""
    with tempfile.TemporaryDirectory(prefix="isobath-audit-") as folder:
        path = Path(folder) / "searches.jsonl"
        path.write_text(searches, encoding="utf-8")
        return answer_of([str(audit_program), *words, "--searches", str(path)], limits)


def lines_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What it printed. Raises: EnvironmentProblem where it failed."""
    if done.returncode != 0:
        raise EnvironmentProblem(f"{PROGRAM} ended with status {done.returncode}: {why(done)}")
    return done.stdout.splitlines()


def why(done: subprocess.CompletedProcess[str]) -> str:
    """What it said of its end."""
    return done.stderr.strip().removeprefix(f"{PROGRAM}: ") or "it said nothing"
