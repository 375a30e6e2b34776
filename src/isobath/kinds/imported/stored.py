# SPDX-License-Identifier: Apache-2.0
"""Files of other programs, from what they hold to a sealed folder, and read again."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from isobath.errors import EnvironmentProblem, UsageError
from isobath.interchange.foreign import Foreign, read_foreign
from isobath.interchange.foreign_value import ForeignValue
from isobath.kinds.imported.model import (
    ImportedCell,
    ImportedLaunch,
    ImportedResult,
    SourceFacts,
)
from isobath.kinds.imported.settings import IMPORT, ImportSettings
from isobath.kinds.settings_of import stored_settings
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of
from isobath.study.sealing import HowItEnded, Origin, seal_result
from isobath.study.shelf import Shelf, printable
from isobath.units import size_words

RESULT = "imported.json"


def import_files(
    settings: ImportSettings, where: Shelf, origins: Mapping[str, str], command: tuple[str, ...]
) -> RunFolder:
    """Raises: UsageError for a file that nobody knows, EnvironmentProblem where one cannot be read
    or nothing can be written. Nothing is written then.
    """
    began = datetime.now(UTC)
    result = imported_result(settings)
    opened = OpenRun(where.folders[0], make_id(entry_of("import").word, began))
    values = {name: getattr(settings, name) for name in IMPORT.names}
    origin = Origin("", command, settings=stored_settings(IMPORT, values, origins))
    how = HowItEnded(began, datetime.now(UTC), "complete", "unvalidated", 0, None)
    text = result.model_dump_json(indent=1, by_alias=True)
    # Of this machine nothing is told: it measured nothing.
    return seal_result(opened, RESULT, text, origin, how, {"nodes": []})


def imported_result(settings: ImportSettings) -> ImportedResult:
    """All that the files hold, nothing written. Raises: as ``import_files``."""
    if not settings.files:
        raise UsageError("name the output of another program: ./isobath import FILE...")
    read = [(path, read_foreign(path)) for path in map(Path, settings.files)]
    sources = [_source(path, foreign) for path, foreign in read]
    _check_once(sources)
    return ImportedResult(
        measured_here=False,
        programs=list(dict.fromkeys(name for source in sources for name in source.programs)),
        sources=sources,
        mpi=printable(settings.mpi or ""),
        where=printable(settings.where or ""),
        remarks=[
            f"{source.file}: {printable(words)}"
            for source, (_, foreign) in zip(sources, read, strict=True)
            for words in foreign.remarks
        ],
        cells=_cells([foreign.values for _, foreign in read], settings.ranks),
    )


def _source(path: Path, foreign: Foreign) -> SourceFacts:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    programs = [printable(name) for name in foreign.programs]
    return SourceFacts(file=printable(path.name), sha256=digest, programs=programs,
                       values=len(foreign.values))  # fmt: skip


def _check_once(sources: Sequence[SourceFacts]) -> None:
    """The same file twice would be two launches that never were."""
    seen: dict[str, str] = {}
    for source in sources:
        if source.sha256 in seen:
            raise UsageError(
                f"{seen[source.sha256]} and {source.file} hold the same, letter for letter: a "
                "launch counts once; leave one out"
            )
        seen[source.sha256] = source.file


def _cells(files: Sequence[Sequence[ForeignValue]], ranks: int | None) -> list[ImportedCell]:
    """What is alike but for its number is one cell; each file, and each repetition, a launch."""
    cells: dict[tuple[object, ...], ImportedCell] = {}
    for number, values in enumerate(files, start=1):
        times: Counter[tuple[object, ...]] = Counter()
        for value in values:
            cell = _cell(value, ranks)
            key = (cell.cell, cell.program, cell.ranks, cell.unit, cell.graph, cell.keys,
                   *sorted(cell.settings.items()))  # fmt: skip
            times[key] += 1
            known = cells.setdefault(key, cell)
            launch = ImportedLaunch(launch=f"{number}-{times[key]}", value=value.value)
            known.launches.append(launch)
            if value.trouble and not known.trouble:
                cells[key] = known.model_copy(update={"trouble": printable(value.trouble)})
    return list(cells.values())


def _cell(value: ForeignValue, ranks: int | None) -> ImportedCell:
    what = printable(value.what)
    unit = printable(value.unit)
    size = "" if value.size_bytes is None else f", {size_words(value.size_bytes)}"
    told = "" if unit in ("s", "TEPS") else f" ({unit or 'no unit'})"
    return ImportedCell(
        cell=f"{what}{size}{told}",
        what=f"{what}{told}",
        program=value.program,
        unit=unit,
        more_is_better=value.more_is_better,
        ranks=value.ranks or ranks,
        size_bytes=value.size_bytes,
        graph=value.graph,
        keys=value.keys,
        settings={printable(name): printable(words) for name, words in value.settings.items()},
        trouble=printable(value.trouble),
        launches=[],
    )


def result_of(folder: Path) -> ImportedResult:
    """What is stored. Raises: EnvironmentProblem where it is missing or damaged."""
    path = folder / RESULT
    try:
        return ImportedResult.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {path}: {error.strerror}; import the file again"
        ) from error
    except ValueError as error:
        raise EnvironmentProblem(
            f"cannot read {path}: the file is damaged; import the file again"
        ) from error
