# SPDX-License-Identifier: Apache-2.0
"""From studies of any kind to the first entry of a baseline."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from isobath import __version__
from isobath.baseline.entries import Archive, Broken
from isobath.baseline.gathering import members_of
from isobath.bench.guidelines import checks_of
from isobath.compared.sides import check_once, studies_meant
from isobath.errors import IsobathError, UsageError
from isobath.kinds.collectives.kind import CollectivesFound
from isobath.kinds.race.settings import FACTORS
from isobath.kinds.regress.plan import KIND_NAME, RegressFolder
from isobath.kinds.run.settings import RUN
from isobath.kinds.settings_of import kept_settings
from isobath.store.folders import RunFolder
from isobath.study.folder import StudyFolder, settings_of
from isobath.study.shelf import Shelf, StoredStudy, printable, study_at
from isobath.units import size_words

COLLECTIVES = "bench collectives"


def studies_inside(study: StoredStudy) -> list[StoredStudy]:
    """Of a regression those that it measured of the library of today; of others themselves."""
    if study.entry.name != KIND_NAME:
        return [study]
    folder = RegressFolder(study.path)
    members = [one for one in folder.plan().members if one.side == "new"]
    found = (study_at(folder.member(one).path) for one in members)
    return [
        StoredStudy(one.path, one.entry, f"{study.study_id}/{one.study_id}")
        for one in found
        if one is not None
    ]


def studies_kept(where: Shelf, words: Sequence[str]) -> list[StoredStudy]:
    """What a baseline is made of: studies as a person names them, of a regression those inside.

    Raises: UsageError naming what there is, and for one that is there twice.
    """
    named = [study for word in words for study in studies_meant(where, word)]
    check_once(named)
    meant = [inner for study in named for inner in studies_inside(study)]
    check_once(meant)
    return meant


def settings_of_study(study: StoredStudy) -> dict[str, Any] | None:
    """What makes it again; of a run those of a race of one cell, which can be repeated."""
    if not study.entry.has_one_launch:
        return settings_of(StudyFolder(study.path))
    if study.entry.name != "run":
        return None
    kept = kept_settings(RUN, RunFolder(study.path).summary().settings)
    return {name: value for name, value in kept.items() if name in FACTORS}


def archive_of(
    name: str, studies: Sequence[StoredStudy], maker: str
) -> tuple[Archive, tuple[str, ...]]:
    """The entry, and a sentence for each cell that is left out.

    Raises: as ``members_of``; UsageError for what others measured: it is no reference of ours.
    """
    theirs = [study.study_id for study in studies if study.entry.is_imported]
    if theirs:
        raise UsageError(
            f"{theirs[0]} was imported: others measured it, so it is no baseline; compare it "
            "(./isobath compare), or measure a baseline of your own"
        )
    members, left_out = members_of(studies, settings_of_study)
    archive = Archive(
        previous="",
        at=datetime.now(UTC),
        name=name,
        maker=printable(maker),
        isobath_version=__version__,
        members=members,
        guidelines=broken_guidelines(studies),
    )
    return archive, left_out


def broken_guidelines(studies: Iterable[StoredStudy]) -> tuple[Broken, ...] | None:
    """Of all benchmarks of collectives among them; None where there is none."""
    paths = [one.path for one in studies if one.entry.name == COLLECTIVES]
    if not paths:
        return None
    broken = {one.words: one for path in paths for one in broken_in(path)}
    return tuple(broken.values())


def broken_in(path: Path) -> list[Broken]:
    """Guidelines that a benchmark of collectives says are surely broken, by size."""
    from isobath.kinds.collectives.kind import KIND

    try:
        found: CollectivesFound = KIND.read(path)
        checks = checks_of(found.measured)
    except IsobathError:
        return []
    return [
        Broken(words=f"{one.words} at {size_words(one.left.cell.size_bytes)}, "
               f"{one.left.arm.ranks} ranks", factor=one.factor)
        for one in checks
        if one.outcome == "broken"
    ]  # fmt: skip
