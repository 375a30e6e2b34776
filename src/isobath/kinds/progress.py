# SPDX-License-Identifier: Apache-2.0
"""Ways to make progress on collectives that were started, in benchmarks that compare them."""

from typing import get_args

from isobath.records.overlap import Progress

MODES: tuple[Progress, ...] = get_args(Progress)

ASYNC_PROGRESS = {
    "hydra": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    "intel": {"I_MPI_ASYNC_PROGRESS": "1"},
}
"""What switches a library's own progress thread on, by family."""
