# SPDX-License-Identifier: Apache-2.0
"""A publication and its figures, tables and statements. Only numbers that it states are data."""

from dataclasses import dataclass
from typing import Literal

from isobath.view.content import Table

Status = Literal["reproduced here", "simulated", "computed", "in shape only", "not"]

MEANINGS: dict[Status, str] = {
    "reproduced here": "measured by this laboratory, on this or any machine, by the command named",
    "simulated": "by a simulation of the machine; no time of it was measured",
    "computed": "by closed forms or arithmetic; nothing was measured",
    "in shape only": "the same experiment can be run; its size or machine is another",
    "not": "why not stands beside it",
}


@dataclass(frozen=True)
class Item:
    """A figure, table or statement."""

    name: str
    shows: str
    status: Status
    how: str
    """by which method, and what came of it; or why not"""
    tables: tuple[Table, ...] = ()
    """whose captions begin with the status"""
    command: str = ""
    """that measures the same thing; empty where none does"""
    fails: bool = False
    """what was computed is not what the source states"""


@dataclass(frozen=True)
class Source:
    """A publication."""

    name: str
    """as it is typed"""
    title: str
    readable: str
    """how much of it there is"""
    items: tuple[Item, ...]
