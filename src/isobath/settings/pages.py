# SPDX-License-Identifier: Apache-2.0
"""Settings as rows of docs/reference/options.md."""

from isobath.settings.checking import limit_words
from isobath.settings.declaration import Declaration, Setting

HEAD = ("option", "in TOML", "variable", "takes", "default", "meaning")
KINDS = {int: "whole number", float: "number", bool: "yes or no", str: "text", dict: "tables"}


def table_of(asked: Declaration) -> str:
    """All settings of a kind, a row each."""
    rows = [HEAD, ("---",) * len(HEAD), *(_row(asked, one) for one in asked.settings)]
    return "\n".join("| " + " | ".join(_cell(one) for one in row) + " |" for row in rows)


def _row(asked: Declaration, one: Setting) -> tuple[str, ...]:
    variable = "" if one.in_toml_alone else f"`{asked.variable(one)}`"
    usual = one.usual_words
    meaning = one.help[0].lower() + one.help[1:] if one.help[1].islower() else one.help
    if one.more:
        meaning = f"{meaning}; {one.more}"
    if one.default is not None and not one.usual and usual and one.kind is str:
        usual = f"`{usual}`"
    return (_options(one), f"`{one.name}`", variable, one.takes or _takes(one), usual, meaning)


def _options(one: Setting) -> str:
    if one.is_argument:
        return one.metavar
    if one.in_toml_alone:
        return ""
    words = [one.option, *one.aliases, *([f"--no-{one.option[2:]}"] if one.has_no else [])]
    return ", ".join(f"`{word}`" for word in words)


def _takes(one: Setting) -> str:
    limits = one.limits
    if limits.choices:
        found = ", ".join(f"`{choice}`" for choice in limits.choices)
    else:
        found = KINDS[one.kind] + ("s" if one.several and one.kind is not bool else "")
        least = limits.least if limits.least is not None else limits.above
        if least is not None and limits.most is not None:
            found += f", {limit_words(least, ',')} to {limit_words(limits.most, ',')}"
    return f"{found}; several with commas" if one.several and not one.takes else found


def _cell(words: str) -> str:
    return words.replace("|", "\\|")
