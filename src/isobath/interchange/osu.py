# SPDX-License-Identifier: Apache-2.0
"""What the OSU micro-benchmarks print: a heading, the names of columns, a row for each size."""

import re
from collections.abc import Iterator

from isobath.interchange.foreign_value import WRONG, ForeignValue, Output, is_positive, number_of

HEADING = re.compile(r"^# OSU MPI(\S*) (.+?) v(\d[\w.]*)\s*$")
COLUMNS = re.compile(r"^#\s+(Size\s.*|.*\(us\).*)$")
PROGRAM = "OSU"

NAMES = {
    "all-to-all personalized exchange": "alltoall",
    "all-to-allv personalized exchange": "alltoallv",
    "all-to-allw personalized exchange": "alltoallw",
    "all-to-all": "alltoall",
    "all-to-allv": "alltoallv",
    "broadcast": "bcast",
    "multiple bandwidth / message rate": "message rate of pairs",
    "": "ping-pong",
}
"""What is called otherwise here."""

OF_TWO = ("ping-pong", "bandwidth", "bi-directional bandwidth")
"""Always between two ranks."""

TIMES = {"avg latency(us)": "", "latency (us)": "", "overall(us)": "", "pure comm.(us)": "pure"}
"""Columns of microseconds, and what they are beside the first."""

RATES = {"bandwidth (mb/s)": ("MB/s", ""), "mb/s": ("MB/s", ""),
         "messages/s": ("messages/s", "messages")}  # fmt: skip


def read_osu(text: str) -> Output:
    """All rows, in their order; what else a log holds is passed over."""
    programs: dict[str, None] = {}
    values: list[ForeignValue] = []
    what = ""
    columns: list[str] = []
    settings: dict[str, str] = {}
    for line in text.splitlines():
        if heading := HEADING.match(line):
            programs[f"OSU micro-benchmarks {heading[3]}"] = None
            what, settings = _what(heading[2]), _settings(heading[1])
            columns = []
        elif what and (named := COLUMNS.match(line)):
            columns = [name.lower() for name in re.split(r"\s{2,}", named[1].strip())]
        elif what and columns:
            values += _row(line, what, columns, settings)
    return Output(tuple(programs), tuple(values))


def _what(title: str) -> str:
    """``Allreduce Latency Test`` is allreduce."""
    name = title.removesuffix(" Test").removesuffix("Latency").strip().lower()
    is_nonblocking = name.startswith("non-blocking ")
    name = name.removeprefix("non-blocking ")
    name = NAMES.get(name, name)
    return f"nonblocking {name}" if is_nonblocking else name


def _settings(flavour: str) -> dict[str, str]:
    """Of ``# OSU MPI-CUDA ...``."""
    return {"buffers in": flavour.strip("-")} if flavour.strip("-") else {}


def _row(
    line: str, what: str, columns: list[str], settings: dict[str, str]
) -> Iterator[ForeignValue]:
    words = line.split()
    if len(words) != len(columns):
        return
    cells = dict(zip(columns, words, strict=True))
    numbers = {name: number_of(word) for name, word in cells.items()}
    if any(number is None for name, number in numbers.items() if name != "validation"):
        return
    size = numbers.get("size")
    trouble = ""
    if cells.get("validation", "").lower().startswith("fail"):
        trouble = f"{WRONG}: its own validation failed"
    for name, number in numbers.items():
        if number is None or not is_positive(number):
            continue
        unit, beside, factor = "s", TIMES.get(name, ""), 1e-6
        if name in RATES:
            (unit, beside), factor = RATES[name], 1.0
        elif name not in TIMES:
            continue
        yield ForeignValue(
            f"{what}, {beside}" if beside else what,
            number * factor,
            unit,
            more_is_better=unit != "s",
            program=PROGRAM,
            ranks=2 if what in OF_TWO else None,
            size_bytes=None if size is None else int(size),
            settings=settings,
            trouble=trouble,
        )
