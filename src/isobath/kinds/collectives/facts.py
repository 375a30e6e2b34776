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
                "mpi": regret.default.arm.mpi,
                "ranks": regret.default.first.ranks,
                "cell": regret.default.cell.words(),
                "default_seconds": regret.default.seconds,
                "best_seconds": regret.best.seconds,
                "best_algorithm": regret.best.choice,
                "loss": regret.loss,
                "is_clear": regret.is_clear,
            }
            for regret in regrets_of(measured)
        ],
        "guidelines": [
            {
                "guideline": check.words,
                "mpi": check.left.arm.mpi,
                "ranks": check.left.first.ranks,
                "size_bytes": check.left.cell.size_bytes,
                "factor": check.factor,
                "outcome": check.outcome,
            }
            for check in checks_of(measured)
        ],
    }
