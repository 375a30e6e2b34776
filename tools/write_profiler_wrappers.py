#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the wrappers of the profiler for one MPI library.

What a call means stands in engine/profiler/calls.toml, how it is declared in the library's mpi.h:
the two together give one small function for each call. CMake runs this with the C++ compiler and
the folder of mpi.h; a call that the header lacks is left out, and one that has another number of
arguments than the table says is refused.

Usage: write_profiler_wrappers.py --table calls.toml --output folder -- c++ -E -I... flags
"""

import argparse
import fnmatch
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROTOTYPE = re.compile(r"\bint\s+PMPI_(\w+)\s*\(([^;{}]*?)\)\s*(?:__attribute__|;)", re.S)
PARAMETER = re.compile(r"^(?P<type>.*?)(?P<name>\b\w+)\s*(?P<arrays>(\[\d*\])*)$", re.S)
HEAD = "// Written by tools/write_profiler_wrappers.py from calls.toml and mpi.h: do not edit.\n"
ALL_ARGUMENTS = "*"
ASKS_UNSEEN = ("Request_get_status*", "Parrived")
"""Calls that only ask, of which the table does not tell the argument that answers."""


class TableError(Exception):
    """The table and the header do not fit each other; the text says where and what to change."""


@dataclass(frozen=True)
class Parameter:
    """A parameter as the header declares it."""

    declared: str
    """with a name, fit for a definition"""
    name: str


@dataclass(frozen=True)
class Call:
    """One MPI call to wrap."""

    name: str
    """without prefix"""
    shape: str
    arguments: tuple[str, ...]
    """names in MPI's order; ("*",) for any number of them"""
    join: str = ""
    after: bool = False
    is_plan: bool = False
    """a persistent collective: counted when it is started"""

    @property
    def identifier(self) -> str:
        """The name under which it is counted."""
        return self.name.removesuffix("_c").lower()


@dataclass
class Table:
    """calls.toml, spread out."""

    calls: dict[str, Call] = field(default_factory=dict)
    patterns: list[Call] = field(default_factory=list)
    """those whose name has a *"""
    by_hand: tuple[str, ...] = ()
    not_profiled: tuple[str, ...] = ()

    def find(self, name: str) -> Call | None:
        """The call of that name, its large-count form included."""
        base = name.removesuffix("_c")
        found = self.calls.get(base)
        if found is None:
            found = next((one for one in self.patterns if fnmatch.fnmatch(base, one.name)), None)
        if found is None:
            return None
        return Call(name, found.shape, found.arguments, found.join, found.after, found.is_plan)

    def knows(self, name: str) -> bool:
        """Whether the table says anything of that call."""
        base = name.removesuffix("_c")
        listed = (*self.by_hand, *self.not_profiled)
        is_listed = any(fnmatch.fnmatch(base, one) for one in listed)
        return is_listed or self.find(name) is not None


def read_table(text: str) -> Table:
    """The table. Raises: TableError for a call that is listed twice."""
    raw = tomllib.loads(text)
    table = Table(
        by_hand=tuple(raw.get("by_hand", {}).get("calls", ())),
        not_profiled=tuple(raw.get("not_profiled", {}).get("calls", ())),
    )
    for family in raw["family"]:
        for call in calls_of(family):
            if "*" in call.name:
                table.patterns.append(call)
            elif call.name in table.calls:
                raise TableError(f"calls.toml lists {call.name} twice; take one of them out")
            else:
                table.calls[call.name] = call
    return table


def calls_of(family: dict[str, Any]) -> Iterator[Call]:
    """The calls of one family, in all their forms."""
    shape = family["shape"]
    arguments = tuple(family["arguments"].split()) if shape != "timed" else (ALL_ARGUMENTS,)
    after = family.get("after", False)
    join = family.get("join", "")
    for name in family["calls"]:
        yield Call(name, shape, arguments, join, after)
        if family.get("forms") == "collective":
            yield Call("I" + name.lower(), shape, (*arguments, "request"))
            yield Call(f"{name}_init", shape, (*arguments, "info", "request"), is_plan=True)


def prototypes(preprocessed: str) -> dict[str, tuple[Parameter, ...]]:
    """The calls that a preprocessed mpi.h declares, by name without prefix."""
    found: dict[str, tuple[Parameter, ...]] = {}
    for name, inside in PROTOTYPE.findall(preprocessed):
        words = [word.strip() for word in " ".join(inside.split()).split(",")]
        if words in (["void"], [""]):
            words = []
        found[name] = tuple(parameter(word, i) for i, word in enumerate(words))
    return found


def parameter(text: str, index: int) -> Parameter:
    """One parameter; a name is given to one that has none, and arrays keep theirs."""
    if text == "...":
        return Parameter(text, text)
    match = PARAMETER.match(text)
    is_named = match is not None and match["type"].strip() not in ("", "const")
    if match is not None and is_named:
        return Parameter(text, match["name"])
    name = f"argument_{index}"
    return Parameter(f"{text} {name}", name)


