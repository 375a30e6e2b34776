# SPDX-License-Identifier: Apache-2.0
"""The how-to of a new kind names what there is: files, tools, and things of shared modules."""

import re
from pathlib import Path

from example_kind import HYPHEN, NAME, PLAIN, SPELLINGS, UNDERSCORE, refuse_a_kind_of_that_name

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/how-to/add-a-kind.md").read_text(encoding="utf-8")
NAMED = re.findall(r"\b((?:src|tests|tools|docs|schema|engine)/[\w./-]*\w)", PAGE)
BARE_NAMES = re.findall(r"`(\w+\.(?:hpp|cpp))`", PAGE)

TEMPLATES = ("krylov", "cg", "conjugate_gradients")
"""what files of the template have where the example has its name"""


def is_new(path: str) -> bool:
    return any(word in path for word in SPELLINGS)


def of_template(path: str) -> list[str]:
    """The files of the template that a file of the example may be like."""
    example = re.compile("|".join(SPELLINGS))
    return [example.sub(name, path) for name in TEMPLATES]


def test_every_file_that_is_not_the_new_kind_s_is_there() -> None:
    assert [path for path in NAMED if not is_new(path) and not (ROOT / path).exists()] == []
    assert len(NAMED) > 30
    sources = {path.name for path in ROOT.glob("*/**/*.[hc]pp")}
    assert len(BARE_NAMES) > 1
    assert [name for name in BARE_NAMES if name not in sources] == []
    template = ROOT / "src" / "isobath" / "kinds" / "cg"
    files = re.findall(r"(?m)^ +\| `(\w+\.py)` \|", PAGE)
    assert [name for name in files if not (template / name).is_file()] == []
    assert {"settings.py", "facts.py", "cells.py", "sections.py", "kind.py"} <= set(files)


def test_every_file_of_the_new_kind_is_as_one_of_the_template() -> None:
    new = [path for path in NAMED if is_new(path)]

    assert [path for path in new
            if not any((ROOT / one).exists() for one in of_template(path))] == []  # fmt: skip
    assert len(new) > 10
    assert not any((ROOT / one).exists() for one in of_template(f"engine/apps/{UNDERSCORE}.cpp"))


def test_the_example_is_that_of_the_tests_and_no_kind_of_ours() -> None:
    refuse_a_kind_of_that_name()
    for word in (f"`{NAME}`", f"`isobath-{HYPHEN}`", f"`{UNDERSCORE}`", f"`{PLAIN}`"):
        assert word in PAGE


def test_what_is_shared_is_somewhere_in_the_sources() -> None:
    places = (ROOT / "src" / "isobath", ROOT / "tests" / "python", ROOT / "tests" / "system")
    paths = [path for place in places for path in place.rglob("*.py")]
    paths += [*ROOT.glob("engine/**/*.hpp"), *ROOT.glob("tests/engine/**/*.hpp")]
    text = "".join(path.read_text("utf-8") for path in paths)
    names = re.findall(r"`([A-Z]\w+|[a-z]+_\w+)(?:\([^`]*\))?`", PAGE)

    assert len(names) > 20
    assert [name for name in names
            if not is_new(name) and not re.search(rf"\b{name}\b", text)] == []  # fmt: skip


def test_tools_that_write_are_all_named() -> None:
    """All that a person runs; those that CMake runs by itself need no word."""
    scripts = "".join(path.read_text("utf-8") for path in ROOT.glob("engine/**/CMakeLists.txt"))
    run_by_cmake = set(re.findall(r"write_\w+\.py", scripts))
    tools = {path.name for path in (ROOT / "tools").glob("write_*.py")}

    assert {"write_disclosure_names.py"} <= run_by_cmake <= tools
    assert set(re.findall(r"tools/(write_\w+\.py)", PAGE)) == tools - run_by_cmake
