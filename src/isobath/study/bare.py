# SPDX-License-Identifier: Apache-2.0
"""Files of records that an engine program wrote by itself (--record FILE), without the laboratory.

They are read as a study of one launch that nobody sealed, and every view says so first.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from isobath.study.kinds import KINDS

NOTICE = (
    "NEVER SEALED: records that an engine program wrote by itself, read as a study of one launch; "
    "nothing vouches for this file"
)

LONGEST = 1 << 24
"""bytes of a first line; it names hosts and the binding of every rank"""


@dataclass(frozen=True)
class Beginning:
    """What the first line of a file of records says."""

    kind: str
    """as its command"""
    run_id: str


def beginning_of(path: Path) -> Beginning | None:
    """None where the file does not begin as records of a program that is known."""
    try:
        with path.open("rb") as lines:
            first = json.loads(lines.readline(LONGEST))
        program, run_id = first.get("program"), first.get("run_id")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None
    kind = next((entry.name for entry in KINDS if program and entry.program == program), "")
    if first.get("kind") == "failure":  # it ended before it could say anything else
        kind = "run"
    return Beginning(kind, str(run_id)) if kind and run_id else None
