# SPDX-License-Identifier: Apache-2.0
"""What a shell is told when a person asks for completion: studies by all their names, tags, kinds,
baselines, and words of which one or several may be chosen.

Nothing of a study is read but where it lies; a question that cannot be answered has no answer,
for whoever types wants no error message in the middle of a line.
"""

import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from isobath.errors import IsobathError
from isobath.settings.shared import MPI_KINDS
from isobath.study.kinds import KINDS, entry_named
from isobath.study.shelf import LAST
from isobath.study.tags import read_tags

if TYPE_CHECKING:
    from isobath.study.shelf import Shelf

Completions = list[tuple[str, str]]
"""words with what they mean, which some shells show"""

Completer = Callable[[typer.Context, str], Completions]


def studies(context: typer.Context, incomplete: str) -> Completions:
    """``last``, ``last:KIND``, tags and ids, the newest first.

    Args: context knows the other options, of which --store says where to look.
    """
    return _studies(context, incomplete, ())


def studies_of(*kinds: str) -> Completer:
    """The same of some kinds alone, named as their commands."""

    def complete(context: typer.Context, incomplete: str) -> Completions:
        return _studies(context, incomplete, kinds)

    return complete


def studies_of_the_command(context: typer.Context, incomplete: str) -> Completions:
    """Those of the kind that the command makes."""
    entry = entry_named(context.info_name or "")
    return _studies(context, incomplete, (entry.name,) if entry else ())


def baselines(context: typer.Context, incomplete: str) -> Completions:
    """Baselines by their names."""
    from isobath.baseline.chain import BaselineShelf
    from isobath.study.home import baselines_folder

    with contextlib.suppress(IsobathError, OSError):
        there = BaselineShelf(baselines_folder(context.params.get("store"))).all()
        return _beginning(incomplete, [(folder.name, "a baseline") for folder in there])
    return []


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Of words that are known beforehand."""
    there = tuple(words)
    return lambda incomplete: [word for word in there if word.startswith(incomplete)]


def some_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """The same, also behind a comma; what is there already is not offered again."""
    there = tuple(words)

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        taken = before.split(",")
        return [before + comma + word for word in there
                if word.startswith(last) and word not in taken]  # fmt: skip

    return complete


mpi_libraries = one_of(MPI_KINDS)
"""what stands for an MPI library; ids and paths are not offered"""


def several_studies(context: typer.Context, incomplete: str) -> Completions:
    """The same, also behind a comma: several count as one side of a comparison."""
    before, comma, last = incomplete.rpartition(",")
    completions = studies(context, last)
    return [(before + comma + word, meaning) for word, meaning in completions]


def tags(context: typer.Context, incomplete: str) -> Completions:
    """Tags that studies have."""
    with contextlib.suppress(IsobathError, OSError):
        return _beginning(incomplete, [(tag, "a tag") for tag in _tags(_shelf(context), None)])
    return []


def kinds(incomplete: str) -> Completions:
    """Kinds by the ends of their commands, as `list` names them, and by the words in the names of
    their studies.
    """
    named = {kind.name.rpartition(" ")[2]: kind.noun for kind in KINDS}
    return _beginning(incomplete, [*(named | {kind.word: kind.noun for kind in KINDS}).items()])


def views(context: typer.Context, incomplete: str) -> Completions:
    """Views and tables of the study that is named before."""
    with contextlib.suppress(IsobathError, OSError):
        study = _shelf(context).find(context.params.get("study") or LAST)
        kind = study.entry.load()
        meanings = {name: view.words for name, view in kind.views.items()}
        meanings |= {name: table.words for name, table in kind.tables.items()}
        return _beginning(incomplete, list(meanings.items()))
    return []


def views_of(name: str) -> Callable[[str], Completions]:
    """Views of a kind, named as its command; imported only when somebody asks."""

    def complete(incomplete: str) -> Completions:
        entry = entry_named(name)
        views = entry.load().views if entry else {}
        return _beginning(incomplete, [(word, view.words) for word, view in views.items()])

    return complete


def _studies(context: typer.Context, incomplete: str, wanted: tuple[str, ...]) -> Completions:
    with contextlib.suppress(IsobathError, OSError):
        where = _shelf(context)
        there = [study for study in where.studies() if not wanted or study.entry.name in wanted]
        ids = {study.study_id for study in there}
        kinds = dict.fromkeys(study.entry for study in reversed(there))
        completions = [(LAST, "the newest study")] if there else []
        completions += [(f"{LAST}:{kind.word}", f"the newest {kind.noun}") for kind in kinds]
        completions += [(tag, "a tag") for tag in _tags(where, ids)]
        completions += [(study.study_id, study.entry.noun) for study in reversed(there)]
        return _beginning(incomplete, completions)
    return []


def _shelf(context: typer.Context) -> "Shelf":
    from isobath.study.home import shelf

    return shelf(context.params.get("store"))


def _tags(where: "Shelf", ids: set[str] | None) -> list[str]:
    """All tags. Args: ids are those of studies that count; None means all."""
    return sorted({tag for folder in where.folders
                   for study_id, several in read_tags(folder).items()
                   if ids is None or study_id in ids for tag in several})  # fmt: skip


def _beginning(incomplete: str, completions: Completions) -> Completions:
    return [(word, meaning) for word, meaning in completions if word.startswith(incomplete)]
