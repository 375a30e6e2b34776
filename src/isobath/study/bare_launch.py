# SPDX-License-Identifier: Apache-2.0
"""The launch in a file of records that a benchmark program wrote by itself (study/bare.py)."""

from collections.abc import Sequence

from isobath.errors import EnvironmentProblem
from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.ending import FailureRecord


def bare_launch(rows: Sequence[AnyRecord]) -> tuple[LaunchRecord, tuple[str, ...]]:
    """What was launched, and a sentence for each failure.

    Raises: EnvironmentProblem where no record says what was launched.
    """
    launch = next((row for row in rows if isinstance(row, LaunchRecord)), None)
    if launch is None:
        raise EnvironmentProblem(
            "the file has no record of a launch, so there is nothing to show; measure again"
        )
    return launch, tuple(row.message for row in rows if isinstance(row, FailureRecord))
