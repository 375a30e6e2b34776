# SPDX-License-Identifier: Apache-2.0
"""The official text, letter for letter, in both dialects."""

from isobath.report.run_data import RunData
from isobath.view.content import Block, Listing, Notice, Preformatted, Section

TITLE = "Official output"

needs = ("run.official",)


def render(data: RunData) -> Section:
    """The block of reference 3.0, and the names of the specification behind a fold."""
    blocks: list[Block] = []
    reference = data.texts.get("official-reference.txt", "")
    specification = data.texts.get("official-spec.txt", "")
    if reference or specification:
        blocks.extend(
            Notice(f"{label}: this holds for every number in the text below.")
            for label in data.labels
        )
    disclosed = disclosures_of(data)
    if disclosed:
        blocks.append(Listing("What this run did beyond the reference program", disclosed))
    if reference:
        blocks.append(Preformatted("As Graph500 reference 3.0 prints it", reference))
    if specification:
        blocks.append(
            Preformatted("With the names of the specification", specification, folded=True)
        )
    return Section("official", TITLE, tuple(blocks), lead=_lead(data, bool(blocks)))


def disclosures_of(data: RunData) -> tuple[str, ...]:
    """As the engine recorded them at its end; none of runs that did not record them."""
    finish = data.records.finish
    return tuple(_sentence(words) for words in finish.disclosures) if finish else ()


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _lead(data: RunData, there: bool) -> str:
    if not there:
        return "The run left no official text."
    if data.records.run.official:
        return (
            "The run was official: what can be checked of the rules was checked, from start to "
            "end. docs/reference/official-runs.md has all rules, and what is done otherwise."
        )
    return "The run was no official one: the text has the official form, the rules were not locked."
