# SPDX-License-Identifier: Apache-2.0
"""isobath list: all studies, one line each."""

import json
from dataclasses import asdict
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from isobath.cli import completion
from isobath.cli.places import shown
from isobath.cli.store_options import Store
from isobath.cli.studies import kinds_named
from isobath.cli.terminal import console, width
from isobath.report.wording import count_of, printable
from isobath.settings.dates import parse_day
from isobath.settings.values import no_choice, split_words
from isobath.study.catalogue import Row, chosen
from isobath.study.home import catalogue, shelf
from isobath.study.shelf import Shelf
from isobath.units import format_bytes

if TYPE_CHECKING:
    from rich.table import Table

STATES = ("complete", "unfinished", "running", "changed", "unreadable")
SHOWN = 30
GAP = 2
"""characters between two columns"""

LEAST = 12
"""characters of a result, however long the id of a study is"""

Text = Annotated[
    str,
    typer.Argument(
        metavar="TEXT", help="Only studies whose id, result, graph, MPI or machine holds it."
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND,..",
        help="Only studies of these kinds: run, race.",
        autocompletion=completion.kinds,
    ),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="TAG,..",
        help="Only studies with such a tag.",
        autocompletion=completion.tags,
    ),
]
States = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="STATE,..",
        help="Only studies in this state: complete, unfinished, running, changed, unreadable.",
        autocompletion=lambda incomplete: [word for word in STATES if word.startswith(incomplete)],
    ),
]
Since = Annotated[
    str, typer.Option(metavar="DAY", help="Only those since this day: 2026-11-20, yesterday, 7d.")
]
Before = Annotated[
    str, typer.Option(metavar="DAY", help="Only those of before this day: 2026-11-20, 7d.")
]
All = Annotated[bool, typer.Option("--all", help=f"All of them, not the newest {SHOWN} alone.")]
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
    """List the studies that are stored: runs, races, searches, profiles, benchmarks.

    The newest stand last.
    """
    where = shelf(store)
    everything_there = catalogue().rows(where)
    rows = chosen(
        everything_there,
        kinds=kinds_named(kind),
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
    console().print(table_of(newest))
    if len(newest) < len(rows):
        print(f"and {count_of(len(rows) - len(newest), 'older one')}: ./isobath list --all")
    print(f"{count_of(len(rows), 'study', 'studies')}, {format_bytes(sum(r.bytes for r in rows))}")
    return 0


def _none(there: int, where: Shelf) -> str:
    """Why nothing is listed."""
    if there:
        return f"none of {count_of(there, 'study', 'studies')} fits; ./isobath list shows all"
    return f"there is no study in {shown(where.folders[0])} yet; make one with ./isobath run"


def _states(words: list[str] | None) -> tuple[str, ...]:
    states = split_words(words)
    for word in states:
        if word not in STATES:
            raise no_choice("--state", word, STATES)
    return states


def table_of(rows: list[Row]) -> "Table":
    """80 columns, or those of the terminal; a long result goes on in the next line, and ends."""
    from rich import box
    from rich.table import Table

    lines = [(row.study_id, row.kind.removeprefix("bench "), format_bytes(row.bytes))
             for row in rows]  # fmt: skip
    taken = sum(max(map(len, column)) + GAP for column in zip(*lines, strict=True))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("study", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    room = max(LEAST, width() - taken)
    table.add_column("result", max_width=room)
    table.add_column("size", justify="right", no_wrap=True)
    for row, (study_id, kind, size) in zip(rows, lines, strict=True):
        table.add_row(
            study_id,
            kind,
            shorten(_result(row, 2 * room), 2 * room, placeholder=" \N{HORIZONTAL ELLIPSIS}"),
            size,
        )
    return table


def _result(row: Row, room: int) -> str:
    """What came of it; on which machine and with which MPI as far as there is room."""
    marks = {"changed": "CHANGED ", "unreadable": "UNREADABLE ", "unfinished": "unfinished, "}
    words = [f"[{', '.join(row.tags)}] " if row.tags else ""]
    words.append(f"running, {row.progress}; " if row.state == "running" else "")
    words.append(marks.get(row.state, ""))
    words.append(f"{row.graph}: " if row.graph else "")
    told = printable("".join((*words, row.headline)))
    for fact in filter(None, (row.machine, row.mpi)):
        more = f"{told}; {printable(fact)}"
        told = more if len(more) <= room and fact not in told else told
    return told
