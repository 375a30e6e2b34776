# SPDX-License-Identifier: Apache-2.0
"""isobath remove, prune: studies that are no longer wanted; asks before anything goes."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Annotated

import typer

from isobath.baseline.chain import BaselineShelf
from isobath.baseline.references import held_by_baselines
from isobath.cli import completion
from isobath.cli.store_options import Store
from isobath.cli.studies import kinds_named
from isobath.cli.terminal import say
from isobath.errors import ExitCode, UsageError
from isobath.report.wording import count_of, printable
from isobath.settings.dates import parse_day
from isobath.study.across import references
from isobath.study.catalogue import Row, chosen
from isobath.study.home import baselines_folder, catalogue, shelf
from isobath.study.removal import Kept, beyond, remove, separate, sweep
from isobath.study.shelf import Shelf
from isobath.units import format_bytes

NAMED = 10

Studies = Annotated[
    list[str],
    typer.Argument(
        metavar="STUDY...",
        help="Studies to remove: ids, beginnings, tags, paths, or last.",
        autocompletion=completion.studies,
    ),
]
Keep = Annotated[
    int, typer.Option(metavar="N", min=0, help="How many of the newest of each kind stay.")
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND,..",
        help="Take studies of these kinds only: run, race.",
        autocompletion=completion.kinds,
    ),
]
Before = Annotated[
    str, typer.Option(metavar="DAY", help="Only studies made before this day: 2026-11-20, 7d.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Remove without asking first.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would go, and stop.")]


def remove_studies(
    studies: Studies, *, yes: Yes = False, dry_run: DryRun = False, store: Store = None
) -> int:
    """Remove studies for good; says how much is freed, and asks first.

    What has a tag, is running, or is referred to by another study or a baseline stays; it ends with
    8 then. Pages in reports stay too.
    """
    where = shelf(store)
    wanted = {where.find(study).path for study in studies}
    rows = catalogue().rows(where)
    known = {row.path for row in rows}
    for path in wanted:
        if str(path) not in known:
            raise UsageError(
                f"{path} is not in {where.folders[0]}; name its folder with --store {path.parent}"
            )
    chosen_rows = [row for row in rows if row.path in map(str, wanted)]
    removed = _take(where, store, chosen_rows, rows, yes, dry_run)
    return int(ExitCode.REFUSED if removed.kept else ExitCode.DONE)


def prune(
    *,
    keep: Keep,
    kind: Kinds = None,
    before: Before = "",
    yes: Yes = False,
    dry_run: DryRun = False,
    store: Store = None,
) -> int:
    """Remove old studies: all but the newest of each kind. Asks first.

    What has a tag, is running, or is referred to by another study or a baseline stays; it ends with
    8 where nothing but that was left to remove.
    """
    where = shelf(store)
    rows = catalogue().rows(where)
    day = parse_day("--before", before) if before else ""
    surplus = beyond(chosen(rows, kinds=kinds_named(kind)), keep)
    surplus = chosen(surplus, before=day)
    removed = _take(where, store, surplus, rows, yes, dry_run)
    return int(ExitCode.REFUSED if removed.kept and not removed.may_go else ExitCode.DONE)


@dataclass(frozen=True)
class Taken:
    """What became of studies that somebody wants to be rid of."""

    may_go: bool
    """for one of them at least"""
    kept: bool
    """one of them at least, although it was to go"""


def _take(
    where: Shelf, store: str | None, wanted: list[Row], rows: list[Row], yes: bool, dry_run: bool
) -> Taken:
    going, kept = _separate(store, wanted, rows)
    _say_kept(kept)
    if yes and not dry_run:
        sweep(where.folders)
    if not going:
        print("nothing is removed")
        return Taken(may_go=False, kept=bool(kept))
    size = format_bytes(sum(row.bytes for row in going))
    for row in going[:NAMED]:
        print(f"{row.study_id:<28}  {shorten(printable(row.headline), 48, placeholder=' ...')}")
    if len(going) > NAMED:
        print(f"and {len(going) - NAMED} more")
    what = count_of(len(going), "study", "studies")
    if dry_run:
        print(f"{what} would go, {size} would be freed")
        return Taken(may_go=True, kept=bool(kept))
    if not yes:
        if not _agreed(f"Remove {what}, {size}, for good? [y/N] "):
            print("nothing is removed")
            return Taken(may_go=True, kept=bool(kept))
        sweep(where.folders)
    still = going if yes else _still(where, store, going)
    removed = _remove_all(still)
    return Taken(may_go=bool(removed), kept=bool(kept) or len(removed) < len(going))


def _separate(
    store: str | None, wanted: list[Row], rows: list[Row]
) -> tuple[list[Row], list[Kept]]:
    baselines = BaselineShelf(baselines_folder(store))
    held = held_by_baselines(baselines, [row.study_id for row in wanted])
    return separate(wanted, references(rows), held)


def _still(where: Shelf, store: str | None, going: list[Row]) -> list[Row]:
    """What may go even now: a question is answered late, and others work meanwhile."""
    paths = {row.path for row in going}
    rows = catalogue().rows(where)
    still, kept = _separate(store, [row for row in rows if row.path in paths], rows)
    _say_kept(kept)
    return still


def _remove_all(going: list[Row]) -> list[Row]:
    """Returns: those that are gone."""
    removed: list[Row] = []
    for row in going:
        spared = remove(row)
        _say_kept([spared] if spared else [])
        removed += [] if spared else [row]
    if not removed:
        print("nothing is removed")
        return removed
    what = count_of(len(removed), "study", "studies")
    print(f"{what} removed, {format_bytes(sum(row.bytes for row in removed))} freed")
    return removed


def _say_kept(kept: Sequence[Kept]) -> None:
    for spared in kept:
        say(f"{spared.row.study_id} stays: {spared.why}")


def _agreed(question: str) -> bool:
    """Raises: UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here, for standard input is no terminal; add --yes")
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
