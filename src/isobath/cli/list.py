# SPDX-License-Identifier: Apache-2.0
"""isobath list: all studies, one line each."""

import json
from dataclasses import asdict
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from isobath.cli import completion
from isobath.cli.places import front_door, shown
from isobath.cli.store_options import Store
from isobath.cli.terminal import WIDTH, console, warn, width
from isobath.report.wording import count_of, printable
from isobath.settings.dates import parse_day
from isobath.settings.values import no_choice, split_words
from isobath.study.catalogue import Row, chosen
from isobath.study.home import catalogue, shelf
from isobath.study.kinds import KINDS
from isobath.study.shelf import Shelf
from isobath.units import format_bytes

if TYPE_CHECKING:
    from rich.table import Table

STATES = ("complete", "unfinished", "running", "changed", "unreadable")
SHOWN = 30
GAP = 2
"""characters between two columns"""

DATE = len("2026-11-20 08:15")
WIDEST = WIDTH + DATE + GAP
"""columns, where the terminal has them: the date of a study then stands by itself, which else is
read from its id"""

NAMES = tuple(entry.name.rpartition(" ")[2] for entry in KINDS)
"""Words for kinds, all of them heard by --kind."""

LEAST = 12
"""characters of a result, however long the id of a study is"""

Text = Annotated[
    str,
    typer.Argument(
        metavar="TEXT",
        help="Only studies that have this text in id, result, graph, MPI or machine.",
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND,..",
        help=f"Only studies of these kinds: {', '.join(NAMES)}.",
        autocompletion=completion.kinds,
    ),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="TAG,..",
        help="Only studies that have this tag.",
        autocompletion=completion.tags,
    ),
]
States = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="STATE,..",
        help="Only studies in this state: complete, unfinished, running, changed, unreadable.",
        autocompletion=completion.some_of(STATES),
    ),
]
Since = Annotated[
    str,
    typer.Option(
        metavar="DAY", help="Only studies made since this day: 2026-11-20, yesterday, 7d."
    ),
]
Before = Annotated[
    str, typer.Option(metavar="DAY", help="Only studies made before this day: 2026-11-20, 7d.")
]
All = Annotated[
    bool, typer.Option("--all", help=f"List all studies, not the newest {SHOWN} alone.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, all fields of all studies.")]


def list_studies(
    text: Text = "",
    *,
    kind: Kinds = None,
    tag: Tags = None,
    state: States = None,
    since: Since = "",
    before: Before = "",
    everything: All = False,
    json_output: AsJson = False,
    store: Store = None,
) -> int:
    """List the studies that are stored: what was run, measured, fitted or imported.

    The newest stand last. An id begins with the day and time (UTC) at which its study began.
    """
    where = shelf(store)
    known = catalogue()
    everything_there = known.rows(where)
    if known.problem:
        warn(known.problem)
    rows = chosen(
        everything_there,
        kinds=_kinds(kind),
        tags=split_words(tag),
        states=_states(state),
        since=parse_day("--since", since) if since else "",
        before=parse_day("--before", before) if before else "",
        text=text,
    )
    if json_output:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return 0
    if not rows:
        print(_none(len(everything_there), where))
        return 0
    newest = rows if everything else rows[-SHOWN:]
    console(WIDEST).print(table_of(newest, width(WIDEST)))
    if len(newest) < len(rows):
        print(f"and {count_of(len(rows) - len(newest), 'older one')}; add --all to see them")
    print(f"{count_of(len(rows), 'study', 'studies')}, {format_bytes(sum(r.bytes for r in rows))}")
    return 0


def _kinds(words: list[str] | None) -> tuple[str, ...]:
    if not words:
        return ()
    from isobath.cli.studies import kinds_named  # with all that starts studies, which takes a while

    return kinds_named(words)


def _none(there: int, where: Shelf) -> str:
    """Why nothing is listed."""
    if there:
        return f"none of {count_of(there, 'study', 'studies')} fits; {front_door()} list shows all"
    return f"there is no study in {shown(where.folders[0])} yet; make one with {front_door()} run"


def _states(words: list[str] | None) -> tuple[str, ...]:
    states = split_words(words)
    for word in states:
        if word not in STATES:
            raise no_choice("--state", word, STATES)
    return states


def table_of(rows: list[Row], columns: int = WIDTH) -> "Table":
    """So many columns; a long result goes on in the next line, and ends there."""
    from rich import box
    from rich.table import Table

    lines = [(row.study_id, row.kind.removeprefix("bench "), format_bytes(row.bytes))
             for row in rows]  # fmt: skip
    taken = sum(max(map(len, column)) + GAP for column in zip(*lines, strict=True))
    with_date = columns >= WIDEST
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("study", no_wrap=True)
    if with_date:
        table.add_column("began, UTC", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    room = max(LEAST, columns - taken - with_date * (DATE + GAP))
    table.add_column("result", max_width=room)
    table.add_column("size", justify="right", no_wrap=True)
    for row, (study_id, kind, size) in zip(rows, lines, strict=True):
        result = shorten(_result(row, 2 * room), 2 * room, placeholder=" \N{HORIZONTAL ELLIPSIS}")
        date = (row.created[:DATE],) if with_date else ()
        table.add_row(study_id, *date, kind, result, size)
    return table


def _result(row: Row, room: int) -> str:
    """What came of it; on which machine and with which MPI as far as there is room."""
    marks = {"changed": "CHANGED ", "unreadable": "UNREADABLE ", "unfinished": "unfinished, "}
    words = [f"[{', '.join(row.tags)}] " if row.tags else ""]
    words.append(f"{', '.join(filter(None, ('running', row.progress)))}; "
                 if row.state == "running" else "")  # fmt: skip
    words.append(marks.get(row.state, ""))
    words.append(f"{row.graph}: " if row.graph else "")
    told = printable("".join((*words, row.headline)))
    for fact in filter(None, (row.machine, row.mpi)):
        more = f"{told}; {printable(fact)}"
        told = more if len(more) <= room and fact not in told else told
    return told
