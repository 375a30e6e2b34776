# SPDX-License-Identifier: Apache-2.0
"""A baseline as one file: a head line with signatures, then its entries, a line each.

It is believed where it is byte for byte what would be written from what was read of it.
"""

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from isobath.baseline.chain import Baseline, chained, digest_of
from isobath.baseline.lines import LARGEST, LARGEST_ENTRY
from isobath.baseline.provenance import MOST_SIGNATURES, Signature
from isobath.errors import EnvironmentProblem, UsageError
from isobath.files import force_to_disk
from isobath.records import strict_json
from isobath.units import format_bytes

FORMAT = 2
"""The newest that is read: with signatures of some of the entries. Without it is 1."""

LONGEST_HEAD = 1 << 17
"""bytes: as many signatures as there may be, by the longest keys"""

MOST_ENTRIES = 100_000
HEAD = "isobath_baseline"


@dataclass(frozen=True)
class Portable:
    """What a file holds."""

    baseline: Baseline
    signatures: tuple[Signature, ...]
    """each as it stands there, not checked yet"""


def text_of(baseline: Baseline, signatures: Sequence[Signature] = ()) -> str:
    """The file."""
    return "\n".join((_head(baseline.lines, signatures), *baseline.lines)) + "\n"


def _head(lines: Sequence[str], signatures: Sequence[Signature]) -> str:
    """Its one spelling. Of files without a signature, or with one of all, it is that of before."""
    head: dict[str, object] = {HEAD: 1, "head": digest_of(lines[-1]), "entries": len(lines)}
    if [signed.entries for signed in signatures] == [len(lines)]:
        head["signature"] = signatures[0].text
    elif signatures:
        head[HEAD] = 2
        head["signatures"] = [
            {"entries": signed.entries, "text": signed.text} for signed in signatures
        ]
    return json.dumps(head, sort_keys=True, separators=(",", ":"))


def read_portable(path: Path) -> Portable:
    """Raises: EnvironmentProblem where it cannot be read, is not whole or no baseline."""
    where = str(path)
    try:
        with path.open("rb") as source:
            first, lines = _first(source, path), _lines(source, path)
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    signatures = _signatures(first, where)
    if not lines or any(not 0 < signed.entries <= len(lines) for signed in signatures):
        raise _not_whole(where)
    if _head(lines, signatures) != first:
        raise _not_whole(where)
    return Portable(chained("", lines, where), signatures)


def _first(source: BinaryIO, path: Path) -> str:
    raw = source.readline(LONGEST_HEAD + 1)
    if not raw.startswith(b'{"') or len(raw) > LONGEST_HEAD:
        raise EnvironmentProblem(
            f"{path} is no baseline of Isobath: those are text that begins with an object; one is "
            "written by ./isobath baseline export NAME FILE; results of other programs are taken "
            "in by ./isobath import FILE"
        )
    return _ended(raw, path)


def _lines(source: BinaryIO, path: Path) -> tuple[str, ...]:
    """One after the other, so that no more is in memory than is believed to be needed."""
    lines: list[str] = []
    left = LARGEST
    while raw := source.readline(min(left, LARGEST_ENTRY) + 2):
        left -= len(raw)
        if len(raw) > LARGEST_ENTRY + 1 or left < 0 or len(lines) >= MOST_ENTRIES:
            raise EnvironmentProblem(
                f"{path} is too large to be a baseline: more than {format_bytes(LARGEST)}, "
                f"{format_bytes(LARGEST_ENTRY)} in one entry, or {MOST_ENTRIES} entries"
            )
        lines.append(_ended(raw, path))
    return tuple(lines)


def _ended(raw: bytes, path: Path) -> str:
    """A line, whose end is a mark that nothing of it is missing."""
    if not raw.endswith(b"\n") or not raw.isascii():
        raise _not_whole(str(path))
    return raw[:-1].decode("ascii")


def _signatures(first: str, where: str) -> tuple[Signature, ...]:
    try:
        head = strict_json.loads(first)
    except ValueError as error:
        raise _not_whole(where) from error
    number = head.get(HEAD) if isinstance(head, dict) else None
    if not isinstance(number, int):
        raise EnvironmentProblem(f"{where} is no baseline of Isobath; name another file")
    if number > FORMAT:
        raise EnvironmentProblem(
            f"{where} was written by a newer Isobath (format {number}, this one reads {FORMAT}); "
            "update Isobath"
        )
    told = head.get("signatures", [])
    if "signature" in head:
        told = [{"entries": head.get("entries"), "text": head["signature"]}]
    if not isinstance(told, list) or len(told) > MOST_SIGNATURES:
        raise _not_whole(where)
    return tuple(_signature(signed, where) for signed in told)


def _signature(told: object, where: str) -> Signature:
    if not isinstance(told, dict) or set(told) != {"entries", "text"}:
        raise _not_whole(where)
    entries, text = told["entries"], told["text"]
    if type(entries) is not int or not isinstance(text, str) or not text:
        raise _not_whole(where)
    return Signature(entries, text)


def _not_whole(where: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{where} is not whole: it is not what was exported, so nothing of it is taken; get it "
        "again from who made it"
    )


def write_portable(path: Path, text: str) -> None:
    """In one step: there is the whole file, or none.

    Raises: UsageError for a folder, EnvironmentProblem where it cannot be written.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file, for example {path / 'baseline.jsonl'}")
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with fresh.open("x", encoding="ascii") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
        force_to_disk(path.parent)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; free space or name another place"
        ) from error
