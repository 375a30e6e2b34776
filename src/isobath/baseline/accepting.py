# SPDX-License-Identifier: Apache-2.0
"""What somebody takes as it is: a slower cell or another algorithm, with a reason and a date."""

import getpass
import os
from datetime import UTC, datetime

from isobath.baseline.chain import Baseline, BaselineFolder
from isobath.baseline.entries import Acceptance, Regression
from isobath.errors import UsageError
from isobath.settings.values import nearest
from isobath.study.shelf import printable


def cell_meant(baseline: Baseline, words: str) -> str:
    """The name of a cell: whole, or words that stand in no other.

    Raises: UsageError naming what may have been meant.
    """
    names = [cell.name for cell in baseline.archive.cells]
    if words in names:
        return words
    asked = words.lower().replace(",", " ").split()
    hits = [name for name in names if asked and set(asked) <= set(_words(name))]
    hits = hits or [name for name in names if asked and all(one in name.lower() for one in asked)]
    if len(hits) == 1:
        return hits[0]
    if hits:
        raise UsageError(
            f"{words} means {len(hits)} cells: {'; '.join(hits[:8])}; write more of the name"
        )
    near = nearest(words, names)
    hint = f"did you mean {near}?" if near else "./isobath baseline show NAME lists them"
    raise UsageError(f"no cell of {baseline.name} is called {words}; {hint}")


def _words(name: str) -> list[str]:
    return name.lower().replace(",", " ").split()


def accept(folder: BaselineFolder, words: str, reason: str, who: str) -> Acceptance:
    """Takes a cell as slow as the last regression measured it, and by the algorithm that it ran by.
    Wrong results are never accepted, nor what was a question: another variable, another machine.

    Raises: UsageError where there is nothing to accept; as ``BaselineFolder.append``.
    """
    if not reason.strip():
        raise UsageError("an acceptance needs its reason; write --reason WORDS")

    def made(baseline: Baseline) -> Acceptance:
        name = cell_meant(baseline, words)
        measured = [one for one in baseline.regressions if name in one.cells]
        last = next((one for one in reversed(measured) if not _is_question(one)), None)
        outcome = last.cells[name] if last is not None else None
        if last is None or outcome is None:
            only = " but with --variables or on another machine" if measured else ""
            raise UsageError(
                f"no regression has measured {name} yet{only}; ./isobath regress {baseline.name} "
                "does"
            )
        if outcome.outcome == "wrong":
            raise UsageError(f"{name} gave wrong data in {last.study}: that is never accepted")
        is_slower = outcome.outcome == "slower" and outcome.ratio is not None
        if not is_slower and not outcome.other_algorithm:
            raise UsageError(
                f"{name} is {outcome.outcome} in {last.study}: there is nothing to accept"
            )
        before = accepted_factors(baseline).get(name)
        factor = outcome.ratio if is_slower else before.factor if before else 1.0
        chosen = outcome.other_algorithm or (before.chosen if before else "")
        return Acceptance(
            previous="", at=datetime.now(UTC), cell=name, factor=factor or 1.0, study=last.study,
            reason=printable(" ".join(reason.split())), who=printable(who), chosen=chosen,
        )  # fmt: skip

    return folder.append(made)


def _is_question(regression: Regression) -> bool:
    """Whether it tells nothing of the library as users have it (history.py leaves it out too)."""
    return bool(regression.variables) or regression.across_machines


def you() -> str:
    """Who adds something, and where."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = f"user {os.getuid()}"
    return f"{user} on {os.uname().nodename}"


def accepted_factors(baseline: Baseline) -> dict[str, Acceptance]:
    """By cell, the last acceptance."""
    return {one.cell: one for one in baseline.accepted}
