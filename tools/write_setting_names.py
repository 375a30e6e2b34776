#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the variables of declared settings into src/isobath/disclosure/names.toml, of which both
halves take what is stored of an environment.

``--check`` writes nothing and fails when the list is not current. The engine has the list compiled
in: the next ./isobath builds it anew, which is two files.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.study.kinds import KINDS  # noqa: E402

LIST = ROOT / "src" / "isobath" / "disclosure" / "names.toml"
PREFIX = "ISOBATH_"
BEGIN = "# our own settings, of all kinds: written by tools/write_setting_names.py"
BLOCK = re.compile(rf'({re.escape(BEGIN)}.*?names = """\n)(.*?)(""")', re.S)

NEVER = frozenset({PREFIX + "PROFILE_COMMAND"})
"""words of a foreign command, which may hold a credential: only its name is stored"""


def declared() -> set[str]:
    """Variables of the settings of every kind whose values are stored."""
    return {name for entry in KINDS for name in entry.declaration().variables} - NEVER


def with_names(text: str, variables: set[str]) -> str:
    """The list with these in the block that is written. Raises: SystemExit without that block."""
    words = " ".join(sorted(name.removeprefix(PREFIX) for name in variables))
    lines = textwrap.fill(words, 116, break_long_words=False, break_on_hyphens=False)
    if not BLOCK.search(text):
        raise SystemExit(f"{LIST.name} has no family that begins with the line {BEGIN}")
    return BLOCK.sub(lambda block: f"{block[1]}{lines}\n{block[3]}", text, count=1)


def main() -> int:
    """Writes or checks; returns the exit status."""
    text = LIST.read_text(encoding="utf-8")
    made = with_names(text, declared())
    if "--check" in sys.argv[1:]:
        if made != text:
            print("disclosure/names.toml is not current; run tools/write_setting_names.py")
        return int(made != text)
    LIST.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
