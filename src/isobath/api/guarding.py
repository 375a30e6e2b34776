# SPDX-License-Identifier: Apache-2.0
"""Reference results from Python: what isobath baseline, regress, history and import do."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.api.measure import _done, _measured, _wanted
from isobath.api.stored import Progress, Study, Where, _silent, study
from isobath.baseline.accepting import accept, you
from isobath.baseline.chain import BaselineFolder, BaselineShelf
from isobath.baseline.history_model import history_facts
from isobath.baseline.importing import import_file, origin_of
from isobath.baseline.portable import text_of, write_portable
from isobath.baseline.signature import for_export
from isobath.errors import UsageError
from isobath.kinds.imported.settings import IMPORT, ImportSettings
from isobath.kinds.imported.stored import import_files
from isobath.kinds.regress.reference import archive_of, studies_kept
from isobath.kinds.regress.sitting import planned_sitting
from isobath.launch.interrupts import NeverStop, Stop
from isobath.study import home
from isobath.study.kinds import entry_of
from isobath.study.planned import Planning
from isobath.study.sealing import LIBRARY

Part = str | os.PathLike[str] | Study


@dataclass(frozen=True)
class Baseline:
    """A baseline on disk. What it holds is read anew each time: others may add to it."""

    folder: BaselineFolder
    store: Where = None

    @property
    def name(self) -> str:
        """What a person types."""
        return self.folder.name

    @property
    def origin(self) -> str:
        """Whose its entries are: made here, signed by somebody, or unsigned."""
        return origin_of(self.folder)

    @property
    def entries(self) -> list[dict[str, Any]]:
        """All of them, by schema/baseline-1.json: what was measured, then what was added.

        Raises: EnvironmentProblem where something is missing or was changed.
        """
        return [
            entry.model_dump(mode="json", by_alias=True) for entry in self.folder.read().entries
        ]

    @property
    def cells(self) -> tuple[str, ...]:
        """Names for ``accept``."""
        return tuple(cell.name for cell in self.folder.read().archive.cells)

    @property
    def history(self) -> dict[str, Any]:
        """The trend over all regressions, by schema/history-1.json."""
        return history_facts(self.folder.read())

    def regress(
        self, *, progress: Progress = _silent, stop: Stop | None = None, **settings: Any
    ) -> Study:
        """Measures it again; the verdict is in the findings, and is added to the baseline.

        Args: settings as in a file for ``isobath regress``, for example ``budget="2m"``.
        Raises: UsageError, EnvironmentProblem; InconclusiveError on another machine.
        """
        wanted = settings | {"baseline": self.name}
        if self.store is not None:
            wanted |= {"store": os.fspath(self.store)}
        return _measured(entry_of("regress"), wanted, self.store, progress, stop or NeverStop())

    def calibrate(
        self,
        *,
        launches: int = 10,
        suite: str = "quick",
        keep: int = 30,
        mpi: str | None = None,
        progress: Progress = _silent,
        stop: Stop | None = None,
    ) -> Study:
        """Measures a sitting of noise; regressions then know how launches scatter here.

        Args: keep is for how many days it holds; mpi takes the place of the baseline's library.
        Raises: as ``regress``.
        """
        shelf = home.shelf(os.fspath(self.store) if self.store is not None else None)
        planning = Planning(shelf.folders[0], shelf, progress, progress, stop)
        planned = planned_sitting(self.folder.read(), launches, suite, keep, mpi, planning)
        for sentence in planned.notes:
            progress(sentence)
        return _done(entry_of("regress"), planned, shelf.folders[0], progress, stop or NeverStop())

    def accept(self, cell: str, reason: str) -> float:
        """Takes a slower cell as it is; returns how many times as long it may take.

        Raises: UsageError where there is nothing to accept.
        """
        return accept(self.folder, cell, reason, you()).factor

    def export(self, file: str | os.PathLike[str], *, key: Where = None) -> Path:
        """Writes it to one file for others, with the signatures that it came with.

        Args: key of ssh-keygen signs all of it.
        """
        read = self.folder.read()
        signatures = for_export(read, Path(key) if key is not None else None)
        write_portable(Path(file), text_of(read, signatures))
        return Path(file)

    def __repr__(self) -> str:
        return f"<Baseline {self.name}>"


def baselines(*, store: Where = None) -> list[Baseline]:
    """All of them, by name."""
    return [Baseline(folder, store) for folder in _shelf(store).all()]


def baseline(name: str, *, store: Where = None) -> Baseline:
    """Raises: UsageError naming those that there are."""
    return Baseline(_shelf(store).find(name), store)


def set_baseline(
    name: str, *studies: Part, maker: str | None = None, store: Where = None,
    progress: Progress = _silent,
) -> Baseline:  # fmt: skip
    """Keeps studies as reference results: copied, and never changed again.

    Raises: UsageError for a name that there is already, or no study; EnvironmentProblem where one
        is not as it was sealed or had wrong data.
    """
    place = _shelf(store).place(name)
    if place.is_there:
        raise UsageError(f"there is a baseline {name} already: it is never changed")
    words = [
        os.fspath(study.path) if isinstance(study, Study) else os.fspath(study) for study in studies
    ]
    if not words:
        raise UsageError("name the studies that are kept: set_baseline(name, study, ...)")
    where = home.shelf(os.fspath(store) if store is not None else None)
    archive, left_out = archive_of(name, studies_kept(where, words), maker or you())
    for sentence in left_out:
        progress(sentence)
    place.begin(archive)
    return Baseline(place, store)


def import_baseline(
    file: str | os.PathLike[str], *, name: str | None = None, signers: Where = None,
    store: Where = None,
) -> Baseline:  # fmt: skip
    """Takes in a baseline of somebody else, whole or not at all; ``origin`` says whose it is.

    Args: signers is a file of allowed signers whom you trust.
    """
    trusted = Path(signers) if signers is not None else None
    kept = import_file(_shelf(store), Path(file), name, trusted)
    return Baseline(_shelf(store).place(kept.name), store)


def import_results(*files: str | os.PathLike[str], store: Where = None, **settings: Any) -> Study:
    """Takes in results of other programs (OSU, IMB, ReFrame, Graph500), each file a launch.

    Args: settings as of ``isobath import``: ``ranks``, ``mpi``, ``where``.
    Raises: UsageError for a file that nobody knows, EnvironmentProblem where one cannot be read.
    """
    named: Sequence[str] = [os.fspath(file) for file in files]
    chosen = ImportSettings(**_wanted(IMPORT, settings | {"files": named}))
    where = home.shelf(os.fspath(store) if store is not None else None)
    folder = import_files(chosen, where, dict.fromkeys(IMPORT.names, LIBRARY[0]), LIBRARY)
    return study(folder.path)


def _shelf(store: Where) -> BaselineShelf:
    return BaselineShelf(home.baselines_folder(os.fspath(store) if store is not None else None))
