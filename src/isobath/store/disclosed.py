# SPDX-License-Identifier: Apache-2.0
"""Files of studies without what is not stored: ADR 0031. All that is kept passes here."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from isobath.disclosure.documents import Cleaner, cleaner_of
from isobath.files import replacing

NUMBERS_ALONE = ("official-reference.txt", "official-spec.txt", "MANIFEST.sha256")
"""Letter for letter as other programs want them."""

LINES = ".jsonl"

KEPT = "--variables"
"""An option of ours whose NAME=VALUE is a setting."""


def cleaner_of_this_process() -> Cleaner:
    """One that also knows the credentials that this process was given."""
    words, settings = _apart(sys.argv)
    return cleaner_of(os.environ, words, settings)


def _apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words of a command, and among them what a regression sets for a library: it has to be kept
    letter for letter, because the study goes on with it.
    """
    others: list[str] = []
    settings: list[str] = []
    for place, word in enumerate(words):
        option, mark, value = word.partition("=")
        if option == KEPT and mark:
            settings.append(value)
        elif place and words[place - 1] == KEPT:
            settings.append(word)
        else:
            others.append(word)
    return others, settings


def stored_plan(text: str) -> str:
    """What a study was asked for, as JSON."""
    return cleaner_of_this_process().json_text(text)


def clean_folder(folder: Path, cleaner: Cleaner) -> list[str]:
    """Rewrites the files of one folder that hold what is not stored. Returns their names."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return [path.name for path in files if clean_file(path, cleaner, path.name)]


def read_through(path: Path, cleaner: Cleaner, place: str) -> None:
    """Tells the cleaner what a file holds; writes nothing."""
    for _ in _pieces(path, cleaner, place):
        pass


def clean_file(path: Path, cleaner: Cleaner, place: str) -> bool:
    """Rewrites a file in one step where it holds what is not stored; whether it did."""
    if not any(old != new for old, new in _pieces(path, cleaner, place)):
        return False
    with (
        replacing(path, durably=True) as fresh,
        fresh.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out,
    ):
        out.writelines(
            new for _, new in _pieces(path, Cleaner(cleaner.known, cleaner.assigned), place)
        )
    return True


def _pieces(path: Path, cleaner: Cleaner, place: str) -> Iterator[tuple[str, str]]:
    """Parts of a file as they are and as they are stored; nothing of files without texts."""
    if path.name in NUMBERS_ALONE or is_binary(path):
        return
    place = f"{place}: "
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as source:
        if path.suffix == LINES:
            for line in source:
                yield line, cleaner.record_lines(line, place)
            return
        text = source.read()
    if path.suffix == ".json":
        try:
            yield text, cleaner.json_text(text, place)
            return
        except ValueError:
            pass  # a damaged file is a text
    yield text, cleaner.text(text, place)


def is_binary(path: Path) -> bool:
    """Whether a file is no text."""
    with path.open("rb") as source:
        return b"\0" in source.read(65536)
