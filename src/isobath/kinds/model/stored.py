# SPDX-License-Identifier: Apache-2.0
"""What is stored of a fit, read without all that it takes to fit."""

from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.kinds.model.model import FitResult

RESULT = "model.json"


def result_of(folder: Path) -> FitResult:
    """What is stored. Raises: EnvironmentProblem where it is missing or damaged."""
    path = folder / RESULT
    try:
        return FitResult.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; fit again") from error
    except ValueError as error:
        raise EnvironmentProblem(f"cannot read {path}: the file is damaged; fit again") from error
