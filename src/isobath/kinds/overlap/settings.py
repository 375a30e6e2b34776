# SPDX-License-Identifier: Apache-2.0
"""The settings of a benchmark of overlap. Limits are those of isobath-overlap."""

from dataclasses import dataclass
from typing import get_args

from isobath.kinds.nodes import OnSeveralNodes
from isobath.kinds.progress import MODES
from isobath.records.overlap import Work
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import Benched, mpi_libraries_setting, seed_setting
from isobath.settings.values import parse_sizes
from isobath.study.labels import LEAST_LAUNCHES

WORKS: tuple[str, ...] = get_args(Work)
MOST_RANKS = 4096


@dataclass(frozen=True)
class OverlapSettings(OnSeveralNodes, Benched):
    """What a person may ask for."""

    # fmt: off
    collectives: tuple[str, ...] = setting(
        ("allreduce", "alltoall"), "Collectives to measure, by their blocking calls, or all",
        metavar="A,..", takes="names with commas, or `all`",
        more="the non-blocking calls are measured beside them",
    )
    sizes: tuple[int, ...] = setting(
        (16, 512, 4096, 8192), "Bytes of a vector, or of the block of one rank", metavar="N,..",
        parse=parse_sizes, least=8, most=1 << 30, takes="bytes with commas, as `16,4K` or `8:1M`",
    )
    ranks: tuple[int, ...] = setting(
        (), "Numbers of ranks that compute", metavar="N,..", least=1, most=MOST_RANKS,
        usual="up to 2",
        more="threads and aggregators are measured with fewer too, so that they have processors",
    )
    threads: int = setting(
        1, "OpenMP threads of a rank", metavar="N", least=1, most=MOST_RANKS
    )
    progress: tuple[str, ...] = setting(
        MODES, "Ways to make progress", metavar="A,..", choices=MODES, usual="all"
    )
    work: tuple[str, ...] = setting(
        WORKS, "Work that is done meanwhile", metavar="A,..", choices=WORKS,
        more="the first is swept, of the others the middle is measured",
    )
    ratios: tuple[float, ...] = setting(
        (0.25, 0.5, 1.0, 2.0, 4.0), "Time of the work by that of the call", metavar="X,..",
        least=0.01, most=1000, usual="0.25,0.5,1,2,4",
    )
    tests: tuple[int, ...] = setting(
        (0, 1, 10, 100, 1000), "Calls of MPI_Test in the work, of progress tests", metavar="K,..",
        least=0, most=100_000,
    )
    aggregators: int = setting(
        1, "Ranks beside those that compute, which work for them (offload)", metavar="N", least=1,
        most=MOST_RANKS,
    )
    trees: int = setting(
        1, "Aggregation trees that the pieces of a vector are spread over", metavar="N", least=1,
        most=255,
    )
    repetitions: int = setting(
        20, "Repetitions of each setting in a launch", metavar="N", least=1, most=100_000,
        more="a fifth of a second at the most",
    )
    order: int = setting(
        32, "Order of the matrices of the work product", metavar="N", least=1, most=4096
    )
    mpi: tuple[str, ...] = mpi_libraries_setting()
    launches: int = setting(
        LEAST_LAUNCHES, "Launches of each way to make progress, in random order", metavar="N",
        least=1, more="with fewer than 3 the words FEW LAUNCHES are there",
    )
    seed: int | None = seed_setting()
    # fmt: on


OVERLAP = declared("bench overlap", OverlapSettings, "OVERLAP")
