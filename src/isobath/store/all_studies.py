# SPDX-License-Identifier: Apache-2.0
"""Everything that is stored: runs, searches, profiles, races and benchmarks, in one list."""

from dataclasses import dataclass
from pathlib import Path

from isobath.errors import UsageError
from isobath.store.folders import MANIFEST, PARTIAL, RunFolder, list_runs

PLANS = {
    "race.json": "race",
    "bench.json": "benchmark",
    "overlap.json": "benchmark",
    "cg.json": "benchmark",
    "study.json": "benchmark",
}
"""What a folder is that holds a plan of several launches."""


@dataclass(frozen=True)
class Study:
    """One of them."""

    path: Path
    kind: str
    """run (also a search, a profile), race or benchmark"""

    @property
    def study_id(self) -> str:
        """What a person calls it."""
        return self.path.name.removesuffix(PARTIAL)

    @property
    def has_plan(self) -> bool:
        """Whether it has several launches, a lock, and is resumed."""
        return self.kind != "run"

    def folders(self) -> list[Path]:
        """Its folder and all below it."""
        below = sorted(path for path in self.path.rglob("*") if path.is_dir())
        return [self.path, *below]

    def files(self) -> list[Path]:
        """All its files, links left out."""
        found = [one for folder in self.folders() for one in folder.iterdir()]
        return sorted(one for one in found if one.is_file() and not one.is_symlink())

    def sealed_folders(self) -> list[RunFolder]:
        """Its launches that are sealed; of a run the run itself."""
        return [RunFolder(one) for one in self.folders() if (one / MANIFEST).is_file()]

    def is_going_on(self) -> bool:
        """Whether a program writes one of its launches at this moment."""
        return any(RunFolder(one).is_going_on for one in self.folders())


@dataclass(frozen=True)
class Shelves:
    """Where studies and their pages are."""

    runs: Path
    races: Path
    benches: Path
    reports: Path

    @property
    def folders(self) -> tuple[Path, ...]:
        """Each once. Studies with a header lie in a folder of their own, or in the one named."""
        usual = self.runs.parent / "studies"
        return tuple(dict.fromkeys((self.races, self.benches, self.runs, usual)))

    def studies(self) -> list[Study]:
        """All of them, by their ids."""
        found = []
        for shelf in self.folders:
            if shelf.is_dir():
                found += [Study(run.path, "run") for run in list_runs(shelf)]
                planned = ((path, kind_of(path)) for path in shelf.iterdir() if path.is_dir())
                found += [Study(path, kind) for path, kind in planned if kind]
        return sorted(found, key=lambda study: study.study_id)

    def find(self, wanted: str) -> Study:
        """The study that a path, an id or the beginning of one names.

        Raises: UsageError where none or several are called so.
        """
        path = Path(wanted)
        if path.is_dir() and (kind_of(path) or (path / "records.jsonl").is_file()):
            return Study(path.resolve(), kind_of(path) or "run")
        there = self.studies()
        name = wanted.rstrip("/")
        found = [one for one in there if name in (one.study_id, one.path.name)]
        found = found or [one for one in there if name and one.study_id.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(one.study_id for one in found)
            raise UsageError(f"{wanted} begins the names of several studies: {names}")
        raise UsageError(f"no study is called {wanted}; ./isobath doctor --studies names them")

    def pages(self, study: Study) -> list[Path]:
        """Pages of a study, and folders of a page with copies of its files."""
        name = study.study_id
        places = (self.reports / name, self.reports / f"{name}.html", study.path / "report.html")
        return [path for path in places if path.exists()]


def kind_of(folder: Path) -> str:
    """The kind of a study of several launches; empty for any other folder."""
    return next((kind for plan, kind in PLANS.items() if (folder / plan).is_file()), "")
