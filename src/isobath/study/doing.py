# SPDX-License-Identifier: Apache-2.0
"""What is left of a study, done, read and concluded: the same for commands and for the library."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from isobath.launch.interrupts import Stop
from isobath.study.folder import StudyFolder
from isobath.study.kinds import KindEntry
from isobath.study.launches import Work
from isobath.study.runner import StudyOutcome, run_study


@dataclass(frozen=True)
class Done:
    """A study after a sitting."""

    outcome: StudyOutcome
    reading: Any
    """what the kind reads of it"""
    concluded: tuple[str, ...]
    """what was done once its launches were, a sentence each"""


def do_study(
    entry: KindEntry,
    folder: StudyFolder,
    work: Work,
    *,
    stop: Stop,
    say: Callable[[str], None],
) -> Done:
    """Does every launch that is left, reads the study, and does what remains once they are done.

    Args: say takes a line for each launch.
    Raises: EnvironmentProblem where another program runs it, or something cannot be read or
        written.
    """
    kind = entry.load()
    outcome = run_study(folder, work, noun=entry.noun, stop=stop, say=say)
    reading = kind.read(folder.path)
    return Done(outcome, reading, kind.conclude(folder.path, reading))
