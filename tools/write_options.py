#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of settings into docs/reference/options.md from their declarations, and the
lists of kinds that stand in its sentences from the registry.

``--check`` writes nothing and fails when a table is not current.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.settings.pages import table_of  # noqa: E402
from isobath.study.kinds import KINDS, declaration_of  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "options.md"
END = "<!-- end of settings -->"


def begin_of(kind: str) -> str:
    """The line before the table of a kind."""
    return f"<!-- settings of {kind}: written by tools/write_options.py -->"


def with_tables(page: str) -> str:
    """The page with the table of every kind between its lines. Raises: SystemExit without them."""
    for kind in (entry.name for entry in KINDS):
        begin = begin_of(kind)
        if not re.search(f"{re.escape(begin)}.*?{re.escape(END)}", page, re.S):
            raise SystemExit(
                f"docs/reference/options.md has no place for the settings of {kind}: give it a "
                f"section with these two lines, and run tools/write_options.py:\n{begin}\n{END}"
            )
        table = f"{begin}\n{table_of(declaration_of(kind))}\n{END}"
        page = re.sub(f"{re.escape(begin)}.*?{re.escape(END)}", lambda _: table, page,  # noqa: B023
                      count=1, flags=re.S)  # fmt: skip
    return page


def lists() -> dict[str, str]:
    """What stands in sentences of the page, by what finds it there."""
    first, *programs = (f"`{entry.program}`" for entry in KINDS if entry.program)
    first = f"{first[:-1]} --record FILE`"
    names = ", ".join(entry.name for entry in KINDS)
    words = ", ".join(entry.word for entry in KINDS if entry.word != entry.name)
    *told, last = (f"`{one.name}`" for one in KINDS if one.doctor or one.label == "bench")
    return {
        r"\(`[\w-]+ --record FILE`, and [^)]*\)": f"({first}, and {', '.join(programs)})",
        r"only these: [^|]*? \(or [^)]*\)": f"only these: {names} (or {words})",
        r"One line each says of [^.]* that it works here":
            f"One line each says of {', '.join(told)} and {last} that it works here",
    }  # fmt: skip


def with_lists(page: str) -> str:
    """The page with all kinds in its sentences. Raises: SystemExit where one is not there."""
    for sentence, words in lists().items():
        page, found = re.subn(sentence, lambda _: words, page)  # noqa: B023
        if found != 1:
            raise SystemExit(f"docs/reference/options.md has {found} sentences like: {words}")
    return page


def main() -> int:
    """Writes or checks; returns the exit status."""
    page = PAGE.read_text(encoding="utf-8")
    made = with_lists(with_tables(page))
    if "--check" in sys.argv[1:]:
        if made != page:
            print("docs/reference/options.md is not current; run tools/write_options.py")
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
