# SPDX-License-Identifier: Apache-2.0
"""The how-to of a new kind names what there is: files, tools, and things of shared modules."""

import re
from pathlib import Path

from isobath.study.kinds import KINDS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/how-to/add-a-kind.md").read_text(encoding="utf-8")
NEW = ("ping", "PING")


def test_every_file_that_is_not_the_new_kind_s_is_there() -> None:
    named = re.findall(r"\b((?:src|tests|tools|docs|schema|engine)/[\w./-]*\w)", PAGE)
    missing = [path for path in named if "ping" not in path and not (ROOT / path).exists()]

    assert missing == []
    assert len(named) > 15
    template = ROOT / "src" / "isobath" / "kinds" / "cg"
    files = re.findall(r"(?m)^ +\| `(\w+\.py)` \|", PAGE)
    assert [name for name in files if not (template / name).is_file()] == []


def test_what_is_shared_is_somewhere_in_the_laboratory() -> None:
    places = (ROOT / "src" / "isobath", ROOT / "tests" / "python" / "records")
    text = "".join(path.read_text("utf-8") for place in places for path in place.rglob("*.py"))
    names = re.findall(r"`([A-Z]\w+|[a-z]+_\w+)(?:\(\))?`", PAGE)

    assert [name for name in names if not re.search(rf"\b{name}\b", text)
            and not name.lower().startswith(NEW)] == []  # fmt: skip


def test_tools_that_write_are_all_named() -> None:
    """All that a person runs; those that CMake runs by itself need no word."""
    scripts = "".join(path.read_text("utf-8") for path in ROOT.glob("engine/**/CMakeLists.txt"))
    run_by_cmake = set(re.findall(r"write_\w+\.py", scripts))
    tools = {path.name for path in (ROOT / "tools").glob("write_*.py")}

    assert {"write_disclosure_names.py"} <= run_by_cmake <= tools
    assert set(re.findall(r"tools/(write_\w+\.py)", PAGE)) == tools - run_by_cmake
    assert all(entry.name != "bench ping-pong" for entry in KINDS), "the example is none of ours"
