# SPDX-License-Identifier: Apache-2.0
"""Segments of others in /dev/shm stay, also those that are being made."""

import ctypes
import mmap
import os
from pathlib import Path

import pytest

from isobath.launch.shared_memory import SharedMemory

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
BYTES = 4096


class Maker:
    """Makes a segment as MPI libraries do: opens it, maps it, closes it again. (A map of Python's
    module keeps the file open.)
    """

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_CREAT | os.O_RDWR)
        os.ftruncate(self.descriptor, BYTES)
        self.address: int | None = None

    def go_on(self) -> None:
        if self.address is None:
            words = (mmap.PROT_READ, mmap.MAP_SHARED, self.descriptor, 0)
            self.address = LIBC.mmap(None, BYTES, *words)
            os.close(self.descriptor)

    def leave(self) -> None:
        self.go_on()
        LIBC.munmap(self.address, BYTES)


@pytest.mark.parametrize("when", ["before", "between", "never"])
def test_a_segment_that_is_being_made_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Its maker goes on while we look at its maps and its open files, one after the other."""
    look = SharedMemory.look(tmp_path)
    maker = Maker(tmp_path / "segment")
    read = Path.read_text

    def read_and_go_on(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        text = read(path, encoding=encoding, errors=errors)
        if path == Path(f"/proc/{os.getpid()}/maps") and when == "between":
            maker.go_on()
        return text

    monkeypatch.setattr(Path, "read_text", read_and_go_on)
    if when == "before":
        maker.go_on()

    assert look.clean() == []

    monkeypatch.undo()
    maker.leave()
    assert look.clean() == ["segment"]