def wrapper(call: Call, parameters: tuple[Parameter, ...]) -> str:
    """The C++ function that stands before one call of the library.

    Raises: TableError where the header and the table differ in the number of arguments.
    """
    names = [one.name for one in parameters]
    if call.arguments == (ALL_ARGUMENTS,):
        roles = dict.fromkeys(names)
    elif len(call.arguments) != len(parameters):
        raise TableError(
            f"MPI_{call.name} has {len(parameters)} arguments in mpi.h ({', '.join(names)}), "
            f"calls.toml says {len(call.arguments)} ({', '.join(call.arguments)}): correct its row"
        )
    else:
        roles = dict(zip(names, call.arguments, strict=True))
    passed = ", ".join(_passed(name, role, names, call) for name, role in roles.items())
    counted = [name for name, role in roles.items() if role not in ("info",) or not call.is_plan]
    if call.is_plan or call.name.startswith("I"):
        counted = [name for name in counted if roles[name] != "request" or call.after]
    if call.arguments == (ALL_ARGUMENTS,):
        counted = []
    declared = ", ".join(one.declared for one in parameters)
    arguments = ", ".join(["call", *counted])
    function = f"PMPI_{call.name}"
    found = _found(call, names)
    ended = [f"  call.end(next({passed}));"]
    if found:
        ended = [f"  const int result = next({passed});", f"  call.end(result, {found});"]
    join = call.join or "none"
    lines = [
        f"int MPI_{call.name}({declared}) {{",
        f'  static constinit LibraryFunction<decltype({function})> library{{"{function}"}};',
        f"  Call call(CallId::{call.identifier}, __builtin_return_address(0), Join::{join});",
        f"  if (call.is_counted()) count_before::{call.shape}({arguments});",
        "  const auto next = library.found();",
        "  call.begin();",
        *ended,
    ]
    if call.after:
        lines.append(f"  if (call.succeeded()) count_after::{call.shape}({arguments});")
    if call.is_plan:
        request = names[call.arguments.index("request")]
        lines.append(f"  if (call.succeeded()) count_after::plan(call, {request});")
    lines += ["  return call.result();", "}"]
    lines.append(_alias(call.name, parameters))
    return "\n".join(lines) + "\n"


def _found(call: Call, names: list[str]) -> str:
    """Of a call that only asks: whether it found something, in C++. Empty for every other."""
    if any(fnmatch.fnmatch(call.name, one) for one in ASKS_UNSEEN):
        return "false"
    if "flag" in call.arguments:
        return f"result == MPI_SUCCESS && *{names[call.arguments.index('flag')]} != 0"
    if call.name == "Testsome":
        return f"result == MPI_SUCCESS && *{names[call.arguments.index('outcount')]} > 0"
    return ""


def _passed(name: str, role: str | None, names: list[str], call: Call) -> str:
    if role == "status":
        return f"call.status({name})"
    if role == "statuses":
        return f"call.statuses({names[call.arguments.index('count')]}, {name})"
    return name


def _alias(name: str, parameters: tuple[Parameter, ...]) -> str:
    """PMPI_ too, because Fortran's bindings call that directly."""
    declared = ", ".join(one.declared for one in parameters)
    return f'int PMPI_{name}({declared}) __attribute__((alias("MPI_{name}")));'


def written(table: Table, declared: dict[str, tuple[Parameter, ...]]) -> tuple[str, str]:
    """The list of call names and the wrappers."""
    wrapped = {name: call for name in declared if (call := table.find(name)) is not None}
    identifiers = {call.identifier for call in wrapped.values()}
    identifiers |= {name.lower() for name in table.by_hand}
    names = sorted(identifiers)
    listing = HEAD + "".join(f"ISOBATH_CALL({name})\n" for name in names)
    body = [wrapper(call, declared[name]) for name, call in sorted(wrapped.items())]
    source = (
        HEAD
        + '#include "profiler/call.hpp"\n#include "profiler/counting.hpp"\n'
        + '#include "profiler/library.hpp"\n\n'
        + "using namespace isobath::profiler;\n\n"
        + 'extern "C" {\n#pragma GCC visibility push(default)\n\n'
        + "\n".join(body)
        + "\n#pragma GCC visibility pop\n}\n"
    )
    return listing, source


def unknown_calls(table: Table, declared: dict[str, tuple[Parameter, ...]]) -> list[str]:
    """Calls of the header that the table says nothing of."""
    return sorted(name for name in declared if not table.knows(name))


def preprocessed_header(command: list[str]) -> str:
    """mpi.h as the compiler sees it."""
    done = subprocess.run(
        [*command, "-x", "c++", "-"],
        input="#include <mpi.h>\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise TableError(f"mpi.h cannot be read with {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def main() -> int:
    """Writes call_names.inc and wrappers.cpp."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("command", nargs="+", help="the preprocessor")
    options = parser.parse_args()
    try:
        table = read_table(options.table.read_text(encoding="utf-8"))
        declared = prototypes(preprocessed_header(options.command))
        listing, source = written(table, declared)
    except TableError as error:
        print(f"write_profiler_wrappers: {error}", file=sys.stderr)
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "call_names.inc").write_text(listing, encoding="utf-8")
    (options.output / "wrappers.cpp").write_text(source, encoding="utf-8")
    for name in unknown_calls(table, declared):
        print(f"write_profiler_wrappers: MPI_{name} is not in calls.toml, it will not be profiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
