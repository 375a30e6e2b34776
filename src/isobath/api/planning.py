# SPDX-License-Identifier: Apache-2.0
"""What isobath plan does, for programs."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from isobath.api.stored import Progress, _silent
from isobath.errors import UsageError
from isobath.kinds.run.needs import Needs, NeedsWanted, needs_of
from isobath.launch.limits import Asked


def needs(
    *,
    progress: Progress = _silent,
    hang_seconds: float | None = None,
    time_limit: float | None = None,
    **wanted: Any,
) -> Needs:
    """What a run needs and takes: memory and time by scale, the largest scale that fits.

    Args: wanted as the options of ``isobath plan``, for example ``ranks=4, memory="64G"``; progress
        takes a line where this machine is measured first.
    Raises: UsageError for what cannot be asked. What does not fit is told: ``require_fit`` of the
        answer raises RefusedError.
    """
    named = _named(wanted)
    return needs_of(NeedsWanted(**named), progress, Asked(hang_seconds, time_limit))


def _named(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """``plan`` is the option, search_plan the field. Raises: UsageError for what there is not."""
    named = {"search_plan" if name == "plan" else name: wanted[name] for name in wanted}
    there = {field.name for field in fields(NeedsWanted)}
    for name in named:
        if name not in there:
            raise UsageError(
                f"there is no {name} to ask about; there are {', '.join(sorted(there))}"
            )
    return named
