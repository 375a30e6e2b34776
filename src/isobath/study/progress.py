# SPDX-License-Identifier: Apache-2.0
"""How far a study of several launches is, for who looks from elsewhere: status.json beside them."""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from isobath.files import replace_file
from isobath.units import Seconds, format_roughly

STATUS = "status.json"


@dataclass(frozen=True)
class StudyProgress:
    """Of a study that somebody runs at this moment."""

    done: int
    """launches that are sealed"""
    total: int
    left_seconds: Seconds | None
    """None before the first launch of this sitting ended"""

    @property
    def words(self) -> str:
        """3 of 12 launches, about 5 min left."""
        words = f"{self.done} of {self.total} launches"
        left = self.left_seconds
        return words if left is None else f"{words}, about {format_roughly(left)} left"

    def write(self, study: Path) -> None:
        """A full disk is no reason to end a study."""
        told = {"done": self.done, "total": self.total, "left_seconds": self.left_seconds}
        with contextlib.suppress(OSError):
            replace_file(study / STATUS, json.dumps(told) + "\n")


def progress_of(study: Path) -> StudyProgress | None:
    """What the program wrote that runs the study; None where it has not, or it cannot be read."""
    try:
        told = json.loads((study / STATUS).read_bytes())
        left = told["left_seconds"]
        seconds = None if left is None else float(left)
        return StudyProgress(int(told["done"]), int(told["total"]), seconds)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def forget_progress(study: Path) -> None:
    """Nobody runs it any more."""
    with contextlib.suppress(OSError):
        (study / STATUS).unlink()
