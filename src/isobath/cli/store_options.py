# SPDX-License-Identifier: Apache-2.0
"""Options that say where studies and pages lie, the same for every command that reads them."""

from typing import Annotated

import typer

FOLDER = "The folder of studies (default: studies)."

Store = Annotated[str | None, typer.Option(metavar="DIR", help=FOLDER)]
StoreOrOlder = Annotated[
    str | None, typer.Option("--store", "--races", "--benches", metavar="DIR", help=FOLDER)
]
"""of commands that had a folder for each kind"""
Reports = Annotated[
    str | None, typer.Option(metavar="DIR", help="The folder of pages (default: reports).")
]
