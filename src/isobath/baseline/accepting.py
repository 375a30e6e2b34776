# SPDX-License-Identifier: Apache-2.0
"""What somebody takes as it is: a slower cell or another algorithm, with a reason and a date."""

import getpass
import os
from dataclasses import dataclass
from datetime import UTC, datetime

from isobath.baseline.chain import Baseline, BaselineFolder
from isobath.baseline.entries import LONGEST_NAME, Acceptance, KeptCell, Regression
from isobath.compared.launch_facts import BUILD
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
    hits = hits or [name for name in names if asked and all(word in name.lower() for word in asked)]
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
    if len(reason) > LONGEST_NAME:
        raise UsageError(
            f"the reason has {len(reason)} characters, but at most {LONGEST_NAME} are kept: say it "
            "in fewer"
        )

    def made(baseline: Baseline) -> Acceptance:
        name = cell_meant(baseline, words)
        measured = [entry for entry in baseline.regressions if name in entry.cells]
        last = next((entry for entry in reversed(measured) if not _is_question(entry)), None)
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
        kept = next(cell for cell in baseline.archive.cells if cell.name == name)
        against = _regression_against(baseline, kept, last)
        before, _ = acceptance_for(baseline, kept, against)
        factor = outcome.ratio if is_slower else before.factor if before else 1.0
        earlier = accepted_factors(baseline).get(name)
        chosen = outcome.other_algorithm or (earlier.chosen if earlier else "")
        return Acceptance(
            previous="", at=datetime.now(UTC), cell=name, factor=factor or 1.0, study=last.study,
            reason=printable(" ".join(reason.split())), who=printable(who), chosen=chosen,
            held_against=against.library, held_against_build=against.build,
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
    return {entry.cell: entry for entry in baseline.accepted}


@dataclass(frozen=True)
class Against:
    """What times are held against, and a ratio is to."""

    library: str = ""
    """as it calls itself; empty: the times of the baseline, or its own library in turns"""
    build: str = ""
    """digest of its file; empty where it is not known"""

    def is_that(self, other: "Against") -> bool:
        """The same library; where a build is not known, its release says it."""
        is_another = self.build and other.build and self.build != other.build
        return self.library == other.library and not is_another

    def words(self, baseline: str) -> str:
        """For people. Args: baseline is its name."""
        return self.library or f"the baseline {baseline}"


BASELINE = Against()


def is_own(baseline: Baseline, cell: KeptCell, library: Against) -> bool:
    """Whether a library is the one that a cell was measured under for the baseline."""
    used = {sample.launch for sample in cell.samples}
    builds = {launch.facts.get(BUILD, "") for member in baseline.archive.members
              for name, launch in member.launches.items() if name in used} or {""}  # fmt: skip
    return any(Against(cell.key.mpi, build).is_that(library) for build in builds)


def accepted_against(baseline: Baseline, cell: KeptCell, acceptance: Acceptance) -> Against:
    """What an acceptance is to. Those of before do not say it: then its regression does."""
    if acceptance.held_against:
        return Against(acceptance.held_against, acceptance.held_against_build)
    study = acceptance.study
    measured = next((entry for entry in baseline.regressions if entry.study == study), None)
    return BASELINE if measured is None else _regression_against(baseline, cell, measured)


def _regression_against(baseline: Baseline, cell: KeptCell, regression: Regression) -> Against:
    """Regressions of before do not say what they were held against: then it is the baseline."""
    against = Against(regression.held_against, regression.held_against_build)
    return BASELINE if not against.library or is_own(baseline, cell, against) else against


def acceptance_for(
    baseline: Baseline, cell: KeptCell, against: Against
) -> tuple[Acceptance | None, Acceptance | None]:
    """The last acceptance of a cell that is to what it is held against. Where there is none: the
    last of all, which was said of times to something else, and is no excuse.
    """
    last = None
    for entry in reversed([entry for entry in baseline.accepted if entry.cell == cell.name]):
        if accepted_against(baseline, cell, entry).is_that(against):
            return entry, None
        last = last or entry
    return None, last
