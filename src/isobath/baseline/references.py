# SPDX-License-Identifier: Apache-2.0
"""Which studies baselines name: what they were made of, and what was held against them."""

from collections.abc import Iterable

from isobath.baseline.chain import BaselineShelf


def held_by_baselines(shelf: BaselineShelf, studies: Iterable[str]) -> dict[str, str]:
    """By id of study the name of a baseline that names it.

    Ids are looked for in the text of entries: a baseline that is damaged holds its studies too.

    Raises: EnvironmentProblem where an entry cannot be read.
    """
    texts = {folder.name: folder.text() for folder in shelf.all()}
    held = {}
    for study in studies:
        names = [name for name, text in texts.items() if f'"{study}"' in text]
        if names:
            held[study] = names[0]
    return held
