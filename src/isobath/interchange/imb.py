# SPDX-License-Identifier: Apache-2.0
"""What IMB-MPI1 prints: means over repetitions of each rank, in microseconds."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from isobath.interchange.foreign_value import WRONG, ForeignValue, Output, is_positive

BEGIN = re.compile(r"^# Benchmarking (\w+)\s*$")
RANKS = re.compile(r"^# #processes = (\d+)\s*$")
NUMBERS = re.compile(r"^[\s\d.]+$")
NAME = re.compile(r"^#\s+Intel ?\(R\) MPI Benchmarks? ([\w.]+)")
PROGRAM = "IMB"


@dataclass(frozen=True)
class ImbRow:
    """One size of one collective."""

    name: str
    """as IMB calls it: Alltoall"""
    ranks: int
    size_bytes: int
    """as IMB counts it; 0 of a barrier"""
    repetitions: int
    smallest: float
    """of the means of ranks: t_min"""
    largest: float
    """t_max"""
    mean: float
    """t_avg"""


def read_imb(text: str) -> tuple[ImbRow, ...]:
    """All rows of an output, in its order; all else is passed over."""
    return tuple(_rows(text))


def _rows(text: str) -> Iterator[ImbRow]:
    name, ranks = "", 0
    for line in text.splitlines():
        if begin := BEGIN.match(line):
            name, ranks = begin[1], 0
        elif told := RANKS.match(line):
            ranks = int(told[1])
        elif name and ranks and NUMBERS.match(line):
            words = line.split()
            if len(words) == 4:  # a barrier has no size
                words = ["0", *words]
            if len(words) == 5:
                size, repetitions = int(words[0]), int(words[1])
                yield ImbRow(name, ranks, size, repetitions, *map(float, words[2:]))


TIMES = {"t_avg[usec]": "", "t[usec]": "", "t_ovrl[usec]": "", "t_pure[usec]": "pure"}
"""Columns that are taken, and what they are beside the first."""


def read_output(text: str) -> Output:
    """Of any of its parts, by the names of columns; rows that say why there is none are left."""
    programs: dict[str, None] = {}
    values: list[ForeignValue] = []
    what, ranks = "", 0
    columns: list[str] = []
    for line in text.splitlines():
        if named := NAME.match(line):
            programs[f"Intel MPI Benchmarks {named[1].rstrip(',')}"] = None
        elif begin := BEGIN.match(line):
            what, ranks, columns = begin[1].lower(), 0, []
            programs = programs or {"Intel MPI Benchmarks": None}
        elif told := RANKS.match(line):
            ranks = int(told[1])
        elif "#repetitions" in line:
            columns = line.split()
        elif what and columns and NUMBERS.match(line):
            words = line.split()
            if len(words) == len(columns):
                row = dict(zip(columns, map(float, words), strict=True))
                values += _values(what, ranks, row)
    return Output(tuple(programs), tuple(values))


def _values(what: str, ranks: int, row: Mapping[str, float]) -> Iterator[ForeignValue]:
    size = row.get("#bytes")
    for name, beside in TIMES.items():
        if is_positive(row.get(name, 0.0)):
            yield ForeignValue(
                f"{what}, {beside}" if beside else what,
                row[name] * 1e-6,
                program=PROGRAM,
                ranks=ranks or None,
                size_bytes=None if size is None else int(size),
                trouble=f"{WRONG}: it counts defects" if row.get("defects", 0.0) > 0 else "",
            )
