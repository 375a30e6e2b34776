# SPDX-License-Identifier: Apache-2.0
"""Tables of a study for other programs: rows of its findings, numbers as they were measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel

if TYPE_CHECKING:
    from rich.table import Table

Scalar = str | int | float | bool | None
"""what a cell of a table holds"""

GAP = 3
"""characters between two columns"""


@dataclass(frozen=True)
class TableOf:
    """Where the rows of a table stand in the findings."""

    words: str
    """what it holds, a line of --views"""
    path: str
    """names of lists, outermost first: groups.rows; a row has the plain values around its list"""
    without: tuple[str, ...] = ()
    """of the values around, those that are left out"""
    pair: tuple[str, str] | None = None
    """columns of what is no list but names with values: phase, seconds"""


@dataclass(frozen=True)
class DataTable:
    """Columns with units in their names, and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


def table_of(wanted: TableOf, facts: Mapping[str, Any], model: type[BaseModel]) -> DataTable:
    """The table that stands in the findings. Its columns are those of the model, whatever a study
    has of them: cells that it lacks are empty.
    """
    if wanted.pair is not None:
        return DataTable(wanted.pair, tuple((facts.get(wanted.path) or {}).items()))
    *outer, last = wanted.path.split(".")
    rows = list(_rows((*outer, last), facts, {}))
    columns: list[str] = []
    for part in outer:
        model = _model_in(model.model_fields[part].annotation)
        columns += [name for name in _plain_columns(model) if name not in wanted.without]
    columns += _columns(_model_in(model.model_fields[last].annotation), rows)
    return DataTable(
        tuple(columns), tuple(tuple(row.get(name) for name in columns) for row in rows)
    )


def _rows(
    path: Sequence[str], facts: Mapping[str, Any], around: Mapping[str, Scalar]
) -> Iterator[dict[str, Scalar]]:
    for entry in facts.get(path[0]) or ():
        row = {**around, **_flat(entry)}
        if len(path) == 1:
            yield row
        else:
            yield from _rows(path[1:], entry, row)


def _flat(facts: Mapping[str, Any], before: str = "") -> dict[str, Scalar]:
    """Names of inner objects before those of their fields: seconds_blocking. Intervals become
    ``_low`` and ``_high``; other lists of plain values are joined; lists of objects are left out.
    """
    flat: dict[str, Scalar] = {}
    for name, value in facts.items():
        full = before + name
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{full}_")
        elif not isinstance(value, list | tuple):
            flat[full] = value
        elif _is_interval(name):
            flat |= dict(zip(_ends(full), value, strict=True))
        elif not any(isinstance(part, Mapping) for part in value):
            flat[full] = ", ".join(map(str, value))
    return flat


def _columns(
    model: type[BaseModel], rows: Sequence[Mapping[str, Scalar]], before: str = ""
) -> list[str]:
    columns: list[str] = []
    for name, hint in _fields(model):
        full = before + name
        if get_origin(hint) is dict:  # its names are those of the study
            columns += dict.fromkeys(
                column for row in rows for column in row if column.startswith(full + "_")
            )
        elif isinstance(hint, type) and issubclass(hint, BaseModel):
            columns += _columns(hint, rows, f"{full}_")
        elif _is_interval(name):
            columns += _ends(full)
        elif not _is_list_of_models(hint):
            columns.append(full)
    return columns


def _plain_columns(model: type[BaseModel]) -> list[str]:
    """Of what stands around a list: no lists, no objects."""
    return [
        name
        for name, hint in _fields(model)
        if get_origin(hint) not in (list, tuple, dict)
        and not (isinstance(hint, type) and issubclass(hint, BaseModel))
    ]


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items():
        hint = field.annotation
        options = [option for option in get_args(hint) if option is not NoneType]
        if NoneType in get_args(hint) and len(options) == 1:
            hint = options[0]
        yield field.alias or name, hint


def _model_in(hint: Any) -> type[BaseModel]:
    """Of ``list[Model]``."""
    (model,) = get_args(hint)
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    return model


def _is_list_of_models(hint: Any) -> bool:
    inner = get_args(hint)[:1]
    return bool(inner) and isinstance(inner[0], type) and issubclass(inner[0], BaseModel)


def _is_interval(name: str) -> bool:
    return "interval" in name and not name.endswith("_is")


def _ends(name: str) -> tuple[str, str]:
    return f"{name}_low", f"{name}_high"


def rich_parts(data_table: DataTable, width: int) -> "Iterator[Table | str]":
    """As it is printed: what is the same in all rows is said once, above; then the columns that
    have values and room, numbers short and to the right.
    """
    from rich import box
    from rich.table import Table

    places = [
        place
        for place in range(len(data_table.columns))
        if any(row[place] not in (None, "") for row in data_table.rows)
    ]
    cells = {place: [_short(row[place]) for row in data_table.rows] for place in places}
    alike = [
        column for column in places if len(set(cells[column])) == 1 and len(data_table.rows) > 1
    ]
    if alike and len(alike) < len(places):
        yield "All: " + ", ".join(
            f"{data_table.columns[column]} {cells[column][0]}" for column in alike
        )
        places = [column for column in places if column not in alike]
    needed = [
        GAP + max(map(len, (data_table.columns[column], *cells[column]))) for column in places
    ]
    shown, used = [], 0
    for column, size in zip(places, needed, strict=True):
        if used + size <= width:
            shown.append(column)
            used += size
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place in shown:
        is_number = all(isinstance(row[place], int | float | None) for row in data_table.rows)
        table.add_column(
            data_table.columns[place], justify="right" if is_number else "left", no_wrap=True
        )
    for number in range(len(data_table.rows)):
        table.add_row(*(cells[place][number] for place in shown))
    yield table
    yield ""
    left = [data_table.columns[place] for place in places if place not in shown]
    if left:
        yield f"No room for {', '.join(left)}: add --format csv for all.\n"


def _short(value: Scalar) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
