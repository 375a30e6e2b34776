# SPDX-License-Identifier: Apache-2.0
"""Folders that isobath bench overlap left among the benchmarks."""

from pathlib import Path

from isobath.cli.overlap_text import lines_of
from isobath.overlap.reading import groups_of, rows_of
from isobath.records.codec import read_records
from isobath.records.overlap import OverlapRecord

RECORDS = "records.jsonl"


def find_overlap(benches: Path, wanted: str) -> Path | None:
    """The folder that a path, an id or the unique beginning of an id names; None for none."""
    path = Path(wanted)
    if "-overlap-" in path.resolve().name and (path / RECORDS).is_file():
        return path.resolve()
    name = wanted.rstrip("/")
    found = [
        one.parent
        for one in benches.glob(f"*-overlap-*/{RECORDS}")
        if name and one.parent.name.startswith(name)
    ]
    return found[0] if len(found) == 1 else None


def print_overlap(folder: Path) -> None:
    """Its tables. Raises: EnvironmentProblem where the records cannot be read."""
    rows = [row for row in read_records(folder / RECORDS) if isinstance(row, OverlapRecord)]
    for group in groups_of(rows_of(rows)):
        print("\n".join(lines_of(group)), end="\n\n")
