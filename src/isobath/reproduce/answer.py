# SPDX-License-Identifier: Apache-2.0
"""Publications as sections, pages and facts."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from isobath.records.described import Described
from isobath.report.wording import count_of
from isobath.reproduce.beside import Beside
from isobath.reproduce.deck import deck
from isobath.reproduce.k_computer import k_computer
from isobath.reproduce.sharp import sharp
from isobath.reproduce.source import MEANINGS, Item, Source
from isobath.reproduce.stampede2 import stampede2
from isobath.reproduce.tsubame import tsubame
from isobath.study.findings import Facts
from isobath.study.tables import DataTable, TableOf, table_of
from isobath.units import format_seconds
from isobath.view.content import Block, Fact, Notice, Page, Paragraph, Section, Table, columns
from isobath.view.content import Facts as FactsBlock

REPRODUCTION_SCHEMA = 1

SOURCES: Mapping[str, Callable[[], Source]] = {
    "tsubame": tsubame,
    "deck": deck,
    "stampede2": stampede2,
    "k": k_computer,
    "sharp": sharp,
}
"""By the word that is typed."""


class ItemFacts(Facts):
    """A figure, table or statement."""

    name: str
    shows: str
    status: Literal["reproduced here", "simulated", "computed", "in shape only", "not"]
    how: str
    command: str
    holds: bool
    """false where what was computed is not what the source states"""


class BesideRowFacts(Facts):
    """A line of a study of this laboratory; null is what does not apply."""

    name: str
    measured_seconds: float | None
    predicted_seconds: float | None
    measured_place: int | None
    predicted_place: int | None
    error: float | None
    """share by which what is predicted is too slow; below 0 too fast"""


class BesideFacts(Facts):
    """What a study of this laboratory says of an item."""

    item: str
    study: str
    sentence: str
    rows: list[BesideRowFacts]


class ReproductionFindings(Facts):
    """A publication. Fields as of predictions."""

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["reproduce"]
    source: str
    title: str
    readable: str
    items: list[ItemFacts]
    beside: list[BesideFacts]
    """of studies that were named"""


TABLES = {
    "items": TableOf("every figure, table and statement", "items"),
    "beside": TableOf("studies of this laboratory beside it", "beside.rows"),
}


def facts_of(source: Source, found: Sequence[Beside] = ()) -> dict[str, Any]:
    """What reproduce --json prints; its schema is schema/reproduction-1.json."""
    facts = {
        "schema": REPRODUCTION_SCHEMA,
        "kind": "reproduce",
        "source": source.name,
        "title": source.title,
        "readable": source.readable,
        "items": [
            {
                "name": item.name,
                "shows": item.shows,
                "status": item.status,
                "how": item.how,
                "command": item.command,
                "holds": not item.fails,
            }
            for item in source.items
        ],
        "beside": [asdict(one) for one in found],
    }
    return ReproductionFindings.model_validate(facts).model_dump(mode="json", by_alias=True)


def data_of(source: Source, name: str, found: Sequence[Beside] = ()) -> DataTable:
    """A table of it. Raises: KeyError."""
    return table_of(TABLES[name], facts_of(source, found), ReproductionFindings)


def sections_of(source: Source, found: Sequence[Beside] = ()) -> Iterator[Section]:
    """All items in one table, studies beside them, then each item with its numbers; what does not
    hold comes first.
    """
    yield listing(source)
    if found:
        yield Section("beside", "Studies of this laboratory beside it",
                      tuple(block for one in found for block in _beside(one)))  # fmt: skip
    for number, item in enumerate(sorted(source.items, key=lambda item: not item.fails), start=1):
        yield _item(number, item)
    words = tuple(Fact(status, meaning) for status, meaning in MEANINGS.items())
    yield Section(
        "method", "What the words mean", (FactsBlock(words, style="words"),), measured=False
    )


def listing(source: Source) -> Section:
    """One line for each."""
    rows = tuple((item.name, item.status, item.shows) for item in source.items)
    number = Counter(item.status for item in source.items)
    told = ", ".join(f"{count} {status}" for status, count in number.items())
    table = Table("Figures, tables and statements", columns("=item", "=here", "shows"), rows,
                  measured=False)  # fmt: skip
    return Section(
        "items",
        source.title,
        (table,),
        lead=f"{count_of(len(source.items), 'item')}: {told}. Of the source there is: "
        f"{source.readable}.",
        measured=False,
    )


def _item(number: int, item: Item) -> Section:
    blocks: list[Block] = [Paragraph(item.how)]
    if item.fails:
        blocks.insert(0, Notice("What was computed is not what the source states."))
    blocks += item.tables
    if item.command:
        fact = Fact(f"{command_word(item.command)} by", item.command)
        blocks.append(FactsBlock((fact,), style="words"))
    return Section(
        f"item-{number}",
        f"{item.name}: {item.status}",
        tuple(blocks),
        lead=f"{item.shows[0].upper()}{item.shows[1:]}.",
        measured=False,
    )


def command_word(command: str) -> str:
    """What a command does: nothing that it simulates or computes was measured."""
    if command.startswith("./isobath simulate "):
        return "simulated"
    return "computed" if command.startswith("./isobath verify ") else "measured"


def _beside(one: Beside) -> tuple[Block, ...]:
    rows = tuple(
        (
            row.name,
            _seconds(row.predicted_seconds),
            str(row.predicted_place or "-"),
            _seconds(row.measured_seconds),
            str(row.measured_place or "-"),
            f"{100 * row.error:+.0f} %" if row.error is not None else "-",
        )
        for row in one.rows
    )
    heads = columns(
        "=what", "#predicted", "#predicted place", "#measured", "#measured place",
        "#predicted too slow by",
    )  # fmt: skip
    words = Paragraph(f"{one.item}, beside {one.study}: {one.sentence}.")
    return (words, Table(f"Predicted and measured, {one.study}", heads, rows)) if rows else (words,)


def _seconds(value: float | None) -> str:
    return "-" if value is None else format_seconds(value)


def page_of(source: Source, found: Sequence[Beside] = ()) -> Page:
    """All sections."""
    return Page(
        title=f"Reproduced: {source.title}",
        heading=source.title,
        place="",
        noun="source",
        name=source.name,
        made_from="closed forms and statements",
        sections=tuple(sections_of(source, found)),
    )


def schema_text() -> str:
    """schema/reproduction-1.json, byte for byte."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= ReproductionFindings.model_json_schema(by_alias=True, schema_generator=Described)
    return json.dumps(schema, indent=2) + "\n"
