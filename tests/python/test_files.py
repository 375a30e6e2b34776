# SPDX-License-Identifier: Apache-2.0
"""A file that is written in one step is the old one or the new one, and nothing is beside it."""

import errno
import re
from pathlib import Path

import pytest

from isobath.files import replace_file, replacing

SOURCES = Path(__file__).resolve().parents[2] / "src" / "isobath"

BY_HAND = re.compile(r"\b(fresh|new|temporary)\.(replace|rename)\(")


def test_a_file_gets_new_contents(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for contents in ("one\n", b"two\n"):
        replace_file(path, contents, durably=True)
        assert path.read_bytes() == (contents if isinstance(contents, bytes) else b"one\n")
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("old", encoding="utf-8")
    write = Path.write_bytes

    def full(target: Path, raw: bytes) -> int:
        write(target, raw[:1])
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr(Path, "write_bytes", full)

    with pytest.raises(OSError, match="No space left"):
        replace_file(path, "new")

    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_who_reads_meanwhile_sees_the_old_contents(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old", encoding="utf-8")
    with replacing(path) as fresh:
        fresh.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"


def test_nobody_writes_in_one_step_by_hand() -> None:
    """Chains of entries have names of their own; what a baseline is exported to does it itself."""
    by_hand = {
        path.relative_to(SOURCES).parts[0]
        for path in SOURCES.rglob("*.py")
        if path.name != "files.py" and BY_HAND.search(path.read_text(encoding="utf-8"))
    }
    assert by_hand <= {"baseline", "report", "study"}
