# SPDX-License-Identifier: Apache-2.0
"""What a study ends with, by what its launches ended with."""

from collections.abc import Iterable

from isobath.errors import ExitCode

WORST_FIRST = (
    ExitCode.VIOLATIONS,
    ExitCode.REGRESSION,
    ExitCode.INTERNAL,
    ExitCode.TIMEOUT,
    ExitCode.ENVIRONMENT,
    ExitCode.REFUSED,
    ExitCode.USAGE,
    ExitCode.INCONCLUSIVE,
)
"""What a study ends with, where several things went wrong."""

KEPT = (ExitCode.DONE, ExitCode.VIOLATIONS)
"""Of a launch that is not done again: wrong data are no failure but a finding."""


def worst_of(codes: Iterable[ExitCode]) -> ExitCode:
    """The code of a study whose launches ended with these."""
    seen = set(codes)
    return next((code for code in WORST_FIRST if code in seen), ExitCode.DONE)
