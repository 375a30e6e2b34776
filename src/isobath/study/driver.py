# SPDX-License-Identifier: Apache-2.0
"""Who has a study done: what was asked for beside the plan, and who is told how far it is."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.units import Seconds


@dataclass(frozen=True)
class Look:
    """How far a launch is. It is looked at many times a second."""

    words: str
    """what goes on: search 3 of 64"""
    elapsed_seconds: Seconds
    left_seconds: Seconds | None = None
    """None where nothing can be said"""
    is_stopping: bool = False
    """an end was asked for"""


Watch = Callable[[Look], None]


def _nobody(words: str) -> None:
    """Hears nothing."""


def _unseen() -> AbstractContextManager[Watch]:
    return nullcontext(lambda _: None)


@dataclass(frozen=True)
class Driver:
    """A command, a notebook or a program that has a study done."""

    asked: Asked = NOTHING_ASKED
    """limits of launches"""
    say: Callable[[str], None] = _nobody
    """is told a sentence now and then"""
    watching: Callable[[], AbstractContextManager[Watch]] = _unseen
    """for each launch anew, what is shown of it while it goes on"""


SILENT = Driver()
