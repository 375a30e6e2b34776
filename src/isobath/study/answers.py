# SPDX-License-Identifier: Apache-2.0
"""What was found in a study, for other programs: its findings, and tables of them."""

from pathlib import Path
from typing import Any

from isobath.study.bare import beginning_of
from isobath.study.findings import FINDINGS_SCHEMA
from isobath.study.kind import Kind
from isobath.study.shelf import study_at
from isobath.study.tables import DataTable, table_of


def findings_of(kind: Kind[Any], path: Path, reading: Any) -> dict[str, Any]:
    """What show --json prints; its schema is schema/findings-1.json."""
    name, kind_name = path.name, ""
    if path.is_file():
        beginning = beginning_of(path)
        if beginning is not None:
            name, kind_name = beginning.run_id, beginning.kind
    else:
        study = study_at(path)
        kind_name = study.entry.name if study else ""
    return {"schema": FINDINGS_SCHEMA, "study": name, "kind": kind_name} | kind.facts(reading)


def data_of(kind: Kind[Any], reading: Any, name: str) -> DataTable:
    """A table of the study. Raises: KeyError for a name that its kind does not have."""
    return table_of(kind.tables[name], kind.facts(reading), kind.findings)
