# SPDX-License-Identifier: Apache-2.0
"""How far an export is: one line on a terminal, nothing elsewhere."""

import sys
import time
from typing import Self, TextIO

from isobath.units import Bytes, format_bytes, format_seconds

QUIET_SECONDS = 2.0
"""Short exports say nothing."""

STEP_SECONDS = 0.5
CLEAR = "\r\x1b[K"


class ExportProgress:
    """The line; a context that clears it at its end."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._started = time.monotonic()
        self._next = self._started + QUIET_SECONDS
        self._total: Bytes = 0
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write(CLEAR)

    def show(self, done: Bytes, total: Bytes) -> None:
        """Says how far it is, if it is time for that. Args: another total begins anew."""
        now = time.monotonic()
        if self._total not in (0, total):
            self._started = now
        self._total = total
        if now < self._next or not done or not self._out.isatty():
            return
        self._next = now + STEP_SECONDS
        self._shown = True
        share = min(1.0, done / total)
        left = format_seconds((now - self._started) * (1 - share) / share)
        self._write(f"{CLEAR}isobath: {100 * share:.0f} % of {format_bytes(total)}, {left} left")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
