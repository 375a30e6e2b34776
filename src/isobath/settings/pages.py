# SPDX-License-Identifier: Apache-2.0
"""Settings as rows of docs/reference/options.md."""

from isobath.settings.checking import limit_words
from isobath.settings.declaration import Declaration, Setting

HEAD = ("option", "in TOML", "variable", "takes", "default", "meaning")
KINDS = {int: "whole number", float: "number", bool: "yes or no", str: "text", dict: "tables"}


def table_of(asked: Declaration) -> str:
    """All settings of a kind, a row each."""
    rows = [HEAD, ("---",) * len(HEAD), *(_row(asked, setting) for setting in asked.settings)]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows)


def _row(asked: Declaration, setting: Setting) -> tuple[str, ...]:
    variable = "" if setting.in_toml_alone else f"`{asked.variable(setting)}`"
    usual = setting.usual_words
    meaning = (
        setting.help[0].lower() + setting.help[1:] if setting.help[1].islower() else setting.help
    )
    if setting.more:
        meaning = f"{meaning}; {setting.more}"
    if setting.default is not None and not setting.usual and usual and setting.kind is str:
        usual = f"`{usual}`"
    return (
        _options(setting),
        f"`{setting.name}`",
        variable,
        setting.takes or _takes(setting),
        usual,
        meaning,
    )


def _options(setting: Setting) -> str:
    if setting.is_argument:
        return setting.metavar
    if setting.in_toml_alone:
        return ""
    words = [
        setting.option,
        *setting.aliases,
        *([f"--no-{setting.option[2:]}"] if setting.has_no else []),
    ]
    return ", ".join(f"`{word}`" for word in words)


def _takes(setting: Setting) -> str:
    limits = setting.limits
    if limits.choices:
        words = ", ".join(f"`{choice}`" for choice in limits.choices)
    else:
        words = KINDS[setting.kind] + ("s" if setting.several and setting.kind is not bool else "")
        least = limits.least if limits.least is not None else limits.above
        if least is not None and limits.most is not None:
            words += f", {limit_words(least, ',')} to {limit_words(limits.most, ',')}"
    return f"{words}; several with commas" if setting.several and not setting.takes else words


def _cell(words: str) -> str:
    return words.replace("|", "\\|")
