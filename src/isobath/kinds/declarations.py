# SPDX-License-Identifier: Apache-2.0
"""The declaration of settings of every kind, by its command. Nothing is imported to list them."""

import importlib
from typing import cast

from isobath.settings.declaration import Declaration

PLACES = {
    "run": "isobath.kinds.run.settings:RUN",
    "search": "isobath.kinds.search.settings:SEARCH",
    "race": "isobath.kinds.race.settings:RACE",
    "profile": "isobath.kinds.profile.settings:PROFILE",
    "bench replay": "isobath.kinds.replay.settings:REPLAY",
    "bench collectives": "isobath.kinds.collectives.settings:COLLECTIVES",
    "bench overlap": "isobath.kinds.overlap.settings:OVERLAP",
    "bench cg": "isobath.kinds.cg.settings:CG",
}


def declaration_of(kind: str) -> Declaration:
    """Raises: KeyError where there is no such kind."""
    module, _, name = PLACES[kind].partition(":")
    return cast(Declaration, getattr(importlib.import_module(module), name))


def is_of_others(variable: str) -> bool:
    """Whether a variable is a setting of any kind; imports them all, which the rare need pays."""
    return any(variable in declaration_of(kind).variables for kind in PLACES)
