# SPDX-License-Identifier: Apache-2.0
"""What a command would do, without doing it; and which options go with a study that is there."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from isobath.cli.declared import AFTERWARDS, Given
from isobath.cli.places import shown
from isobath.cli.terminal import fitted
from isobath.errors import ExitCode, UsageError
from isobath.kinds.settings_of import written_settings
from isobath.report.wording import count_of
from isobath.study.ids import make_id
from isobath.study.kinds import declaration_of, entry_of
from isobath.study.launches import Launch
from isobath.study.shelf import Shelf

NOT_OF_MEASURING = frozenset(
    {*AFTERWARDS, "resume", "of", "benches", "view", "json_output", "dry_run", "refine"}
)
"""Options that go with --resume and --of too."""


def refuse_measuring(
    context: typer.Context, given: Given, sentence: str, others: Iterable[str] = ()
) -> None:
    """Options of measuring mean nothing where a study is as it was planned.

    Args: others are options that do not go with it either.
    Raises: UsageError naming the first that was given.
    """
    if given.file is not None:
        raise UsageError(f"{sentence}; leave {given.file} out")
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


def launch_facts(launches: Sequence[Launch]) -> list[dict[str, Any]]:
    """Launches as ``--dry-run --json`` prints them."""
    return [{"name": launch.name, "words": launch.words} for launch in launches]


def print_dry_run(
    kind: str,
    settings: Mapping[str, Any],
    launches: Sequence[Mapping[str, Any]],
    folder: Path,
    reads: Sequence[str] = (),
) -> int:
    """``--dry-run --json``: the same fields for all kinds.

    Args: reads is what is read by a kind that launches nothing.
    """
    facts = {
        "kind": kind,
        "settings": dict(settings),
        "launches": list(launches),
        "folder": str(folder.absolute()),
    }
    facts |= {"reads": list(reads)} if reads else {}
    print(json.dumps(facts, indent=1))
    return int(ExitCode.DONE)


def say_reading(
    kind: str, reads: Sequence[str], where: Shelf, settings: Mapping[str, Any], *, as_json: bool
) -> int:
    """``--dry-run`` of a kind that launches nothing: what is read, and where its study would be."""
    folder = where.folders[0] / make_id(entry_of(kind).word)
    if as_json:
        asked = written_settings(declaration_of(kind), settings)
        return print_dry_run(kind, asked, (), folder, reads)
    for line in reads:
        print(fitted(f"reads {line}"))
    print(fitted(f"starts no program; study folder: {shown(folder)}"))
    return int(ExitCode.DONE)


def show_order(launches: Sequence[Launch], folder: Path, total: int) -> int:
    """``--dry-run``: every launch that is left, in its order.

    Args: total counts those that are done, too.
    """
    if not launches:
        every = f"all {total} launches are" if total != 1 else "its launch is"
        print(fitted(f"complete: {every} done; study folder: {shown(folder)}"))
        return int(ExitCode.DONE)
    for place, launch in enumerate(launches, start=1):
        named = f"{place:>4}  {launch.name}  "
        print(fitted(f"{named}{launch.words}", len(named)))
    of = f"{len(launches)} of {count_of(total, 'launch', 'launches')} to do"
    print(fitted(f"{of}; study folder: {shown(folder)}"))
    return int(ExitCode.DONE)
