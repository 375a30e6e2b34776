# SPDX-License-Identifier: Apache-2.0
"""What guard/spoiled_calls.cpp did to a library, and what a regression has to say of it.

Nothing is read from the regression here: launch, rank, size, element, repetition and both values
come from the note that the preloaded library wrote when it flipped the bit.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isobath.units import size_words

SOURCE = Path(__file__).resolve().parent / "guard" / "spoiled_calls.cpp"
ALLTOALL = "MPI_Alltoall"


def build_spoiled(wrapper: str, folder: Path) -> Path:
    """The library, to be preloaded. Raises: CalledProcessError."""
    library = folder / "libspoiled.so"
    words = [wrapper, "-std=c++20", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run(words, check=True, capture_output=True, text=True)
    return library


@dataclass(frozen=True)
class Spoiling:
    """One bit of one all-to-all among many, and the files that tell of it."""

    library: Path
    call: int
    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """For ``regress --variables``: of the library of today alone."""
        return {
            "LD_PRELOAD": str(self.library),
            "SPOILED_CALL": ALLTOALL,
            "SPOILED_FLIP": str(self.call),
            "SPOILED_COUNT": str(self._counts),
            "SPOILED_NOTE": str(self._note),
        }

    @property
    def _counts(self) -> Path:
        return self.folder / "calls"

    @property
    def _note(self) -> Path:
        return self.folder / "flipped.json"

    def begin(self) -> None:
        """Counts from nothing."""
        for path in (self._counts, self._note):
            path.unlink(missing_ok=True)

    @property
    def calls(self) -> int:
        """That rank 1 made in all launches."""
        return int.from_bytes(self._counts.read_bytes()[:8], "little")

    def flipped(self) -> "Flipped":
        """Raises: OSError where no bit was flipped."""
        return Flipped(**json.loads(self._note.read_text(encoding="ascii")))


@dataclass(frozen=True)
class Flipped:
    """The bit, as the library noted it."""

    call: int
    launch: int
    repetition: int
    rank: int
    ranks: int
    bytes: int
    element: int
    right: int
    wrong: int

    @property
    def size(self) -> str:
        """Of the cell: an all-to-all receives so much of every rank."""
        return size_words(self.bytes // self.ranks)

    @property
    def words(self) -> str:
        """With which the verdict has to end: call, size, rank, repetition, place, both values."""
        return (
            f"wrong data in 1 cell, first alltoall of {self.size}: rank {self.rank} after "
            f"repetition {self.repetition}: element {self.element} of the receive buffer is "
            f"{self.wrong}, but must be {self.right}."
        )

    def is_told_by(self, verdict: str) -> bool:
        """Whether a verdict names the launch, too, whose name ends with its turn."""
        pattern = rf"WRONG RESULTS: .*launch \S+-{self.launch}: {re.escape(self.words)}"
        return re.fullmatch(pattern, verdict) is not None
