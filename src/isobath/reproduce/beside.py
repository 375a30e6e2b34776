# SPDX-License-Identifier: Apache-2.0
"""Studies of this laboratory beside a publication: its ranking, its formula, its offload.

What a study says is measured or predicted here, and says so; nothing of it is the source's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import expm1

from isobath.comparison.measured import Cell
from isobath.errors import UsageError
from isobath.models.families import EXCHANGES, MESH, known_family
from isobath.models.fitting import model_subject
from isobath.models.formula import read_formula
from isobath.models.points import Sample, points_of
from isobath.models.structure import Structure
from isobath.models.subjects import Subject, subjects_of
from isobath.models.time_formulas import WrittenFormula
from isobath.predicted.facts import bottlenecks
from isobath.predicted.reading import Asked, answer
from isobath.reproduce.sharp import pieces_of
from isobath.study.shelf import Shelf, StoredStudy

OFFLOAD, LIBRARY = "offload", "library"
OFFLOADED = {"allreduce": "allreduce", "iallreduce": "allreduce"}
RESAMPLES = 40


@dataclass(frozen=True)
class Row:
    """One line; what does not apply is None."""

    name: str
    measured_seconds: float | None = None
    predicted_seconds: float | None = None
    measured_place: int | None = None
    predicted_place: int | None = None
    error: float | None = None
    """share by which what is predicted is too slow; below 0 too fast"""


@dataclass(frozen=True)
class Beside:
    """What a study says of an item of a source."""

    item: str
    study: str
    sentence: str
    rows: tuple[Row, ...]


def beside(source: str, where: Shelf, words: Sequence[str]) -> tuple[Beside, ...]:
    """Raises: UsageError for a source that no study stands beside, or a study of another kind."""
    ways = WAYS.get(source)
    if ways is None and words:
        raise UsageError(
            f"--study goes with {' and '.join(WAYS)}: beside {source} nothing that was measured "
            "here would say more"
        )
    return tuple(one for word in words for one in _of_study(source, ways or {}, where, word))


def _of_study(source: str, ways: "Mapping[str, Way]", where: Shelf, word: str) -> Iterator[Beside]:
    study = where.find(word)
    way = ways.get(study.entry.name)
    if way is None:
        raise UsageError(
            f"--study {study.study_id}: a {study.entry.noun} says nothing of {source}; name a "
            f"study of {' or '.join(ways)}"
        )
    yield from way(where, study)


def _ranking(where: Shelf, study: StoredStudy) -> Iterator[Beside]:
    """Of a run: parts of the search by predicted time, each with its place in what was measured."""
    found = answer(where, Asked(study.study_id))
    rows = tuple(
        Row(
            str(one["name"]), one["measured_seconds"], one["predicted_seconds"]["middle"],
            one["measured_place"], one["predicted_place"],
        )
        for one in bottlenecks(found.prediction, found.measured)
    )  # fmt: skip
    met = [row.name for row in rows if row.predicted_place == row.measured_place]
    yield Beside(
        "ranking of bottlenecks",
        study.study_id,
        f"predicted and measured place agree for {len(met)} of {len(rows)} parts of our search; "
        "its program and machine are others",
        rows,
    )


def _mesh(where: Shelf, study: StoredStudy) -> Iterator[Beside]:
    """Of a benchmark: the report's formula fitted to each exchange, with its residuals."""
    family = known_family(MESH)
    assert family is not None  # it is built in
    for subject in _subjects(study, EXCHANGES):
        points = points_of(subject.samples)
        if not {"p", "m"} <= set(points.columns):
            continue
        wanted = WrittenFormula(MESH, read_formula(family.formula, points.columns))
        model = model_subject(subject, wanted, families=False, resamples=RESAMPLES).models[0]
        crowded = f"; {subject.crowded} points had more ranks than processors" * bool(
            subject.crowded
        )
        yield Beside(
            "alpha-beta model",
            study.study_id,
            f"{subject.title}: {model.judged.verdict.sentence}{crowded}",
            tuple(_levels(model.judged.structures)),
        )


