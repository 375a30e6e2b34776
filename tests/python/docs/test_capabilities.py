# SPDX-License-Identifier: Apache-2.0
"""The README's table of capabilities is current, and what it claims has evidence."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_table_is_current_and_evidence_exists() -> None:
    outcome = subprocess.run(
        [sys.executable, ROOT / "tools" / "write_capabilities.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
