# SPDX-License-Identifier: Apache-2.0
"""isobath setup: done by the front door before this program is reached."""

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.installation import Installation


def setup() -> int:
    """Set up environment, MPI and engine; what is done already is left as it is."""
    here = Installation.here()
    if not here.is_checkout:
        raise EnvironmentProblem(here.words_without_engine)
    raise UsageError(f"set-up belongs to the script of the checkout; run {here.root}/isobath setup")
