# SPDX-License-Identifier: Apache-2.0
"""What IMB-MPI1 prints: means over repetitions of each rank, in microseconds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

BEGIN = re.compile(r"^# Benchmarking (\w+)\s*$")
RANKS = re.compile(r"^# #processes = (\d+)\s*$")
NUMBERS = re.compile(r"^[\s\d.]+$")


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
