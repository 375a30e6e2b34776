# SPDX-License-Identifier: Apache-2.0
"""Names and source lines of addresses in programs and libraries, as addr2line of binutils says."""

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

UNKNOWN = "??"


@dataclass(frozen=True)
class Place:
    """Where an address is; parts that nobody knows are absent."""

    function: str | None
    line: str | None
    """file:line"""


def find_places(addresses: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Place]:
    """The place of each (file, return address); left out where the tool or the file is missing.

    A return address is behind its call, so the byte before is looked up.
    """
    tool = shutil.which("addr2line")
    places: dict[tuple[str, int], Place] = {}
    if tool is None:
        return places
    by_file: dict[str, set[int]] = defaultdict(set)
    for module, offset in addresses:
        by_file[module].add(offset)
    for module, offsets in by_file.items():
        if not Path(module).is_file():
            continue
        wanted = sorted(offsets)
        for offset, place in zip(wanted, _ask(tool, module, wanted), strict=False):
            places[module, offset] = place
    return places


def _ask(tool: str, module: str, offsets: list[int]) -> list[Place]:
    words = [tool, "-f", "-C", "-e", module, *(hex(max(0, offset - 1)) for offset in offsets)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = done.stdout.splitlines()
    return [
        Place(_known(function), _known(line.partition(" (")[0]))
        for function, line in zip(lines[::2], lines[1::2], strict=False)
    ]


def _known(text: str) -> str | None:
    return None if text.startswith(UNKNOWN) or text.endswith(":?") else text
