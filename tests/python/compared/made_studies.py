# SPDX-License-Identifier: Apache-2.0
"""Stored studies again, with other times: as many launches as a comparison needs, none started."""

import json
import shutil
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from isobath.kinds.imported.stored import RESULT
from isobath.store.folders import MANIFEST, file_digest
from studies.stored import FOLDER, studies, the_folder

KEPT = ("clock_error_seconds", "clock_resolution_seconds", "clock_error_nanoseconds")
NOT_TIMES = ("run", "launch")


def copy_of(
    store: Path,
    name: str,
    study_id: str,
    *,
    factor: float = 1.0,
    later: float = 0.0,
    words: Mapping[str, str] | None = None,
) -> Path:
    """A stored study under another id.

    Args: factor is that of all its times; later, in seconds, when it was measured; words take the
        place of others in every file.
    """
    source = the_folder(FOLDER / name, studies()[name].kind)
    folder = store / study_id
    shutil.copytree(source, folder)
    for path in sorted(folder.rglob("*")):
        if path.name in (
            "study.json",
            "run.json",
            "bench.json",
            "overlap.json",
            "cg.json",
            "race.json",
        ) or (path.suffix == ".jsonl" or path.name == "environment.json"):
            text = path.read_text(encoding="utf-8").replace(source.name, study_id)
            for one, other in (words or {}).items():
                assert one in text or path.name != "records.jsonl", f"{path} has no {one}"
                text = text.replace(one, other)
            path.write_text(text, encoding="utf-8")
    for path in folder.rglob("records.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        scaled = (one if one["kind"] in NOT_TIMES else scaled_by(one, factor) for one in lines)
        path.write_text("".join(json.dumps(one) + "\n" for one in scaled), encoding="utf-8")
    for path in folder.rglob(RESULT):
        told = json.loads(path.read_text(encoding="utf-8"))
        for launch in (one for cell in told["cells"] for one in cell["launches"]):
            launch["value"] *= factor
        path.write_text(json.dumps(told), encoding="utf-8")
    for path in folder.rglob("run.json"):
        move(path, later)
    seal_again(folder)
    return folder


def scaled_by(value: Any, factor: float, name: str = "", *, is_time: bool = False) -> Any:
    """Every time of a record, and its rates."""
    timed = is_time or name == "phases" or "seconds" in name
    if name in KEPT or isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, dict):
        return {key: scaled_by(one, factor, key, is_time=timed) for key, one in value.items()}
    if isinstance(value, list):
        return [scaled_by(one, factor, name, is_time=timed) for one in value]
    if name == "teps":
        return value / factor
    if not timed:
        return value
    return round(value * factor) if isinstance(value, int) else value * factor


def move(path: Path, later: float) -> None:
    summary = json.loads(path.read_text(encoding="utf-8"))
    for name in ("started", "ended"):
        moved = datetime.fromisoformat(summary[name]) + timedelta(seconds=later)
        summary[name] = moved.isoformat()
    path.write_text(json.dumps(summary), encoding="utf-8")


def seal_again(study: Path) -> None:
    for manifest in study.rglob(MANIFEST):
        folder = manifest.parent
        names = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
        lines = (f"{file_digest(folder / name)}  {name}\n" for name in names)
        manifest.write_text("".join(lines), encoding="utf-8")


def several(
    store: Path,
    name: str,
    word: str,
    factors: list[float],
    *,
    first: float = 0.0,
    step: float = 60.0,
) -> str:
    """Studies that differ in their times alone; returns what a person types for all of them."""
    ids = []
    for number, factor in enumerate(factors):
        study_id = f"20261201-{number:06}-{word}-{number:04x}"
        copy_of(store, name, study_id, factor=factor, later=first + step * number)
        ids.append(study_id)
    return ",".join(ids)
