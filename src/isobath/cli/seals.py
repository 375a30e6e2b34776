# SPDX-License-Identifier: Apache-2.0
"""Launches of a benchmark that are not as they were sealed: said, and the exit code 3."""

import sys
from collections.abc import Iterable

from isobath.errors import ExitCode
from isobath.store.folders import RunFolder


def code_of_seals(*, is_altered: bool) -> int:
    """3 where something is not as it was sealed: what was shown is not what was measured."""
    return int(ExitCode.ENVIRONMENT if is_altered else ExitCode.DONE)


def say_changes(launches: Iterable[RunFolder | None]) -> int:
    """One sentence for each file that is not as it was sealed. Returns the exit code.

    Args: None stands for a launch that is still to do.
    """
    sealed = [one for one in launches if one is not None]
    changes = [f"{one.run_id}: {sentence}" for one in sealed for sentence in one.verify()]
    for sentence in changes:
        print(f"isobath: {sentence}", file=sys.stderr, flush=True)
    return code_of_seals(is_altered=bool(changes))
