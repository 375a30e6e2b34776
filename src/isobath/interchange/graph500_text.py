# SPDX-License-Identifier: Apache-2.0
"""What Graph500's reference (2.1, 3.0) and RIKEN's search print: names of the specification, with
bfs or sssp before them or not, and an exclamation mark in one line.
"""

import re
from collections.abc import Iterator, Mapping

from isobath.interchange.foreign_value import ForeignValue, Output, is_positive, number_of

LINE = re.compile(r"^\s*(?:(bfs|sssp)[\s_]+)?([A-Za-z_]+):[\s!]*(\S+)")
INVALID = "No results printed for invalid run"
OF_RIKEN = "redistribution_time"
RATE = "harmonic_mean_TEPS"
EDGEFACTOR = 16

REFERENCE, RIKEN = "Graph500 reference", "RIKEN's search"
"""The families; whoever prints as the reference does is not told from it."""

SEARCHES = {"bfs": "search", "sssp": "shortest paths"}

Fields = dict[tuple[str, str], float]
"""By kernel, empty where a line names none, and name."""


def read_graph500(text: str) -> Output:
    """Each block that begins with SCALE is a run of the program."""
    blocks = list(_blocks(text))
    is_invalid = INVALID in text
    with_rates = [block for block in blocks if any(name == RATE for _, name in block)]
    if not with_rates:
        why = "the program says that its run is invalid"
        return Output((REFERENCE,), (), (why,)) if is_invalid else Output()
    programs = dict.fromkeys(_program(block) for block in with_rates)
    values = tuple(value for block in with_rates for value in _values(block))
    remarks: list[str] = []
    if any(_is_unvalidated(block) for block in with_rates):
        remarks.append("its searches were not validated")
    if is_invalid:
        remarks.append("another run in it is invalid, as the program says, and left out")
    return Output(tuple(programs), values, tuple(remarks))


def _blocks(text: str) -> Iterator[Fields]:
    fields: Fields | None = None
    for line in text.splitlines():
        hit = LINE.match(line)
        if hit is None:
            continue
        if hit[2] == "SCALE":
            if fields:
                yield fields
            fields = {}
        number = number_of(hit[3])
        if fields is not None and number is not None:
            fields[hit[1] or "", hit[2]] = number
    if fields:
        yield fields


def _program(block: Fields) -> str:
    return RIKEN if ("", OF_RIKEN) in block else REFERENCE


def _is_unvalidated(block: Fields) -> bool:
    """It prints -1 for times of a validation that was left out."""
    return any(name.endswith("_validate") and value < 0 for (_, name), value in block.items())


def _values(block: Fields) -> Iterator[ForeignValue]:
    program = _program(block)
    of_run = _of_run(block)
    ranks = int(of_run["num_mpi_processes"]) if "num_mpi_processes" in of_run else None
    graph = _graph(of_run)
    searches = int(of_run.get("NBFS", 0))
    for (kernel, name), value in block.items():
        if name == RATE and is_positive(value):
            yield ForeignValue(
                SEARCHES[kernel or "bfs"], value, "TEPS", more_is_better=True, program=program,
                ranks=ranks, graph=graph, keys=_keys(searches),
            )  # fmt: skip
    for name, what in (("construction_time", "construction"), ("graph_generation", "generation")):
        if is_positive(of_run.get(name, 0.0)):
            yield ForeignValue(what, of_run[name], program=program, ranks=ranks, graph=graph)


def _of_run(block: Fields) -> Mapping[str, float]:
    return {name: value for (kernel, name), value in block.items() if not kernel}


def _graph(of_run: Mapping[str, float]) -> str:
    factor = int(of_run.get("edgefactor", EDGEFACTOR))
    beside = "" if factor == EDGEFACTOR else f", edgefactor {factor}"
    return f"scale {int(of_run['SCALE'])}{beside}"


def _keys(searches: int) -> str:
    return f"{searches} keys" if searches else ""
