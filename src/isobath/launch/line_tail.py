# SPDX-License-Identifier: Apache-2.0
"""Reads the lines that another program adds to a file."""

import json
from pathlib import Path
from typing import IO, Any


class LineTail:
    """The lines that are added to a file, each once, whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._rest = b""

    def read(self) -> list[dict[str, Any]]:
        """Fields of the lines that are new; others complain of lines that are no JSON."""
        if self._file is None:
            try:
                self._file = self._path.open("rb")
            except FileNotFoundError:
                return []
        content = self._rest + self._file.read()
        *lines, self._rest = content.split(b"\n")
        found = []
        for text in lines:
            try:
                fields = json.loads(text)
            except ValueError:
                continue
            if isinstance(fields, dict):
                found.append(fields)
        return found
