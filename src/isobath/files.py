# SPDX-License-Identifier: Apache-2.0
"""Files that are written in one step: who reads one sees the old contents or the new, whole."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: Path, *, durably: bool = False) -> Iterator[Path]:
    """A fresh name beside a file; what the block writes there takes its place at the end. Where the
    block fails, the file is as it was and nothing is beside it.

    Args: durably waits until the contents and the name are on the disk.
    Raises: OSError.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        yield fresh
        if durably:
            force_to_disk(fresh)
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
    if durably:
        force_to_disk(path.parent)


def replace_file(path: Path, contents: str | bytes, *, durably: bool = False) -> None:
    """Gives a file new contents. Args: as ``replacing``. Raises: OSError."""
    raw = contents.encode() if isinstance(contents, str) else contents
    with replacing(path, durably=durably) as fresh:
        fresh.write_bytes(raw)


def force_to_disk(path: Path) -> None:
    """A file, or the names in a folder: it is there after a power cut too.

    Raises: OSError where the disk refuses.
    """
    held = os.open(path, os.O_RDONLY)
    try:
        os.fsync(held)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems have no such call
            raise
    finally:
        os.close(held)
