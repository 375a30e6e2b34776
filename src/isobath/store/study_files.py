# SPDX-License-Identifier: Apache-2.0
"""All that lies in the folder of a study, of whatever kind and age."""

from dataclasses import dataclass
from pathlib import Path

from isobath.store.folders import MANIFEST, RunFolder


@dataclass(frozen=True)
class StudyFiles:
    """The folder of a study, as files alone."""

    path: Path

    def folders(self) -> list[Path]:
        """The folder and all below it."""
        below = sorted(path for path in self.path.rglob("*") if path.is_dir())
        return [self.path, *below]

    def files(self) -> list[Path]:
        """All its files, links left out."""
        entries = [entry for folder in self.folders() for entry in folder.iterdir()]
        return sorted(entry for entry in entries if entry.is_file() and not entry.is_symlink())

    def sealed_folders(self) -> list[RunFolder]:
        """Its launches that are sealed; of a study of one launch the study itself."""
        return [RunFolder(folder) for folder in self.folders() if (folder / MANIFEST).is_file()]

    def is_going_on(self) -> bool:
        """Whether a program writes one of its launches at this moment."""
        return any(RunFolder(folder).is_going_on for folder in self.folders())
