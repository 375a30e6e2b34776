# SPDX-License-Identifier: Apache-2.0
"""The two options of every command that starts ranks; what they mean stands in launch/limits.py."""

from typing import Annotated

import typer

HANG_WORDS = "Seconds without progress after which a launch is ended."
TIME_WORDS = "Seconds that a launch may take before it is ended."

HangSeconds = Annotated[float | None, typer.Option("--hang-seconds", metavar="S", help=HANG_WORDS)]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", metavar="S", help=TIME_WORDS)]
