# SPDX-License-Identifier: Apache-2.0
"""C++ compiler, CMake and ninja: found, checked, installed where that is allowed."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass

import bootstrap_debian as debian
from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_python import tool_from_wheel
from bootstrap_workspace import (
    Workspace,
    fingerprint,
    identity,
    moved_here,
    read_json,
    write_atomically,
)

MINIMUM_GCC = 12
MINIMUM_CLANG = 16
MINIMUM_CMAKE = (3, 25)
COMPILERS = [
    "g++", "c++", *(f"g++-{n}" for n in range(MINIMUM_GCC, 20)),
    "clang++", *(f"clang++-{n}" for n in range(MINIMUM_CLANG, 30)),
]  # fmt: skip

SAMPLE = """#include <concepts>
#include <cstdio>
#include <vector>
int main() {
  std::vector<int> v(4, 1);
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; ++i) sum += v[static_cast<unsigned>(i)];
  return std::integral<int> && sum == 4 ? 0 : 1;
}
"""


@dataclass(frozen=True)
class Toolchain:
    """Programs that build the engine, as absolute paths, and the compiler's name and version."""

    cxx: str
    cxx_name: str
    cmake: str
    ninja: str

    @property
    def identity(self) -> str:
        """Changes when one of the programs does."""
        return "\n".join([self.cxx, identity(self.cxx), identity(self.cmake), identity(self.ninja)])


def ensure_toolchain(workspace: Workspace, console: Console) -> Toolchain:
    """The compiler named by CXX, else the first one that is new enough; CMake and ninja of the
    system or as wheels.
    """
    path = workspace.state / "toolchain.json"
    kept = moved_here(read_json(path), workspace.prefix)
    wanted = _wanted()
    if kept.get("wanted") == wanted:
        toolchain = Toolchain(kept["cxx"], kept["cxx_name"], kept["cmake"], kept["ninja"])
        if kept.get("identity") == toolchain.identity:
            return toolchain
    cxx, name = _compiler(workspace, console)
    cmake = _system_cmake(console) or tool_from_wheel(workspace, console, "cmake")
    ninja = shutil.which("ninja") or tool_from_wheel(workspace, console, "ninja")
    toolchain = Toolchain(cxx, name, cmake, ninja)
    console.say(f"compiler {name} ({cxx}), {cmake}, {ninja}")
    facts = {**toolchain.__dict__, "wanted": _wanted(), "identity": toolchain.identity}
    facts["prefix"] = str(workspace.prefix)
    write_atomically(path, json.dumps(facts, indent=1) + "\n")
    return toolchain


def _wanted() -> str:
    """What PATH and CXX lead to. Two ways to the same programs are one: a compiler that is reached
    by another link, or another folder before it in PATH, compiles nothing anew.
    """
    named = os.environ.get("CXX")
    names = [named] if named else ["g++", "clang++"]
    return fingerprint("2", *(identity(shutil.which(name) or name) for name in names))


def _compiler(workspace: Workspace, console: Console) -> tuple[str, str]:
    rejected: list[str] = []
    named = os.environ.get("CXX")
    found = _first_good([named] if named else COMPILERS, workspace, console, rejected)
    if found is None and named is None and debian.may_install():
        for package in ("g++", f"g++-{MINIMUM_GCC}"):
            try:
                debian.install(console, [package, "libc6-dev"])
            except CommandFailed as failure:
                rejected.append(f"apt-get install {package}: {failure.first_error()}")
            found = _first_good(COMPILERS, workspace, console, rejected)
            if found is not None:
                break
    if found is not None:
        return found
    detail = f" ({'; '.join(dict.fromkeys(rejected))})" if rejected else ""
    raise SetupError(
        f"no C++ compiler that is new enough (g++ {MINIMUM_GCC} or clang++ {MINIMUM_CLANG}, "
        f"with OpenMP){detail}",
        "install one, for example: apt-get install g++, or: module load gcc; "
        "or name one: CXX=/path/to/g++ ./isobath run",
    )


def _first_good(
    names: list[str], workspace: Workspace, console: Console, rejected: list[str]
) -> tuple[str, str] | None:
    for name in names:
        path = shutil.which(name)
        if path is None:
            if len(names) == 1:
                rejected.append(f"{name} is not a program")
            continue
        try:
            return path, _check_compiler(path, workspace, console)
        except (CommandFailed, ValueError) as error:
            reason = error.first_error() if isinstance(error, CommandFailed) else str(error)
            rejected.append(f"{path}: {reason}")
            console.record(rejected[-1])
    return None


def _check_compiler(path: str, workspace: Workspace, console: Console) -> str:
    """Name and version of a compiler that builds and runs a C++20 program with OpenMP."""
    folder = workspace.state / "compiler-check"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "empty.cpp").write_text("", encoding="utf-8")
    macros = dict(
        re.findall(
            r"^#define (\w+) (\S+)",
            console.run([path, "-dM", "-E", str(folder / "empty.cpp")], quiet=True),
            re.M,
        )
    )
    if "__clang_major__" in macros:
        name, version, minimum = "clang++", int(macros["__clang_major__"]), MINIMUM_CLANG
    else:
        name, version, minimum = "g++", int(macros.get("__GNUC__", 0)), MINIMUM_GCC
    if version < minimum:
        raise ValueError(f"{name} {version} is older than {minimum}")
    (folder / "sample.cpp").write_text(SAMPLE, encoding="utf-8")
    program = str(folder / "sample")
    console.run(
        [path, "-std=c++20", "-fopenmp", "-o", program, str(folder / "sample.cpp")], quiet=True
    )
    console.run([program], quiet=True, timeout_seconds=30)
    shutil.rmtree(folder, ignore_errors=True)
    return f"{name} {version}"


def _system_cmake(console: Console) -> str | None:
    path = shutil.which("cmake")
    if path is None:
        return None
    try:
        version = re.search(r"(\d+)\.(\d+)", console.run([path, "--version"], quiet=True))
    except CommandFailed:
        return None
    if version is None or (int(version[1]), int(version[2])) < MINIMUM_CMAKE:
        return None
    return path
