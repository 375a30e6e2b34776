# SPDX-License-Identifier: Apache-2.0
"""isobath tag: words for studies that shall be found, and kept."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.store_options import Store
from isobath.settings.values import split_words
from isobath.study.home import shelf
from isobath.study.tags import change_tags, read_tags

Study = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="The study: an id, its beginning, a tag, a path, last.",
        autocompletion=completion.studies,
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TAG]...",
        help="Words to give the study; without any, those it has are shown.",
        autocompletion=completion.tags,
    ),
]
Remove = Annotated[
    list[str] | None,
    typer.Option(
        "--remove",
        metavar="TAG,..",
        help="Take these tags off the study.",
        autocompletion=completion.tags,
    ),
]


def tag(study: Study, words: Words = None, *, remove: Remove = None, store: Store = None) -> int:
    """Give a study a word to find it by. A study with a tag is never removed or pruned.

    For example: ./isobath tag last before-update; ./isobath list --tag before-update
    """
    stored = shelf(store).find(study)
    place = stored.path.parent
    add, less = split_words(words), split_words(remove)
    if add or less:
        tags = change_tags(place, stored.study_id, add=add, remove=less)
    else:
        tags = read_tags(place).get(stored.study_id, ())
    print(f"{stored.study_id}: {', '.join(tags) or 'no tags'}")
    return 0
