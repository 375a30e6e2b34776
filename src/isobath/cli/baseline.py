# SPDX-License-Identifier: Apache-2.0
"""isobath baseline: reference results that are kept, shown, accepted, given away and taken in."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from isobath.baseline.accepting import accept as accept_cell
from isobath.baseline.accepting import you
from isobath.baseline.chain import Baseline, BaselineShelf
from isobath.baseline.importing import checked_again, import_file, origin_of
from isobath.baseline.outside import outside_words
from isobath.baseline.portable import text_of, write_portable
from isobath.baseline.sections import launches_of, sections_of, when
from isobath.baseline.signature import for_export, how_signed
from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import front_door, shown
from isobath.cli.store_options import Store
from isobath.cli.studies import Ending, perform
from isobath.cli.table_files import put
from isobath.cli.terminal import console, fitted, say, warn
from isobath.disclosure.words import typed_command
from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.regress.first import TURNS, planned_first
from isobath.kinds.regress.plan import KIND_NAME
from isobath.kinds.regress.reference import archive_of, studies_kept
from isobath.kinds.regress.settings import parse_duration
from isobath.launch.limits import Asked
from isobath.report.wording import count_of
from isobath.settings.values import no_choice
from isobath.study.home import baselines_folder, shelf
from isobath.study.kinds import entry_of
from isobath.study.planned import Planning
from isobath.study.shelf import printable

VIEWS = ("summary", "all")


Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The name of the baseline.", autocompletion=completion.baselines
    ),
]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="The name of the new baseline.")]
Studies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[STUDY]...",
        help="Studies to keep, of one kind or several; without any the quick suite is measured.",
        autocompletion=completion.several_studies,
    ),
]
Maker = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="WORDS", help="Name of whoever measured the results (default: you, here)."
    ),
]
Key = Annotated[
    Path | None,
    typer.Option("--sign", metavar="KEY", help="Sign the file with this key of ssh-keygen."),
]
Signers = Annotated[
    Path | None,
    typer.Option(
        "--signers", metavar="FILE", help="File of signers you trust, as ssh's allowed signers."
    ),
]
OtherName = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Keep the baseline under another name here."),
]
Reason = Annotated[
    str, typer.Option("--reason", metavar="WORDS", help="Why the slower cell is accepted.")
]
Cell = Annotated[
    str, typer.Argument(metavar="CELL", help="The name of the cell, or words in that name.")
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The file that holds the baseline.")]
Turns = Annotated[
    int,
    typer.Option(
        "--turns", metavar="N", min=2, help="Number of launches, where the quick suite is measured."
    ),
]
Budget = Annotated[
    str, typer.Option("--budget", metavar="TIME", help="Time for measuring the quick suite: 10m.")
]
Mpi = Annotated[
    str | None,
    typer.Option(
        "--mpi",
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library to measure the quick suite with.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
View = Annotated[
    str,
    typer.Option(
        "--view",
        metavar="NAME",
        autocompletion=completion.one_of(VIEWS),
        help=f"How much to show: {', '.join(VIEWS)}.",
    ),
]


def _shelf(store: str | None) -> BaselineShelf:
    return BaselineShelf(baselines_folder(store))


def set_baseline(
    name: NewName,
    studies: Studies = None,
    *,
    maker: Maker = None,
    turns: Turns = TURNS,
    budget: Budget = "10m",
    mpi: Mpi = None,
    store: Store = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Keep studies as reference results. They are copied, and never changed again.

    Without a study the quick suite is measured: what searches call, a search and its phases.

    For example: ./isobath bench collectives --launches 20, then ./isobath baseline set mpi last
    """
    where, place = shelf(store), _shelf(store).place(name)
    if place.is_there:
        raise UsageError(
            f"there is a baseline {name} already: it is never changed; take another name"
        )
    if not studies:
        seconds = parse_duration("--budget", budget)
        ending = Ending(with_report=False, asked=Asked(hang_seconds, time_limit))
        code, measured = _measure(name, mpi, turns, seconds, store, ending)
        if code:
            return code
        studies = [str(measured)]
    archive, left_out = archive_of(name, studies_kept(where, studies), maker or you())
    for sentence in left_out:
        warn(sentence)
    kept = place.begin(archive)
    say(f"baseline {name}: {count_of(len(archive.cells), 'cell')}, {shown(place.path)}")
    if launches_of(kept) < 2 * len(archive.members):
        warn("one launch says nothing of others: measure with several before you rely on it")
    say(f"next: {front_door()} calibrate noise {name}")
    return 0


def _measure(
    name: str, mpi: str | None, turns: int, budget: float, store: str | None, ending: Ending
) -> tuple[int, Path]:
    """The quick suite; where it lies."""
    place = shelf(store).folders[0]
    planned = planned_first(name, mpi, turns, budget, Planning(place, shelf(store), say, warn))
    entry = entry_of(KIND_NAME)
    for sentence in planned.notes:
        say(sentence)
    study = planned.begin_in(place, entry.word, typed_command())
    return perform(entry, study, ending, planned.to_do(study, ending.driver)), study.path


