# SPDX-License-Identifier: Apache-2.0
"""What holds between studies: who refers to whom, and the launches of all of them."""

from collections.abc import Sequence
from pathlib import Path

from isobath.store.folders import MANIFEST, RunFolder
from isobath.store.launch_reader import doubts_of
from isobath.study.catalogue import Row
from isobath.study.folder import RUNS
from isobath.study.kinds import entry_named
from isobath.study.shelf import Shelf


def references(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """By id, the studies that refer to a study: a replay refers to the run it replays."""
    referrers: dict[str, list[Row]] = {}
    for row in rows:
        entry = entry_named(row.kind)
        for name in entry.load().refers_to(Path(row.path)) if entry else ():
            referrers.setdefault(name, []).append(row)
    return referrers


def sealed_launches(where: Shelf) -> tuple[dict[str, list[RunFolder]], list[str]]:
    """Every sealed launch of every study, by its id; and a sentence for each that is not as it was
    sealed: it is left out where its records are not.
    """
    by_study: dict[str, list[RunFolder]] = {}
    doubts: list[str] = []
    for study in where.studies():
        several = sorted((study.path / RUNS).glob(f"*/{MANIFEST}"))
        single = [study.path / MANIFEST] if study.is_sealed and not several else []
        launches = [
            RunFolder(manifest.parent) for manifest in (*several, *single) if manifest.is_file()
        ]
        by_study[study.study_id] = []
        for launch in launches:
            sentences, is_spoiled = doubts_of(launch)
            doubts += sentences
            if not is_spoiled:
                by_study[study.study_id].append(launch)
    return by_study, doubts
