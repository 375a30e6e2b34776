# SPDX-License-Identifier: Apache-2.0
"""The two options of every command that starts ranks; what they mean stands in launch/limits.py."""

from typing import Annotated

import typer

HANG_WORDS = "End a launch without progress for so long."
TIME_WORDS = "End a launch that is not over after so long."

HangSeconds = Annotated[float | None, typer.Option("--hang-seconds", metavar="S", help=HANG_WORDS)]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", metavar="S", help=TIME_WORDS)]
