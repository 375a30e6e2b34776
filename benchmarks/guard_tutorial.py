# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/how-to/after-an-update.md, which guard_real.py walk runs, and its figures.

Commands stand in the tutorial alone: whoever changes them there changes what is measured. Figures
stand between two comments of it and are written by ``guard_real.py walk --write``.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.report.wording import count_of

TUTORIAL = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "after-an-update.md"
SECTION = "## In ten minutes"
BEGIN, END = "<!-- figures: guard_real.py walk --write -->", "<!-- end of figures -->"
SHOWN_TO = "What changed"
"""What is printed up to here is the verdict, what to do, and how it was measured."""


def commands(text: str) -> list[str]:
    """Of the first section, without ``./isobath`` and without set-up, as they are typed."""
    typed = [line.partition(" #")[0].strip() for line in _shell_lines(text)]
    ours = [line.removeprefix("./isobath ") for line in typed if line.startswith("./isobath ")]
    return [line for line in ours if line.split()[0] != "setup"]


def _shell_lines(text: str) -> Iterator[str]:
    section = text.partition(f"{SECTION}\n")[2].partition("\n## ")[0]
    for block in section.split("```sh\n")[1:]:
        yield from block.partition("```")[0].splitlines()


def words_of(command: str, libraries: Mapping[str, str]) -> list[str]:
    """As a shell gives them. Args: libraries by the names of the tutorial's variables.

    Raises: KeyError for a variable that the tutorial does not set.
    """
    return [libraries[word[1:]] if word.startswith("$") else word for word in shlex.split(command)]


@dataclass(frozen=True)
class Walk:
    """What was measured, ready to be shown."""

    steps: Sequence[tuple[str, float]]
    """commands and their seconds"""
    libraries: tuple[str, str]
    """before and after, with their releases"""
    processors: int
    found: Mapping[str, Any]
    """findings of the regression"""
    printed: str
    """by the last command"""

    @property
    def minutes(self) -> float:
        """Of all commands."""
        return sum(seconds for _, seconds in self.steps) / 60

    def text(self) -> str:
        """Table, facts and the first lines of what was printed."""
        rows = [
            f"| `./isobath {command}` | {seconds / 60:.1f} |" for command, seconds in self.steps
        ]
        outcomes = Counter(cell["outcome"] for cell in self.found["cells"])
        told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
        before, after = self.libraries
        head = self.printed.partition(SHOWN_TO)[0].rstrip().splitlines()
        return "\n".join([
            "| command | minutes |", "|---|---|", *rows, f"| together | {self.minutes:.1f} |", "",
            f"From {before} to {after} on {count_of(self.processors, 'processor')}: "
            f"{count_of(len(self.found['cells']), 'cell')}, "
            f"{count_of(self.found['turns'], 'turn')}; {told}. It said:", "",
            *(f"    {line}".rstrip() for line in head),
        ])  # fmt: skip


def with_figures(text: str, figures: str) -> str:
    """The tutorial with other figures. Raises: ValueError where it has no place for them."""
    before, begins, rest = text.partition(f"{BEGIN}\n")
    _, ends, after = rest.partition(END)
    if not begins or not ends:
        raise ValueError(f"{TUTORIAL.name} has no {BEGIN} ... {END}")
    return f"{before}{BEGIN}\n{figures}\n{END}{after}"


def figures_of(text: str) -> str:
    """That stand in the tutorial."""
    return text.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0]
