# SPDX-License-Identifier: Apache-2.0
"""What the doctor says of one thing."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["good", "warning", "bad"]


@dataclass(frozen=True)
class Finding:
    """One thing looked at. ``remedy`` says what to type or change, empty where nothing is wrong."""

    name: str
    status: Status
    words: str
    remedy: str = ""
    timed_out: bool = False
    """a limit ended what was tried"""
