# SPDX-License-Identifier: Apache-2.0
"""The settings that make a stored study again."""

from collections.abc import Mapping
from typing import Any

from isobath.settings.declaration import Declaration
from isobath.settings.renamed import with_present_names
from isobath.settings.sources import DEFAULT
from isobath.store.run_summary import Setting

CHOSEN = "chosen"
"""Origin of what Isobath chose."""

OF_THE_ESTIMATE = "hang_seconds"
"""Chosen anew for every run, by how long it may take on that day."""


def kept_settings(asked: Declaration, stored: Mapping[str, Setting]) -> dict[str, Any]:
    """Of a study of one launch: what was asked for and what was chosen, but for places."""
    values = {}
    named = with_present_names(asked.by_name, stored)
    for setting in asked.settings:
        kept = named.get(setting.name)
        if kept is None or kept.origin == DEFAULT or setting.is_place:
            continue
        if setting.name == OF_THE_ESTIMATE and kept.origin == CHOSEN:
            continue
        values[setting.name] = kept.value
    return {name: value for name, value in values.items() if value is not None}


def stored_settings(
    asked: Declaration, values: Mapping[str, Any], origins: Mapping[str, str]
) -> dict[str, Setting]:
    """As run.json keeps them: what was asked for, but for places."""
    return {
        name: Setting(value=value, origin=origins.get(name, DEFAULT))
        for name, value in values.items()
        if not asked.by_name[name].is_place
    }


def written_settings(asked: Declaration, values: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept with a study, as a file has it: what is no default and no place."""
    return {
        setting.name: setting.written(values[setting.name])
        for setting in asked.settings
        if not setting.is_place
        and values.get(setting.name, setting.default) not in (None, setting.default)
    }
