# SPDX-License-Identifier: Apache-2.0
"""Where runs and reports go unless told otherwise."""

import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.cli.terminal import plain
from isobath.launch.installation import Installation

if TYPE_CHECKING:
    from isobath.store.folders import RunFolder


WRITTEN = r"(?<![\w./])\./isobath(?= (?!--prefix)[a-z-])"
"""A command in a sentence, where it does not say yet from where it is typed."""


def shown(path: Path) -> str:
    """A path as short as it can be typed here."""
    try:
        return plain(str(path.resolve().relative_to(Path.cwd())))
    except (ValueError, OSError):
        return plain(str(path))


def front_door() -> str:
    """What a person types for ./isobath from where they stand."""
    here = Installation.here()
    if not here.is_checkout:
        return "isobath"
    near = _near(here.root / "isobath")
    words = [near if os.sep in near else os.path.join(".", near)]
    if here.prefix.resolve() != here.root:
        words += ["--prefix", _near(here.prefix)]
    return shlex.join(words)


def typed_here(words: str) -> str:
    """Sentences are written for who stands in the checkout; these, for who stands anywhere."""
    try:
        return re.sub(WRITTEN, lambda _: front_door(), words)
    except OSError:  # this folder is gone
        return words


def _near(path: Path) -> str:
    """Relative where that is at most one folder up."""
    steps = os.path.relpath(path)
    return str(path) if steps.startswith(os.path.join("..", "..", "")) else steps


def trusted_records(run: "RunFolder") -> Path:
    """The file of records of a run that is as it was sealed; says what else is wrong with it.

    Raises: EnvironmentProblem where the records are not those that were sealed.
    """
    from isobath.report.run_data import doubt_of

    doubt = doubt_of(run)
    if doubt:
        print(f"isobath: {run.run_id}: {doubt}", file=sys.stderr, flush=True)
    return run.path / "records.jsonl"