def _levels(structures: Sequence[Structure]) -> Iterator[Row]:
    for structure in structures:
        for level in structure.levels:
            yield Row(f"{structure.factor} {level.words}", error=level.share)


def _offload(where: Shelf, study: StoredStudy) -> Iterator[Beside]:
    """Of a benchmark of overlap: calls through our trees of host processes, the offload model that
    is fitted to them, and the library's own.
    """
    kind = study.entry.load()
    calls = [
        cell
        for cell in kind.cells(kind.read(study.path))
        if cell.scale == "seconds" and str(cell.identity.get("collective")) in OFFLOADED
    ]
    through = [cell for cell in calls if cell.identity.get("progress") == OFFLOAD]
    if not through:
        raise UsageError(
            f"--study {study.study_id}: nothing was offloaded in it; measure with --progress "
            "library,offload"
        )
    said, sentence = _modelled(through)
    rows = []
    for cell, seconds in zip(through, said, strict=True):
        took = cell.value
        error = seconds / took - 1 if seconds is not None and took else None
        rows.append(Row(_title(cell), took, seconds, error=error))
    own = [cell for cell in calls if cell.identity.get("progress") == LIBRARY]
    rows += [Row(_title(cell), cell.value) for cell in own]
    yield Beside(
        "offload model",
        study.study_id,
        f"{sentence}. Measured are host processes on processors of their own or of others, no "
        "switch: shapes may be compared, times may not",
        tuple(rows),
    )


def _title(cell: Cell) -> str:
    size, ranks = round(cell.numbers["m"]), round(cell.numbers["p"])
    pieces = f", {pieces_of(size)} pieces" if cell.identity.get("progress") == OFFLOAD else ""
    return f"{cell.title.partition(', call beside')[0]}, {ranks} ranks{pieces}"


def _modelled(cells: Sequence[Cell]) -> tuple[list[float | None], str]:
    """Seconds that the fitted offload model says of each cell, and what is to be said of it."""
    family = known_family(OFFLOAD)
    assert family is not None  # it is built in
    samples = [
        Sample(cell.title, cell.numbers, {}, tuple((one.launch, one.value) for one in cell.taken))
        for cell in cells
    ]
    points = points_of(samples)
    wanted = WrittenFormula(OFFLOAD, read_formula(family.formula, points.columns))
    if len(points) <= wanted.size:
        return [None] * len(cells), (
            f"{len(points)} points are too few to fit host, hop and piece to; measure more sizes "
            "and ranks"
        )
    fitted = wanted.fit(points)
    errors = fitted.errors(points)
    typical = sorted(abs(expm1(error)) for error in errors)[len(errors) // 2]
    told = ", ".join(f"{name} {value:.3g} s" for name, value in fitted.parameters.items())
    values = [float(s * (1 + expm1(e))) for s, e in zip(points.seconds, errors, strict=True)]
    return list(
        values
    ), f"host + 2 depth hop + pieces g, fitted: {told}; typically {100 * typical:.0f} % off"


def _subjects(study: StoredStudy, of: Sequence[str]) -> list[Subject]:
    kind = study.entry.load()
    found = subjects_of(kind.cells(kind.read(study.path)), with_crowded=True).subjects
    wanted = [one for one in found if one.of in of]
    if not wanted:
        raise UsageError(
            f"--study {study.study_id}: it has no exchange of enough sizes or ranks; measure "
            "alltoallv"
        )
    return wanted


Way = Callable[[Shelf, StoredStudy], Iterator[Beside]]

WAYS: Mapping[str, Mapping[str, Way]] = {
    "stampede2": {"run": _ranking, "bench collectives": _mesh},
    "sharp": {"bench overlap": _offload},
}
"""By source and kind of study."""
