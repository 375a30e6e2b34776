# SPDX-License-Identifier: Apache-2.0
"""Words that a person gives to studies. They stand beside the studies, which are never changed."""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from isobath.errors import EnvironmentProblem, UsageError
from isobath.records import strict_json
from isobath.store.lock import locked
from isobath.study.folder import StudyFolder

TAGS = "tags.json"
_SHAPE = re.compile(r"[A-Za-z][A-Za-z0-9._+-]{0,39}")


def read_tags(store: Path) -> dict[str, tuple[str, ...]]:
    """Tags by id of study. Raises: EnvironmentProblem where the file is damaged."""
    path = store / TAGS
    try:
        by_study = strict_json.loads(path.read_bytes())
        return {str(name): tuple(map(str, tags)) for name, tags in by_study.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise EnvironmentProblem(
            f"cannot read the tags of studies in {path}: {error}; mend or remove the file"
        ) from error


@contextlib.contextmanager
def keep_tags(store: Path) -> Iterator[dict[str, tuple[str, ...]]]:
    """Tags by id of study; as long as the block lasts nobody else changes them.

    Raises: EnvironmentProblem where another program changes them, or they cannot be read.
    """
    with locked(store, "a change of tags"):
        yield read_tags(store)


def change_tags(
    store: Path, study_id: str, *, add: tuple[str, ...] = (), remove: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Returns: the tags that the study has afterwards.

    Raises: UsageError for a word that is no tag, EnvironmentProblem where the file cannot be
        written.
    """
    for word in add:
        if not _SHAPE.fullmatch(word) or word == "last":
            raise UsageError(
                f"{word!r} is no tag; begin with a letter and use letters, digits, . _ + - (40 at "
                "most)"
            )
    with keep_tags(store) as tags:
        kept = [word for word in tags.get(study_id, ()) if word not in remove]
        tags[study_id] = tuple(dict.fromkeys((*kept, *add)))
        _write(store, tags)
    return tags[study_id]


def _write(store: Path, tags: Mapping[str, tuple[str, ...]]) -> None:
    kept = {name: words for name, words in sorted(tags.items()) if words}
    StudyFolder(store).write_durably(TAGS, json.dumps(kept, indent=1))
