# SPDX-License-Identifier: Apache-2.0
"""What a shell is told when a person asks for completion: studies by all their names, tags, kinds.

Nothing of a study is read but where it lies; a question that cannot be answered has no answer,
for whoever types wants no error message in the middle of a line.
"""

import contextlib
from typing import TYPE_CHECKING

import typer

from isobath.errors import IsobathError
from isobath.study.kinds import KINDS
from isobath.study.shelf import LAST
from isobath.study.tags import read_tags

if TYPE_CHECKING:
    from isobath.study.shelf import Shelf

Completions = list[tuple[str, str]]
"""words with what they mean, which some shells show"""


def studies(context: typer.Context, incomplete: str) -> Completions:
    """``last``, ``last:KIND``, tags and ids, the newest first.

    Args: context knows the other options, of which --store says where to look.
    """
    with contextlib.suppress(IsobathError, OSError):
        where = _shelf(context)
        there = where.studies()
        kinds = dict.fromkeys(study.entry for study in reversed(there))
        completions = [(LAST, "the newest study")] if there else []
        completions += [(f"{LAST}:{kind.word}", f"the newest {kind.noun}") for kind in kinds]
        completions += [(tag, "a tag") for tag in _tags(where)]
        completions += [(study.study_id, study.entry.noun) for study in reversed(there)]
        return _beginning(incomplete, completions)
    return []


def several_studies(context: typer.Context, incomplete: str) -> Completions:
    """The same, also behind a comma: several count as one side of a comparison."""
    before, comma, last = incomplete.rpartition(",")
    completions = studies(context, last)
    return [(before + comma + word, meaning) for word, meaning in completions]


def tags(context: typer.Context, incomplete: str) -> Completions:
    """Tags that studies have."""
    with contextlib.suppress(IsobathError, OSError):
        return _beginning(incomplete, [(tag, "a tag") for tag in _tags(_shelf(context))])
    return []


def kinds(incomplete: str) -> Completions:
    """Kinds by the word in the names of their studies."""
    return _beginning(incomplete, [(kind.word, kind.noun) for kind in KINDS])


def views(context: typer.Context, incomplete: str) -> Completions:
    """Views and tables of the study that is named before."""
    with contextlib.suppress(IsobathError, OSError):
        study = _shelf(context).find(context.params.get("study") or LAST)
        kind = study.entry.load()
        meanings = {name: view.words for name, view in kind.views.items()}
        meanings |= {name: table.words for name, table in kind.tables.items()}
        return _beginning(incomplete, list(meanings.items()))
    return []


def _shelf(context: typer.Context) -> "Shelf":
    from isobath.study.home import shelf

    return shelf(context.params.get("store"))


def _tags(where: "Shelf") -> list[str]:
    return sorted({tag for folder in where.folders for several in read_tags(folder).values()
                   for tag in several})  # fmt: skip


def _beginning(incomplete: str, completions: Completions) -> Completions:
    return [(word, meaning) for word, meaning in completions if word.startswith(incomplete)]