def list_baselines(*, store: Store = None, as_json: AsJson = False) -> int:
    """List all baselines with what they are of, and whose. Ends with 3 where one is damaged."""
    baselines: list[Baseline] = []
    damaged: dict[str, str] = {}
    for folder in _shelf(store).all():
        try:
            baselines.append(folder.read())
        except EnvironmentProblem as problem:
            damaged[folder.name] = str(problem)
    if as_json:
        rows = [_row(baseline) for baseline in baselines]
        rows += [{"name": name, "problem": words} for name, words in damaged.items()]
        put(json.dumps(rows, indent=1) + "\n", None)
    else:
        for baseline in baselines:
            print(fitted(printable(_line(baseline))))
    for name, words in damaged.items():
        warn(f"baseline {name}: {words}")
    if not baselines and not damaged:
        say(f"there is no baseline yet; make one: {front_door()} baseline set NAME STUDY...")
    return EnvironmentProblem.exit_code if damaged else 0


def _line(baseline: Baseline) -> str:
    archive = baseline.archive
    libraries = ", ".join(dict.fromkeys(cell.key.mpi for cell in archive.cells))
    return (
        f"{baseline.name}: {count_of(len(archive.cells), 'cell')}, "
        f"{count_of(launches_of(baseline), 'launch', 'launches')}, {libraries}, "
        f"{archive.at:%Y-%m-%d}, {count_of(len(baseline.regressions), 'regression')}; "
        f"{baseline.provenance.words(len(baseline.lines))}"
    )


def _row(baseline: Baseline) -> dict[str, object]:
    archive = baseline.archive
    return {
        "name": baseline.name,
        "made": archive.at.isoformat(),
        "from": archive.maker,
        "origin": baseline.provenance.words(len(baseline.lines)),
        "cells": len(archive.cells),
        "launches": launches_of(baseline),
        "accepted": len(baseline.accepted),
        "sittings": len(baseline.sittings),
        "regressions": len(baseline.regressions),
        "mpi": list(dict.fromkeys(cell.key.mpi for cell in archive.cells)),
    }


def show_baseline(
    name: Name,
    *,
    view: View = "summary",
    as_json: AsJson = False,
    signers: Signers = None,
    store: Store = None,
) -> int:
    """Show a baseline: its cells with their keys, what was accepted, what was measured since."""
    if view not in VIEWS:
        raise no_choice("--view", view, VIEWS)
    baseline = _shelf(store).find(name).read()
    if signers is not None:
        baseline = replace(baseline, provenance=checked_again(baseline, signers.expanduser()))
    if as_json:
        entries = [json.loads(line) for line in baseline.lines]
        whose = baseline.provenance
        told = {
            "name": name,
            "origin": whose.words(len(entries)),
            "origins": [{"first": first, "last": last, "from": words}
                        for first, last, words in whose.ranges(len(entries))],
            "head": baseline.head,
        }  # fmt: skip
        put(json.dumps(told | {"entries": entries}, indent=1) + "\n", None)
        return 0
    _print(baseline, whole=view == "all")
    return 0


def _print(baseline: Baseline, *, whole: bool) -> None:
    from isobath.view.terminal import printed

    out = console()
    for part in printed(list(sections_of(baseline)), out.width, whole=whole, notices=()):
        out.print(part, soft_wrap=bool(part.no_wrap))


def accept(name: Name, cell: Cell, *, reason: Reason, store: Store = None) -> int:
    """Take a cell as it is, with a reason: regressions then count from there.

    Date, reason and your name are kept, shown and exported. Wrong data are never accepted.
    """
    entry = accept_cell(_shelf(store).find(name), cell, reason, you())
    chosen = f", by {entry.chosen}" if entry.chosen else ""
    against = f" as under {entry.held_against}" if entry.held_against else ""
    long = f"{entry.factor:.3f} times as long{against}"
    say(f"{entry.cell}: accepted as {long}{chosen}, {when(entry.at)}")
    return 0


def export(name: Name, file: File, *, key: Key = None, store: Store = None) -> int:
    """Write a baseline to one file for others, with all that was added to it.

    Signatures that it came with go with it, each of the entries that were signed.
    """
    baseline = _shelf(store).find(name).read()
    signatures = for_export(baseline, key.expanduser() if key else None)
    write_portable(file.expanduser(), text_of(baseline, signatures))
    say(f"{file}: {count_of(len(baseline.archive.cells), 'cell')}, "
        f"{how_signed(baseline, signatures)}")  # fmt: skip
    return 0


def import_baseline(
    file: File, *, other_name: OtherName = None, signers: Signers = None, store: Store = None
) -> int:
    """Take in a baseline from a file, whole or not at all, and say who made it."""
    trusted = signers.expanduser() if signers else None
    kept = import_file(_shelf(store), file.expanduser(), other_name, trusted)
    origin = origin_of(_shelf(store).place(kept.name))
    say(f"baseline {kept.name}: {count_of(len(kept.archive.cells), 'cell')}; {origin}")
    outside = outside_words(kept.archive)
    if outside and not kept.provenance.is_vouched(0):
        warn(
            f"its settings name programs, folders or machines ({outside}): regress does not follow "
            "them until somebody whom you trust signed it"
        )
    return 0
