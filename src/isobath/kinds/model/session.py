# SPDX-License-Identifier: Apache-2.0
"""A fit from what was asked for to its sealed folder. Starts no program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from isobath.compared.sides import check_together, studies_meant
from isobath.comparison.measured import Cell, Taken, pooled
from isobath.errors import UsageError
from isobath.kinds.model.facts import subject_facts
from isobath.kinds.model.link_loads import with_link_loads
from isobath.kinds.model.model import FitResult
from isobath.kinds.model.settings import FIT, FitSettings
from isobath.kinds.model.stored import RESULT
from isobath.kinds.settings_of import stored_settings
from isobath.models.fitting import Modelled, model_subject
from isobath.models.formula import ASKED, SYMBOLS, Expression, almost_symbols, read_formula
from isobath.models.subjects import Sorted, Subject, subjects_of
from isobath.models.time_formulas import WrittenFormula
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.driver import SILENT, Driver
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of
from isobath.study.sealing import HowItEnded, Origin, seal_result
from isobath.study.shelf import Shelf, StoredStudy


def fit_studies(
    settings: FitSettings,
    where: Shelf,
    origins: Mapping[str, str],
    command: tuple[str, ...],
    driver: Driver = SILENT,
) -> RunFolder:
    """Reads the studies, fits, and seals what was found.

    Raises: UsageError for a formula or studies that do not do; EnvironmentProblem where a study
        cannot be read or nothing can be written. Nothing is written then.
    """
    began = datetime.now(UTC)
    result = fit_result(settings, where, driver)
    opened = OpenRun(where.folders[0], make_id(entry_of("model fit").word, began))
    values = {name: getattr(settings, name) for name in FIT.names}
    values["studies"] = tuple(result.studies)
    origin = Origin("", command, settings=stored_settings(FIT, values, origins))
    how = HowItEnded(began, datetime.now(UTC), "complete", "unvalidated", 0, None)
    text = result.model_dump_json(indent=1, by_alias=True)
    return seal_result(opened, RESULT, text, origin, how)


@dataclass(frozen=True)
class Read:
    """What a fit looks at."""

    studies: Sequence[StoredStudy]
    subjects: Sorted
    problems: Sequence[str]
    is_altered: bool


def read_studies(settings: FitSettings, where: Shelf) -> Read:
    """What would be fitted. Raises: as ``fit_studies``."""
    if not settings.studies:
        raise UsageError(
            "name a study to fit a model to; ./isobath list names those that there are"
        )
    studies = [study for word in settings.studies for study in studies_meant(where, word)]
    check_together(studies)
    cells, problems, is_altered = _cells_of(studies)
    if settings.network is not None:
        cells = with_link_loads(cells, settings.network)
    chosen = [
        cell for cell in cells if all(word.lower() in cell.title.lower() for word in settings.only)
    ]
    if not chosen:
        raise UsageError(_nothing_chosen(settings, studies))
    sorted_ = subjects_of(chosen, with_crowded=settings.crowded)
    _check_enough(sorted_, studies)
    return Read(studies, sorted_, problems, is_altered)


def fit_result(settings: FitSettings, where: Shelf, driver: Driver = SILENT) -> FitResult:
    """All that is found, nothing written. Raises: as ``fit_studies``."""
    read = read_studies(settings, where)
    formulas = _formulas(settings, read.subjects.subjects)
    slips = _slips(formulas)
    for slip in slips:
        driver.say(slip)  # before what takes long
    modelled = _modelled(settings, read.subjects.subjects, formulas, driver)
    return FitResult(
        studies=[study.study_id for study in read.studies],
        of=read.studies[0].entry.name,
        formula=settings.formula,
        cells_left_out=read.subjects.left_out,
        too_few=list(read.subjects.too_few),
        problems=[*read.problems, *slips],
        sources_altered=read.is_altered,
        subjects=[subject_facts(subject) for subject in modelled],
    )


def _cells_of(studies: Sequence[StoredStudy]) -> tuple[list[Cell], list[str], bool]:
    """Cells and parts of all, each launch by a name that no other study has."""
    cells: list[Cell] = []
    problems: list[str] = []
    is_altered = False
    for study in studies:
        kind = study.entry.load()
        read = kind.read(study.path)
        problems += kind.problems(read)
        is_altered = is_altered or kind.is_altered(read)
        for cell in (*kind.cells(read), *kind.parts(read)):
            cells.append(_of_study(cell, study.study_id))
    return list(pooled(cells)), problems, is_altered


def _of_study(cell: Cell, study: str) -> Cell:
    taken = tuple(
        Taken(taken.value, f"{study}/{taken.launch}", (study, taken.turn or taken.launch))
        for taken in cell.taken
    )
    return replace(cell, taken=taken)


def _nothing_chosen(settings: FitSettings, studies: Sequence[StoredStudy]) -> str:
    if settings.only:
        return f"--only {' '.join(settings.only)}: no cell has these words; leave it out"
    return f"{', '.join(study.study_id for study in studies)} has no time that a model could be of"


def _check_enough(read: Sorted, studies: Sequence[StoredStudy]) -> None:
    if read.subjects:
        return
    names = ", ".join(study.study_id for study in studies)
    if read.left_out and not read.too_few:
        raise UsageError(
            f"no time of {names} is a result: its ranks shared processors; --crowded takes such "
            "times all the same, marked"
        )
    raise UsageError(
        f"{names} has too few points to fit a model to: measure more sizes or more numbers of ranks"
    )


def _slips(formulas: Sequence[Expression | str | None]) -> list[str]:
    found: dict[str, str] = {}
    for formula in formulas:
        found |= almost_symbols(formula) if isinstance(formula, Expression) else {}
    return [
        f"{name} is no symbol of the study, so it is a parameter and is fitted; {symbol} is a "
        "symbol: was it meant?"
        for name, symbol in found.items()
    ]


def _modelled(
    settings: FitSettings,
    subjects: Sequence[Subject],
    formulas: Sequence[Expression | str | None],
    driver: Driver,
) -> list[Modelled]:
    modelled = []
    for number, (subject, formula) in enumerate(zip(subjects, formulas, strict=True), start=1):
        driver.say(f"model {number} of {len(subjects)}: {subject.title}")
        wanted = None
        if isinstance(formula, Expression):
            wanted = WrittenFormula(ASKED, formula, _given(settings.given, formula))
        fit = model_subject(
            subject, wanted, families=settings.families, resamples=settings.resamples,
            seed=settings.seed,
        )  # fmt: skip
        modelled.append(replace(fit, refused=formula) if isinstance(formula, str) else fit)
    asked = [
        fit for fit in modelled if any(each.candidate.formula.name == ASKED for each in fit.models)
    ]
    if settings.formula is not None and not asked:
        raise UsageError(next(fit.refused for fit in modelled if fit.refused))
    return modelled


def _formulas(settings: FitSettings, subjects: Sequence[Subject]) -> list[Expression | str | None]:
    """The formula for each subject, or why it has none. Raises: UsageError where none has one."""
    if settings.formula is None:
        if settings.given:
            raise UsageError("--given names a parameter of a formula; add --formula")
        return [None] * len(subjects)
    formulas: list[Expression | str | None] = []
    for subject in subjects:
        shared = set(SYMBOLS).intersection(*(sample.numbers for sample in subject.samples))
        try:
            formulas.append(read_formula(settings.formula, shared))
        except UsageError as problem:
            formulas.append(str(problem))
    if not any(isinstance(formula, Expression) for formula in formulas):
        raise UsageError(str(formulas[0]))
    return formulas


def _given(words: Sequence[str], formula: Expression) -> dict[str, float]:
    """Values by name. Raises: UsageError for another name or no number."""
    given = {}
    for word in words:
        name, _, text = word.partition("=")
        if name not in formula.parameters:
            raise UsageError(
                f"--given {word}: the formula has no parameter {name}; it has "
                f"{', '.join(formula.parameters)}"
            )
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < float("inf"):
            raise UsageError(f"--given {word}: write NAME=VALUE with a number of 0 or more")
        given[name] = value
    return given
