# SPDX-License-Identifier: Apache-2.0
"""What commands that measure do with a study that is planned already: show it, go on with it."""

from collections.abc import Iterable, Sequence

import typer

from isobath.cli.places import shown
from isobath.errors import ExitCode, UsageError
from isobath.study.folder import StudyFolder
from isobath.study.launches import Launch
from isobath.study.runner import to_do

NOT_OF_MEASURING = frozenset(
    {
        "resume",
        "of",
        "store",
        "benches",
        "reports",
        "report",
        "view",
        "json_output",
        "hang_seconds",
        "time_limit",
        "dry_run",
        "refine",
    }
)
"""Options that go with --resume and --of too."""


def refuse_measuring(context: typer.Context, sentence: str, others: Iterable[str] = ()) -> None:
    """Options of measuring mean nothing where a study is as it was planned.

    Args: others are options that do not go with it either.
    Raises: UsageError naming the first that was given.
    """
    refused = set(others)
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in context.params:
            continue  # --quiet and --verbose, which every command has
        source = context.get_parameter_source(name)
        was_given = source is not None and source.name == "COMMANDLINE"
        if was_given and (name in refused or name not in NOT_OF_MEASURING):
            is_off = context.params[name] is False and parameter.secondary_opts
            words = parameter.secondary_opts if is_off else parameter.opts
            raise UsageError(f"{sentence}; leave {words[0]} out")


def show_order(folder: StudyFolder, launches: Sequence[Launch]) -> int:
    """``--dry-run``: every launch that is left, in its order."""
    for place, launch in enumerate(to_do(folder, launches), start=1):
        print(f"{place:>4}  {launch.name}  {launch.words}")
    print(f"study folder: {shown(folder.path)}")
    return int(ExitCode.DONE)
