# SPDX-License-Identifier: Apache-2.0
"""A serial walk of the graph of a run: which bytes had to be sent."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.launch.with_parent import end_with_parent
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


def walk(records: RunRecords, audit_program: Path) -> Mapping[Step, Expected]:
    """What a walk of the graph of a run says had to be sent.

    Raises: EnvironmentProblem where the program does not run through.
    """
    with tempfile.TemporaryDirectory(prefix="isobath-audit-") as folder:
        searches = Path(folder) / "searches.jsonl"
        searches.write_text(audited_searches(records), encoding="utf-8")
        words = [str(audit_program), *audit_arguments(records.run), "--searches", str(searches)]
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=end_with_parent(),
        )
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix(f"{PROGRAM}: ") or "it said nothing"
        raise EnvironmentProblem(f"{PROGRAM} ended with status {done.returncode}: {said}")
    return expected_steps(done.stdout.splitlines())
