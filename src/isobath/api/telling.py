# SPDX-License-Identifier: Apache-2.0
"""How far one launch is, in lines: when it begins, each of its phases, how it ended."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from isobath.kinds.run.progress import WORDS
from isobath.launch.engine_run import Progress as EngineProgress
from isobath.study.driver import Look, Watch

SEARCHING = "searching"


class Phases:
    """Says what goes on when that changes; a launch is looked at many times a second.

    Args: say takes a line.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._told = ""

    def of_run(self, look: Look) -> None:
        """Of a run: search 3 of 64 is the phase of search 1 of 64."""
        self._tell(look.words, look.words.partition(" ")[0])

    def of_search(self, progress: EngineProgress) -> None:
        """Of searches in the graph of a file."""
        words = WORDS.get(progress.phase, SEARCHING)
        self._tell(words, words)

    def watching(self) -> AbstractContextManager[Watch]:
        """For a driver."""
        return nullcontext(self.of_run)

    def _tell(self, words: str, phase: str) -> None:
        if phase != self._told:
            self._told = phase
            self._say(words)


def begins(kind: str, what: str) -> str:
    """The first line."""
    return f"{kind} begins: {what}"


def ended(name: str, message: str | None) -> str:
    """The last line. Args: message says what was wrong, if anything was."""
    return f"{name} ended: {message}" if message else f"{name} ended well"
