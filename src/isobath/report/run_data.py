# SPDX-License-Identifier: Apache-2.0
"""What the sections read: the records of one run, its texts, and choices that they share."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord
from isobath.report.plainest import Plainest, read_plainest
from isobath.report.wording import printable
from isobath.stats.estimates import Estimate, harmonic_mean_teps, quartiles
from isobath.store.folders import MANIFEST, PARTIAL, RunFolder
from isobath.store.run_summary import RunSummary
from isobath.units import EdgesPerSecond

TEXTS = ("official-reference.txt", "official-spec.txt")
"""Files of a run folder that the page shows letter for letter."""


@dataclass(frozen=True)
class RunData:
    """One run, read once, for all sections."""

    records: RunRecords
    texts: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    """environment.json as it was written"""
    summary: RunSummary | None = None
    """run.json; None where the run was cut off before it was written"""
    doubt: str = ""
    """why the folder is not as it was sealed, in one sentence; empty for one that is"""
    plainest: Plainest | None = None
    """the second figure of an official run; None where nobody asked"""

    @cached_property
    def searches(self) -> tuple[SearchRecord, ...]:
        """The timed searches, in the order of the run."""
        return tuple(sorted(self.records.timed_searches, key=lambda search: search.index))

    @cached_property
    def levels(self) -> Mapping[int, tuple[LevelRecord, ...]]:
        """Levels by index of their search.

        A warm-up search may carry the index of a timed one; it ran before: the later record counts.
        """
        by_search: dict[int, dict[int, LevelRecord]] = defaultdict(dict)
        for record in self.records.levels:
            by_search[record.search][record.level] = record
        return {
            search: tuple(levels[number] for number in sorted(levels))
            for search, levels in by_search.items()
        }

    @property
    def validated(self) -> bool:
        """Every timed search passed validation (and construction its check, where asked for)."""
        return self.records.verdict == "validated"

    @property
    def labels(self) -> tuple[str, ...]:
        """Words that must stand beside every number of this run; none for a sound one."""
        words = [self.records.label] if self.records.label else []
        if self.records.run.oversubscribed:
            words.append("OVERSUBSCRIBED")
        return tuple(words)

    @cached_property
    def teps(self) -> Estimate[EdgesPerSecond] | None:
        """Harmonic mean TEPS of the timed searches.

        None without searches, and where one traversed no edge: then the mean does not exist.
        """
        if not self.searches or any(search.traversed_edges == 0 for search in self.searches):
            return None
        return harmonic_mean_teps(
            [search.traversed_edges for search in self.searches],
            [search.seconds for search in self.searches],
        )

    @property
    def median_seconds(self) -> float:
        """Of the timed searches, of which there is one at least: what a search typically takes."""
        return quartiles([search.seconds for search in self.searches])[1]

    @cached_property
    def typical(self) -> SearchRecord | None:
        """The search of median time, or the faster of two in the middle; its levels are shown."""
        ordered = sorted(self.searches, key=lambda search: (search.seconds, search.index))
        return ordered[(len(ordered) - 1) // 2] if ordered else None

    @cached_property
    def slowest(self) -> SearchRecord | None:
        """The search that took longest."""
        return max(self.searches, key=lambda search: search.seconds, default=None)

    @property
    def warmups(self) -> int:
        """Untimed searches that were made, of all kernels."""
        made = sum(1 for search in self.records.searches if search.warmup)
        # A run that ended before its first search, and records without them: what was asked for.
        return made if self.records.searches else self.records.run.warmup_searches

    @property
    def leaves_out(self) -> bool:
        """Whether construction left out vertices of one neighbour: as it did, else as asked."""
        built = self.records.construction
        if built is None or built.prepared is None:
            return self.records.run.leaves_pruned
        return built.leaves > 0

    @property
    def is_relabelled(self) -> bool:
        """Whether construction numbered vertices by degree: as it did, else as asked."""
        built = self.records.construction
        if built is None or built.prepared is None:
            return self.records.run.relabelled
        return built.prepared.by_degree

    @property
    def passed(self) -> int:
        """How many timed searches passed validation."""
        return sum(1 for s in self.searches if s.validation is not None and s.validation.passed)


def read_run(folder: Path) -> RunData:
    """Reads a run folder; one of a run that did not finish is read as far as it goes.

    Raises: EnvironmentProblem (RecordError) when there are no readable records, or when they are
        not those that were sealed.
    """
    run = RunFolder(folder)
    doubt = doubt_of(run)
    return replace(run_data_of(run, run.records()), doubt=doubt)


def run_data_of(run: RunFolder, records: RunRecords) -> RunData:
    """All that a folder has beside records that were read."""
    try:
        summary = run.summary()
    except EnvironmentProblem:
        summary = None
    texts = {name: text for name in TEXTS if (text := run.text(name))}
    if summary is not None and summary.run_id != records.run.run_id:
        raise EnvironmentProblem(
            f"{run.path}: run.json is that of {printable(summary.run_id)}, records.jsonl that of "
            f"{printable(records.run.run_id)}, so no number is shown; restore the files"
        )
    plainest = read_plainest(run, records, summary)
    return RunData(records, texts, run.environment(), summary, plainest=plainest)


def doubt_of(run: RunFolder) -> str:
    """What the reader of a run must know of its folder before anything else; empty for a sound one.

    Raises: EnvironmentProblem where the records are not those that were sealed: no number of such a
        run can be believed, so none is shown.
    """
    if not run.is_sealed:
        if run.path.name.endswith(PARTIAL):
            return (
                "NEVER SEALED: this run is still going on, or was cut off before its end; what "
                "follows is what it had written"
            )
        return f"NEVER SEALED: {MANIFEST} is missing, so nothing vouches for these files"
    changes = run.differences()
    foreign = next((name for name, what in changes.items() if what == "foreign"), None)
    if foreign is not None:
        raise EnvironmentProblem(
            f"{run.path / MANIFEST} names {foreign!a}, which is no file of this folder, so it "
            "is not the seal that Isobath wrote and no number of this run is shown; restore the "
            "file or run again"
        )
    if "records.jsonl" in changes:
        raise EnvironmentProblem(
            f"{run.path / 'records.jsonl'} is not as it was sealed ({MANIFEST} has another hash), "
            "so no number of this run is shown; restore the file or run again"
        )
    if changes:
        words = ", ".join(f"{printable(name)} ({what})" for name, what in changes.items())
        return f"CHANGED AFTER SEALING: {words}"
    return ""
