# SPDX-License-Identifier: Apache-2.0
"""A baseline as one file: a head line, then its entries, a line each.

It is believed where it is byte for byte what would be written from what was read of it.
"""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from isobath.baseline.chain import Baseline, chained, digest_of
from isobath.errors import EnvironmentProblem, UsageError
from isobath.files import force_to_disk
from isobath.records import strict_json

FORMAT = 1
LARGEST = 1 << 29
"""bytes of a file that is read; nothing in it is compressed"""

MOST_ENTRIES = 100_000
HEAD = "isobath_baseline"


@dataclass(frozen=True)
class Portable:
    """What a file holds."""

    baseline: Baseline
    signature: str
    """over the digest of its last entry, as ssh-keygen writes it; empty where it is unsigned"""


def text_of(baseline: Baseline, signature: str = "") -> str:
    """The file."""
    return _text(baseline.lines, signature)


def _text(lines: tuple[str, ...], signature: str) -> str:
    head = {HEAD: FORMAT, "head": digest_of(lines[-1]), "entries": len(lines)}
    if signature:
        head["signature"] = signature
    first = json.dumps(head, sort_keys=True, separators=(",", ":"))
    return "\n".join((first, *lines)) + "\n"


def read_portable(path: Path) -> Portable:
    """Raises: EnvironmentProblem where it cannot be read, is not whole or no baseline."""
    where = str(path)
    try:
        with path.open("rb") as source:
            raw = source.read(LARGEST + 1)
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    if len(raw) > LARGEST:
        raise EnvironmentProblem(f"{path} is too large to be a baseline: more than {LARGEST} bytes")
    if not raw.startswith(b'{"'):
        raise EnvironmentProblem(
            f"{path} is no baseline of Isobath: those are text that begins with an object; one is "
            "written by ./isobath baseline export NAME FILE; results of other programs are taken "
            "in by ./isobath import FILE"
        )
    try:
        first, *lines = raw.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise _not_whole(where) from error
    signature = _signature(first, where)
    if not lines or lines.pop() != "" or not 0 < len(lines) <= MOST_ENTRIES:
        raise _not_whole(where)
    if _text(tuple(lines), signature).encode() != raw:
        raise _not_whole(where)
    return Portable(chained("", lines, where), signature)


def _signature(first: str, where: str) -> str:
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
    signature = head.get("signature", "")
    if not isinstance(signature, str):
        raise _not_whole(where)
    return signature


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
