# SPDX-License-Identifier: Apache-2.0
"""What happens to sealed folders."""

from pathlib import Path


def alter(launch: Path) -> None:
    """Changes the records of a launch after it was sealed."""
    records = launch / "records.jsonl"
    records.chmod(0o644)
    records.write_bytes(records.read_bytes() + b"\n")
