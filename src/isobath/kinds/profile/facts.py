# SPDX-License-Identifier: Apache-2.0
"""A profile for programs."""

from typing import Any

from isobath.profile.profile import Profile


def facts_of(profile: Profile) -> dict[str, Any]:
    """The program as a whole, its ranks and cells as records say them."""
    return {
        "program": profile.whole.model_dump(mode="json", by_alias=True),
        "ranks": [rank.model_dump(mode="json", by_alias=True) for rank in profile.ranks],
        "threads": [thread.model_dump(mode="json", by_alias=True) for thread in profile.threads],
        "cells": [cell.model_dump(mode="json", by_alias=True) for cell in profile.cells],
    }
