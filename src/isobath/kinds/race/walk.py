# SPDX-License-Identifier: Apache-2.0
"""A serial walk of the graph of a run: which bytes had to be sent."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.launch.limits import NOTHING_ASKED, Asked, of_walk
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
    with tempfile.TemporaryDirectory(prefix="isobath-audit-") as folder:
        searches = Path(folder) / "searches.jsonl"
        searches.write_text(audited_searches(records), encoding="utf-8")
        words = [str(audit_program), *audit_arguments(records.run), "--searches", str(searches)]
        edges = records.run.edgefactor << records.run.scale
        limits = of_walk(asked, edges, len(records.searches))
        done = answer_of(words, limits)
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix(f"{PROGRAM}: ") or "it said nothing"
        raise EnvironmentProblem(f"{PROGRAM} ended with status {done.returncode}: {said}")
    return expected_steps(done.stdout.splitlines())
