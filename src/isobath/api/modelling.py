# SPDX-License-Identifier: Apache-2.0
"""Formulas of time fitted to stored studies: what isobath model fit does, as a function."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from isobath.api.stored import Progress, Study, Where, _silent, study
from isobath.kinds.model.session import fit_studies
from isobath.kinds.model.settings import FIT, FitSettings
from isobath.settings.sources import merge
from isobath.study import home
from isobath.study.driver import Driver
from isobath.study.sealing import LIBRARY


def fit(
    *studies: str | os.PathLike[str] | Study,
    formula: str | None = None,
    given: Mapping[str, float] | None = None,
    only: str | Sequence[str] = (),
    progress: Progress = _silent,
    store: Where = None,
    **settings: Any,
) -> Study:
    """Fits a formula, and every family that applies, to studies of one kind; stores the verdicts.

    Args: given are values of parameters that are not fitted; settings as in a file for
        ``isobath model fit`` (docs/reference/options.md), for example ``families=False``.
    Raises: UsageError for a formula or studies that do not do; EnvironmentProblem where one cannot
        be read or nothing can be written.
    """
    wanted = settings | {
        "studies": [
            str(part.path) if isinstance(part, Study) else os.fspath(part) for part in studies
        ],
        "given": [f"{name}={value!r}" for name, value in (given or {}).items()],
        "only": [only] if isinstance(only, str) else list(only),
    }
    wanted |= {"formula": formula} if formula is not None else {}
    merged = merge(FIT, options=wanted, origin_of=str)
    shelf = home.shelf(os.fspath(store) if store is not None else None)
    origins = dict.fromkeys(FIT.names, LIBRARY[0])
    folder = fit_studies(
        FitSettings(**merged.values), shelf, origins, LIBRARY, Driver(say=progress)
    )
    return study(folder.path)
