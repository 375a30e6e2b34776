# SPDX-License-Identifier: Apache-2.0
"""Reads the lines that another program adds to a file."""

import json
from pathlib import Path
from typing import Any


class LineTail:
    """The lines that are added to a file, each once, whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def read(self) -> list[dict[str, Any]]:
        """Fields of the lines that are new; others complain of lines that are no JSON."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                content = file.read()
        except FileNotFoundError:
            return []
        whole = content[: content.rfind(b"\n") + 1]
        self._offset += len(whole)
        entries = []
        for line in whole.splitlines():
            try:
                fields = json.loads(line)
            except ValueError:
                continue
            if isinstance(fields, dict):
                entries.append(fields)
        return entries
