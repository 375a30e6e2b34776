# SPDX-License-Identifier: Apache-2.0
"""From what a person types to sides: which studies, read once, each cell with its launches."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from isobath.compared.launch_facts import launches_of
from isobath.comparison.matching import match
from isobath.comparison.measured import BOUNDS, Bound, Cell, Launched, Side, pooled
from isobath.errors import EnvironmentProblem, UsageError
from isobath.settings.values import no_choice, split_words
from isobath.study.shelf import Shelf, StoredStudy, printable

OF_WORK = {"scale", "edgefactor", "kernel", "root", "collectives", "sizes", "elements", "progress"}
"""Settings that say which cells there are."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def studies_meant(where: Shelf, word: str) -> list[StoredStudy]:
    """The studies of one side: one, several with commas, or all that have a tag.

    Raises: UsageError naming what there is.
    """
    parts = [word] if Path(word).exists() else [part.strip() for part in word.split(",")]
    studies: list[StoredStudy] = []
    for part in parts:
        tagged = where.tagged(part)
        studies += tagged if len(tagged) > 1 else [where.find(part)]
    return studies


def read_sides(where: Shelf, words: Sequence[str]) -> list[Side]:
    """The sides of a comparison, the reference first.

    What was imported stands on a side of its own, whatever the kind of the others.

    Raises: UsageError for fewer than two, a study that is there twice, studies of several kinds or
        one without times; EnvironmentProblem where nothing of a side can be read.
    """
    if len(words) < 2:
        raise UsageError(
            "a comparison needs two studies or more: the reference first, then what is held "
            "against it; ./isobath list names those that there are"
        )
    if len(words) > len(LETTERS):
        raise UsageError(f"{len(words)} sides are too many to compare; take {len(LETTERS)} at most")
    meant = [studies_meant(where, word) for word in words]
    for several in meant:
        check_together(several)
    check_once([study for several in meant for study in several])
    measured = [several[0] for several in meant if not several[0].entry.is_imported]
    if measured:
        _check_kind(measured)
    return [side_of(letter, several) for letter, several in zip(LETTERS, meant, strict=False)]


def check_together(studies: Sequence[StoredStudy]) -> None:
    """Raises: UsageError for a study that is there twice, and for studies of several kinds."""
    check_once(studies)
    _check_kind(studies)


def check_once(studies: Sequence[StoredStudy]) -> None:
    """Raises: UsageError for a study that is there twice."""
    seen: set[str] = set()
    for study in studies:
        if study.study_id in seen:
            raise UsageError(
                f"{printable(study.study_id)} is there twice: a study says nothing against itself; "
                "name another"
            )
        seen.add(study.study_id)


def _check_kind(studies: Sequence[StoredStudy]) -> None:
    first = studies[0]
    other = next((study for study in studies if study.entry.name != first.entry.name), None)
    if other is not None:
        raise UsageError(
            f"{printable(first.study_id)} is a {first.entry.noun} and "
            f"{printable(other.study_id)} a {other.entry.noun}: only studies of one kind have "
            "anything in common"
        )


def side_of(name: str, studies: Sequence[StoredStudy]) -> Side:
    """Reads every study. One that is not as it was sealed is left out, and named.

    Raises: EnvironmentProblem where none can be read, or no cell of any has a time.
    """
    cells: list[Cell] = []
    launches: dict[str, Launched] = {}
    problems: list[str] = []
    is_altered = False
    for study in studies:
        kind = study.entry.load()
        try:
            reading = kind.read(study.path)
            own = kind.cells(reading)
        except EnvironmentProblem as problem:
            problems.append(f"{study.study_id} is left out: {problem}")
            is_altered = True
            continue
        problems += kind.problems(reading)
        is_altered = is_altered or kind.is_altered(reading)
        cells += [_of_study(cell, study.study_id) for cell in own]
        known = kind.launched(reading) or launches_of(study.path, told_by(own))
        launches |= {_name(study.study_id, launch): launched for launch, launched in known.items()}
    if not any(cell.taken or cell.trouble for cell in cells):
        names = ", ".join(printable(study.study_id) for study in studies)
        why = problems[0] if problems else f"{names} has none"
        raise EnvironmentProblem(f"there is no time to compare: {why}")
    ids = tuple(study.study_id for study in studies)
    kind_name = studies[0].entry.name
    return Side(name, ids, kind_name, pooled(cells), launches, tuple(problems), is_altered)


def check_shared_cells(sides: Sequence[Side], across: Collection[Bound]) -> None:
    """Raises: UsageError where a side has no cell in common with the reference."""
    reference, *others = sides
    for side in others:
        matched = match(reference, side, across)
        if matched.pairs:
            continue
        words = "; ".join(
            f"{name}: {ours} and {theirs}" for name, (ours, theirs) in matched.differing.items()
        )
        together = f"{', '.join(reference.studies)} and {', '.join(side.studies)}"
        if not words:
            raise UsageError(
                f"{together} have no cell in common; ./isobath show says what each has"
            )
        names = ",".join(matched.differing)
        raise UsageError(
            f"{together} did not measure the same ({words}); --across {names} compares them all "
            "the same"
        )


def bounds_named(words: Sequence[str] | None) -> tuple[Bound, ...]:
    """What may differ, as a person names it. Raises: UsageError for another word."""
    bounds: list[Bound] = []
    for word in split_words(words):
        name = next((bound for bound in BOUNDS if bound == word), None)
        if name is None:
            raise no_choice("--across", word, BOUNDS)
        bounds.append(name)
    return tuple(bounds)


def told_by(cells: Sequence[Cell]) -> set[str]:
    """Settings that cells tell themselves: what they are called there, and what is bound."""
    names = {name.replace(" ", "_") for cell in cells for name in cell.settings}
    bound = {name for cell in cells for name in cell.bound}
    return names | bound | (OF_WORK if bound else set())


def _of_study(cell: Cell, study: str) -> Cell:
    """Its launches by names that no other study has."""
    taken = tuple(
        replace(
            sample,
            launch=_name(study, sample.launch),
            turn=None if sample.turn is None else (study, sample.turn),
        )
        for sample in cell.taken
    )
    return replace(cell, taken=taken)


def _name(study: str, launch: str) -> str:
    return study if launch == study else f"{study}/{launch}"
