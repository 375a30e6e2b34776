# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of collectives costs its users, for programs."""

from typing import Any

from isobath.bench.guidelines import checks_of
from isobath.bench.measured import Measured
from isobath.bench.regret import regrets_of


def consequences(measured: Measured) -> dict[str, Any]:
    """Regret and guidelines for programs."""
    return {
        "regret": [
            {
                "mpi": one.default.arm.mpi,
                "ranks": one.default.first.ranks,
                "cell": one.default.cell.words(),
                "default_seconds": one.default.seconds,
                "best_seconds": one.best.seconds,
                "best_algorithm": one.best.choice,
                "loss": one.loss,
                "is_clear": one.is_clear,
            }
            for one in regrets_of(measured)
        ],
        "guidelines": [
            {
                "guideline": one.words,
                "mpi": one.left.arm.mpi,
                "ranks": one.left.first.ranks,
                "size_bytes": one.left.cell.size_bytes,
                "factor": one.factor,
                "outcome": one.outcome,
            }
            for one in checks_of(measured)
        ],
    }
