# SPDX-License-Identifier: Apache-2.0
"""Completion of words with a colon (last:race) under bash, which takes the colon for a word of its
own: the pieces are joined before anything is looked up, and what bash has already is cut off again.
"""

import contextlib
import io
import os
from collections.abc import Iterator

COLON = ":"


@contextlib.contextmanager
def joined_colons(instruction: str) -> Iterator[None]:
    """Around an answer to the shell.

    Args: instruction is what the shell wants; all but ``complete_bash`` is left as it is.
    """
    words = os.environ.get("COMP_WORDS", "").split("\n")
    if instruction != "complete_bash" or COLON not in words:
        yield
        return
    try:
        typed = int(os.environ["COMP_CWORD"])
    except (KeyError, ValueError):
        yield
        return
    before, current = _joined(words[:typed]), words[typed] if typed < len(words) else ""
    has = ""
    if current == COLON and before:
        has, current = before.pop() + COLON, ""
    elif before and before[-1].endswith(COLON):
        has = before.pop()
    os.environ["COMP_WORDS"] = "\n".join((*before, has + current))
    os.environ["COMP_CWORD"] = str(len(before))
    answer = io.StringIO()
    try:
        with contextlib.redirect_stdout(answer):
            yield
    finally:
        print("\n".join(line.removeprefix(has) for line in answer.getvalue().splitlines()))


def _joined(words: list[str]) -> list[str]:
    joined: list[str] = []
    for word in words:
        if joined and (word == COLON or joined[-1].endswith(COLON)):
            joined[-1] += word
        else:
            joined.append(word)
    return joined
