# SPDX-License-Identifier: Apache-2.0
"""Check the layers: every include, import and CMake dependency against tools/layers.toml.

Usage: python tools/check_layers.py [ROOT]. Prints one line per breach; ends with 1 if there is one.
The linker sees calls against the layers; this also sees header-only use, and Python.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CMAKE_LAYER = re.compile(r"isobath_add_layer\(\s*(\w+)(.*?)\)", re.S)
CMAKE_DEPENDS = re.compile(r"\bDEPENDS\b((?:\s+[a-z]\w*)*)")


@dataclass(frozen=True)
class Rules:
    """What one half of the tree may do: layer to layers, and foreign library to layers."""

    layers: dict[str, list[str]]
    libraries: dict[str, list[str]]

    def breach(self, layer: str, used: str) -> str | None:
        """Why ``layer`` may not use the layer ``used``, or None."""
        if used == layer or used in self.layers[layer]:
            return None
        if used not in self.layers:
            return f"{used} is no layer of layers.toml"
        return f"{layer} may not use {used} (allowed: {', '.join(self.layers[layer]) or 'nothing'})"


def check(root: Path) -> list[str]:
    """All breaches below ``root``, as lines that name file and line."""
    rules = tomllib.loads((root / "tools" / "layers.toml").read_text(encoding="utf-8"))
    engine = Rules(rules["engine"]["layers"], rules["engine"]["libraries"])
    python = Rules(rules["python"]["layers"], rules["python"]["libraries"])
    found: list[str] = []
    for half in (engine, python):
        found += _order_breaches(half)
    found += _engine_breaches(root, engine)
    found += _python_breaches(root, python)
    return found


def _order_breaches(rules: Rules) -> Iterator[str]:
    lower: list[str] = []
    for layer, used in rules.layers.items():
        for name in used:
            if name not in lower:
                yield f"tools/layers.toml: {layer} names {name}, which does not stand above it"
        lower.append(layer)


def _engine_breaches(root: Path, rules: Rules) -> Iterator[str]:
    folder = root / "engine"
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(root)
        if len(place.parts) < 3 or not path.is_file():
            continue
        layer = place.parts[1]
        if layer not in rules.layers:
            yield f"{place}: {layer} is no layer of tools/layers.toml"
        elif path.name == "CMakeLists.txt":
            yield from _cmake_breaches(path, place, layer, rules)
        elif path.suffix in (".cpp", ".hpp", ".in"):
            yield from _include_breaches(path, place, layer, rules)


def _include_breaches(path: Path, place: Path, layer: str, rules: Rules) -> Iterator[str]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = INCLUDE.match(line)
        if found is None:
            continue
        header = found[1]
        owner, slash, _ = header.partition("/")
        reason = None
        if slash and owner in rules.layers:
            reason = rules.breach(layer, owner)
        for library, users in rules.libraries.items():
            if (
                header.startswith(library) if library.endswith("/") else header == library
            ) and layer not in users:
                reason = f"{layer} may not include {library} (only {', '.join(users) or 'tests'})"
        if "tests/" in header:
            reason = "nothing depends on tests"
        if reason:
            yield f"{place}:{number}: {reason}"


def _cmake_breaches(path: Path, place: Path, layer: str, rules: Rules) -> Iterator[str]:
    for name, body in CMAKE_LAYER.findall(path.read_text(encoding="utf-8")):
        if name != layer:
            yield f"{place}: adds the layer {name} in the folder of {layer}"
            continue
        depends = CMAKE_DEPENDS.search(body)
        for used in depends[1].split() if depends else []:
            reason = rules.breach(layer, used)
            if reason:
                yield f"{place}: {reason}"


def _python_breaches(root: Path, rules: Rules) -> Iterator[str]:
    package = root / "src" / "isobath"
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        layer = inside.parts[0].removesuffix(".py")
        place = path.relative_to(root)
        if layer == "__init__":
            continue
        if layer not in rules.layers:
            yield f"{place}: {layer} is no layer of tools/layers.toml"
            continue
        for number, module in _imports(path):
            top, _, rest = module.partition(".")
            reason = None
            if top == "isobath" and rest and rest.split(".")[0] != "__version__":
                reason = rules.breach(layer, rest.split(".")[0])
            elif top in rules.libraries and layer not in rules.libraries[top]:
                users = ", ".join(rules.libraries[top]) or "tests"
                reason = f"{layer} may not import {top} (only {users})"
            elif top == "tests":
                reason = "nothing depends on tests"
            if reason:
                yield f"{place}:{number}: {reason}"


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every imported module with its line, also those inside functions and behind TYPE_CHECKING."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "isobath":
                yield from ((node.lineno, f"isobath.{name.name}") for name in node.names)
            else:
                yield node.lineno, node.module


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    breaches = check(root)
    for breach in breaches:
        print(breach)
    print(
        f"check_layers: {len(breaches)} breaches"
        if breaches
        else "check_layers: every layer keeps to its place"
    )
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
